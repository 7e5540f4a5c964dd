"""The artefact ranks/{setting}/{system}/{repetition}/{task}: everything metrics need.

    answers.parquet   a row per answer found: query, candidate, grade, rank, score
    queries.parquet   a row per query: query, n_relevant, n_candidates, depth, nearest, scores
    run.parquet       if asked for, the best candidates of each: query, candidate, rank, score

Columns of both tables say what they belong to: setting, series, kind, system, repetition, task,
query_language, target_language, similarity.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base.artefacts import Artefact, making
from cr5.base.errors import LeftOutError, UserError
from cr5.scores.ranked import Ranked
from cr5.search.ranking import Found

KIND = "ranks"
PARTS = ("answers.parquet", "queries.parquet")
RUN = "run.parquet"
KEYS = ("setting", "series", "kind", "system", "task")
DIRECTION = ("query_language", "target_language", "similarity")
ANSWERS = ("query", "rank", "grade")
QUERIES = ("query", "n_relevant", "n_candidates", "depth")


def write(folder: str | Path, keys: Mapping[str, Any], found: Iterable[Found]) -> Iterator[Found]:
    """Write ranks search by search, and yield each once it is written; memory holds one search.

    Args:
        folder: of the ranks.
        keys: `KEYS` and repetition.
        found: results by search and measure; LeftOutError if there are none.
    """
    writers: dict[str, pq.ParquetWriter] = {}
    with making(folder, KIND, **keys) as temporary, ExitStack() as stack:
        for each in found:
            names = dict(zip(DIRECTION, (each.query, each.target, each.similarity), strict=True))
            parts = {"answers": each.answers, "queries": each.queries, "run": each.run}
            for part, frame in parts.items():
                if frame is None:
                    continue
                table = pa.Table.from_pandas(frame.assign(**keys, **names), preserve_index=False)
                if part not in writers:
                    path = temporary / f"{part}.parquet"
                    writers[part] = stack.enter_context(pq.ParquetWriter(path, table.schema))
                writers[part].write_table(table.cast(writers[part].schema))
            yield each
        if not writers:
            raise LeftOutError("no query to rank: no pair of its languages has any")


def leave_out(folder: str | Path, keys: Mapping[str, Any], reason: str) -> None:
    """Record that there are no ranks, and why."""
    with making(folder, KIND, reason, **keys):
        pass


def left_out(folder: str | Path, **subject: Any) -> dict[str, Any] | None:
    """Read why there are no ranks: `KEYS`, repetition and reason; None if there are ranks."""
    found = Artefact(folder, KIND, **subject)
    return found.left_out and {**found.about["subject"], "reason": found.left_out}


def tables(
    folder: str | Path, answers: Sequence[str], queries: Sequence[str] | None = None, **subject: Any
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read columns of both tables; None for all of them."""
    found = Artefact(folder, KIND, **subject)
    paths = [found.file(name) for name in PARTS]
    return pd.read_parquet(paths[0], columns=answers), pd.read_parquet(paths[1], columns=queries)


def run(folder: str | Path) -> pd.DataFrame:
    """Read the best candidates of each query: `DIRECTION`, query, candidate, rank, score."""
    found = Artefact(folder, KIND)
    if RUN not in found.files:
        raise UserError(
            f"{folder}: the best candidates of each query were not kept; set evaluation.run_depth, "
            "such as 1000, and run again"
        )
    columns = [*DIRECTION, "query", "candidate", "rank", "score"]
    return pd.read_parquet(found.file(RUN), columns=columns)


def read(
    folder: str | Path, **subject: Any
) -> tuple[dict[str, Any], dict[tuple[str, str, str], Ranked]]:
    """Read `KEYS` and repetition; and ranks by query language, target language and measure."""
    needed = [*KEYS, "repetition", *DIRECTION, *QUERIES]
    answers, queries = tables(folder, [*DIRECTION, *ANSWERS], needed, **subject)
    found = dict(iter(answers.groupby(list(DIRECTION))))
    groups = queries.groupby(list(DIRECTION), sort=False)
    keys = queries[[*KEYS, "repetition"]].iloc[0].to_dict()
    return keys, {x: Ranked.of(found.get(x, answers[:0]), of) for x, of in groups}


def nearest(folder: str | Path, similarity: str) -> pd.DataFrame:
    """Read the table of queries, and the rank of each one's best answer, nan if none was found.

    By a measure, or by the first one there is if there is none such.
    """
    answers, queries = tables(folder, [*DIRECTION, "query", "rank"])
    measures = queries["similarity"].unique()
    similarity = similarity if similarity in measures else measures[0]
    place = [*DIRECTION, "query"]
    best = answers.groupby(place, as_index=False)["rank"].min()
    return queries[queries["similarity"] == similarity].merge(best, "left", place)
