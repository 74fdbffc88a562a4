"""What holds for every test: examples are the same in every run, and a busy machine is no failure."""

from hypothesis import HealthCheck, settings

# Neither the time of an example nor of drawing it says anything: others may be using the machine.
settings.register_profile(
    "house",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")
