"""Folders with unusual names, results behind a link, results that were moved."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.faults import judge
from tests.faults.bench import FAILED, NAMED, Bench, Outcome
from tests.faults.tiny import Place

NAMES, MOVED = "unusual names of folders", "links and moved results"
FOLDERS = {
    "with all of it": 'été 北京 ı it\'s "$HOME" {language} ',
    "with spaces": "a run  of mine ",
    "non-ASCII": "été 北京 Ελλάς ı",
    "decomposed": "e\u0301te\u0301",
    "with quotes": 'it\'s "quoted"',
    "with braces": "a {language} b",
    "with signs of a shell": "a$HOME;b&c#d%e*[f]!",
    "beginning with a dash": "-n",
    "very long": "x" * 200,
}


def named(bench: Bench, count: int) -> Iterator[Outcome]:
    """A run from nothing in the first; in the others pages and figures of a finished run's copy."""
    for number, (what, name) in enumerate(list(FOLDERS.items())[:count]):
        place = bench.new(name, bench.finished if number else None)
        for part in ("explore", "figures", "report.html"):
            judge.remove(place.results / part)
        outcome = Outcome(NAMES, what)
        if "{" in name:
            place, outcome = _renamed(place, outcome)
        yield from bench.settle(place, [outcome])


def _renamed(place: Place, outcome: Outcome) -> tuple[Place, Outcome]:
    """What is told to be renamed, and then is."""
    run = place.run()
    said = [x for x in run.text.splitlines() if "rename the folder" in x]
    if not said or not run.code or judge.TRACEBACK in run.text:
        return place, replace(outcome, ended=FAILED, said=judge.tail(run.text))
    other = Place(place.folder.with_name(re.sub("[{}]", "", place.folder.name)))
    place.folder.rename(other.folder)
    return other, replace(outcome, ended=NAMED, said=said[0])


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
KINDS = {NAMES: named, MOVED: moved}
