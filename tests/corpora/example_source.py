"""A source of one's own: an almanac, each day a line for each language."""

from pathlib import Path

OPTIONS = {"path": ("", "{path}", "the almanac"), "first": (1, {"ge": 1}, "day of the year")}
FILES = ("path",)
LICENCE = ("cc0-1.0", "The almanac is in the public domain.")


def records(reading):
    """Yield (concept, title, text) of each day."""
    for line in Path(reading.path).read_text(encoding="utf-8").splitlines():
        day, language, text = line.split("|")
        if language == reading.language and int(day) >= reading.options["first"]:
            yield day, day, text
