"""The artefact ranks/{setting}/{system}/{repetition}/{task}: everything metrics need.

    answers.parquet   a row per answer found: query, candidate, grade, rank, score
    queries.parquet   a row per query: query, n_relevant, n_candidates, depth, nearest
    run.parquet       if asked for, the best candidates of each: query, candidate, rank, score
    left_out.json     instead of both if the data allow no ranks: the reason

Columns of both tables say what they belong to: setting, series, kind, system, repetition, task,
query_language, target_language, similarity.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base import artefacts
from cr5.base.errors import LeftOutError, UserError
from cr5.base.labels import RANKS
from cr5.base.origin import Origin, as_json
from cr5.base.tables import read_parquet
from cr5.scores.ranked import Ranked
from cr5.search.ranking import Found

LEFT_OUT = "left_out.json"
PARTS = ("answers.parquet", "queries.parquet")
RUN = "run.parquet"
KEYS = ("setting", "series", "kind", "system", "task")
DIRECTION = ("query_language", "target_language", "similarity")
ANSWERS = ("query", "rank", "grade")
QUERIES = ("query", "n_relevant", "n_candidates", "depth")


def write(
    folder: str | Path,
    keys: Mapping[str, Any],
    found: Iterable[Found],
    depends_on: Mapping[str, str] | None = None,
    source: Origin | None = None,
) -> Iterator[Found]:
    """Write ranks search by search; memory holds one search.

    Args:
        folder: of the ranks; appears only once all are written.
        keys: `KEYS` and repetition.
        found: results by search and measure.
        depends_on: what they depend on, see `base/labels.py`.
        source: where they come from.

    Yields:
        Each result once it is written.

    Raises:
        LeftOutError: there are no results, as no search had queries.
    """
    made = source and as_json(source)
    with artefacts.written(RANKS, folder, keys, depends_on or {}, made) as temporary:
        yield from _write(temporary, keys, found)


def _write(folder: Path, keys: Mapping[str, Any], found: Iterable[Found]) -> Iterator[Found]:
    with ExitStack() as stack:
        writers: dict[str, pq.ParquetWriter] = {}
        for each in found:
            names = dict(zip(DIRECTION, (each.query, each.target, each.similarity), strict=True))
            for part in ("answers", "queries", "run"):
                if getattr(each, part) is None:
                    continue
                frame = getattr(each, part).assign(**keys, **names)
                table = pa.Table.from_pandas(frame, preserve_index=False)
                if part not in writers:
                    path = folder / f"{part}.parquet"
                    writers[part] = stack.enter_context(pq.ParquetWriter(path, table.schema))
                writers[part].write_table(table.cast(writers[part].schema))
            yield each
        if not writers:
            raise LeftOutError("no query to rank: no pair of its languages has any")


def leave_out(
    folder: str | Path, keys: Mapping[str, Any], reason: str, source: Origin | None = None
) -> None:
    """Record that there are no ranks, and why."""
    made = source and as_json(source)
    with artefacts.written(RANKS, folder, keys, origin=made) as temporary:
        about = json.dumps({**keys, "reason": reason}, indent=2, ensure_ascii=False)
        (temporary / LEFT_OUT).write_text(about + "\n", encoding="utf-8")


def left_out(folder: str | Path, **subject: Any) -> dict[str, Any] | None:
    """Read why there are no ranks: `KEYS`, repetition and reason; None if there are ranks.

    Raises:
        UserError: the folder is missing or damaged.
    """
    found = artefacts.opened(RANKS, folder, **subject)
    if LEFT_OUT not in found.files:
        return None
    return json.loads(found.file(LEFT_OUT).read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Ranks:
    """The ranks of one repetition, by direction and measure.

    Attributes:
        keys: `KEYS` and repetition.
        directions: query language, target language and similarity of each.
        answers: `ANSWERS` of each direction, for all queries.
        queries: `QUERIES` of each direction.
    """

    keys: Mapping[str, Any]
    directions: Sequence[tuple[str, str, str]]
    answers: Mapping[tuple[str, str, str], pd.DataFrame]
    queries: Mapping[tuple[str, str, str], pd.DataFrame]

    @cached_property
    def ranked(self) -> dict[tuple[str, str, str], Ranked]:
        """Input of the metrics, by direction; each is computed once."""
        return {x: Ranked(self.answers[x], self.queries[x]) for x in self.directions}


def tables(
    folder: str | Path, answers: Sequence[str], queries: Sequence[str] | None = None, **subject: Any
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read columns of both tables.

    Args:
        folder: of the ranks.
        answers: columns of the table of answers.
        queries: columns of the table of queries; None for all.
        subject: what the ranks must be of, such as `system="cr5"`.

    Raises:
        UserError: they are of something else, or a file is missing or damaged.
    """
    found = artefacts.opened(RANKS, folder, **subject)
    paths = [found.file(name) for name in PARTS]
    return read_parquet(paths[0], answers), read_parquet(paths[1], queries)


def run(folder: str | Path) -> pd.DataFrame:
    """Read the best candidates of each query: `DIRECTION`, query, candidate, rank, score.

    Raises:
        UserError: they were not kept, or a file is damaged.
    """
    found = artefacts.opened(RANKS, folder)
    if RUN not in found.files:
        raise UserError(
            f"{folder}: the best candidates of each query were not kept; set evaluation.run_depth, "
            "such as 1000, and run again"
        )
    return read_parquet(found.file(RUN), [*DIRECTION, "query", "candidate", "rank", "score"])


def read(folder: str | Path, **subject: Any) -> Ranks:
    """Read the parts of ranks that metrics need.

    Args:
        folder: of the ranks.
        subject: what they must be of, such as `system="cr5"`.

    Raises:
        UserError: they are of something else, a file is damaged, or a rank is invalid.
    """
    needed = [*KEYS, "repetition", *DIRECTION, *QUERIES]
    answers, queries = tables(folder, [*DIRECTION, *ANSWERS], needed, **subject)
    _check(answers, queries, folder)
    keys = queries[[*KEYS, "repetition"]].iloc[0].to_dict()
    answers, queries = _by_direction(answers, ANSWERS), _by_direction(queries, QUERIES)
    empty = pd.DataFrame({name: [] for name in ANSWERS})
    return Ranks(keys, list(queries), {x: answers.get(x, empty) for x in queries}, queries)


def nearest(folder: str | Path, similarity: str) -> pd.DataFrame:
    """Read each query's nearest candidates by one measure, and the rank of its best answer.

    Returns:
        `KEYS`, repetition, query_language, target_language, similarity, query, n_relevant,
        n_candidates, depth, nearest, rank; the rank is nan if no answer was found.

    Raises:
        UserError: a file is damaged, or a rank is invalid.
    """
    names = ["query_language", "target_language", "query"]
    answers, queries = tables(folder, [*names, "similarity", "rank"])
    _check(answers, queries, folder)
    chosen = answers[answers["similarity"] == similarity].groupby(names, as_index=False)["rank"]
    queries = queries[queries["similarity"] == similarity]
    return queries.merge(chosen.min(), on=names, how="left")


def _by_direction(frame: pd.DataFrame, columns: Sequence[str]) -> dict[tuple, pd.DataFrame]:
    groups = frame.groupby(list(DIRECTION), sort=False)
    return {key: group[list(columns)].reset_index(drop=True) for key, group in groups}


def _check(answers: pd.DataFrame, queries: pd.DataFrame, folder: str | Path) -> None:
    """Refuse ranks that metrics would misread: below 1, or of an unknown query."""
    place = [*DIRECTION, "query"]
    ranks = answers[[*place, "rank"]].merge(queries[[*place, "n_candidates"]], "left", place)
    good = (ranks["rank"] >= 1) & (ranks["rank"] <= ranks["n_candidates"])  # False for nan
    for query, target, similarity, name, rank, n in ranks[~good].itertuples(index=False):
        raise UserError(
            f"{folder}: the answer to {name!r} in {query}-{target}, {similarity}, has rank "
            f"{rank:g} of {n:g} candidates; expected a rank from 1, the best, to their number. "
            "Remove the folder and rank again."
        )
