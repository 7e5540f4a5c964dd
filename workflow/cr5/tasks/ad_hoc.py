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
from cr5.contracts.keys import Encoding, File, Language
from cr5.contracts.task import Task
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
        "nDCG@10", "AP", "RR", "P@10", "R@100",
        "P@1", "P@5", "Success@5", "Success@10", "nDCG@1", "nDCG@5",
    )  # fmt: skip
    is_judged = True

    documents: File = ""
    """With {language}: JSON lines, TREC, or lines of id and text."""
    queries: File = ""
    """With {language}: JSON lines, TREC, or lines of id and text."""
    qrels: Annotated[File, Field(pattern=r"^[^{}]*$")] = ""
    """TREC qrels, BEIR, or JSON lines; one file for all languages."""
    encoding: Encoding = "utf-8"
    """Of documents and queries that are not JSON of SQuAD."""
    searched: tuple[Language, ...] = ()
    """Languages whose documents are searched; none: all."""
    monolingual: bool = False
    """Whether queries search documents in their own language, not those in others."""
    known_words: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Least share of a query's different words that the model knows; others are not asked."""

    def files(self, language: str, written: Mapping[str, str] = {}) -> dict[str, str]:
        """Return documents, if they are searched in this language, queries and judgements."""
        paths = super().files(language, written)
        if self.searched and language not in self.searched:
            del paths["documents"]
        return paths

    def records(self, files: Mapping[str, str], language: str) -> dict[str, Records]:
        """Read (id, text) of `documents` and `queries`, of which there is a file."""
        records: dict[str, Records] = {}
        documents = files.get("documents")
        queries = files.get("queries")
        if documents:
            qrels = files.get("qrels", "")
            records["documents"] = judged.documents(documents, qrels, self.encoding)
        if queries:
            records["queries"] = judged.queries(queries, language, self.encoding)
        return records

    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield every directed pair of languages, or each language with itself.

        Queries without an answer, among the documents or in no language, are left out, as in TREC,
        and those of which the model knows too few words.
        """
        judgements = Judgements.read(self.qrels, data)
        if self.monolingual:
            directions = [(language, language) for language in languages]
        else:
            directions = data.directions(languages)
        for query_language, target_language in directions:
            if target_language not in (self.searched or languages):
                continue
            queries = data.texts[query_language]["queries"]
            documents = data.texts[target_language]["documents"]
            relevance = judgements.relevance(queries, documents)
            if not relevance.nnz:
                raise UserError(
                    f"{self.qrels}: no query in {query_language!r} has an answer among the "
                    f"documents in {target_language!r}; are the ids the same as in the files of "
                    "queries and documents?"
                )
            is_asked = np.diff(relevance.indptr) > 0
            is_asked |= queries.ids.isin(judgements.absent["query"])
            is_asked &= _is_known(queries, data.bags.get(query_language), self.known_words)
            if not is_asked.any():
                continue
            asked = queries.select(is_asked)
            yield Search(
                query_language,
                target_language,
                asked,
                documents,
                relevance[is_asked],
                neighbours=queries,
                collection=True,
                absent=judgements.absent[judgements.absent["query"].isin(asked.ids)],
                told=judgements.told_of(data, target_language),
            )


@dataclass(frozen=True)
class Judgements:
    """The judgements that say what is relevant, for queries that some language has.

    Attributes:
        path: of their file.
        present: query, candidate, grade, of documents that some language has.
        absent: the same, of others.
        told: how many are absent, and which queries have none or are not there.
    """

    path: str
    present: pd.DataFrame
    absent: pd.DataFrame
    told: Sequence[str]

    @classmethod
    def read(cls, path: str, data: Data) -> "Judgements":
        """Compare the judgements of a file with the queries and documents of all languages."""
        relevant = read_relevant(path)
        queries = pd.Index(sorted(_ids(data, "queries")))
        is_asked = relevant["query"].isin(queries)
        is_present = relevant["candidate"].isin(_ids(data, "documents"))
        asked = relevant[is_asked]
        present = relevant[is_asked & is_present]
        absent = relevant[is_asked & ~is_present]
        unanswered = queries.difference(asked["query"])
        unknown = pd.Index(relevant.loc[~is_asked, "query"].unique())
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
        if len(unknown):
            told.append(
                f"{path}: {len(unknown)} of {relevant['query'].nunique()} queries with relevant "
                f"documents, such as {unknown[0]!r}, are in no file of queries"
            )
        return cls(path, present, absent, told)

    def relevance(self, queries: Texts, documents: Texts) -> sparse.csr_matrix:
        """Return queries x documents: grades of answers, of two languages."""
        return relevance_of(
            queries.ids,
            documents.ids,
            self.present["query"],
            self.present["candidate"],
            self.present["grade"],
        )

    def told_of(self, data: Data, language: str) -> list[str]:
        """Add to `told` how many documents a language lacks of those that all should have.

        Where languages have documents of the same ids: others have answers of their own.
        """
        ids = data.texts[language]["documents"].ids
        ids_of_others = _ids(data, "documents", without=language)
        lacking = self.present[~self.present["candidate"].isin(ids)]
        told = list(self.told)
        if len(lacking) and ids.isin(ids_of_others).any():
            told.append(
                f"{self.path}: {len(lacking)} of {len(self.present)} relevant documents, such as "
                f"{lacking['candidate'].iloc[0]!r}, are in other languages' files of documents, "
                f"but not in that of {language!r}; there they do not count"
            )
        return told


def _ids(data: Data, name: str, without: str = "") -> set[str]:
    """Return the ids of texts of a name in all languages of the run, or all but one."""
    ids = set(data.elsewhere.get(name, ()))
    for language, texts in data.texts.items():
        if language != without and name in texts:
            ids.update(texts[name].ids)
    return ids


def _is_known(queries: Texts, bags: Bags | None, min_share: float) -> np.ndarray:
    """Return whether a model knows this share of the different words of each query.

    Beginnings, which stand for unknown words behind those of the bags, do not count: systems of a
    setting are asked the same.
    """
    counts = queries.counts
    if bags:
        counts = counts[:, : len(bags.words)]
    n_known = counts.getnnz(axis=1)
    n_words = queries.about["n_words"].to_numpy()
    least_known = min_share * n_words.clip(1) - ROUNDING
    return n_known >= least_known


def read_relevant(path: str | Path) -> pd.DataFrame:
    """Read the query, candidate and grade of each judgement of qrels that is above 0."""
    columns = ["query", "candidate", "grade", "where"]
    table = pd.DataFrame(judged.judgements(path), columns=columns)
    repeated = table[table.duplicated(["query", "candidate"])]
    for query_id, document_id, _, where in repeated.itertuples(index=False):
        raise UserError(
            f"{where}: {document_id!r} was judged for query {query_id!r} before; keep one"
        )
    relevant = table.loc[table["grade"] > 0, ["query", "candidate", "grade"]]
    return relevant.astype({"grade": float})
