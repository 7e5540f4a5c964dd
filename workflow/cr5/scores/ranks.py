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
KEYS = ["setting", "series", "kind", "system", "task"]  # of an artefact; repetition is another
DIRECTION = ["query_language", "target_language"]
SEARCH = DIRECTION + ["similarity"]
RUN_FOLDERS = ["setting", "system", "repetition", "task"]  # keys, from the outermost folder
ANSWERS = ["query", "rank", "grade"]
QUERIES = ["query", "n_relevant", "n_candidates", "depth"]
ABSENT = ["query", "candidate", "grade"]
BEST_CANDIDATES = ["nearest", "scores"]  # lists, in the order of the ranks
QUERY = DIRECTION + ["query"]
QUERY_OF_SEARCH = SEARCH + ["query"]
JUDGEMENT = DIRECTION + ABSENT
# From one score of a run file to the next: at least two units of the seven digits that are written.
SCORE_STEP = 2e-6
UNSAFE_IN_IDS = re.compile(r"[\s%]")
QRELS_COLUMNS = ["query", "constant", "candidate", "grade"]
RUN_COLUMNS = ["query", "constant", "candidate", "rank", "score", "tag"]

Search = tuple[str, str, str]  # its query language, target language and measure


@dataclass(frozen=True)
class Ranked:
    """The queries of one search and the relevant documents found for them, for metrics."""

    query_ids: pd.Series
    n_relevant: np.ndarray  # of each query, found or not, in the collection or not
    n_candidates: np.ndarray  # of each query
    depth: float  # the rank beyond which documents count as not found; inf for none
    # Both are queries x relevant documents, by rising rank. A document not in the collection
    # has the rank inf; where a query has fewer documents than others, rank is inf and grade 0.
    rank: np.ndarray
    grade: np.ndarray

    @classmethod
    def of(
        cls, answers: pd.DataFrame, queries: pd.DataFrame, absent: pd.DataFrame | None = None
    ) -> "Ranked":
        """Arrange the tables of a `search.ranking.Found` by query.

        `answers` have query, rank and grade, and so have those `absent` from the collection, but
        for the rank.
        """
        if absent is not None and len(absent):
            present = answers.astype({"rank": float})
            answers = pd.concat([present, absent.assign(rank=np.inf)])
        answers = answers.sort_values("rank")
        query_ids = queries["query"]
        row = pd.Index(query_ids).get_indexer(answers["query"])
        column = answers.groupby(row).cumcount().to_numpy()
        n_columns = column.max(initial=0) + 1
        shape = (len(queries), n_columns)
        rank = np.full(shape, np.inf)
        rank[row, column] = answers["rank"]
        grade = np.zeros(shape)
        grade[row, column] = answers["grade"]
        depths = queries["depth"].to_numpy(np.float64, na_value=np.inf)
        return cls(
            query_ids=query_ids,
            n_relevant=queries["n_relevant"].to_numpy(),
            n_candidates=queries["n_candidates"].to_numpy(),
            depth=depths.min(initial=np.inf),
            rank=rank,
            grade=grade,
        )

    @property
    def best_rank(self) -> np.ndarray:
        """(queries,) rank of the first relevant document, inf if none was found."""
        return self.rank[:, 0]

    @property
    def precision(self) -> np.ndarray:
        """Precision at the rank of each relevant document, shaped as `rank`."""
        n_columns = self.rank.shape[1]
        n_relevant_up_to = np.arange(1, n_columns + 1)
        return n_relevant_up_to / self.rank

    def sum_within(self, k: float, amount: np.ndarray | float = 1.0) -> np.ndarray:
        """(queries,) sum of the amounts of the relevant documents among the k nearest.

        An amount is that of each document, shaped as `rank`, or one for all.
        """
        amounts = np.where(self.rank <= k, amount, 0.0)
        return amounts.sum(axis=1)

    def gain(self, k: float) -> np.ndarray:
        """(queries,) discounted cumulative gain of the k nearest."""
        discounted = self.grade / np.log2(1 + self.rank)
        return self.sum_within(k, discounted)

    def ideal_gain(self, k: float) -> np.ndarray:
        """(queries,) the largest possible `gain`; inf if no document is relevant."""
        n_columns = self.rank.shape[1]
        first_ranks = np.arange(1.0, n_columns + 1)
        rank = np.broadcast_to(first_ranks, self.rank.shape)
        falling_grades = -np.sort(-self.grade, axis=1)
        ideal = replace(self, rank=rank, grade=falling_grades)
        ideal_gain = ideal.gain(k)
        has_gain = ideal_gain > 0
        return np.where(has_gain, ideal_gain, np.inf)


class _Tables:
    """The tables of a folder, written frame by frame; a table's first frame decides its types."""

    def __init__(self, folder: Path, open_files: ExitStack):
        self.folder = folder
        self.open_files = open_files
        self.writers: dict[str, pq.ParquetWriter] = {}

    def add(self, name: str, frame: pd.DataFrame) -> None:
        """Append rows to a table."""
        table = pa.Table.from_pandas(frame, preserve_index=False)
        writer = self.writers.get(name)
        if writer is None:
            path = self.folder / f"{name}.parquet"
            writer = pq.ParquetWriter(path, table.schema)
            self.writers[name] = self.open_files.enter_context(writer)
        of_same_types = table.cast(writer.schema)
        writer.write_table(of_same_types)


def write(
    folder: str | Path,
    keys: Mapping[str, Any],
    searches: Iterable[Found],
    job: Job = NO_JOB,
) -> Iterator[Found]:
    """Write the ranks of each search, and yield the search once it is written.

    So memory holds one search. `keys` has the values of `KEYS` and of repetition. LeftOutError if
    there is no search.
    """
    sentences: dict[str, None] = {}  # as keys, so that each is told once
    with job.making(folder, KIND, **keys) as temporary, ExitStack() as open_files:
        tables = _Tables(temporary, open_files)
        for search in searches:
            sentences |= dict.fromkeys(search.told)
            columns = {
                **keys,
                "query_language": search.query_language,
                "target_language": search.target_language,
                "similarity": search.similarity,
            }
            tables.add("answers", search.answers.assign(**columns))
            tables.add("queries", search.queries.assign(**columns))
            if len(search.absent):
                tables.add("absent", search.absent.assign(**columns))
            yield search
        if not tables.writers:
            raise LeftOutError("no query to rank: no pair of its languages has any")
        write_json(temporary / TOLD, list(sentences))


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


def read_told(folder: str | Path) -> list[str]:
    """Read the sentences that the report is to say of the task's files."""
    return Artefact(folder, KIND).json(TOLD)


def read_absent(folder: str | Path) -> pd.DataFrame:
    """Read the answers that are in no collection, with the columns `SEARCH` and `ABSENT`."""
    artefact = Artefact(folder, KIND)
    if "absent.parquet" not in artefact.files:
        nothing = dict.fromkeys(SEARCH, "")
        return no_answers().assign(**nothing)
    return read_table(folder, "absent", SEARCH + ABSENT)


def read_table(
    folder: str | Path, name: str, columns: Sequence[str] | None = None, **subject: Any
) -> pd.DataFrame:
    """Read the table `answers`, `queries` or `absent`: some columns, or all."""
    artefact = Artefact(folder, KIND, **subject)
    path = artefact.file(f"{name}.parquet")
    table = pq.read_table(path, columns=columns)
    return table.to_pandas()


def read(folder: str | Path, **subject: Any) -> tuple[dict[str, Any], dict[Search, Ranked]]:
    """Read the values of `KEYS` and of repetition, and the ranks of each search."""
    answers = read_table(folder, "answers", SEARCH + ANSWERS, **subject)
    queries = read_table(folder, "queries", SEARCH + QUERIES)
    absent = read_absent(folder)
    answers_of = _by_search(answers)
    absent_of = _by_search(absent)
    searches = queries.groupby(SEARCH, sort=False)
    no_answers_found = answers[:0]
    ranked = {}
    for search, search_queries in searches:
        ranked[search] = Ranked.of(
            answers=answers_of.get(search, no_answers_found),
            queries=search_queries,
            absent=absent_of.get(search),
        )
    about = Artefact(folder).about
    return about["subject"], ranked


def _by_search(rows: pd.DataFrame) -> dict[Search, pd.DataFrame]:
    groups = rows.groupby(SEARCH)
    return dict(iter(groups))


def read_queries(folder: str | Path, **subject: Any) -> pd.DataFrame:
    """Read the queries of all searches, a row each, with what is nearest to them.

    Each has the rank and the score of its best answer too, nan where none was found.
    """
    artefact = Artefact(folder, KIND, **subject)
    path = artefact.file("queries.parquet")
    queries = pq.read_table(path)
    for name in BEST_CANDIDATES:  # ranks from which runs are written have more of each
        shortened = pc.list_slice(queries[name], 0, NEAREST)
        position = queries.column_names.index(name)
        queries = queries.set_column(position, name, shortened)
    frame = queries.to_pandas()
    answers = read_table(folder, "answers", QUERY_OF_SEARCH + ["rank", "score"])
    by_rank = answers.sort_values("rank")
    best_answers = by_rank.drop_duplicates(QUERY_OF_SEARCH)
    return frame.merge(best_answers, "left", QUERY_OF_SEARCH)


def write_runs(folder: str | Path, ranks: Iterable[str | Path], job: Job = NO_JOB) -> None:
    """Write TREC run files and qrels from folders of ranks, but of those that were left out.

        {setting}/{system}/{repetition}/{task}/{query}-{target}.{measure}.run
        {setting}/{system}/{repetition}/{task}/{query}-{target}.qrels

    Readers break equal scores in ways of their own, so scores are written strictly falling, in the
    order of the ranks. White space and % in ids are written as in URLs.
    """
    with job.making(folder, "TREC runs") as temporary:
        for ranks_folder in ranks:
            if left_out(ranks_folder) is None:
                _write_runs_of(ranks_folder, temporary)


def _write_runs_of(ranks_folder: str | Path, folder: Path) -> None:
    subject = Artefact(ranks_folder).about["subject"]
    names = [str(subject[key]) for key in RUN_FOLDERS]
    subfolder = folder.joinpath(*names)
    subfolder.mkdir(parents=True)
    candidates = _candidates(ranks_folder)
    judgements = _judgements(ranks_folder, candidates)
    _write_qrels(judgements, subfolder)
    for search, search_candidates in candidates.groupby(SEARCH):
        query_language, target_language, measure = search
        lines = search_candidates.assign(
            constant="Q0",
            score=_falling_scores(search_candidates),
            tag=subject["system"],
        )
        path = subfolder / f"{query_language}-{target_language}.{measure}.run"
        _write_lines(lines, RUN_COLUMNS, path)


def _write_qrels(judgements: pd.DataFrame, folder: Path) -> None:
    judgements = judgements.assign(constant=0)
    for direction, lines in judgements.groupby(DIRECTION):
        query_language, target_language = direction
        path = folder / f"{query_language}-{target_language}.qrels"
        _write_lines(lines, QRELS_COLUMNS, path)


def _falling_scores(candidates: pd.DataFrame) -> pd.Series:
    """Return the scores, lowered so that they fall strictly from rank to rank of a query."""
    sizes = candidates["score"].abs()
    step = SCORE_STEP * max(1.0, sizes.max())
    of_queries = candidates.groupby("query")
    never_rising = of_queries["score"].cummin()
    return never_rising - step * candidates["rank"]


def _candidates(ranks_folder: str | Path) -> pd.DataFrame:
    """Read the best candidates of all queries, a row each, down to the depth of the ranks.

    The columns are `QUERY_OF_SEARCH`, depth, candidate, score and rank.
    """
    columns = QUERY_OF_SEARCH + ["depth"] + BEST_CANDIDATES
    queries = read_table(ranks_folder, "queries", columns)
    queries = queries.rename(columns={"nearest": "candidate", "scores": "score"})
    candidates = queries.explode(["candidate", "score"])
    candidates = candidates.astype({"score": np.float32})  # explode gives objects
    of_queries = candidates.groupby(level=0)
    rank = 1 + of_queries.cumcount()
    is_within = rank <= candidates["depth"]
    is_within = is_within.fillna(True)  # without a depth, all
    candidates = candidates.assign(rank=rank)
    return candidates[is_within]


def _judgements(ranks_folder: str | Path, candidates: pd.DataFrame) -> pd.DataFrame:
    """Read the relevant documents, and add the candidates of queries without any, with grade 0.

    Where ranks have a depth, there are such queries, and readers would not count them otherwise.
    """
    answers = read_table(ranks_folder, "answers", JUDGEMENT)
    absent = read_absent(ranks_folder)
    relevant = pd.concat([answers, absent[JUDGEMENT]])
    without_relevant = candidates.merge(relevant[QUERY], how="left_anti", on=QUERY)
    not_relevant = without_relevant.assign(grade=0.0)
    judgements = pd.concat([relevant, not_relevant])
    return judgements.drop_duplicates(QUERY + ["candidate"])


def _write_lines(frame: pd.DataFrame, columns: Sequence[str], path: Path) -> None:
    """Write the columns of each row as a line, without quotes and with spaces between them."""
    for name in ("query", "candidate"):
        safe = frame[name].str.replace(UNSAFE_IN_IDS, _as_in_urls, regex=True)
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
    """Return a character that ids may not have in its percent-encoding."""
    return quote(match[0])
