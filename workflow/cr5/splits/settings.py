"""The training documents of a setting: what is left of the concepts that its languages share."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import pandas as pd

from cr5.base.artefacts import Artefact, making
from cr5.base.errors import LeftOutError
from cr5.splits import cutting
from cr5.splits.advice import without_queries
from cr5.splits.drawn import Draw
from cr5.splits.options import Cut, Pair, Sizes

KIND = "training documents"
TRAINED, PAIRS = "trained.parquet", "pairs.parquet"
NO_TRAINING = pd.DataFrame({"concept": [], "language": []}, dtype=str)


def save(
    folder: str | Path,
    trained: pd.DataFrame,
    pairs: pd.DataFrame,
    left_out: str | None = None,
    **subject: str,
) -> None:
    """Write the training documents of a setting, and what its pairs share.

    Args:
        folder: of the setting in a repetition.
        trained: see `training`.
        pairs: see `sizes_by_pair`.
        left_out: why nothing trains.
        subject: setting and repetition.
    """
    with making(folder, KIND, left_out, **subject) as part:
        trained.to_parquet(part / TRAINED, index=False)
        pairs.to_parquet(part / PAIRS, index=False)


def load(folder: str | Path, **subject: str) -> pd.DataFrame:
    """Read the training documents.

    Raises:
        UserError: they are of another setting or repetition, or a file is incomplete.
    """
    return pd.read_parquet(Artefact(folder, KIND, **subject).file(TRAINED))


def left_out(folder: str | Path) -> str | None:
    """Return why nothing trains; None if something does."""
    return Artefact(folder, KIND).left_out


def pairs_of(folder: str | Path) -> pd.DataFrame:
    """Read what the pairs of a setting share."""
    return pd.read_parquet(Artefact(folder, KIND).file(PAIRS))


def training(
    documents: Mapping[str, pd.Index],
    drawn: Draw,
    sizes: Sizes,
    setting: str,
    pairs: Collection[Pair] | None = None,
    cut: Cut | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Choose the training documents of a setting.

    Args:
        documents: per language of the setting, the concepts of all kept documents.
        drawn: queries and candidates of the corpus.
        sizes: `held_out` and `candidates_reading` decide which documents may not train.
        setting: its name, for messages.
        pairs: of languages that are searched; None for all.
        cut: limits what a pair shares; None if all of it may train.
        seed: of a cut.

    Returns:
        concept, language; sorted by language, then by concept. Each concept trains in at least
        two languages.

    Raises:
        LeftOutError: no pair has queries, nothing is left for training, or too little for a cut.
    """
    try:
        return _training(documents, drawn, sizes, pairs, cut, seed)
    except LeftOutError as error:
        raise LeftOutError(f"Setting {setting}: {error}") from error


def _training(documents, drawn: Draw, sizes: Sizes, pairs, cut: Cut | None, seed: int):
    languages = sorted(documents)
    if reason := without_queries(drawn, documents, sizes, pairs):
        raise LeftOutError(reason)
    exist = _members(documents, languages)
    members = _may_train(exist, drawn, sizes)
    if cut:
        cutting.apply(members, exist, cut, seed)
    members.loc[members.sum(axis=1) < 2] = False
    if cut:
        cutting.check_linked(members, cut)
    if not members.to_numpy().any():
        raise LeftOutError(
            f"no concept is left to train on for {', '.join(languages)}: all that the languages "
            "share are queries or candidates. Lower splits.test, splits.validation, "
            "splits.candidates or splits.max_share, or bring more documents."
        )
    parts = [pd.DataFrame({"concept": members.index[members[x]], "language": x}) for x in languages]
    return pd.concat(parts, ignore_index=True)


def _may_train(exist: pd.DataFrame, drawn: Draw, sizes: Sizes) -> pd.DataFrame:
    """Concepts x languages, True where a document is neither held out nor a distractor."""
    members = exist.copy()
    for held_out, removed_from in _held_out(drawn, list(exist), sizes):
        members.loc[members.index.isin(held_out), removed_from] = False
    if sizes.candidates_reading == "paper" or sizes.given:  # which names those that train
        candidates = pd.Index(drawn.candidates["concept"]).unique()
        distractors = candidates.difference(drawn.held_out("test"))
        members.loc[members.index.isin(distractors)] = False
    return members


def concepts(trained: pd.DataFrame, language: str) -> pd.Index:
    """Return the concepts that train in a language, sorted."""
    return pd.Index(trained.loc[trained["language"] == language, "concept"]).sort_values()


def sizes_by_pair(
    trained: pd.DataFrame,
    documents: Mapping[str, pd.Index],
    drawn: Draw,
    pairs: Collection[Pair] | None = None,
) -> pd.DataFrame:
    """Count shared concepts, queries and shared training concepts of each pair of a setting.

    Args:
        trained: as returned by `training`.
        documents: per language of the setting, the concepts of all kept documents.
        drawn: queries of the corpus.
        pairs: that are searched; None for all.

    Returns:
        query, target, concepts, train, validation, test; the last two are missing for pairs that
        are not searched.
    """
    rows = []
    every = list(combinations(sorted(documents), 2))
    known = drawn.pairs.set_index(["first", "second"])[["validation", "test"]]
    for a, b in every:
        shared = documents[a].intersection(documents[b])
        train = concepts(trained, a).intersection(concepts(trained, b))
        rows.append((a, b, len(shared), len(train)))
    table = pd.DataFrame(rows, columns=["query", "target", "concepts", "train"])
    searched = known.loc[every if pairs is None else list(map(tuple, pairs))].astype("Int64")
    return table.join(searched, on=["query", "target"])


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
