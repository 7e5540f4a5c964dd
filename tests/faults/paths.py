"""Results behind a link, results that were moved."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.faults import judge
from tests.faults.bench import Bench, Outcome
from tests.faults.tiny import Place

MOVED = "links and moved results"


def moved(bench: Bench, count: int) -> Iterator[Outcome]:
    """Copies of a finished run, moved or linked, of which a part must be made anew."""
    for what, move in MOVES.items():
        place = bench.new("moved", bench.finished)
        move(place)
        judge.take_scores(place)
        yield from bench.settle(place, [Outcome(MOVED, what)], judge.ENOUGH)


def _link_results(place: Place) -> None:
    _link(place.folder / "results", place.folder.with_name("results on another disk"))


def _link_corpus(place: Place) -> None:
    _link(place.results, place.folder.with_name("tiny elsewhere"))


def _link_models(place: Place) -> None:
    _link(place.results / "models", place.folder.with_name("models elsewhere"))


def _link_data(place: Place) -> None:
    _link(place.folder / "corpus", place.folder.with_name("data elsewhere"))


def _without_notes(place: Place) -> None:
    """Results alone, in another folder with the workflow."""
    shutil.rmtree(place.folder / ".snakemake")


def _with_new_times(place: Place) -> None:
    """As after a copy that keeps no times."""
    there = place.folder.with_name("copied")
    shutil.copytree(place.folder / "results", there, copy_function=shutil.copyfile)
    shutil.rmtree(place.folder / "results")
    shutil.move(there, place.folder / "results")


def _link(path: Path, there: Path) -> None:
    shutil.move(path, there)
    path.symlink_to(there)


MOVES = {
    "moved with all": lambda place: None,
    "results behind a link": _link_results,
    "the corpus's results behind a link": _link_corpus,
    "models behind a link": _link_models,
    "data behind a link": _link_data,
    "without snakemake's notes": _without_notes,
    "copied without times": _with_new_times,
}
KINDS = {MOVED: moved}
