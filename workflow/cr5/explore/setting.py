"""What is shown of a run where nobody says; the workflow reads it, so it imports nothing."""

from collections.abc import Collection

TASK = "documents"
FIRST_SETTING = "joint"


def setting_of(names: Collection[str]) -> str | None:
    """Which setting is shown where nobody names one: joint, or the only one."""
    if FIRST_SETTING in names:
        return FIRST_SETTING
    return next(iter(names)) if len(names) == 1 else None
