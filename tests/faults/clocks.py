"""Dates that mean nothing: of the past, of the future, all the same, in another order."""

import os
import time
from collections.abc import Iterator

from tests.faults import judge
from tests.faults.bench import Bench, Outcome

KIND = "clock changes"
DAY = 86400
PLACES = ("corpus", "given", "results/tiny/bags", "results/tiny/models", "results/tiny/ranks")
PLACES += ("results/tiny/tables", "results")


def inject(bench: Bench, count: int) -> Iterator[Outcome]:
    """Date a part of a finished run anew, take the scores away, resume."""
    chance = bench.random(KIND)
    for _ in range(max(1, count // 2)):
        place, injected = bench.new("dated", bench.finished), []
        for part in chance.sample(PLACES, 2):
            name, date = chance.choice(list(DATES.items()))
            for path in sorted((place.folder / part).rglob("*")):
                when = date(chance)
                os.utime(path, (when, when), follow_symlinks=False)
            injected.append(Outcome(KIND, f"{part} {name}"))
        judge.take_scores(place)
        yield from bench.settle(place, injected, judge.ENOUGH)


DATES = {
    "in a year": lambda chance: time.time() + 365 * DAY,
    "an hour ahead": lambda chance: time.time() + 3600,
    "in 1970": lambda chance: 1.0,
    "all at once": lambda chance: 1_700_000_000,
    "at random": lambda chance: time.time() + chance.uniform(-DAY, DAY),
}
KINDS = {KIND: inject}
