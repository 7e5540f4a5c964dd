"""Files of a finished run that are damaged, replaced by others' or lost."""

import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from cr5.plan import manifest
from tests.faults import damage, judge
from tests.faults.bench import EQUAL, FAILED, NAMED, Bench, Outcome
from tests.faults.judge import ENOUGH, NotSurvivedError
from tests.faults.tiny import Place

# What is damaged together: nothing of a level is made from something else of it.
LEVELS = (
    ("documents", "aligned"),
    ("bags",),
    ("draws", "tasks"),
    ("settings", "vectors"),
    ("models",),
    ("ranks",),
    ("tables", "figures", "explore", "config.yaml", "run.json", "report.html"),
)
NOTES = ("manifest.json", "made_by.txt", ".lock")
NEW, OLD = "damaged artefact, new time", "damaged artefact, time kept"
WHOLE = 0.25  # of outputs that are folders, how many are replaced as a whole
BATCH = 110  # files that are damaged at once for `verify`, so many of each kind


def renewed(bench: Bench, count: int) -> Iterator[Outcome]:
    """Damage an output of each job of a level; resuming must notice, or be equal."""
    chance = bench.random(NEW)
    rounds = max(1, count // 4)
    for level in LEVELS:
        for _ in range(rounds):
            place = bench.new("damaged", bench.finished)
            done = damage_outputs(bench, place, level, chance)
            target = [] if "tables" in level else enough(bench, done)
            yield from resumed(bench, place, done, target)


def damage_outputs(bench, place, level, chance, ways=tuple(damage.WAYS)) -> dict[str, Outcome]:
    """Damage a file of each output of a level; gives by path what was done.

    Args:
        bench: with the run to take others' files from.
        place: that is damaged.
        level: of `LEVELS`; of the last one some outputs, as there are many.
        chance: which file of an output, and how.
        ways: keys of `damage.WAYS`.
    """
    made = manifest.read(place.results)
    done = {}
    for output in sorted({x for job in made.jobs for x in job.outputs}):
        if output.split("/")[0] in level and (len(level) < 6 or chance.random() < 0.15):
            path = place.results / output
            if chance.random() < WHOLE and damage.replace(path, place, bench.other):
                done[output] = Outcome(
                    f"{NEW}: {_family(output)}", f"{output} of another run, whole"
                )
                continue
            files = [x for x in made.files if x == output or x.startswith(f"{output}/")]
            done |= _damaged(bench, place, NEW, chance.choice(files), chance, ways)
    return done


def enough(bench: Bench, names: Iterable[str]) -> list[str]:
    """Targets: the scores, and the outputs of these files, which newer scores would not miss."""
    jobs = manifest.read(bench.finished.results).jobs
    outputs = {x for job in jobs for x in job.outputs}
    parts = {str(part) for name in names for part in (Path(name), *Path(name).parents)}
    return [ENOUGH, *(f"results/tiny/{x}" for x in sorted(outputs & parts))]


def _damaged(bench, place, kind, name, chance, ways) -> dict[str, Outcome]:
    """Try ways until one makes the file another one."""
    for way in chance.sample(ways, len(ways)):
        path = place.results / name
        if damage.do(path, way, chance, place, bench.other, new=kind == NEW):
            return {name: Outcome(f"{kind}: {_family(name)}", f"{name} {way}")}
    return {}


def _family(name: str) -> str:
    return name.split("/")[0] if "/" in name else "page and notes"


def resumed(bench, place, done: dict[str, Outcome], target) -> Iterator[Outcome]:
    """Resume, and say of each damage how it ended.

    Args:
        bench: with the undisturbed run.
        place: that was damaged.
        done: by path what was done to it.
        target: that is enough, none for all.
    """
    began, survived, found = time.monotonic(), None, []
    try:
        survived = judge.resume(place, *target)
        found = bench.reference.differences(place, whole=not target)
    except NotSurvivedError as error:
        found = [str(error)]
    share = (time.monotonic() - began) / max(1, len(done))
    for name, outcome in done.items():
        yield replace(_verdict(name, outcome, survived, found), seconds=share)
    if not found:
        place.remove()


def _verdict(name: str, outcome: Outcome, survived, found: list[str]) -> Outcome:
    own = [x for x in found if x.startswith(f"{name}:")]
    if found:  # whose fault it is nobody can tell, where it is not this file that differs
        return replace(outcome, ended=FAILED, said="; ".join((own or found)[:5]))
    told = [x for x in survived.errors if name.rpartition("/")[0] in x]
    removed = any(name == x or name.startswith(f"{x}/") for x in survived.removed)
    return replace(outcome, ended=NAMED if removed else EQUAL, said=told[0] if told else "")


def kept(bench: Bench, count: int) -> Iterator[Outcome]:
    """Damage many files, times as before; `verify` must name each and say what to remove."""
    chance = bench.random(OLD)
    names = sorted(manifest.read(bench.finished.results).files)
    for _ in range(max(1, count // 8)):
        place = bench.new("damaged", bench.finished)
        done: dict[str, Outcome] = {}
        for name in _spread(names, chance):
            done |= _damaged(bench, place, OLD, name, chance, tuple(damage.WAYS))
        yield from _verified(bench, place, done)


def _spread(names: list[str], chance: random.Random) -> list[str]:
    """Some of each family."""
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(_family(name), []).append(name)
    each = max(1, BATCH // len(families))
    return [x for found in families.values() for x in chance.sample(found, min(each, len(found)))]


def _verified(bench: Bench, place: Place, done: dict[str, Outcome]) -> Iterator[Outcome]:
    run = place.verify()
    lines = run.text.splitlines()
    outcomes = []
    for name, outcome in done.items():
        said = next((x for x in lines if x.startswith(f"results/tiny/{name}: ")), "")
        ended = NAMED if said and run.code else FAILED
        outcomes.append(replace(outcome, ended=ended, said=said or "verify does not name it"))

    def removed_and_resumed() -> tuple[str, str]:
        errors = judge.errors_of(run)
        paths = [path for error in errors for path in judge.to_remove(place, error)]
        for path in paths:
            judge.remove(path)
        judge.resume(place)
        return NAMED, ""

    yield from bench.judged(place, outcomes, removed_and_resumed)


def notes(bench: Bench, count: int) -> Iterator[Outcome]:
    """Damage what a run notes down for itself; a part of the results is to be made anew."""
    chance = bench.random("damaged notes of a run")
    for name in [*NOTES, *(f"../../.snakemake/{x}" for x in ("checksums.json", "metadata"))]:
        place = bench.new("damaged", bench.finished)
        path = place.results / name
        for each in sorted(path.iterdir()) if path.is_dir() else [path]:
            way = chance.choice(["truncated", "emptied", "zeroed", "noise", "deleted"])
            _spoil(each, way, chance, place, bench)
        judge.take_scores(place)
        outcome = Outcome("damaged notes of a run", f"{Path(name).name} {way}")
        yield from bench.settle(place, [outcome], ENOUGH)


def _spoil(path, way, chance, place, bench) -> None:
    if path.is_file() and not path.stat().st_size:
        path.write_bytes(chance.randbytes(40))
    elif path.is_file():
        damage.do(path, way, chance, place, bench.other, new=False)


KINDS = {NEW: renewed, OLD: kept, "damaged notes of a run": notes}
