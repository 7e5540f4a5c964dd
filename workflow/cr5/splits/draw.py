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
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.files import write_json
from cr5.splits import counterparts
from cr5.splits.given import ROLES, GivenSplit
from cr5.splits.options import Pair, Sizes

KIND = "draws"
GIVEN = "given.json"
TABLES = ("queries", "candidates", "pairs")
COPIES = "copies.parquet"  # where there are any
ORDER = {"test": 0, "validation": 1, "train": 2}  # which of equal texts stands for the others

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
        roles = ROLES if role is None else [role]
        of_role = self.queries["role"].isin(roles)
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
        for query_language in languages:
            if query_language != language:
                space = space.union(self.queries_of((language, query_language), role))
        return space.sort_values()

    def lacking(self, pairs: Iterable[Pair], sizes: Sizes) -> str:
        """Say why none of some pairs has queries of each role that is wanted; empty if one has."""
        ordered = [tuple(sorted(pair)) for pair in pairs]
        numbers = self.pairs.set_index(["first", "second"]).loc[ordered]
        # a share of 0 draws none on purpose
        wanted_roles = [role for role in ROLES if sizes.max_share[role]]
        if (numbers[wanted_roles] > 0).all(axis=1).any():
            return ""
        shared = [f"{'-'.join(pair)} {number}" for pair, number in numbers["concepts"].items()]
        return (
            f"no test or validation query can be drawn. Concepts that pairs share: "
            f"{', '.join(shared)}; of these at most splits.max_share ({dict(sizes.max_share)}) are "
            "drawn: bring more documents that languages share, or change splits or "
            "bags.unique_words"
        )

    @cached_property
    def _by_pair(self) -> dict[tuple[str, str, str], pd.Index]:
        groups = self.queries.groupby(["first", "second", "role"])["concept"]
        return {key: _sorted(concepts) for key, concepts in groups}

    def save(self, folder: str | Path, job: Job = NO_JOB) -> None:
        """Write the three tables; the folder appears when it is complete."""
        with job.making(folder, KIND) as part:
            for name in TABLES:
                table = getattr(self, name)
                table.to_parquet(part / f"{name}.parquet", index=False)
            if len(self.copies):
                table = self.copies.to_frame(name="concept")
                table.to_parquet(part / COPIES, index=False)
            of_split = {"reserved": list(self.reserved), "told": list(self.told)}
            write_json(part / GIVEN, of_split)

    @classmethod
    def load(cls, folder: str | Path) -> "Draw":
        """Read what `save` wrote."""
        artefact = Artefact(folder, KIND)
        fields = artefact.json(GIVEN)
        for name in TABLES:
            fields[name] = pd.read_parquet(artefact.file(f"{name}.parquet"))
        if COPIES in artefact.files:
            fields["copies"] = pd.Index(pd.read_parquet(artefact.file(COPIES))["concept"])
        return cls(**fields)


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
    told = counterparts.tell({language: table["concept"] for language, table in documents.items()})
    if sizes.given is not None:
        seed = 0  # nothing is random
    corpus = _Corpus.of(documents, pairs, sizes, seed, wanted)
    reserved: Sequence[str] = ()
    if sizes.given is None:
        queries, candidates = _drawn(corpus, groups, sizes, seed)
    else:
        split = GivenSplit.of(corpus.documents.index, sizes.given, dropped)
        queries, candidates = _of_split(corpus, groups, split.roles, seed)
        told += split.told
        held_out = split.roles.index[split.roles != "train"]
        reserved = sorted(held_out.difference(queries["concept"]))
    numbers = _numbers(corpus, queries)
    if groups is None:
        return Draw(queries, candidates, numbers, reserved=reserved, told=told)
    copies = _copies(groups, queries, candidates, sizes)
    return Draw(queries, candidates, numbers, copies, reserved, told)


@dataclass(frozen=True)
class _Corpus:
    """What is drawn from: concepts x languages, all in one random order.

    Attributes:
        documents: True where a language has a document.
        askable: True where that document may be a query.
        pairs: of languages that are searched, sorted, each in the order of the alphabet.
    """

    documents: pd.DataFrame
    askable: pd.DataFrame
    pairs: Sequence[Pair]

    @classmethod
    def of(
        cls,
        tables: Mapping[str, pd.DataFrame],
        pairs: Iterable[Pair],
        sizes: Sizes,
        seed: int,
        wanted: Iterable[str],
    ) -> "_Corpus":
        """Put the documents of tables (concept, n_unique) in random order, those wanted first."""
        least_words, most_words = sizes.query_unique_words or (0, np.inf)
        documents = {}
        askable = {}
        for language in sorted(tables):
            table = tables[language]
            may_be_query = table["n_unique"].between(least_words, most_words)
            documents[language] = table["concept"]
            askable[language] = table.loc[may_be_query, "concept"]
        concepts = pd.Index(sorted(set().union(*documents.values())))
        concepts = concepts[np.random.default_rng(seed).permutation(len(concepts))]
        is_wanted = concepts.isin(list(wanted))
        concepts = concepts[is_wanted].append(concepts[~is_wanted])
        ordered_pairs = sorted({tuple(sorted(pair)) for pair in pairs})
        return cls(members_of(documents, concepts), members_of(askable, concepts), ordered_pairs)

    def only(self, concepts: Collection[str]) -> "_Corpus":
        """Keep some of the concepts."""
        is_kept = self.documents.index.isin(concepts)
        return replace(self, documents=self.documents[is_kept], askable=self.askable[is_kept])


def _drawn(
    corpus: _Corpus, groups: pd.Series | None, sizes: Sizes, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Draw queries and candidates; of each group of concepts the first that comes."""
    if groups is not None:
        corpus = corpus.only(first_of_groups(corpus.documents.index, groups))
    tables = []
    taken: set[str] = set()
    for role in ROLES:
        askable = corpus.askable[~corpus.askable.index.isin(taken)]
        for pair in corpus.pairs:
            share = sizes.max_share[role]
            shared = _shared(askable, pair)
            n = min(getattr(sizes, role), int(share * len(shared)))
            if n < 1 and share:  # with a share of 0, none are wanted
                _warn_of_none(pair, role, len(shared))
            tables.append(_queries(shared[:n], role, pair))
        for table in tables:
            taken.update(table["concept"])
    queries = pd.concat(tables, ignore_index=True).astype(str)
    distractors = _distractors(corpus.documents, queries["concept"], sizes, seed)
    return queries, _candidates(corpus.documents, queries, distractors, sizes.candidates)


def _of_split(
    corpus: _Corpus, groups: pd.Series | None, roles: pd.Series, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Take all queries that there are of each role, and all documents to test as candidates.

    Of each group of concepts the first one to test is taken, or else the first to validate.
    """
    if groups is not None:
        order = np.argsort(roles.map(ORDER), kind="stable")
        corpus = corpus.only(first_of_groups(roles.index[order], groups))
    tables = []
    for role in ROLES:
        askable = corpus.only(roles.index[roles == role]).askable
        for pair in corpus.pairs:
            shared = _shared(askable, pair)
            if shared.empty:
                _warn_of_none(pair, role, 0)
            tables.append(_queries(shared, role, pair))
    queries = pd.concat(tables, ignore_index=True).astype(str)
    documents = corpus.only(roles.index[roles == "test"]).documents
    distractors = _in_random_order(documents, queries["concept"], seed)
    return queries, _candidates(documents, queries, distractors, len(documents))


def _warn_of_none(pair: Pair, role: str, n_shared: int) -> None:
    first, second = pair
    log.warning(
        "%s and %s share %d concepts that qualify: no %s query, the pair is left out (see "
        "splits.max_share and splits.query_unique_words)", first, second, n_shared, role,
    )  # fmt: skip


def _numbers(corpus: _Corpus, queries: pd.DataFrame) -> pd.DataFrame:
    """Count what each pair shares, and its queries."""
    n_queries = queries.groupby(["first", "second", "role"]).size()
    rows = []
    for first, second in corpus.pairs:
        shared = _shared(corpus.documents, (first, second))
        row = [first, second, len(shared)]
        for role in ROLES:
            row.append(n_queries.get((first, second, role), 0))
        rows.append(row)
    return pd.DataFrame(rows, columns=["first", "second", "concepts", *ROLES])


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
    columns = {language: index.isin(of_language) for language, of_language in concepts.items()}
    return pd.DataFrame(columns, index=index)


def _shared(members: pd.DataFrame, pair: Pair) -> pd.Index:
    """Concepts that both languages of a pair have, in their order."""
    return members.index[members[list(pair)].all(axis=1)]


def _queries(concepts: pd.Index, role: str, pair: Pair) -> pd.DataFrame:
    first, second = pair
    return pd.DataFrame({"concept": concepts, "role": role, "first": first, "second": second})


def _candidates(
    members: pd.DataFrame, queries: pd.DataFrame, distractors: pd.Index, n: int
) -> pd.DataFrame:
    """Candidates of each language: its test documents, and of the distractors up to n in all."""
    tests = queries.loc[queries["role"] == "test", "concept"]
    tables = []
    for language, is_member in members.items():
        concepts = is_member.index[is_member]
        of_tests = concepts[concepts.isin(tests)]
        n_distractors = max(n - len(of_tests), 0)  # there may be more tests than n
        beside = distractors[distractors.isin(concepts)][:n_distractors]
        tables.append(pd.DataFrame({"concept": of_tests.append(beside), "language": language}))
    return pd.concat(tables, ignore_index=True)


def _distractors(members: pd.DataFrame, queries: pd.Series, sizes: Sizes, seed: int) -> pd.Index:
    """Concepts that may be candidates without being test queries, in random order."""
    distractors = _in_random_order(members, queries, seed)
    if sizes.candidates_reading == "code":
        return distractors
    is_of_several = (members.loc[distractors].sum(axis=1) > 1).to_numpy()
    share = sizes.max_share["candidates"]
    of_several = _first_share(distractors[is_of_several], share)
    of_one = _first_share(distractors[~is_of_several], share)
    return distractors[distractors.isin(of_several.append(of_one))]


def _in_random_order(members: pd.DataFrame, queries: pd.Series, seed: int) -> pd.Index:
    """Concepts that are no queries; none if there is no query, as nothing is searched then.

    In another order than that of the queries, in which what those left behind comes late.
    """
    if queries.empty:
        return members.index[:0]
    concepts = members.index.difference(queries)
    generator = np.random.default_rng([seed, *b"candidates"])
    return concepts[generator.permutation(len(concepts))]


def _first_share(concepts: pd.Index, share: float) -> pd.Index:
    return concepts[: int(share * len(concepts))]


def _sorted(concepts: pd.Series) -> pd.Index:
    return pd.Index(concepts.unique()).sort_values()
