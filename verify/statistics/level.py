"""Fix in advance the probability with which a campaign of checks may err, and the share of each statistical check.

This probability is divided by a fixed number of shares (Bonferroni). So a new check does not change the level of any
other.
"""

FAMILY_LEVEL = 0.01  # probability that any statistical verdict of a whole campaign is wrong
SHARES = 264  # of the level, all equal
USERS = 64  # of the shares, reserved for users' own claims
SHARE = FAMILY_LEVEL / SHARES  # the level of one statistical check
RULE = (
    f"a check that is declared statistical, run or not, has one of {SHARES} equal shares of the level; "
    f"{USERS} shares are reserved for users' own claims; the comparisons inside a check share its part equally"
)
