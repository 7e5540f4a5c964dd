"""Who trains in a setting: what is left of the concepts that its languages share."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import pandas as pd

from cr5.base.errors import LeftOutError
from cr5.splits.advice import for_queries
from cr5.splits.draw import Draw, Sizes
from cr5.splits.unmatched import nearly_the_same

NO_TRAINING = pd.DataFrame({"concept": [], "language": []}, dtype=str)


def training(
    documents: Mapping[str, pd.Index], drawn: Draw, sizes: Sizes, setting: str
) -> pd.DataFrame:
    """Choose the training documents of a setting.

    Args:
        documents: per language of the setting, the concepts of all kept documents.
        drawn: queries and candidates of the corpus.
        sizes: `held_out` and `candidates_reading` say who may not train.
        setting: its name, for messages.

    Returns:
        concept, language; sorted by language, then by concept. Each concept trains in two
        languages at least.

    Raises:
        LeftOutError: no pair has queries, or nothing is left for training.
    """
    languages = sorted(documents)
    if reason := without_queries(drawn, documents, sizes):
        raise LeftOutError(f"Setting {setting}: {reason}")
    members = _members(documents, languages)
    for held_out, removed_from in _held_out(drawn, languages, sizes):
        members.loc[members.index.isin(held_out), removed_from] = False
    if sizes.candidates_reading == "paper":
        candidates = pd.Index(drawn.candidates["concept"]).unique()
        distractors = candidates.difference(drawn.held_out("test"))
        members.loc[members.index.isin(distractors)] = False
    members.loc[members.sum(axis=1) < 2] = False
    if not members.to_numpy().any():
        raise LeftOutError(
            f"Setting {setting}: no concept is left to train on for {', '.join(languages)}: all "
            "that the languages share are queries or candidates. Lower splits.test, "
            "splits.validation, splits.candidates or splits.max_share, or bring more documents."
        )
    parts = [pd.DataFrame({"concept": members.index[members[x]], "language": x}) for x in languages]
    return pd.concat(parts, ignore_index=True)


def concepts(trained: pd.DataFrame, language: str) -> pd.Index:
    """Return the concepts that train in a language, sorted."""
    return pd.Index(trained.loc[trained["language"] == language, "concept"]).sort_values()


def sizes_by_pair(trained: pd.DataFrame, drawn: Draw, languages: Sequence[str]) -> pd.DataFrame:
    """Count shared concepts, queries and shared training concepts of each pair of a setting.

    Returns:
        query, target, concepts, train, validation, test.
    """
    rows = []
    known = drawn.pairs.set_index(["first", "second"])
    for pair in combinations(sorted(languages), 2):
        a, b = (concepts(trained, language) for language in pair)
        drawn_of_pair = known.loc[[pair]].iloc[0]
        counts = [int(drawn_of_pair[name]) for name in ("concepts", "validation", "test")]
        rows.append((*pair, counts[0], len(a.intersection(b)), *counts[1:]))
    columns = ["query", "target", "concepts", "train", "validation", "test"]
    return pd.DataFrame(rows, columns=columns)


def _members(documents: Mapping[str, pd.Index], languages: Sequence[str]) -> pd.DataFrame:
    every = pd.Index(sorted(set().union(*documents.values())))
    return pd.DataFrame({x: every.isin(documents[x]) for x in languages}, index=every)


def _held_out(
    drawn: Draw, languages: Sequence[str], sizes: Sizes
) -> Iterator[tuple[pd.Index, list[str]]]:
    """Concepts of queries, and the languages in which they may not train."""
    if sizes.held_out == "paper":
        yield drawn.held_out(), list(languages)
        return
    for pair in drawn.pairs[["first", "second"]].itertuples(index=False):
        queries = drawn.queries_of(pair, "test").union(drawn.queries_of(pair, "validation"))
        yield queries, [x for x in languages if x in pair]


def without_queries(drawn: Draw, documents: Mapping[str, pd.Index], sizes: Sizes) -> str:
    """Say why no pair of these languages has both test and validation queries, and what to do.

    Args:
        drawn: queries and candidates of the corpus.
        documents: per language, the concepts of all kept documents.
        sizes: by which was drawn.

    Returns:
        Nothing where a pair has them.
    """
    languages = sorted(documents)
    pairs = drawn.pairs[
        drawn.pairs["first"].isin(languages) & drawn.pairs["second"].isin(languages)
    ]
    if ((pairs["test"] > 0) & (pairs["validation"] > 0)).any():
        return ""
    counts = ", ".join(
        f"{row.first}-{row.second} {row.concepts}" for row in pairs.itertuples(index=False)
    )
    said = [
        f"no test or validation query can be drawn for {', '.join(languages)}.",
        f"Concepts that pairs share: {counts}; of these at most splits.max_share "
        f"({dict(sizes.max_share)}) are drawn.",
        for_queries(pairs, sizes),
        *nearly_the_same(documents, pairs),
    ]
    return " ".join(said)
