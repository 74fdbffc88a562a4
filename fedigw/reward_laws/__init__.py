"""Laws of rewards: one file each, with one frozen class derived from RewardLaw. fedigw/rewards.py has three more."""
