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
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.files import write_json
from cr5.splits import counterparts
from cr5.splits.corpus import Corpus, concepts_in, first_share, permuted, shared_by
from cr5.splits.given import ROLES, GivenSplit
from cr5.splits.options import Pair, Sizes

KIND = "draws"
GIVEN = "given.json"
TABLES = ("queries", "candidates", "pairs")
COPIES = "copies.parquet"  # where there are any
ORDER = {"test": 0, "validation": 1, "train": 2}  # which of equal texts stands for the others

log = logging.getLogger(__name__)


def _no_concepts() -> pd.Index:
    return pd.Index([], dtype=str)


@dataclass(frozen=True)
class Draw:
    """The held-out concepts, the same for all settings of a corpus."""

    queries: pd.DataFrame  # concept, role, first, second: languages in alphabetical order
    candidates: pd.DataFrame  # concept, language; the test documents included
    # first, second, concepts (that both have), test, validation (numbers of queries): a row for
    # each pair that is searched, even if it has no queries
    pairs: pd.DataFrame
    # concepts with the text of another one that is drawn: they neither train nor are searched
    copies: pd.Index = field(default_factory=_no_concepts)
    # of a given split: what it holds out and no query asks for, and what the report is to say
    reserved: Sequence[str] = ()
    told: Sequence[str] = ()

    def queries_of(self, pair: Pair, role: str) -> pd.Index:
        """Concepts that are queries of a pair, in any order of its languages, sorted."""
        first, second = sorted(pair)
        return self._by_pair.get((first, second, role), _no_concepts())

    def candidates_of(self, language: str) -> pd.Index:
        """Candidate concepts of a language, sorted."""
        return _sorted(concepts_in(self.candidates, language))

    def held_out(self, role: str | None = None) -> pd.Index:
        """Concepts that are queries of any pair, in one role or both."""
        concepts = self.queries["concept"]
        if role is not None:
            concepts = concepts[self.queries["role"] == role]
        return _sorted(concepts)

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
                queries = self.queries_of((language, query_language), role)
                space = space.union(queries)
        return space.sort_values()

    def lacking(self, pairs: Iterable[Pair], sizes: Sizes) -> str:
        """Say why none of some pairs has queries of each role that is wanted; empty if one has."""
        ordered_pairs = [tuple(sorted(pair)) for pair in pairs]
        numbers_of_pairs = self.pairs.set_index(["first", "second"])
        numbers = numbers_of_pairs.loc[ordered_pairs]
        # a share of 0 draws none on purpose
        wanted_roles = [role for role in ROLES if sizes.max_share[role]]
        has_queries = numbers[wanted_roles] > 0
        has_all_roles = has_queries.all(axis=1)
        if has_all_roles.any():
            return ""
        n_shared = numbers["concepts"].items()
        shared = [f"{first}-{second} {number}" for (first, second), number in n_shared]
        shares = [f"{share:g} for {role}" for role, share in sizes.max_share.items()]
        return (
            f"no test or validation query can be drawn. Concepts that pairs share: "
            f"{', '.join(shared)}; of these at most splits.max_share ({', '.join(shares)}) are "
            "drawn: bring more documents that languages share, or change splits or "
            "bags.unique_words"
        )

    @cached_property
    def _by_pair(self) -> dict[tuple[str, str, str], pd.Index]:
        """Queries by first and second language and role."""
        queries = {}
        for key, table in self.queries.groupby(["first", "second", "role"]):
            queries[key] = _sorted(table["concept"])
        return queries

    def save(self, folder: str | Path, job: Job = NO_JOB) -> None:
        """Write the three tables; the folder appears when it is complete."""
        with job.making(folder, KIND) as part:
            for name in TABLES:
                table = getattr(self, name)
                table.to_parquet(part / f"{name}.parquet", index=False)
            if len(self.copies):
                copies = self.copies.to_frame(name="concept")
                copies.to_parquet(part / COPIES, index=False)
            of_split = {
                "reserved": list(self.reserved),
                "told": list(self.told),
            }
            write_json(part / GIVEN, of_split)

    @classmethod
    def load(cls, folder: str | Path) -> "Draw":
        """Read what `save` wrote."""
        artefact = Artefact(folder, KIND)
        fields = artefact.json(GIVEN)
        for name in TABLES:
            path = artefact.file(f"{name}.parquet")
            fields[name] = pd.read_parquet(path)
        if COPIES in artefact.files:
            path = artefact.file(COPIES)
            copies = pd.read_parquet(path)
            fields["copies"] = pd.Index(copies["concept"])
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
    concepts = {language: table["concept"] for language, table in documents.items()}
    told = counterparts.tell(concepts)
    if sizes.given is not None:
        seed = 0  # nothing is random
    corpus = Corpus.of(documents, pairs, sizes, seed, wanted)
    reserved: Sequence[str] = ()
    if sizes.given is None:
        queries, candidates = _at_random(corpus, groups, sizes, seed)
    else:
        split = GivenSplit.of(corpus.concepts, sizes.given, dropped)
        queries, candidates = _of_split(corpus, groups, split.roles, seed)
        told += split.told
        is_held_out = split.roles != "train"
        held_out = split.roles.index[is_held_out]
        reserved = sorted(held_out.difference(queries["concept"]))
    copies = _no_concepts()
    if groups is not None:
        copies = _copies(groups, queries, candidates, sizes)
    numbers = _sizes_of_pairs(corpus, queries)
    return Draw(queries, candidates, numbers, copies, reserved, told)


def _at_random(
    corpus: Corpus, groups: pd.Series | None, sizes: Sizes, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Draw queries and candidates; of each group of concepts the first that comes."""
    if groups is not None:
        first_concepts = first_of_groups(corpus.concepts, groups)
        corpus = corpus.only(first_concepts)
    tables = []
    taken: set[str] = set()
    for role in ROLES:
        is_free = ~corpus.concepts.isin(taken)
        may_be_query = corpus.may_be_query[is_free]
        tables_of_role = [_drawn_of_pair(may_be_query, pair, role, sizes) for pair in corpus.pairs]
        for table in tables_of_role:
            taken.update(table["concept"])
        tables += tables_of_role
    queries = _joined(tables)
    has_document = corpus.has_document
    query_concepts = queries["concept"]
    distractors = _distractors(has_document, query_concepts, sizes, seed)
    candidates = _candidates(has_document, queries, distractors, sizes.candidates)
    return queries, candidates


def _drawn_of_pair(may_be_query: pd.DataFrame, pair: Pair, role: str, sizes: Sizes) -> pd.DataFrame:
    """Take the first concepts that both languages of a pair may ask for as its queries."""
    shared = shared_by(may_be_query, pair)
    n_shared = len(shared)
    share = sizes.max_share[role]
    n_wanted = getattr(sizes, role)
    n_allowed = int(share * n_shared)
    n_queries = min(n_wanted, n_allowed)
    if n_queries < 1 and share:  # with a share of 0, none are wanted
        _warn_of_none(pair, role, n_shared)
    return _queries(shared[:n_queries], role, pair)


def _of_split(
    corpus: Corpus, groups: pd.Series | None, roles: pd.Series, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Take all queries that there are of each role, and all documents to test as candidates.

    Of each group of concepts the first one to test is taken, or else the first to validate.
    """
    if groups is not None:
        ranks = roles.map(ORDER)
        order = np.argsort(ranks, kind="stable")
        ordered = roles.index[order]
        first_concepts = first_of_groups(ordered, groups)
        corpus = corpus.only(first_concepts)
    tables = []
    for role in ROLES:
        of_role = corpus.only(_concepts_of(role, roles))
        for pair in corpus.pairs:
            shared = shared_by(of_role.may_be_query, pair)
            if shared.empty:
                _warn_of_none(pair, role, 0)
            tables.append(_queries(shared, role, pair))
    queries = _joined(tables)
    corpus_to_test = corpus.only(_concepts_of("test", roles))
    has_document = corpus_to_test.has_document
    distractors = _beside_queries(has_document, queries["concept"], seed)
    n_candidates = len(has_document)
    candidates = _candidates(has_document, queries, distractors, n_candidates)
    return queries, candidates


def _concepts_of(role: str, roles: pd.Series) -> pd.Index:
    return roles.index[roles == role]


def _warn_of_none(pair: Pair, role: str, n_shared: int) -> None:
    first, second = pair
    log.warning(
        "%s and %s share %d concepts that qualify: no %s query, the pair is left out (see "
        "splits.max_share and splits.query_unique_words)",
        first,
        second,
        n_shared,
        role,
    )


def _sizes_of_pairs(corpus: Corpus, queries: pd.DataFrame) -> pd.DataFrame:
    """Count what each pair shares, and its queries: `Draw.pairs`."""
    n_queries = queries.groupby(["first", "second", "role"]).size()
    rows = []
    for pair in corpus.pairs:
        first, second = pair
        shared = shared_by(corpus.has_document, pair)
        row = [first, second, len(shared)]
        for role in ROLES:
            n_of_role = n_queries.get((first, second, role), 0)
            row.append(n_of_role)
        rows.append(row)
    return pd.DataFrame(rows, columns=["first", "second", "concepts", *ROLES])


def first_of_groups(concepts: pd.Index, groups: pd.Series) -> pd.Index:
    """Return the concepts of no group, and the first one of each group, in their order."""
    numbers = groups.reindex(concepts)
    is_alone = numbers.isna()
    is_first = ~numbers.duplicated()
    is_taken = is_alone | is_first
    return concepts[is_taken.to_numpy()]


def _copies(
    groups: pd.Series, queries: pd.DataFrame, candidates: pd.DataFrame, sizes: Sizes
) -> pd.Index:
    """Concepts of a group with one that does not train, which are not drawn themselves."""
    drawn = set(queries["concept"])
    if not sizes.candidates_train:
        drawn.update(candidates["concept"])
    is_drawn = groups.index.isin(drawn)
    groups_of_drawn = groups[is_drawn]
    is_equal_to_drawn = groups.isin(groups_of_drawn)
    copies = groups.index[is_equal_to_drawn & ~is_drawn]
    return copies.sort_values()


def _queries(concepts: pd.Index, role: str, pair: Pair) -> pd.DataFrame:
    """Return the queries of a pair in one role, as `Draw.queries`."""
    first, second = pair
    return pd.DataFrame({"concept": concepts, "role": role, "first": first, "second": second})


def _joined(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Put the queries of all roles and pairs into one table."""
    queries = pd.concat(tables, ignore_index=True)
    return queries.astype(str)


def _candidates(
    has_document: pd.DataFrame, queries: pd.DataFrame, distractors: pd.Index, n_wanted: int
) -> pd.DataFrame:
    """Candidates of each language: its test documents, and as many distractors as are wanted."""
    is_test = queries["role"] == "test"
    tests = queries.loc[is_test, "concept"]
    tables = []
    for language in has_document:
        is_in_language = has_document[language]
        concepts = has_document.index[is_in_language]
        is_test_concept = concepts.isin(tests)
        test_concepts = concepts[is_test_concept]
        n_distractors = max(n_wanted - len(test_concepts), 0)  # there may be more tests than wanted
        is_possible = distractors.isin(concepts)
        possible = distractors[is_possible]
        candidates = test_concepts.append(possible[:n_distractors])
        table = pd.DataFrame({"concept": candidates, "language": language})
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def _distractors(
    has_document: pd.DataFrame, queries: pd.Series, sizes: Sizes, seed: int
) -> pd.Index:
    """Concepts that may be candidates without being test queries, in random order."""
    distractors = _beside_queries(has_document, queries, seed)
    if sizes.candidates_reading == "code":
        return distractors
    n_languages = has_document.loc[distractors].sum(axis=1).to_numpy()
    of_several = distractors[n_languages > 1]
    of_one = distractors[n_languages <= 1]
    share = sizes.max_share["candidates"]
    first_of_several = first_share(of_several, share)
    first_of_one = first_share(of_one, share)
    chosen = first_of_several.append(first_of_one)
    is_chosen = distractors.isin(chosen)
    return distractors[is_chosen]


def _beside_queries(has_document: pd.DataFrame, queries: pd.Series, seed: int) -> pd.Index:
    """Return the concepts that are no queries, in random order; none if there is no query.

    Without queries nothing is searched. The order is another than that of the queries, in which
    what those left behind comes late.
    """
    all_concepts = has_document.index
    if queries.empty:
        return all_concepts[:0]
    concepts = all_concepts.difference(queries)
    return permuted(concepts, [seed, *b"candidates"])


def _sorted(concepts: pd.Series) -> pd.Index:
    return pd.Index(concepts.unique()).sort_values()
