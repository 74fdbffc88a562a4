"""Run a campaign, the checks of all claims, in processes or on a cluster. Each result is saved as soon as it is
finished; verdicts are derived at the end."""
