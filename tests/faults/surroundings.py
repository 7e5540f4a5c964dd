"""Other languages, time zones, seeds of hashes, masks and folders for what is temporary."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.faults import judge
from tests.faults.bench import FAILED, SKIPPED, Bench, Outcome

KIND = "locale and other surroundings"
LOCALES = ("tr_TR.UTF-8", "C", "de_DE.UTF-8", "POSIX", "ja_JP.EUC-JP")
ZONES = ("Asia/Kathmandu", "America/St_Johns", "Pacific/Apia", "Europe/Istanbul", "UTC+12")
MASKS = (0o077, 0o000, 0o027, 0o002, 0o022)


def inject(bench: Bench, count: int) -> Iterator[Outcome]:
    """Runs from nothing, each in surroundings of its own."""
    locales = bench.folder / "locales"
    locales.mkdir(exist_ok=True)
    for number in range(min(len(LOCALES), max(1, count // 3))):
        yield from _one(bench, number, locales)


def _one(bench: Bench, number: int, locales: Path) -> Iterator[Outcome]:
    place, language = bench.new("elsewhere"), LOCALES[number]
    targets = [judge.ENOUGH] if number else []
    reason = _generate(locales, language)
    temporary = place.folder.with_name("temporary é")
    temporary.mkdir()
    mask = os.umask(MASKS[number])
    environment = {"PYTHONHASHSEED": str(number), "TZ": ZONES[number], "TMPDIR": str(temporary)}
    if not reason:
        environment |= {"LANG": language, "LC_ALL": language, "LOCPATH": str(locales)}
    whats = [*(f"{name}={value}" for name, value in environment.items() if name in SHOWN)]
    whats += [f"umask {MASKS[number]:03o}", "another TMPDIR"]
    try:
        injected = [Outcome(KIND, what) for what in whats]
        yield from bench.settle(place, injected, *targets, **environment)
    finally:
        os.umask(mask)
    if reason:
        yield Outcome(KIND, f"LC_ALL={language}", SKIPPED, said=reason)
    if left := [x.name for x in temporary.iterdir()]:
        yield Outcome(KIND, "another TMPDIR", FAILED, said=f"left there: {left}")


SHOWN = ("LC_ALL", "PYTHONHASHSEED", "TZ")


def _generate(folder: Path, language: str) -> str:
    """Make a locale; returns why it could not be made."""
    name, _, encoding = language.partition(".")
    if not encoding or (folder / language).is_dir():
        return ""
    if not shutil.which("localedef"):
        return "localedef is not here"
    command = ["localedef", "--no-archive", "-c", "-i", name, "-f", encoding]
    done = subprocess.run([*command, str(folder / language)], capture_output=True, text=True)
    return "" if (folder / language).is_dir() else done.stderr.strip()


KINDS = {KIND: inject}
