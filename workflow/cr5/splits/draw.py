"""Draw queries and candidates from the concepts of a corpus (Cr5, Sec. 4.2).

One random order of all concepts serves all queries: the test queries of a pair are the first
concepts in that order that both languages have; its validation queries are the first remaining
ones that are not test queries of any pair. So each pair's queries are a uniform sample of its
intersection, and pairs share queries if they can, which leaves more for training.

Candidates of a language are its test documents and then, in a second random order of all concepts,
the first other documents that it has: a random sample, whether other languages have them or not.

On small corpora queries are at most the share `max_share` of a pair's intersection. Candidates that
may not train (`candidates_reading: paper`) are of the first share of the concepts that several
languages have, and of those that one alone has, so that they stay a random sample. A share of 0
draws no queries on purpose, for runs whose tasks bring their own; without any query there are no
candidates either. Where a split is given, nothing is drawn.

Concepts with equal texts may be kept together: of each group only the first, in the random order,
is drawn, as a query or as a candidate, and the others do not train if it does not. In a given split
the first is one to test, or else one to validate.
"""

import logging
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.files import write_json
from cr5.splits import counterparts
from cr5.splits.given import ROLES, GivenSplit
from cr5.splits.options import Pair, Sizes

KIND, GIVEN = "draws", "given.json"
TABLES = ("queries", "candidates", "pairs")
COPIES = "copies.parquet"  # where there are any
ORDER = {"test": 0, "validation": 1, "train": 2}  # which of equal texts stands for the others
# A given split is a draw of all there are of each part.
EVERYTHING = {
    "test": sys.maxsize,
    "validation": sys.maxsize,
    "candidates": sys.maxsize,
    "max_share": {"test": 1.0, "validation": 1.0, "candidates": 1.0},
    "candidates_reading": "code",
}

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Draw:
    """The held-out concepts, the same for all settings of a corpus."""

    queries: pd.DataFrame  # concept, role, first, second: languages in alphabetical order
    candidates: pd.DataFrame  # concept, language; the test documents included
    # first, second, concepts (that both have), test, validation (numbers of queries): a row for
    # each pair that is searched, even if it has no queries
    pairs: pd.DataFrame
    # concepts with the text of another one that is drawn: they neither train nor are searched
    copies: pd.Index = field(default_factory=lambda: pd.Index([], dtype=str))
    # of a given split: what it holds out and no query asks for, and what the report is to say
    reserved: Sequence[str] = ()
    told: Sequence[str] = ()

    def queries_of(self, pair: Pair, role: str) -> pd.Index:
        """Concepts that are queries of a pair, in any order of its languages, sorted."""
        return self._by_pair.get((*sorted(pair), role), pd.Index([], dtype=str))

    def candidates_of(self, language: str) -> pd.Index:
        """Candidate concepts of a language, sorted."""
        return _sorted(self.candidates.loc[self.candidates["language"] == language, "concept"])

    def held_out(self, role: str | None = None) -> pd.Index:
        """Concepts that are queries of any pair, in one role or both."""
        of_role = self.queries["role"].isin(ROLES if role is None else [role])
        return _sorted(self.queries.loc[of_role, "concept"])

    def kept_from_training(self) -> pd.Index:
        """Concepts whose texts nothing may learn from: queries, and copies of what is drawn."""
        return self.held_out().union(self.copies)

    def search_space(self, language: str, languages: Iterable[str], role: str) -> pd.Index:
        """Concepts whose documents are searched for the queries of a setting, sorted.

        Test queries search the candidates; validation queries search the candidates that are not
        test documents of any pair, and the validation documents of the setting's `languages`.
        """
        space = self.candidates_of(language)
        if role == "test":
            return space
        space = space.difference(self.held_out("test"))
        for other in languages:
            if other != language:
                space = space.union(self.queries_of((language, other), role))
        return space.sort_values()

    def lacking(self, pairs: Iterable[Pair], sizes: Sizes) -> str:
        """Say why none of some pairs has queries of each role that is wanted; empty if one has."""
        names = [tuple(sorted(pair)) for pair in pairs]
        rows = self.pairs.set_index(["first", "second"]).loc[names]
        # a share of 0 draws none on purpose
        wanted = [role for role in ROLES if sizes.max_share[role]]
        if (rows[wanted] > 0).all(axis=1).any():
            return ""
        counts = ", ".join(f"{a}-{b} {n}" for (a, b), n in rows["concepts"].items())
        return (
            f"no test or validation query can be drawn. Concepts that pairs share: {counts}; of "
            f"these at most splits.max_share ({dict(sizes.max_share)}) are drawn: bring more "
            "documents that languages share, or change splits or bags.unique_words"
        )

    @cached_property
    def _by_pair(self) -> dict[tuple[str, str, str], pd.Index]:
        groups = self.queries.groupby(["first", "second", "role"])["concept"]
        return {key: _sorted(found) for key, found in groups}

    def save(self, folder: str | Path, job: Job = NO_JOB) -> None:
        """Write the three tables; the folder appears when it is complete."""
        with job.making(folder, KIND) as part:
            for name in TABLES:
                getattr(self, name).to_parquet(part / f"{name}.parquet", index=False)
            if len(self.copies):
                self.copies.to_frame(name="concept").to_parquet(part / COPIES, index=False)
            write_json(part / GIVEN, {"reserved": list(self.reserved), "told": list(self.told)})

    @classmethod
    def load(cls, folder: str | Path) -> "Draw":
        """Read what `save` wrote."""
        found = Artefact(folder, KIND)
        tables = [pd.read_parquet(found.file(f"{name}.parquet")) for name in TABLES]
        given = found.json(GIVEN)
        if COPIES not in found.files:
            return cls(*tables, **given)
        return cls(*tables, pd.Index(pd.read_parquet(found.file(COPIES))["concept"]), **given)


def draw(
    documents: Mapping[str, pd.DataFrame],
    pairs: Iterable[Pair],
    sizes: Sizes,
    seed: int,
    groups: pd.Series | None = None,
    dropped: Collection[str] = (),
    wanted: Iterable[str] = (),
) -> Draw:
    """Draw queries and candidates of documents (concept, n_unique), or take given ones.

    `groups` has the concepts that are kept together, see `copies.groups`; `dropped` are concepts of
    which no language has a document that counts, which a given split may name. Concepts that are
    `wanted` come first, as test queries of each pair that has them.
    """
    reserved: Sequence[str] = ()
    told = counterparts.tell({language: table["concept"] for language, table in documents.items()})
    documents = {language: documents[language] for language in sorted(documents)}
    pairs = sorted({tuple(sorted(pair)) for pair in pairs})
    seed = seed if sizes.given is None else 0  # nothing is random
    every = pd.Index(sorted(set().union(*(x["concept"] for x in documents.values()))))
    every = every[np.random.default_rng(seed).permutation(len(every))]
    is_wanted = every.isin([*wanted])
    every = every[is_wanted].append(every[~is_wanted])
    members = members_of({x: y["concept"] for x, y in documents.items()}, every)
    least, most = sizes.query_unique_words or (0, np.inf)
    asked = {x: y.loc[y["n_unique"].between(least, most), "concept"] for x, y in documents.items()}
    may, may_be_found = dict.fromkeys(ROLES, members_of(asked, every)), members
    if sizes.given is not None:
        split = GivenSplit.of(every, sizes.given, dropped)
        roles = split.roles
        told += split.told
        may = {role: each[roles == role] for role, each in may.items()}
        may_be_found = members[roles == "test"]
        every = every[np.argsort(roles.map(ORDER), kind="stable")]
        sizes = sizes.model_copy(update=EVERYTHING)
    if groups is not None:
        first = first_of_groups(every, groups)
        may = {role: each[each.index.isin(first)] for role, each in may.items()}
        may_be_found = may_be_found[may_be_found.index.isin(first)]
    found: list[pd.DataFrame] = []
    for role in ROLES:
        taken = {concept for frame in found for concept in frame["concept"]}
        left = may[role][~may[role].index.isin(taken)]
        found += [_queries(left, pair, role, sizes) for pair in pairs]
    numbers = zip(pairs, found, found[len(pairs) :], strict=False)
    table = [(*pair, _shared(members, pair).sum(), len(x), len(y)) for pair, x, y in numbers]
    queries = pd.concat(found, ignore_index=True).astype(str)
    candidates = _candidates(may_be_found, queries, sizes, seed)
    table = pd.DataFrame(table, columns=["first", "second", "concepts", *ROLES])
    if sizes.given is not None:
        held_out = roles.index[roles != "train"]
        reserved = sorted(held_out.difference(queries["concept"]))
    if groups is None:
        return Draw(queries, candidates, table, reserved=reserved, told=told)
    copies = _copies(groups, queries, candidates, sizes)
    return Draw(queries, candidates, table, copies, reserved, told)


def first_of_groups(concepts: pd.Index, groups: pd.Series) -> pd.Index:
    """Return the concepts of no group, and the first one of each group, in their order."""
    numbers = groups.reindex(concepts)
    is_first = numbers.isna() | ~numbers.duplicated()
    return concepts[is_first.to_numpy()]


def _copies(
    groups: pd.Series, queries: pd.DataFrame, candidates: pd.DataFrame, sizes: Sizes
) -> pd.Index:
    """Concepts of a group with one that does not train, which are not drawn themselves."""
    drawn = set(queries["concept"])
    if not sizes.candidates_train:
        drawn |= set(candidates["concept"])
    numbers = groups[groups.index.isin(drawn)]
    copies = groups.index[groups.isin(numbers) & ~groups.index.isin(drawn)]
    return copies.sort_values()


def members_of(concepts: Mapping[str, Iterable[str]], index: pd.Index) -> pd.DataFrame:
    """Return concepts x languages, True where a language has the concept."""
    return pd.DataFrame({x: index.isin(y) for x, y in concepts.items()}, index=index)


def _shared(members: pd.DataFrame, pair: Pair) -> pd.Series:
    return members[list(pair)].all(axis=1)


def _queries(members: pd.DataFrame, pair: Pair, role: str, sizes: Sizes) -> pd.DataFrame:
    shared, share = members.index[_shared(members, pair)], sizes.max_share[role]
    n = min(getattr(sizes, role), int(share * len(shared)))
    if n < 1 and share:  # with a share of 0, none are wanted
        log.warning(
            "%s and %s share %d concepts that qualify: no %s query, the pair is left out (see "
            "splits.max_share and splits.query_unique_words)",
            *(*pair, len(shared), role),
        )
    first, second = pair
    return pd.DataFrame({"concept": shared[:n], "role": role, "first": first, "second": second})


def _candidates(
    members: pd.DataFrame, queries: pd.DataFrame, sizes: Sizes, seed: int
) -> pd.DataFrame:
    """Candidates of each language: its test documents, even if there are more, then distractors."""
    tests, parts = queries.loc[queries["role"] == "test", "concept"], []
    distractors = _distractors(members, queries["concept"], sizes, seed)
    for language, own in members.items():
        concepts = own.index[own]
        first = concepts[concepts.isin(tests)]
        others = distractors[distractors.isin(concepts)][: max(sizes.candidates - len(first), 0)]
        parts.append(pd.DataFrame({"concept": first.append(others), "language": language}))
    return pd.concat(parts, ignore_index=True)


def _distractors(members: pd.DataFrame, queries: pd.Series, sizes: Sizes, seed: int) -> pd.Index:
    """Concepts that may be candidates without being test queries, in random order."""
    if queries.empty:  # nothing is searched
        return members.index[:0]
    # another order than that of the queries, in which what those left behind comes late
    others = members.index.difference(queries)
    others = others[np.random.default_rng([seed, *b"candidates"]).permutation(len(others))]
    if sizes.candidates_reading == "code":
        return others
    several = (members.loc[others].sum(axis=1) > 1).to_numpy()
    share = sizes.max_share["candidates"]
    chosen = [part[: int(share * len(part))] for part in (others[several], others[~several])]
    return others[others.isin(chosen[0].append(chosen[1]))]


def _sorted(concepts: pd.Series) -> pd.Index:
    return pd.Index(concepts.unique()).sort_values()
