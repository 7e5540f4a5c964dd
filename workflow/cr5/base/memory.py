"""How much memory this process can get, and a check that rejects what cannot fit."""

import os
from itertools import product
from pathlib import Path

from cr5.base.errors import UserError

CGROUPS, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
# Version 2, then 1: the limit, the usage, and the part of it in memory.stat that is reclaimable.
NAMES = (
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


def available_bytes() -> int | None:
    """Return the memory that this process can still get, None if the system does not tell."""
    found = [_of_machine(), *(_of_cgroup(*each) for each in product(_cgroups(), NAMES))]
    return min((each for each in found if each is not None), default=None)


REMEDY = "use a larger machine, or a smaller vocabulary, a smaller rank or fewer documents"


def check(needed: int, available: int | None, what: str, remedy: str = REMEDY) -> None:
    """Reject a fit that needs more memory than there is, before the system kills it half-way.

    Args:
        needed: bytes.
        available: bytes, None if unknown.
        what: the fit, for the message.
        remedy: what to do, for the message.

    Raises:
        UserError: it needs more memory than there is.
    """
    if available is not None and needed > available:
        raise UserError(
            f"{what}: about {needed / 2**30:.1f} GiB of memory are needed beside the features "
            f"and {available / 2**30:.1f} GiB are free; {remedy}"
        )


def _of_machine() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        fields = dict(line.split(":") for line in lines)
        return int(fields["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return _from_sysconf()


def _from_sysconf() -> int | None:
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _cgroups() -> list[Path]:
    """Return the folders of this process's control groups and of their ancestors."""
    try:
        lines = [line.split(":", 2) for line in OWN.read_text().splitlines()]
    except OSError:
        lines = []
    found = [CGROUPS, CGROUPS / "memory"]
    for _, controllers, path in lines:
        if controllers in ("", "memory"):
            folder = CGROUPS / controllers / path.lstrip("/")
            found += [each for each in (folder, *folder.parents) if each.is_relative_to(CGROUPS)]
    return found


def _of_cgroup(folder: Path, names: tuple[str, str, str]) -> int | None:
    limit, used, reclaimable = names
    try:
        free = int((folder / limit).read_text()) - int((folder / used).read_text())
        fields = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        return free + int(fields[reclaimable])
    except (OSError, ValueError, KeyError):  # no such cgroup, or "max": no limit
        return None
