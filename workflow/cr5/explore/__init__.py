"""A page to explore a run's results: static files that work without a server."""

from collections.abc import Collection

TASK = "documents"
FIRST_SETTING = "joint"


def setting_of(names: Collection[str]) -> str | None:
    """Return the setting shown by default: joint, or the only one."""
    if FIRST_SETTING in names:
        return FIRST_SETTING
    return next(iter(names)) if len(names) == 1 else None
