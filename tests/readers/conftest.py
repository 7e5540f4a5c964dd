"""The same examples each time, and none that are kept, so that a test of properties is a test."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "readers",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=20,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("readers")
