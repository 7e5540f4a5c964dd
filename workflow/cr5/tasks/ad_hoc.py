"""Ad hoc search: queries and documents of the user's own, with graded judgements."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.parts import File, Language, Task
from cr5.counts.bags import Bags
from cr5.tasks.base import Data, Search, Texts, relevance_of
from cr5.tasks.texts import Records
from cr5.texts import judged

ROUNDING = 1e-9  # four of five words are .8


class AdHoc(Task):
    """Ad hoc search: queries and documents of the user's own, with graded judgements.

    A grade above 0 is an answer. One that only other languages have is ignored for a language; one
    that no language has counts as not found. `texts.judged` says how files are read.
    """

    metrics = (
        *("nDCG@10", "AP", "RR", "P@10", "R@100"),
        *("P@1", "P@5", "Success@5", "Success@10", "nDCG@1", "nDCG@5"),
    )
    is_judged = True

    documents: File = ""
    """With {language}: JSON lines, TREC, or lines of id and text."""
    queries: File = ""
    """With {language}: JSON lines, TREC, or lines of id and text."""
    qrels: Annotated[File, Field(pattern=r"^[^{}]*$")] = ""
    """TREC qrels, BEIR, or JSON lines; one file for all languages."""
    searched: tuple[Language, ...] = ()
    """Languages whose documents are searched; none: all."""
    monolingual: bool = False
    """Whether queries search documents in their own language, not those in others."""
    known_words: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Least share of a query's different words that the model knows; others are not asked."""

    def files(self, language: str, written: Mapping[str, str] = {}) -> dict[str, str]:
        """Documents, if they are searched in this language, queries and judgements."""
        found = super().files(language, written)
        if self.searched and language not in self.searched:
            del found["documents"]
        return found

    def records(self, files: Mapping[str, str], language: str) -> dict[str, Records]:
        """Read (id, text) of `documents` and `queries`, of which there is a file."""
        found = {}
        if files.get("documents"):
            found["documents"] = judged.documents(files["documents"], files.get("qrels", ""))
        if files.get("queries"):
            found["queries"] = judged.queries(files["queries"])
        return found

    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield every directed pair of languages, or each language with itself.

        Queries without an answer, among the documents or in no language, are left out, as in TREC,
        and those of which the model knows too few words.
        """
        judgements = Judgements.read(self.qrels, data)
        every = [(x, x) for x in languages] if self.monolingual else data.directions(languages)
        for query, target in every:
            if target not in (self.searched or languages):
                continue
            queries, documents = data.texts[query]["queries"], data.texts[target]["documents"]
            relevance = judgements.relevance(queries, documents)
            if not relevance.nnz:
                raise UserError(
                    f"{self.qrels}: no query in {query!r} has an answer among the documents "
                    f"in {target!r}; are the ids the same as in the files of queries and documents?"
                )
            answered = np.diff(relevance.indptr) > 0
            answered |= queries.ids.isin(judgements.absent["query"])
            asked = answered & _is_known(queries, data.bags.get(query), self.known_words)
            if not asked.any():
                continue
            chosen = queries.select(asked)
            absent = judgements.absent
            yield Search(
                query,
                target,
                chosen,
                documents,
                relevance[asked],
                neighbours=queries,
                collection=True,
                absent=absent[absent["query"].isin(chosen.ids)],
                told=judgements.told_of(data, target),
            )


@dataclass(frozen=True)
class Judgements:
    """The judgements that say what is relevant, for queries that some language has.

    Attributes:
        path: of their file.
        there: query, candidate, grade, of documents that some language has.
        absent: the same, of others.
        told: how many are absent, and which queries have none or are not there.
    """

    path: str
    there: pd.DataFrame
    absent: pd.DataFrame
    told: Sequence[str]

    @classmethod
    def read(cls, path: str, data: Data) -> "Judgements":
        """Compare the judgements of a file with the queries and documents of all languages."""
        relevant = read_relevant(path)
        queries = pd.Index(sorted(_ids(data, "queries")))
        is_asked = relevant["query"].isin(queries)
        is_there = relevant["candidate"].isin(_ids(data, "documents"))
        asked = relevant[is_asked]
        absent = relevant[is_asked & ~is_there]
        unanswered = queries.difference(asked["query"])
        strangers = pd.Index(relevant.loc[~is_asked, "query"].unique())
        told = []
        if len(absent):
            told.append(
                f"{path}: {len(absent)} of {len(asked)} relevant documents, such as "
                f"{absent['candidate'].iloc[0]!r}, are in no language's file of documents; they "
                "count as not found"
            )
        if len(unanswered):
            told.append(
                f"{path}: {len(unanswered)} of {len(queries)} queries, such as {unanswered[0]!r}, "
                "have no relevant document in it and are not asked"
            )
        if len(strangers):
            told.append(
                f"{path}: {len(strangers)} of {relevant['query'].nunique()} queries with relevant "
                f"documents, such as {strangers[0]!r}, are in no file of queries"
            )
        return cls(path, relevant[is_asked & is_there], absent, told)

    def relevance(self, queries: Texts, documents: Texts) -> sparse.csr_matrix:
        """Grades of the answers of one language's queries among one language's documents."""
        there = self.there
        given = there["query"], there["candidate"], there["grade"]
        return relevance_of(queries.ids, documents.ids, *given)

    def told_of(self, data: Data, language: str) -> list[str]:
        """Add to `told` how many documents a language lacks of those that all should have.

        Where languages have documents of the same ids: others have answers of their own.
        """
        ids = data.texts[language]["documents"].ids
        others = _ids(data, "documents", without=language)
        lacking = self.there[~self.there["candidate"].isin(ids)]
        if not (ids.isin(others).any() and len(lacking)):
            return [*self.told]
        return [
            *self.told,
            f"{self.path}: {len(lacking)} of {len(self.there)} relevant documents, such as "
            f"{lacking['candidate'].iloc[0]!r}, are in other languages' files of documents, but "
            f"not in that of {language!r}; there they do not count",
        ]


def _ids(data: Data, name: str, without: str = "") -> set[str]:
    """The ids of texts of a name in all languages of the run, or all but one."""
    found = set(data.elsewhere.get(name, ()))
    for language, texts in data.texts.items():
        if language != without and name in texts:
            found.update(texts[name].ids)
    return found


def _is_known(queries: Texts, bags: Bags | None, least: float) -> np.ndarray:
    """Whether a model knows this share of the different words of each query.

    Beginnings, which stand for unknown words behind those of the bags, do not count: systems of a
    setting are asked the same.
    """
    known = queries.counts[:, : len(bags.words) if bags else None]
    n_words = queries.about["n_words"].to_numpy()
    return known.getnnz(axis=1) >= least * n_words.clip(1) - ROUNDING


def read_relevant(path: str | Path) -> pd.DataFrame:
    """Read the query, candidate and grade of each judgement of qrels that is above 0."""
    columns = ["query", "candidate", "grade", "where"]
    frame = pd.DataFrame(judged.judgements(path), columns=columns)
    twice = frame[frame.duplicated(["query", "candidate"])]
    for query, document, _, where in twice.itertuples(index=False):
        raise UserError(f"{where}: {document!r} was judged for query {query!r} before; keep one")
    return frame.loc[frame["grade"] > 0, columns[:3]].astype({"grade": float})
