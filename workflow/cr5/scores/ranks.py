"""The artefact ranks/{setting}/{system}/{repetition}/{task}: all that any metric needs.

    answers.parquet   a row per answer found: query, candidate, grade, rank, score
    queries.parquet   a row per query: query, n_relevant, n_candidates, depth, nearest
    left_out.json     in the place of both, where the data allow none: the reason

Tables name what they belong to in columns: setting, series, kind, system, repetition, task,
query_language, target_language, similarity.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base.errors import LeftOutError, UserError
from cr5.base.files import atomic_folder
from cr5.base.tables import read_parquet
from cr5.search.found import Found

LEFT_OUT = "left_out.json"
KEYS = ("setting", "series", "kind", "system", "task")
DIRECTION = ("query_language", "target_language", "similarity")
ANSWERS = ("query", "rank", "grade")
QUERIES = ("query", "n_relevant", "n_candidates", "depth")


def write(folder: str | Path, keys: Mapping[str, Any], found: Iterable[Found]) -> Iterator[Found]:
    """Write ranks search by search; memory holds one.

    Args:
        folder: of the ranks; appears whole, when all were written.
        keys: `KEYS` and repetition.
        found: by search and measure.

    Yields:
        What was written.

    Raises:
        LeftOutError: nothing was found, as no search had queries.
    """
    with atomic_folder(folder) as temporary, ExitStack() as stack:
        writers: dict[str, pq.ParquetWriter] = {}
        for each in found:
            names = dict(zip(DIRECTION, (each.query, each.target, each.similarity), strict=True))
            for part in ("answers", "queries"):
                frame = getattr(each, part).assign(**keys, **names)
                table = pa.Table.from_pandas(frame, preserve_index=False)
                if part not in writers:
                    path = temporary / f"{part}.parquet"
                    writers[part] = stack.enter_context(pq.ParquetWriter(path, table.schema))
                writers[part].write_table(table.cast(writers[part].schema))
            yield each
        if not writers:
            raise LeftOutError("no query to rank: no pair of its languages has any")


def leave_out(folder: str | Path, keys: Mapping[str, Any], reason: str) -> None:
    """Write that there are no ranks, and why."""
    with atomic_folder(folder) as temporary:
        about = json.dumps({**keys, "reason": reason}, indent=2, ensure_ascii=False)
        (temporary / LEFT_OUT).write_text(about + "\n", encoding="utf-8")


def left_out(folder: str | Path) -> dict[str, Any] | None:
    """Read why there are no ranks: `KEYS`, repetition and reason; None where there are ranks."""
    path = Path(folder) / LEFT_OUT
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


@dataclass(frozen=True)
class Ranks:
    """The ranks of one repetition, by direction and measure.

    Attributes:
        keys: `KEYS` and repetition.
        directions: query language, target language and similarity of each.
        answers: `ANSWERS` of each direction, of all queries.
        queries: `QUERIES` of each direction.
    """

    keys: Mapping[str, Any]
    directions: Sequence[tuple[str, str, str]]
    answers: Mapping[tuple[str, str, str], pd.DataFrame]
    queries: Mapping[tuple[str, str, str], pd.DataFrame]


def read(folder: str | Path) -> Ranks:
    """Read what metrics need of ranks."""
    answers = _by_direction(Path(folder) / "answers.parquet", ANSWERS)
    path = Path(folder) / "queries.parquet"
    keys = read_parquet(path, [*KEYS, "repetition"]).iloc[0].to_dict()
    queries = _by_direction(path, QUERIES)
    _check(answers, folder)
    empty = pd.DataFrame({name: [] for name in ANSWERS})
    return Ranks(keys, list(queries), {x: answers.get(x, empty) for x in queries}, queries)


def nearest(folder: str | Path, similarity: str) -> pd.DataFrame:
    """Read each query's nearest candidates by one measure, and the rank of its best answer.

    Returns:
        `KEYS`, repetition, query_language, target_language, similarity, query, n_relevant,
        n_candidates, depth, nearest, rank; the rank is nan where no answer was found.
    """
    names = ["query_language", "target_language", "query"]
    queries = read_parquet(Path(folder) / "queries.parquet")
    answers = read_parquet(Path(folder) / "answers.parquet", [*names, "similarity", "rank"])
    chosen = answers[answers["similarity"] == similarity].groupby(names, as_index=False)["rank"]
    queries = queries[queries["similarity"] == similarity]
    return queries.merge(chosen.min(), on=names, how="left")


def _by_direction(path: Path, columns: Sequence[str]) -> dict[tuple, pd.DataFrame]:
    frame = read_parquet(path, [*DIRECTION, *columns])
    groups = frame.groupby(list(DIRECTION), sort=False)
    return {key: group[list(columns)].reset_index(drop=True) for key, group in groups}


def _check(answers: Mapping[tuple, pd.DataFrame], folder: str | Path) -> None:
    """Ranks below 1 cannot be; metrics would take them for the best."""
    for (query, target, similarity), frame in answers.items():
        if (frame["rank"] < 1).any():
            raise UserError(
                f"{folder}: a rank below 1 in {query}-{target}, {similarity}; 1 is the best. "
                "Remove the folder and rank again."
            )
