"""Draw queries and candidates from the concepts of a corpus (Cr5, Sec. 4.2).

One random order of all concepts serves all queries: the test queries of a pair are the first
concepts in that order that both languages have; its validation queries are the first remaining
ones that are not test queries of any pair. So each pair's queries are a uniform sample of its
intersection, pairs share queries if they can (which leaves more for training), and all settings
of a corpus are tested on the same queries among the same candidates. A pair is unordered; the
order of languages does not change the draw.

Candidates of a language are its test documents and then, in a second random order of all concepts,
the first other documents that it has: a random sample, whether other languages have them or not.

Sizes shrink on small corpora: a pair's test (validation) queries are at most the share
`max_share.test` (`max_share.validation`) of its intersection. Where candidates beyond the test
documents may not train (`candidates_reading: paper`), they are taken from the first share
`max_share.candidates` of the concepts that several languages have, so that the rest can train, and
from the same share of those that one language alone has, so that they stay a random sample. A pair
that shares too little for a query is left out of the search, with a warning. A share of 0 draws no
queries on purpose, for runs whose tasks bring their own; without any query there are no candidates
either, and all shared concepts are left for training. Where a split is given, nothing is drawn.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from cr5.base import artefacts
from cr5.base.errors import UserError
from cr5.base.labels import DRAWS, fingerprint
from cr5.base.origin import Origin, as_json
from cr5.base.tables import read_parquet
from cr5.splits.given import EVERYTHING, given_roles
from cr5.splits.options import Pair, Sizes
from cr5.splits.unmatched import nearly_the_same

log = logging.getLogger(__name__)

TABLES = ("queries", "candidates", "pairs")
NO_CONCEPTS = pd.Index([], dtype=str)
FEW = 50  # queries; fewer give wide intervals


@dataclass(frozen=True)
class Draw:
    """The held-out concepts, the same for all settings of a corpus.

    Attributes:
        queries: concept, role (`test` or `validation`), first, second: the two languages of the
            pair, in alphabetical order.
        candidates: concept, language; the test documents included.
        pairs: first, second, concepts (that both have), test, validation (numbers of queries);
            a row per pair to be searched, even if it has no queries.
    """

    queries: pd.DataFrame
    candidates: pd.DataFrame
    pairs: pd.DataFrame

    def queries_of(self, pair: Pair, role: str) -> pd.Index:
        """Concepts that are queries of a pair, sorted; the two languages in any order.

        Raises:
            UserError: the draw does not include this pair.
        """
        first, second = sorted(pair)
        if (first, second) not in self._known_pairs:
            raise UserError(f"No queries were drawn for {first} and {second}; draw them again.")
        return self._by_pair.get((first, second, role), NO_CONCEPTS)

    def candidates_of(self, language: str) -> pd.Index:
        """Candidate concepts of a language, sorted."""
        return _sorted(self.candidates.loc[self.candidates["language"] == language, "concept"])

    def held_out(self, role: str | None = None) -> pd.Index:
        """Concepts that are queries of any pair, in one role or both."""
        if role is None:
            return _sorted(self.queries["concept"])
        return _sorted(self.queries.loc[self.queries["role"] == role, "concept"])

    def search_space(self, language: str, languages: Iterable[str], role: str) -> pd.Index:
        """Concepts whose documents are searched for the queries of a setting, sorted.

        Test queries search the candidates; validation queries search the candidates that are not
        test documents of any pair, and the validation documents of the setting.

        Args:
            language: of the documents.
            languages: searched together with it in the setting.
            role: of the queries.
        """
        space = self.candidates_of(language)
        if role == "test":
            return space
        space = space.difference(self.held_out("test"))
        for other in languages:
            if other != language:
                space = space.union(self.queries_of((language, other), role))
        return space.sort_values()

    @cached_property
    def _known_pairs(self) -> frozenset[Pair]:
        return frozenset(self.pairs[["first", "second"]].itertuples(index=False, name=None))

    @cached_property
    def _by_pair(self) -> dict[tuple[str, str, str], pd.Index]:
        groups = self.queries.groupby(["first", "second", "role"])["concept"]
        return {key: _sorted(found) for key, found in groups}

    @cached_property
    def fingerprint(self) -> str:
        """Fingerprint of the held-out concepts."""
        tables = [getattr(self, name).astype(str) for name in TABLES]
        return fingerprint(x for table in tables for name in table for x in (name, *table[name]))

    def save(
        self,
        folder: str | Path,
        depends_on: Mapping[str, str] | None = None,
        source: Origin | None = None,
    ) -> None:
        """Write the three tables; the folder appears when it is complete.

        Args:
            folder: of the draw.
            depends_on: what it depends on, see `base/labels.py`.
            source: where it comes from.
        """
        depends_on = {**(depends_on or {}), "draw": self.fingerprint}
        made = source and as_json(source)
        with artefacts.written(DRAWS, folder, {}, depends_on, made) as temporary:
            for name in TABLES:
                getattr(self, name).to_parquet(temporary / f"{name}.parquet", index=False)

    @classmethod
    def load(cls, folder: str | Path) -> "Draw":
        """Read what `save` wrote.

        Raises:
            UserError: a file of it is missing or incomplete.
        """
        found = artefacts.opened(DRAWS, folder)
        return cls(*(read_parquet(found.file(f"{name}.parquet")) for name in TABLES))


def draw(
    documents: Mapping[str, pd.DataFrame], pairs: Iterable[Pair], sizes: Sizes, seed: int
) -> Draw:
    """Draw queries and candidates, or take those that `sizes.given` names.

    Args:
        documents: per language, concept and n_unique of the documents that passed the filter.
        pairs: of languages that any setting searches; unordered.
        sizes: to draw.
        seed: of the draw.

    Raises:
        UserError: a split that is given is unusable.
    """
    documents = {language: documents[language] for language in sorted(documents)}
    pairs = sorted({tuple(sorted(pair)) for pair in pairs})
    seed = seed if sizes.given is None else 0  # nothing is random
    members = _members(documents, seed)
    eligible = members & _query_members(documents, members.index, sizes.query_unique_words)
    roles = given_roles(members.index, sizes.given)
    may_test, may_validate, may_be_found = eligible, eligible, members
    if roles is not None:
        sizes = replace(sizes, **EVERYTHING)
        may_test, may_validate = (eligible[roles == role] for role in ("test", "validation"))
        may_be_found = members[roles == "test"]
    test = {
        pair: _queries(may_test, pair, sizes.test, sizes.max_share["test"], "test")
        for pair in pairs
    }
    left = may_validate[~may_validate.index.isin(_union(test))]
    validation = {
        pair: _queries(left, pair, sizes.validation, sizes.max_share["validation"], "validation")
        for pair in pairs
    }
    _warn_of_few(test)
    table = _pair_table(members, test, validation)
    for said in nearly_the_same({x: pd.Index(f["concept"]) for x, f in documents.items()}, table):
        log.warning("%s", said)
    return Draw(
        _query_table({"test": test, "validation": validation}),
        _candidate_table(may_be_found, _union(test), _union(validation), sizes, seed),
        table,
    )


def _members(documents: Mapping[str, pd.DataFrame], seed: int) -> pd.DataFrame:
    """Concepts x languages, True where there is a document; rows in random order."""
    every = pd.Index(sorted(set().union(*(frame["concept"] for frame in documents.values()))))
    every = every[np.random.default_rng(seed).permutation(len(every))]
    return pd.DataFrame(
        {x: every.isin(frame["concept"]) for x, frame in documents.items()}, index=every
    )


def _query_members(documents, index: pd.Index, bounds: Sequence[int] | None) -> pd.DataFrame:
    """Which documents have a length that queries may have."""
    least, most = bounds or (0, np.inf)
    return pd.DataFrame(
        {
            x: index.isin(frame.loc[frame["n_unique"].between(least, most), "concept"])
            for x, frame in documents.items()
        },
        index=index,
    )


def _queries(members: pd.DataFrame, pair: Pair, size: int, share: float, role: str) -> pd.Index:
    shared = members.index[members[list(pair)].all(axis=1)]
    n = min(size, int(share * len(shared)))
    if n < 1 and share:  # with a share of 0, none are wanted
        log.warning(
            "%s and %s share %d concepts that qualify: no %s query, the pair is left out (see "
            "splits.max_share and splits.query_unique_words)",
            *(*pair, len(shared), role),
        )
    return shared[:n]


def _warn_of_few(test: Mapping[Pair, pd.Index]) -> None:
    """Warn of the pair with the fewest queries, if so few that intervals are wide."""
    counts = {pair: len(found) for pair, found in test.items() if len(found)}
    worst = min(counts, key=counts.get, default=None)
    if worst and counts[worst] < FEW:
        log.warning(
            "%s and %s have only %d test queries: intervals will be wide. Raise "
            "splits.max_share.test (and splits.test, if it is as small), bring more documents, or "
            "set repetitions (such as 5).",
            *(*worst, counts[worst]),
        )


def _query_table(drawn: Mapping[str, Mapping[Pair, pd.Index]]) -> pd.DataFrame:
    parts = [
        pd.DataFrame({"concept": found, "role": role, "first": pair[0], "second": pair[1]})
        for role, by_pair in drawn.items()
        for pair, found in by_pair.items()
    ]
    return pd.concat(parts, ignore_index=True).astype(str)


def _pair_table(members: pd.DataFrame, test: Mapping, validation: Mapping) -> pd.DataFrame:
    rows = [
        (*pair, int(members[list(pair)].all(axis=1).sum()), len(test[pair]), len(validation[pair]))
        for pair in test
    ]
    return pd.DataFrame(rows, columns=["first", "second", "concepts", "test", "validation"])


def _candidate_table(
    members: pd.DataFrame, tests: pd.Index, validation: pd.Index, sizes: Sizes, seed: int
) -> pd.DataFrame:
    queries = tests.union(validation)
    # without a query nothing is searched
    distractors = NO_CONCEPTS if queries.empty else _distractors(members, queries, sizes, seed)
    parts = [
        pd.DataFrame(
            {"concept": _candidates(own, tests, distractors, sizes.candidates), "language": x}
        )
        for x, own in members.items()
    ]
    return pd.concat(parts, ignore_index=True)


def _distractors(members: pd.DataFrame, queries: pd.Index, sizes: Sizes, seed: int) -> pd.Index:
    """Concepts that may be candidates without being test queries, in random order.

    The order is not that of the queries: what those left behind comes late in it.
    """
    others = members.index.difference(queries)
    others = others[np.random.default_rng([seed, *b"candidates"]).permutation(len(others))]
    if sizes.candidates_reading == "code":
        return others
    several = (members.loc[others].sum(axis=1) > 1).to_numpy()
    share = sizes.max_share["candidates"]
    chosen = [part[: int(share * len(part))] for part in (others[several], others[~several])]
    return others[others.isin(chosen[0].append(chosen[1]))]


def _candidates(own: pd.Series, tests: pd.Index, distractors: pd.Index, n: int) -> pd.Index:
    """Candidate concepts of a language: its test documents first, then distractors.

    Args:
        own: which concepts the language has.
        tests: test queries of any pair.
        distractors: in random order.
        n: candidates wanted; test documents are candidates even if there are more of them.
    """
    own = own.index[own]
    own_tests = own[own.isin(tests)]
    others = distractors[distractors.isin(own)]
    return own_tests.append(others[: max(n - len(own_tests), 0)])


def _union(parts: Mapping[Pair, pd.Index]) -> pd.Index:
    return pd.Index(sorted(set().union(*parts.values())))


def _sorted(concepts: pd.Series) -> pd.Index:
    return pd.Index(concepts.unique()).sort_values()
