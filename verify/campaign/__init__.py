"""Run the checks of claims in processes or on a cluster, save each result when it is finished, and judge them all."""
