"""Reward laws: probability distributions of a reward in [0,1] with a given mean. Each file has one frozen dataclass
derived from RewardLaw. fedigw/rewards.py has three more.
"""
