"""The setting of a run shown by default; the workflow reads this, so it imports nothing."""

from collections.abc import Collection

TASK = "documents"
FIRST_SETTING = "joint"


def setting_of(names: Collection[str]) -> str | None:
    """Return the setting shown by default: joint, or the only one."""
    if FIRST_SETTING in names:
        return FIRST_SETTING
    return next(iter(names)) if len(names) == 1 else None
