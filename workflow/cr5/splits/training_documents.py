"""The training documents of a setting: what is left of the concepts that its languages share.

Two settings of the Cr5 paper (Sec. 4.2) reduce what a pair shares. Low-resource: the intersection
of Danish and Vietnamese is cut to 10,000 concepts. Transitive: none of it trains, and the two
languages are linked through English.
"""

from collections.abc import Collection, Mapping
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import LeftOutError
from cr5.splits.draw import Draw, members_of
from cr5.splits.options import Cut, Pair, Sizes

KIND = "training documents"
TRAINED = "trained.parquet"
PAIRS = "pairs.parquet"
NO_TRAINING = pd.DataFrame({"concept": [], "language": []}, dtype=str)


def save(
    folder: str | Path,
    trained: pd.DataFrame,
    pairs: pd.DataFrame,
    left_out: str | None = None,
    job: Job = NO_JOB,
    **subject: str,
) -> None:
    """Write what `training` and `sizes_by_pair` return, or why nothing trains."""
    with job.making(folder, KIND, left_out, **subject) as part:
        trained.to_parquet(part / TRAINED, index=False)
        pairs.to_parquet(part / PAIRS, index=False)


def load(folder: str | Path, table: str = TRAINED, **subject: str) -> pd.DataFrame:
    """Read the training documents, or what the pairs of a setting share."""
    return pd.read_parquet(Artefact(folder, KIND, **subject).file(table))


def training(
    documents: Mapping[str, pd.Index],
    drawn: Draw,
    sizes: Sizes,
    pairs: Collection[Pair],
    cut: Cut | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Choose the training documents of a setting, each in at least two languages.

    Documents are the concepts of each language of the setting, pairs those that are searched.
    Returns concept, language; sorted by language, then by concept. LeftOutError: no pair has
    queries, nothing is left for training, or too little for a cut.
    """
    reason = drawn.lacking(pairs, sizes)
    if reason:
        raise LeftOutError(reason)
    languages = sorted(documents)
    all_concepts = pd.Index(sorted(set().union(*documents.values())))
    exist = members_of({language: documents[language] for language in languages}, all_concepts)
    members = _may_train(exist, drawn, sizes)
    if cut:
        _reduce(members, exist, cut, seed)
    members.loc[members.sum(axis=1) < 2] = False
    if cut:
        _check_linked(members, cut)
    if not members.to_numpy().any():
        raise LeftOutError(
            f"no concept is left to train on for {', '.join(languages)}: all that the languages "
            "share are queries or candidates. Lower splits.test, splits.validation, "
            "splits.candidates or splits.max_share, or bring more documents."
        )
    tables = []
    for language in languages:
        trained = members.index[members[language]]
        tables.append(pd.DataFrame({"concept": trained, "language": language}))
    return pd.concat(tables, ignore_index=True)


def _may_train(exist: pd.DataFrame, drawn: Draw, sizes: Sizes) -> pd.DataFrame:
    """Concepts x languages, True where a document is neither held out nor a distractor."""
    members = exist.copy()
    queries = drawn.queries
    if sizes.held_out == "paper":
        _leave_out(members, queries["concept"])
    else:
        for pair, of_pair in queries.groupby(["first", "second"]):
            _leave_out(members, of_pair["concept"], list(pair))
    _leave_out(members, drawn.reserved)
    _leave_out(members, drawn.copies)
    if not sizes.candidates_train:
        distractors = set(drawn.candidates["concept"]).difference(drawn.held_out("test"))
        _leave_out(members, distractors)
    return members


def _leave_out(
    members: pd.DataFrame, concepts: Collection[str], languages: Collection[str] | None = None
) -> None:
    """Take the documents of concepts out of training, in place: in some languages, or in all."""
    columns = members.columns
    if languages is not None:
        columns = columns[columns.isin(languages)]
    members.loc[members.index.isin(concepts), columns] = False


def concepts(trained: pd.DataFrame, language: str) -> pd.Index:
    """Return the concepts that train in a language, sorted."""
    return pd.Index(trained.loc[trained["language"] == language, "concept"]).sort_values()


def sizes_by_pair(
    trained: pd.DataFrame,
    documents: Mapping[str, pd.Index],
    drawn: Draw,
    pairs: Collection[Pair],
) -> pd.DataFrame:
    """Count what each pair of a setting shares; pairs that are not searched have no queries."""
    rows = []
    for first, second in combinations(sorted(documents), 2):
        shared = documents[first].intersection(documents[second])
        train = concepts(trained, first).intersection(concepts(trained, second))
        rows.append((first, second, len(shared), len(train)))
    table = pd.DataFrame(rows, columns=["query", "target", "concepts", "train"])
    queries = drawn.pairs.set_index(["first", "second"])[["validation", "test"]]
    searched = queries.loc[[tuple(pair) for pair in pairs]].astype("Int64")
    return table.join(searched, on=["query", "target"])


def _reduce(members: pd.DataFrame, exist: pd.DataFrame, cut: Cut, seed: int) -> None:
    """Take documents of concepts that two languages share out of training, in place."""
    first, second = cut.pair
    # which of them depends on the seed and the pair, but on no other language
    shared = members.index[members[first] & members[second]].sort_values()
    name_of_pair = "-".join(cut.pair).encode()
    generator = np.random.default_rng([seed, *name_of_pair])
    order = shared[generator.permutation(len(shared))]
    n_shared = _n_shared(cut, len(order))
    if cut.shared == "drop":
        in_both = exist.index[exist[first] & exist[second]]
        dropped = in_both.difference(order[:n_shared])
        members.loc[dropped] = False
        return
    # by place in the order: the same for all numbers of a setting
    for_first = order[n_shared + n_shared % 2 :: 2]
    for_second = order[n_shared + (n_shared + 1) % 2 :: 2]
    members.loc[for_first, second] = False
    members.loc[for_second, first] = False


def _n_shared(cut: Cut, n_concepts: int) -> int:
    """Return how many of the concepts that two languages share train in both."""
    n_allowed = int(cut.max_share * n_concepts)
    if not cut.concepts or n_allowed > cut.beyond:
        return min(cut.concepts, n_allowed)
    raise LeftOutError(
        f"{' and '.join(cut.pair)} share {n_concepts} concepts that could train, and `max_share: "
        f"{cut.max_share:g}` allows {n_allowed} of them, no more than the next smaller number, "
        f"{cut.beyond}. Take {cut.concepts} out of `concepts`, raise `max_share`, or bring more "
        "documents."
    )


def _check_linked(members: pd.DataFrame, cut: Cut) -> None:
    """Check that concepts that train, maybe in other languages, still link the pair of a cut."""
    from scipy.sparse import csgraph  # slow to import, and few settings need it

    numbers = members.to_numpy().astype(np.int64)
    shared = numbers.T @ numbers
    _, components = csgraph.connected_components(shared > 0, directed=False)
    component_of = dict(zip(members.columns, components, strict=True))
    first, second = cut.pair
    if component_of[first] != component_of[second]:
        raise LeftOutError(
            f"nothing links {first} and {second}: no concept is left to train on in each of the "
            "two and in another language. Take `shared: split`, which divides concepts that both "
            "have between them, name more languages in `via`, or bring more documents."
        )
