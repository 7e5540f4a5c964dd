"""Ad hoc search: queries and documents of the user's own, with graded judgements."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from cr5.base.errors import UserError
from cr5.base.parts import File, Language, Task
from cr5.counts.bags import Bags
from cr5.tasks.base import Data, Search, Texts, relevance_of
from cr5.tasks.texts import Records
from cr5.texts import judged

ROUNDING = 1e-9  # four of five words are .8


class AdHoc(Task):
    """Ad hoc search: queries and documents of the user's own, with graded judgements.

    A grade above 0 is an answer. Judgements of ids that a language lacks are ignored for it.
    `texts.judged` says how files are read.
    """

    metrics = (
        *("nDCG@10", "AP", "RR", "P@10", "R@100"),
        *("P@1", "P@5", "Success@5", "Success@10", "nDCG@1", "nDCG@5"),
    )

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
        readers = {"documents": judged.documents, "queries": judged.queries}
        return {name: read(files[name]) for name, read in readers.items() if files.get(name)}

    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield every directed pair of languages, or each language with itself.

        Queries without an answer among the documents are left out, as in TREC, and those of which
        the model knows too few words.
        """
        answers = judgements(self.qrels)
        every = [(x, x) for x in languages] if self.monolingual else data.directions(languages)
        for query, target in every:
            if target not in (self.searched or languages):
                continue
            queries, documents = data.texts[query]["queries"], data.texts[target]["documents"]
            relevance = relevance_of(queries.ids, documents.ids, *answers)
            answered = np.diff(relevance.indptr) > 0
            if not answered.any():
                raise UserError(
                    f"{self.qrels}: no query in {query!r} has an answer among the documents "
                    f"in {target!r}; are the ids the same as in the files of queries and documents?"
                )
            asked = answered & _is_known(queries, data.bags.get(query), self.known_words)
            if not asked.any():
                continue
            found = queries.select(asked), documents, relevance[asked], queries
            yield Search(query, target, *found, collection=True)


def _is_known(queries: Texts, bags: Bags | None, least: float) -> np.ndarray:
    """Whether a model knows this share of the different words of each query.

    Beginnings, which stand for unknown words behind those of the bags, do not count: systems of a
    setting are asked the same.
    """
    known = queries.counts[:, : len(bags.words) if bags else None]
    n_words = queries.about["n_words"].to_numpy()
    return known.getnnz(axis=1) >= least * n_words.clip(1) - ROUNDING


def judgements(path: str | Path) -> tuple[pd.Series, pd.Series, pd.Series]:
    """Read the query, document and grade of each judgement of qrels that is above 0."""
    frame = pd.DataFrame(judged.judgements(path), columns=["query", "document", "grade", "where"])
    twice = frame[frame.duplicated(["query", "document"])]
    for query, document, _, where in twice.itertuples(index=False):
        raise UserError(f"{where}: {document!r} was judged for query {query!r} before; keep one")
    good = frame[frame["grade"] > 0]
    return good["query"], good["document"], good["grade"].astype(float)
