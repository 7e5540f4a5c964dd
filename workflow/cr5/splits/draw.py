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

import numpy as np
import pandas as pd

from cr5.splits.drawn import NO_CONCEPTS, Draw
from cr5.splits.given import EVERYTHING, given_roles
from cr5.splits.options import Pair, Sizes

log = logging.getLogger(__name__)

FEW = 50  # queries; fewer give wide intervals


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
        sizes = sizes.model_copy(update=EVERYTHING)
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
