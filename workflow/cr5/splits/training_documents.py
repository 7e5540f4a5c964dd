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
from cr5.splits.corpus import all_concepts, concepts_in, first_share, permuted, shared_by, who_has
from cr5.splits.draw import Draw
from cr5.splits.options import Cut, Pair, Sizes

KIND = "training documents"
TRAINED = "trained.parquet"
PAIRS = "pairs.parquet"
UNPAIRED = "unpaired"
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
    artefact = Artefact(folder, KIND, **subject)
    return pd.read_parquet(artefact.file(table))


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

    With `splits.unpaired` documents train that are in one language only, too, and a third column
    says of which documents nothing tells what belongs to them.
    """
    reason = drawn.lacking(pairs, sizes)
    if reason:
        raise LeftOutError(reason)
    languages = sorted(documents)
    concepts_of = {language: documents[language] for language in languages}
    index = pd.Index(all_concepts(documents))
    has_document = who_has(concepts_of, index)
    may_train = _may_train(has_document, drawn, sizes)
    if cut:
        _reduce(may_train, has_document, cut, seed)
    n_languages = may_train.sum(axis=1)
    has_counterpart = n_languages >= 2
    if sizes.unpaired is None:
        may_train.loc[~has_counterpart] = False
    if cut:
        _check_linked(may_train, cut)
    if not has_counterpart.any():
        raise LeftOutError(
            f"no concept is left to train on for {', '.join(languages)}: all that the languages "
            "share are queries or candidates. Lower splits.test, splits.validation, "
            "splits.candidates or splits.max_share, or bring more documents."
        )
    tables = []
    for language in languages:
        is_trained = may_train[language]
        trained = may_train.index[is_trained]
        table = pd.DataFrame({"concept": trained, "language": language})
        tables.append(table)
    all_trained = pd.concat(tables, ignore_index=True)
    if sizes.unpaired is None:
        return all_trained
    in_several = may_train.index[has_counterpart]
    in_random_order = permuted(in_several, [seed, *UNPAIRED.encode()])
    # rounded down, so that one of several is always left
    taken_apart = first_share(in_random_order, sizes.unpaired)
    known = in_several.difference(taken_apart)
    is_known = all_trained["concept"].isin(known)
    all_trained[UNPAIRED] = ~is_known
    return all_trained


def paired(trained: pd.DataFrame) -> pd.DataFrame:
    """Return the training documents of which it is known what they belong to."""
    if UNPAIRED not in trained:
        return trained
    is_unpaired = trained[UNPAIRED]
    return trained[~is_unpaired]


def _may_train(has_document: pd.DataFrame, drawn: Draw, sizes: Sizes) -> pd.DataFrame:
    """Concepts x languages, True where a document is neither held out nor a distractor."""
    may_train = has_document.copy()
    queries = drawn.queries
    if sizes.held_out == "paper":
        _leave_out(may_train, queries["concept"])
    else:
        for pair, queries_of_pair in queries.groupby(["first", "second"]):
            concepts_of_pair = queries_of_pair["concept"]
            _leave_out(may_train, concepts_of_pair, list(pair))
    _leave_out(may_train, drawn.reserved)
    _leave_out(may_train, drawn.copies)
    if not sizes.candidates_train:
        candidates = set(drawn.candidates["concept"])
        distractors = candidates.difference(drawn.held_out("test"))
        _leave_out(may_train, distractors)
    return may_train


def _leave_out(
    may_train: pd.DataFrame, concepts: Collection[str], languages: Collection[str] | None = None
) -> None:
    """Take the documents of concepts out of training, in place: in some languages, or in all."""
    columns = may_train.columns
    if languages is not None:
        columns = columns[columns.isin(languages)]
    is_left_out = may_train.index.isin(concepts)
    may_train.loc[is_left_out, columns] = False


def concepts(trained: pd.DataFrame, language: str) -> pd.Index:
    """Return the concepts that train in a language, sorted."""
    concepts_of_language = concepts_in(trained, language)
    return pd.Index(concepts_of_language).sort_values()


def sizes_by_pair(
    trained: pd.DataFrame,
    documents: Mapping[str, pd.Index],
    drawn: Draw,
    pairs: Collection[Pair],
) -> pd.DataFrame:
    """Count what each pair of a setting shares; pairs that are not searched have no queries."""
    known = paired(trained)
    languages = sorted(documents)
    training_concepts = {language: concepts(known, language) for language in languages}
    rows = []
    for first, second in combinations(languages, 2):
        shared = documents[first].intersection(documents[second])
        train_in_both = training_concepts[first].intersection(training_concepts[second])
        rows.append((first, second, len(shared), len(train_in_both)))
    table = pd.DataFrame(rows, columns=["query", "target", "concepts", "train"])
    numbers = drawn.pairs.set_index(["first", "second"])
    n_queries = numbers[["validation", "test"]]
    searched_pairs = [tuple(pair) for pair in pairs]
    n_searched = n_queries.loc[searched_pairs].astype("Int64")
    return table.join(n_searched, on=["query", "target"])


def _reduce(may_train: pd.DataFrame, has_document: pd.DataFrame, cut: Cut, seed: int) -> None:
    """Take documents of concepts that two languages share out of training, in place."""
    # which of them depends on the seed and the pair, but on no other language
    could_train = shared_by(may_train, cut.pair).sort_values()
    name_of_pair = "-".join(cut.pair).encode()
    ordered = permuted(could_train, [seed, *name_of_pair])
    n_chosen = _n_shared(cut, len(ordered))
    if cut.shared == "drop":
        exist_in_both = shared_by(has_document, cut.pair)
        dropped = exist_in_both.difference(ordered[:n_chosen])
        may_train.loc[dropped] = False
    else:
        _divide(may_train, ordered, n_chosen, cut.pair)


def _divide(may_train: pd.DataFrame, ordered: pd.Index, n_chosen: int, pair: Pair) -> None:
    """Let concepts beyond the chosen ones train in one language of a pair alone, in place.

    In which one goes by their place in the order, even or odd: the same for all numbers of a
    setting.
    """
    first, second = pair
    next_even = n_chosen + n_chosen % 2
    next_odd = n_chosen + (n_chosen + 1) % 2
    for_first = ordered[next_even::2]
    for_second = ordered[next_odd::2]
    may_train.loc[for_first, second] = False
    may_train.loc[for_second, first] = False


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


def _check_linked(may_train: pd.DataFrame, cut: Cut) -> None:
    """Check that concepts that train, maybe in other languages, still link the pair of a cut."""
    from scipy.sparse import csgraph  # slow to import, and few settings need it

    matrix = may_train.to_numpy().astype(np.int64)
    n_shared = matrix.T @ matrix  # languages x languages
    are_linked = n_shared > 0
    _, components = csgraph.connected_components(are_linked, directed=False)
    component_of = dict(zip(may_train.columns, components, strict=True))
    first, second = cut.pair
    if component_of[first] != component_of[second]:
        raise LeftOutError(
            f"nothing links {first} and {second}: no concept is left to train on in each of the "
            "two and in another language. Take `shared: split`, which divides concepts that both "
            "have between them, name more languages in `via`, or bring more documents."
        )
