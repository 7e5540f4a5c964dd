"""Splits of concepts into training, validation and test, and candidates (Cr5, Sec. 4.2).

One random order of all concepts serves every draw: the test queries of a pair are the first
concepts of that order which both languages have, its validation queries the first of the
remaining ones that are test queries of no pair. Each pair's queries are thus a uniform sample
of its intersection, pairs share queries where they can (which leaves more for training), and
all settings of a corpus are tested on the same queries among the same candidates.

Sizes shrink on small corpora: a pair's test (validation) queries are at most the share
`max_share.test` (`max_share.validation`) of its intersection; candidates beyond the test
queries are first concepts that one language alone has, then at most the share
`max_share.candidates` of the concepts that are left for training. A pair that shares too little
for a query is left out of the search, with a warning.
"""

import itertools
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.splits.sizes import Sizes

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Draw:
    """What is held out, the same for all settings of a corpus.

    Attributes:
        members: concepts x languages, True where there is a document; rows in random order.
        test: per pair of languages the test concepts.
        validation: per pair the validation concepts.
        candidates: per language the candidate concepts, test concepts included.
        sizes: as configured.
    """

    members: pd.DataFrame
    test: Mapping[tuple[str, str], pd.Index]
    validation: Mapping[tuple[str, str], pd.Index]
    candidates: Mapping[str, pd.Index]
    sizes: Sizes


def draw(
    documents: Mapping[str, pd.DataFrame],
    pairs: Sequence[tuple[str, str]],
    sizes: Sizes,
    seed: int,
) -> Draw:
    """Draw queries and candidates.

    Args:
        documents: per language, in the order of the configuration, concept and n_unique of
            the documents that passed the filter.
        pairs: of languages that some setting searches.
        sizes: to draw.
        seed: of the run.
    """
    members = _members(documents, seed)
    eligible = members & _query_members(documents, members.index, sizes.query_unique_words)
    test = {
        pair: _queries(eligible, pair, sizes.test, sizes.max_share["test"], "test")
        for pair in pairs
    }
    left = eligible[~eligible.index.isin(_union(test))]
    validation = {
        pair: _queries(left, pair, sizes.validation, sizes.max_share["validation"], "validation")
        for pair in pairs
    }
    queries = _union(test).union(_union(validation))
    tests = _union(test)
    candidates = {
        language: _candidates(members, language, tests, queries, sizes) for language in documents
    }
    return Draw(members, test, validation, candidates, sizes)


def split(drawn: Draw, languages: Sequence[str]) -> pd.DataFrame:
    """Split the concepts of one setting.

    Args:
        drawn: for the corpus.
        languages: of the setting.

    Returns:
        concept, language, role, pair: roles `test` and `validation` name the pair they are
        queries of, `candidate` are the documents that test queries are searched among, and
        `train` all that is left and has a counterpart in another language of the setting.

    Raises:
        UserError: no pair has queries, or nothing is left for training.
    """
    pairs = list(itertools.combinations(languages, 2))
    if not any(len(drawn.test[pair]) and len(drawn.validation[pair]) for pair in pairs):
        raise _no_queries(drawn, languages)
    parts = []
    for pair in pairs:
        for language in pair:
            parts.append(_part(drawn.test[pair], language, "test", "-".join(pair)))
            parts.append(_part(drawn.validation[pair], language, "validation", "-".join(pair)))
    parts += [_part(drawn.candidates[x], x, "candidate", "") for x in languages]
    training = _training(drawn, languages)
    if not training.to_numpy().any():
        raise UserError(
            f"No concept is left to train on for {', '.join(languages)}: all that the languages "
            "share are queries or candidates. Lower splits.test, splits.validation, "
            "splits.candidates or splits.max_share, or bring more documents."
        )
    parts += [_part(training.index[training[x]], x, "train", "") for x in languages]
    frame = pd.concat(parts, ignore_index=True)
    return frame.sort_values(["role", "pair", "language", "concept"], ignore_index=True)


def concepts(frame: pd.DataFrame, role: str, language: str, pair: str | None = None) -> pd.Index:
    """Return the concepts of a role in a language, sorted; of one pair if it is named."""
    chosen = (frame["role"] == role) & (frame["language"] == language)
    if pair is not None:
        chosen &= frame["pair"] == pair
    return pd.Index(frame.loc[chosen, "concept"]).unique().sort_values()


def held_out(frame: pd.DataFrame) -> frozenset[str]:
    """Return the concepts that are test or validation queries of any pair of the setting."""
    return frozenset(frame.loc[frame["role"].isin(["test", "validation"]), "concept"])


def search_space(frame: pd.DataFrame, language: str, role: str) -> pd.Index:
    """Return the concepts among which queries of a role are searched.

    Test queries are searched among the candidates; validation queries among the candidates
    that are no test documents, and the validation documents.
    """
    candidates = concepts(frame, "candidate", language)
    if role == "test":
        return candidates
    without_test = candidates.difference(concepts(frame, "test", language))
    return without_test.union(concepts(frame, role, language)).sort_values()


def sizes_by_pair(frame: pd.DataFrame, members: Mapping[str, pd.Index]) -> pd.DataFrame:
    """Count shared concepts, queries and shared training concepts of each pair.

    Args:
        frame: what `split` returned.
        members: per language of the setting the concepts of all kept documents.

    Returns:
        query, target, concepts, test, validation, train.
    """
    rows = []
    for a, b in itertools.combinations(members, 2):
        pair = f"{a}-{b}"
        train = concepts(frame, "train", a).intersection(concepts(frame, "train", b))
        counts = [len(concepts(frame, role, a, pair)) for role in ("test", "validation")]
        rows.append((a, b, len(members[a].intersection(members[b])), *counts, len(train)))
    columns = ["query", "target", "concepts", "test", "validation", "train"]
    return pd.DataFrame(rows, columns=columns)


def _members(documents: Mapping[str, pd.DataFrame], seed: int) -> pd.DataFrame:
    every = pd.Index(sorted(set().union(*(frame["concept"] for frame in documents.values()))))
    every = every[np.random.default_rng(seed).permutation(len(every))]
    return pd.DataFrame(
        {x: every.isin(frame["concept"]) for x, frame in documents.items()}, index=every
    )


def _query_members(documents, index: pd.Index, bounds: Sequence[int] | None) -> pd.DataFrame:
    """Where the document is of a length that queries may have."""
    least, most = bounds or (0, np.inf)
    return pd.DataFrame(
        {
            x: index.isin(frame.loc[frame["n_unique"].between(least, most), "concept"])
            for x, frame in documents.items()
        },
        index=index,
    )


def _queries(members: pd.DataFrame, pair, size: int, share: float, role: str) -> pd.Index:
    shared = members.index[members[list(pair)].all(axis=1)]
    n = min(size, int(share * len(shared)))
    if n < 1:
        log.warning("%s share %d concepts that qualify: no %s query", pair, len(shared), role)
    return shared[:n]


def _no_queries(drawn: Draw, languages: Sequence[str]) -> UserError:
    shared = {
        "-".join(pair): int(drawn.members[list(pair)].all(axis=1).sum())
        for pair in itertools.combinations(languages, 2)
    }
    counts = ", ".join(f"{pair} {n}" for pair, n in shared.items())
    return UserError(
        f"No test or validation query can be drawn for {', '.join(languages)}. Concepts that pairs "
        f"share: {counts}; of these at most splits.max_share ({dict(drawn.sizes.max_share)}) are "
        "drawn. Bring more documents that languages share, widen bags.unique_words, or raise "
        "those shares."
    )


def _union(parts: Mapping[Any, pd.Index]) -> pd.Index:
    return pd.Index(sorted(set().union(*parts.values())))


def _candidates(members, language: str, tests: pd.Index, queries: pd.Index, sizes: Sizes):
    """Candidate concepts of a language: its test documents first, then distractors."""
    own = members.index[members[language]]
    own_tests = own[own.isin(tests)]
    others = own[~own.isin(queries)]
    if sizes.candidates_reading == "code":
        return own_tests.append(others)
    n_languages = members.sum(axis=1)
    trainable = members.index[(n_languages > 1) & ~members.index.isin(queries)]
    shared = trainable[: int(sizes.max_share["candidates"] * len(trainable))]
    alone = others[(n_languages[others] == 1).to_numpy()]
    distractors = alone.append(others[others.isin(shared)])
    return own_tests.append(distractors[: max(sizes.candidates - len(own_tests), 0)])


def _training(drawn: Draw, languages: Sequence[str]) -> pd.DataFrame:
    """Concepts x languages: True where a document trains."""
    training = drawn.members.copy()
    for pair in drawn.test:
        held_out = drawn.test[pair].union(drawn.validation[pair])
        removed_from = training.columns if drawn.sizes.held_out == "paper" else pair
        training.loc[training.index.isin(held_out), list(removed_from)] = False
    if drawn.sizes.candidates_reading == "paper":
        distractors = _union(drawn.candidates).difference(_union(drawn.test))
        training.loc[training.index.isin(distractors)] = False
    training = training[list(languages)]
    training.loc[training.sum(axis=1) < 2] = False
    return training


def _part(index: pd.Index, language: str, role: str, pair: str) -> pd.DataFrame:
    return pd.DataFrame({"concept": index, "language": language, "role": role, "pair": pair})
