"""Reward laws: probability distributions of a reward in [0,1] with a given mean. One file each, with one frozen class
derived from RewardLaw. fedigw/rewards.py has three more.
"""
