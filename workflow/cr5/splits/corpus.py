"""What is drawn from: the concepts of a corpus, in one random order, and who has them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cr5.splits.options import Pair, Sizes


@dataclass(frozen=True)
class Corpus:
    """Concepts x languages, all in one random order.

    Attributes:
        has_document: True where a language has a document of a concept.
        may_be_query: True where that document may be a query.
        pairs: of languages that are searched, sorted, each in the order of the alphabet.
    """

    has_document: pd.DataFrame
    may_be_query: pd.DataFrame
    pairs: Sequence[Pair]

    @classmethod
    def of(
        cls,
        tables: Mapping[str, pd.DataFrame],
        pairs: Iterable[Pair],
        sizes: Sizes,
        seed: int,
        wanted: Iterable[str],
    ) -> "Corpus":
        """Put the documents of tables (concept, n_unique) in random order, those wanted first."""
        least_words, most_words = sizes.query_unique_words or (0, np.inf)
        concepts_of = {}
        query_concepts_of = {}
        for language in sorted(tables):
            table = tables[language]
            has_words_enough = table["n_unique"].between(least_words, most_words)
            concepts_of[language] = table["concept"]
            query_concepts_of[language] = table.loc[has_words_enough, "concept"]
        concepts = permuted(pd.Index(all_concepts(concepts_of)), seed)
        is_wanted = concepts.isin(list(wanted))
        concepts = concepts[is_wanted].append(concepts[~is_wanted])
        distinct_pairs = {tuple(sorted(pair)) for pair in pairs}
        return cls(
            has_document=who_has(concepts_of, concepts),
            may_be_query=who_has(query_concepts_of, concepts),
            pairs=sorted(distinct_pairs),
        )

    @property
    def concepts(self) -> pd.Index:
        """All concepts, in their order."""
        return self.has_document.index

    def only(self, concepts: Collection[str]) -> "Corpus":
        """Keep some of the concepts."""
        is_wanted = self.concepts.isin(concepts)
        return replace(
            self,
            has_document=self.has_document[is_wanted],
            may_be_query=self.may_be_query[is_wanted],
        )


def permuted(concepts: pd.Index, seed: int | Sequence[int]) -> pd.Index:
    """Return concepts in a random order."""
    generator = np.random.default_rng(seed)
    order = generator.permutation(len(concepts))
    return concepts[order]


def first_share(concepts: pd.Index, share: float) -> pd.Index:
    """Return a share of the concepts, rounded down: the first ones."""
    n_concepts = int(share * len(concepts))
    return concepts[:n_concepts]


def all_concepts(concepts_of: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the concepts that any language has, sorted."""
    return sorted(set().union(*concepts_of.values()))


def who_has(concepts_of: Mapping[str, Iterable[str]], index: pd.Index) -> pd.DataFrame:
    """Return concepts x languages, True where a language has the concept."""
    columns = {language: index.isin(concepts) for language, concepts in concepts_of.items()}
    return pd.DataFrame(columns, index=index)


def shared_by(has_concept: pd.DataFrame, pair: Pair) -> pd.Index:
    """Return the concepts that both languages of a pair have, in their order."""
    first, second = pair
    is_shared = has_concept[first] & has_concept[second]
    return has_concept.index[is_shared]


def concepts_in(table: pd.DataFrame, language: str) -> pd.Series:
    """Return the concepts of a table (concept, language) in one language, in its order."""
    is_in_language = table["language"] == language
    return table.loc[is_in_language, "concept"]
