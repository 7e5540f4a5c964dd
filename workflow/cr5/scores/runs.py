"""TREC run files and qrels of ranks, for the field's own tools.

    {setting}/{system}/{repetition}/{task}/{query}-{target}.{measure}.run
    {setting}/{system}/{repetition}/{task}/{query}-{target}.qrels

with the languages of queries and candidates. Readers break equal scores in ways of their own, often
by document; here ties count against the query. So scores are written strictly falling, in the order
of the ranks: at least `STEP` of the largest apart, which is more than a reader in float32 needs.
White space and % in ids are written as in URLs.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from cr5.base.artefacts import making
from cr5.scores import ranks

STEP = 2e-6  # at least two units of the seven digits that are written
UNSAFE = re.compile(r"[\s%]")
KEYS = ("setting", "system", "repetition", "task")
PAIR = ["query_language", "target_language"]


def write(folder: str | Path, every: Iterable[str | Path]) -> None:
    """Write the runs and qrels of folders of ranks; what was left out has none."""
    with making(folder, "TREC runs") as temporary:
        for place in every:
            if ranks.left_out(place) is None:
                _write(temporary, place)


def _write(folder: Path, place: str | Path) -> None:
    relevant, queries = ranks.tables(place, [*PAIR, "query", "candidate", "grade"])
    runs, keys = ranks.run(place), queries.iloc[0]
    own = folder.joinpath(*(str(keys[name]) for name in KEYS))
    own.mkdir(parents=True)
    # where ranks have a depth, queries without a relevant document have those of the run as 0, so
    # that readers count them
    others = runs.merge(relevant[[*PAIR, "query"]], how="left_anti", on=[*PAIR, "query"])
    judged = pd.concat([relevant, others.assign(grade=0.0)]).drop_duplicates(
        [*PAIR, "query", "candidate"]
    )
    for pair, of_pair in judged.groupby(PAIR):
        _lines(own / f"{'-'.join(pair)}.qrels", of_pair, "{0} 0 {1} {2:g}\n", "grade")
    tag = "{0} Q0 {1} {2} {3:.7g} " + str(keys["system"]) + "\n"
    for (*pair, measure), run in runs.groupby([*PAIR, "similarity"]):
        falling = run.assign(score=_falling(run))
        _lines(own / f"{'-'.join(pair)}.{measure}.run", falling, tag, "rank", "score")


def _falling(run: pd.DataFrame) -> pd.Series:
    """Scores that fall by `STEP` from each rank to the next, or more."""
    step = STEP * max(1.0, run["score"].abs().max())
    return run.groupby("query")["score"].cummin() - step * run["rank"]


def _lines(path: Path, frame: pd.DataFrame, line: str, *columns: str) -> None:
    names = (frame[x].map(_safe) for x in ("query", "candidate"))
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(line.format(*x) for x in zip(*names, *map(frame.get, columns), strict=True))


def _safe(name: str) -> str:
    return UNSAFE.sub(lambda found: "".join(f"%{x:02X}" for x in found[0].encode()), name)
