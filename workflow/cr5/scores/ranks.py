"""The artefact ranks/{setting}/{system}/{repetition}/{task}: everything metrics need.

    answers.parquet   a row per answer found: query, candidate, grade, rank, score
    queries.parquet   a row per query: query, n_relevant, n_candidates, depth, nearest, scores
    absent.parquet    a row per answer that is in no collection, if there are any: query, candidate,
                      grade; of n_relevant too
    told.json         what the report is to say of the task's files

Columns of the tables say what they belong to: setting, series, kind, system, repetition, task,
query_language, target_language, similarity.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import LeftOutError
from cr5.base.files import write_json
from cr5.search.options import NEAREST
from cr5.search.ranking import Found, no_answers

KIND, TOLD = "ranks", "told.json"
KEYS = ("setting", "series", "kind", "system", "task")
PAIR = ["query_language", "target_language"]
DIRECTION = (*PAIR, "similarity")
Place = tuple[str, str, str]  # a `DIRECTION`
ANSWERS = ("query", "rank", "grade")
QUERIES = ("query", "n_relevant", "n_candidates", "depth")
BEST = ["nearest", "scores"]  # lists of the best candidates, in the order of the ranks
STEP = 2e-6  # of scores in run files: at least two units of the seven digits that are written
UNSAFE = re.compile(r"[\s%]")
QRELS = ["query", "constant", "candidate", "grade"]
RUN = ["query", "constant", "candidate", "rank", "score", "tag"]


@dataclass(frozen=True)
class Ranked:
    """The queries of one direction and the relevant documents found for them, for metrics."""

    queries: pd.Series  # ids
    n_relevant: np.ndarray  # of each query, found or not, in the collection or not
    n_candidates: np.ndarray  # of each query
    depth: float  # the rank beyond which documents count as not found; inf for none
    # queries x relevant documents, by rising rank, inf of those not in the collection; inf and 0
    # where a query has no more
    rank: np.ndarray
    grade: np.ndarray

    @classmethod
    def of(
        cls, answers: pd.DataFrame, queries: pd.DataFrame, absent: pd.DataFrame | None = None
    ) -> "Ranked":
        """Take them from the tables of `search.ranking.Found`."""
        if absent is not None and len(absent):
            answers = pd.concat([answers.astype({"rank": float}), absent.assign(rank=np.inf)])
        answers = answers.sort_values("rank")
        row = pd.Index(queries["query"]).get_indexer(answers["query"])
        place = row, answers.groupby(row).cumcount().to_numpy()
        shape = len(queries), place[1].max(initial=0) + 1
        rank, grade = np.full(shape, np.inf), np.zeros(shape)
        rank[place], grade[place] = answers["rank"], answers["grade"]
        n_relevant, n_candidates = (queries[x].to_numpy() for x in ("n_relevant", "n_candidates"))
        depth = queries["depth"].to_numpy(np.float64, na_value=np.inf).min(initial=np.inf)
        return cls(queries["query"], n_relevant, n_candidates, depth, rank, grade)

    @property
    def best(self) -> np.ndarray:
        """(queries,) rank of the best relevant document, inf if none was found."""
        return self.rank[:, 0]

    @property
    def precision(self) -> np.ndarray:
        """Share of relevant documents among the candidates up to each, shaped as `rank`."""
        return np.arange(1, self.rank.shape[1] + 1) / self.rank

    def within(self, k: float, amount: np.ndarray | float = 1.0) -> np.ndarray:
        """(queries,) sum of an amount over the relevant documents among the k nearest."""
        return np.where(self.rank <= k, amount, 0.0).sum(axis=1)

    def gain(self, k: float) -> np.ndarray:
        """(queries,) discounted cumulative gain of the k nearest."""
        return self.within(k, self.grade / np.log2(1 + self.rank))

    def ideal_gain(self, k: float) -> np.ndarray:
        """(queries,) the largest possible `gain`; inf if no document is relevant."""
        best = np.broadcast_to(np.arange(1.0, self.rank.shape[1] + 1), self.rank.shape)
        ideal = replace(self, rank=best, grade=-np.sort(-self.grade, axis=1)).gain(k)
        return np.where(ideal > 0, ideal, np.inf)


def write(
    folder: str | Path,
    keys: Mapping[str, Any],
    found: Iterable[Found],
    job: Job = NO_JOB,
) -> Iterator[Found]:
    """Write ranks search by search, and yield each once it is written; memory holds one search.

    `keys` are `KEYS` and repetition; LeftOutError if nothing is found.
    """
    writers: dict[str, pq.ParquetWriter] = {}
    told: dict[str, None] = {}
    with job.making(folder, KIND, **keys) as temporary, ExitStack() as stack:
        for each in found:
            told |= dict.fromkeys(each.told)
            names = dict(zip(DIRECTION, (each.query, each.target, each.similarity), strict=True))
            frames = {"answers": each.answers, "queries": each.queries}
            if len(each.absent):
                frames["absent"] = each.absent
            for part, frame in frames.items():
                table = pa.Table.from_pandas(frame.assign(**keys, **names), preserve_index=False)
                if part not in writers:
                    path = temporary / f"{part}.parquet"
                    writers[part] = stack.enter_context(pq.ParquetWriter(path, table.schema))
                writers[part].write_table(table.cast(writers[part].schema))
            yield each
        if not writers:
            raise LeftOutError("no query to rank: no pair of its languages has any")
        write_json(temporary / TOLD, list(told))


def leave_out(folder: str | Path, keys: Mapping[str, Any], reason: str, job: Job = NO_JOB) -> None:
    """Record that there are no ranks, and why."""
    with job.making(folder, KIND, reason, **keys):
        pass


def left_out(folder: str | Path, **subject: Any) -> dict[str, Any] | None:
    """Read why there are no ranks: `KEYS`, repetition and reason; None if there are ranks."""
    found = Artefact(folder, KIND, **subject)
    return found.left_out and {**found.about["subject"], "reason": found.left_out}


def told(folder: str | Path) -> list[str]:
    """Read what the report is to say of the task's files."""
    return Artefact(folder, KIND).json(TOLD)


def absent(folder: str | Path) -> pd.DataFrame:
    """Read the answers that are in no collection: `DIRECTION`, query, candidate, grade."""
    if "absent.parquet" not in Artefact(folder, KIND).files:
        return no_answers().assign(**dict.fromkeys(DIRECTION, ""))
    return table(folder, "absent", [*DIRECTION, "query", "candidate", "grade"])


def table(
    folder: str | Path, name: str, columns: Sequence[str] | None = None, **subject: Any
) -> pd.DataFrame:
    """Read columns, or all, of `answers` or `queries`."""
    return _table(folder, name, columns, **subject).to_pandas()


def _table(
    folder: str | Path, name: str, columns: Sequence[str] | None = None, **subject: Any
) -> pa.Table:
    path = Artefact(folder, KIND, **subject).file(f"{name}.parquet")
    return pq.read_table(path, columns=columns)


def read(folder: str | Path, **subject: Any) -> tuple[dict[str, Any], dict[Place, Ranked]]:
    """Read `KEYS` and repetition; and ranks by query language, target language and measure."""
    answers = table(folder, "answers", [*DIRECTION, *ANSWERS], **subject)
    queries = table(folder, "queries", [*DIRECTION, *QUERIES])
    found = dict(iter(answers.groupby(list(DIRECTION))))
    not_there = dict(iter(absent(folder).groupby(list(DIRECTION))))
    groups = queries.groupby(list(DIRECTION), sort=False)
    ranked = {x: Ranked.of(found.get(x, answers[:0]), of, not_there.get(x)) for x, of in groups}
    return Artefact(folder).about["subject"], ranked


def nearest(folder: str | Path, **subject: Any) -> pd.DataFrame:
    """Read the queries by all measures, with rank and score of the best answer of each."""
    queries, place = _table(folder, "queries", **subject), [*DIRECTION, "query"]
    for name in BEST:  # ranks from which runs are written have more of each
        first = pc.list_slice(queries[name], 0, NEAREST)
        queries = queries.set_column(queries.column_names.index(name), name, first)
    queries = queries.to_pandas()
    best = table(folder, "answers", [*place, "rank", "score"]).sort_values("rank")
    return queries.merge(best.drop_duplicates(place), "left", place)


def write_runs(folder: str | Path, every: Iterable[str | Path], job: Job = NO_JOB) -> None:
    """Write TREC run files and qrels of folders of ranks; what was left out has none.

        {setting}/{system}/{repetition}/{task}/{query}-{target}.{measure}.run
        {setting}/{system}/{repetition}/{task}/{query}-{target}.qrels

    Readers break equal scores in ways of their own, so scores are written strictly falling, in the
    order of the ranks. White space and % in ids are written as in URLs.
    """
    with job.making(folder, "TREC runs") as temporary:
        for place in every:
            if left_out(place) is None:
                _write_runs(temporary, place)


def _write_runs(folder: Path, place: str | Path) -> None:
    columns = [*PAIR, "query", "candidate", "grade"]
    relevant = pd.concat([table(place, "answers", columns), absent(place)[columns]])
    runs = table(place, "queries", [*DIRECTION, "query", "depth", "nearest", "scores"])
    runs = runs.rename(columns={"nearest": "candidate", "scores": "score"})
    runs = runs.explode(["candidate", "score"]).astype({"score": np.float32})
    runs["rank"] = 1 + runs.groupby(level=0).cumcount()
    runs = runs[(runs["rank"] <= runs["depth"]).fillna(True)]
    keys = Artefact(place).about["subject"]
    own = folder.joinpath(*(str(keys[x]) for x in ("setting", "system", "repetition", "task")))
    own.mkdir(parents=True)
    # where ranks have a depth, queries without a relevant document have those of the run as 0, so
    # that readers count them
    others = runs.merge(relevant[[*PAIR, "query"]], how="left_anti", on=[*PAIR, "query"])
    judged = pd.concat([relevant, others.assign(grade=0.0)])
    judged = judged.drop_duplicates([*PAIR, "query", "candidate"])
    for pair, of_pair in judged.groupby(PAIR):
        _lines(of_pair.assign(constant=0), QRELS, own / f"{'-'.join(pair)}.qrels")
    for (*pair, measure), of_pair in runs.groupby([*PAIR, "similarity"]):
        step = STEP * max(1.0, of_pair["score"].abs().max())
        falling = of_pair.groupby("query")["score"].cummin() - step * of_pair["rank"]
        lines = of_pair.assign(constant="Q0", score=falling, tag=keys["system"])
        _lines(lines, RUN, own / f"{'-'.join(pair)}.{measure}.run")


def _lines(frame: pd.DataFrame, columns: Sequence[str], path: Path) -> None:
    for each in ("query", "candidate"):
        safe = frame[each].str.replace(UNSAFE, lambda found: quote(found[0]), regex=True)
        frame = frame.assign(**{each: safe})
    plain = {"header": False, "index": False, "quoting": csv.QUOTE_NONE, "lineterminator": "\n"}
    frame[columns].to_csv(path, sep=" ", float_format="%.7g", **plain)
