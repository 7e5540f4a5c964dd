"""TREC run files and qrels of ranks, for the field's own tools.

    {setting}/{system}/{repetition}/{task}/{query}-{target}.{measure}.run
    {setting}/{system}/{repetition}/{task}/{query}-{target}.qrels

with the languages of queries and candidates. Readers break equal scores in ways of their own, often
by document; here ties count against the query. So scores are written strictly falling, in the order
of the ranks: at least `STEP` apart, in relation to scores above one, which is more than a reader in
float32 needs. White space and % in ids are written as in URLs.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd

from cr5.base import files
from cr5.scores import ranks

STEP = 2e-6  # at least two units of the seven digits that are written
UNSAFE = re.compile(r"[\s%]")
KEYS = ("setting", "system", "repetition", "task")
PAIR = ["query_language", "target_language"]


def write(folder: str | Path, every: Iterable[str | Path]) -> None:
    """Write the runs and qrels of ranks; the folder appears whole.

    Args:
        folder: of all runs.
        every: folders of ranks; what was left out has no run.

    Raises:
        UserError: ranks are damaged, or have no runs.
    """
    with files.atomic_folder(folder) as temporary:
        for place in every:
            if ranks.left_out(place) is None:
                _write(temporary, place)


def _write(folder: Path, place: str | Path) -> None:
    answers, queries = ranks.tables(place, [*PAIR, "query", "candidate", "grade"])
    runs, keys = ranks.run(place), queries.iloc[0]
    own = folder.joinpath(*(str(keys[name]) for name in KEYS))
    own.mkdir(parents=True)
    relevant = dict(list(answers.drop_duplicates().groupby(PAIR)))
    for pair, of_pair in runs.groupby(PAIR, sort=False):
        name = "-".join(pair)
        for measure, run in of_pair.groupby("similarity", sort=False):
            _lines(own / f"{name}.{measure}.run", _run_lines(run, str(keys["system"])))
        judged = _judged(relevant.get(pair, answers[:0]), of_pair)
        _lines(own / f"{name}.qrels", _qrel_lines(judged))


def _judged(relevant: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Relevant candidates; of queries without any, those of the runs, so that readers count them.

    Such queries are found where ranks have a depth: which others are relevant is not kept.
    """
    others = runs[~runs["query"].isin(relevant["query"])].drop_duplicates(["query", "candidate"])
    return pd.concat([relevant, others.assign(grade=0.0)], ignore_index=True)


def _run_lines(run: pd.DataFrame, tag: str) -> Iterator[str]:
    columns = zip(*(run[x] for x in ("query", "candidate", "rank", "score")), strict=True)
    last = 0.0
    for query, candidate, rank, score in columns:
        last = float(score) if rank == 1 else min(score, last - STEP * max(1.0, abs(last)))
        yield f"{_safe(query)} Q0 {_safe(candidate)} {rank} {last:.7g} {tag}\n"


def _qrel_lines(judged: pd.DataFrame) -> Iterator[str]:
    columns = zip(*(judged[x] for x in ("query", "candidate", "grade")), strict=True)
    for query, candidate, grade in columns:
        yield f"{_safe(query)} 0 {_safe(candidate)} {grade:g}\n"


def _safe(name: str) -> str:
    return UNSAFE.sub(lambda found: "".join(f"%{x:02X}" for x in found[0].encode()), name)


def _lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)
