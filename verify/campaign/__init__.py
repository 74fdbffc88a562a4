"""Run a campaign: the checks of all claims, in processes or on a cluster. Each result is saved when it is finished,
and all are judged at the end."""
