"""The artefact ranks/{setting}/{system}/{repetition}/{task}: everything metrics need.

    answers.parquet   a row per answer found: query, candidate (ids), grade, rank, score
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

KIND = "ranks"
TOLD = "told.json"
KEYS = ("setting", "series", "kind", "system", "task")
DIRECTION = ["query_language", "target_language"]
SEARCH = [*DIRECTION, "similarity"]
ANSWERS = ["query", "rank", "grade"]
QUERIES = ["query", "n_relevant", "n_candidates", "depth"]
ABSENT = ["query", "candidate", "grade"]
BEST = ["nearest", "scores"]  # lists of the best candidates, in the order of the ranks
STEP = 2e-6  # of scores in run files: at least two units of the seven digits that are written
UNSAFE = re.compile(r"[\s%]")
QRELS = ["query", "constant", "candidate", "grade"]
RUN = ["query", "constant", "candidate", "rank", "score", "tag"]

Search = tuple[str, str, str]  # its query language, target language and measure


@dataclass(frozen=True)
class Ranked:
    """The queries of one search and the relevant documents found for them, for metrics."""

    query_ids: pd.Series
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
        column = answers.groupby(row).cumcount().to_numpy()
        shape = (len(queries), column.max(initial=0) + 1)
        rank = np.full(shape, np.inf)
        rank[row, column] = answers["rank"]
        grade = np.zeros(shape)
        grade[row, column] = answers["grade"]
        depths = queries["depth"].to_numpy(np.float64, na_value=np.inf)
        return cls(
            query_ids=queries["query"],
            n_relevant=queries["n_relevant"].to_numpy(),
            n_candidates=queries["n_candidates"].to_numpy(),
            depth=depths.min(initial=np.inf),
            rank=rank,
            grade=grade,
        )

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
        first_ranks = np.broadcast_to(np.arange(1.0, self.rank.shape[1] + 1), self.rank.shape)
        falling_grades = -np.sort(-self.grade, axis=1)
        ideal = replace(self, rank=first_ranks, grade=falling_grades).gain(k)
        return np.where(ideal > 0, ideal, np.inf)


def write(
    folder: str | Path,
    keys: Mapping[str, Any],
    searches: Iterable[Found],
    job: Job = NO_JOB,
) -> Iterator[Found]:
    """Write ranks search by search, and yield each once it is written; memory holds one search.

    `keys` are `KEYS` and repetition; LeftOutError if there is no search.
    """
    writers: dict[str, pq.ParquetWriter] = {}
    told: dict[str, None] = {}  # each sentence once
    with job.making(folder, KIND, **keys) as temporary, ExitStack() as open_files:
        for search in searches:
            told |= dict.fromkeys(search.told)
            columns = {
                **keys,
                "query_language": search.query,
                "target_language": search.target,
                "similarity": search.similarity,
            }
            frames = {"answers": search.answers, "queries": search.queries}
            if len(search.absent):
                frames["absent"] = search.absent
            for name, frame in frames.items():
                table = pa.Table.from_pandas(frame.assign(**columns), preserve_index=False)
                if name not in writers:
                    writer = pq.ParquetWriter(temporary / f"{name}.parquet", table.schema)
                    writers[name] = open_files.enter_context(writer)
                # the first search decides the types of all
                writers[name].write_table(table.cast(writers[name].schema))
            yield search
        if not writers:
            raise LeftOutError("no query to rank: no pair of its languages has any")
        write_json(temporary / TOLD, list(told))


def leave_out(folder: str | Path, keys: Mapping[str, Any], reason: str, job: Job = NO_JOB) -> None:
    """Record that there are no ranks, and why."""
    with job.making(folder, KIND, reason, **keys):
        pass


def left_out(folder: str | Path, **subject: Any) -> dict[str, Any] | None:
    """Read why there are no ranks: `KEYS`, repetition and reason; None if there are ranks."""
    artefact = Artefact(folder, KIND, **subject)
    if not artefact.left_out:
        return None
    return {**artefact.about["subject"], "reason": artefact.left_out}


def told(folder: str | Path) -> list[str]:
    """Read what the report is to say of the task's files."""
    return Artefact(folder, KIND).json(TOLD)


def absent(folder: str | Path) -> pd.DataFrame:
    """Read the answers that are in no collection: `DIRECTION`, similarity and `ABSENT`."""
    if "absent.parquet" not in Artefact(folder, KIND).files:
        return no_answers().assign(**dict.fromkeys(SEARCH, ""))
    return table(folder, "absent", [*SEARCH, *ABSENT])


def table(
    folder: str | Path, name: str, columns: Sequence[str] | None = None, **subject: Any
) -> pd.DataFrame:
    """Read columns, or all, of `answers`, `queries` or `absent`."""
    path = Artefact(folder, KIND, **subject).file(f"{name}.parquet")
    return pq.read_table(path, columns=columns).to_pandas()


def read(folder: str | Path, **subject: Any) -> tuple[dict[str, Any], dict[Search, Ranked]]:
    """Read `KEYS` and repetition; and the ranks of each search."""
    answers = table(folder, "answers", [*SEARCH, *ANSWERS], **subject)
    queries = table(folder, "queries", [*SEARCH, *QUERIES])
    answers_of = dict(iter(answers.groupby(SEARCH)))
    absent_of = dict(iter(absent(folder).groupby(SEARCH)))
    ranked = {}
    for search, queries_of_search in queries.groupby(SEARCH, sort=False):
        answers_of_search = answers_of.get(search, answers[:0])
        ranked[search] = Ranked.of(answers_of_search, queries_of_search, absent_of.get(search))
    return Artefact(folder).about["subject"], ranked


def nearest(folder: str | Path, **subject: Any) -> pd.DataFrame:
    """Read the queries by all measures, with rank and score of the best answer of each."""
    queries = pq.read_table(Artefact(folder, KIND, **subject).file("queries.parquet"))
    for name in BEST:  # ranks from which runs are written have more of each
        first = pc.list_slice(queries[name], 0, NEAREST)
        queries = queries.set_column(queries.column_names.index(name), name, first)
    query = [*SEARCH, "query"]
    answers = table(folder, "answers", [*query, "rank", "score"]).sort_values("rank")
    return queries.to_pandas().merge(answers.drop_duplicates(query), "left", query)


def write_runs(folder: str | Path, ranks: Iterable[str | Path], job: Job = NO_JOB) -> None:
    """Write TREC run files and qrels of folders of ranks; what was left out has none.

        {setting}/{system}/{repetition}/{task}/{query}-{target}.{measure}.run
        {setting}/{system}/{repetition}/{task}/{query}-{target}.qrels

    Readers break equal scores in ways of their own, so scores are written strictly falling, in the
    order of the ranks. White space and % in ids are written as in URLs.
    """
    with job.making(folder, "TREC runs") as temporary:
        for path in ranks:
            if left_out(path) is None:
                _write_runs_of(path, temporary)


def _write_runs_of(ranks: str | Path, folder: Path) -> None:
    """Write the run files and qrels of one folder of ranks."""
    subject = Artefact(ranks).about["subject"]
    names = [str(subject[key]) for key in ("setting", "system", "repetition", "task")]
    subfolder = folder.joinpath(*names)
    subfolder.mkdir(parents=True)
    columns = [*DIRECTION, *ABSENT]
    relevant = pd.concat([table(ranks, "answers", columns), absent(ranks)[columns]])
    candidates = _candidates(ranks)
    for pair, judgements in _judgements(relevant, candidates).groupby(DIRECTION):
        path = subfolder / f"{'-'.join(pair)}.qrels"
        _write_lines(judgements.assign(constant=0), QRELS, path)
    for search, of_search in candidates.groupby(SEARCH):
        query_language, target_language, measure = search
        step = STEP * max(1.0, of_search["score"].abs().max())
        falling = of_search.groupby("query")["score"].cummin() - step * of_search["rank"]
        lines = of_search.assign(constant="Q0", score=falling, tag=subject["system"])
        path = subfolder / f"{query_language}-{target_language}.{measure}.run"
        _write_lines(lines, RUN, path)


def _candidates(ranks: str | Path) -> pd.DataFrame:
    """Read the best candidates of all queries, a row each: `SEARCH`, query, candidate, ..."""
    queries = table(ranks, "queries", [*SEARCH, "query", "depth", *BEST])
    candidates = queries.rename(columns={"nearest": "candidate", "scores": "score"})
    candidates = candidates.explode(["candidate", "score"]).astype({"score": np.float32})
    candidates["rank"] = 1 + candidates.groupby(level=0).cumcount()
    is_shown = (candidates["rank"] <= candidates["depth"]).fillna(True)  # without a depth, all
    return candidates[is_shown]


def _judgements(relevant: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the relevant documents and, of queries without one, the candidates with grade 0.

    Where ranks have a depth, readers would not count these queries otherwise.
    """
    query = [*DIRECTION, "query"]
    without_relevant = candidates.merge(relevant[query], how="left_anti", on=query)
    judgements = pd.concat([relevant, without_relevant.assign(grade=0.0)])
    return judgements.drop_duplicates([*query, "candidate"])


def _write_lines(frame: pd.DataFrame, columns: Sequence[str], path: Path) -> None:
    for name in ("query", "candidate"):
        safe = frame[name].str.replace(UNSAFE, _as_in_urls, regex=True)
        frame = frame.assign(**{name: safe})
    frame[columns].to_csv(
        path,
        sep=" ",
        float_format="%.7g",
        header=False,
        index=False,
        quoting=csv.QUOTE_NONE,
        lineterminator="\n",
    )


def _as_in_urls(match: re.Match) -> str:
    return quote(match[0])
