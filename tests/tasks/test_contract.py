"""What every task has to keep: each is put through the same, and broken ones fail it."""

import itertools
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.modules import load_module
from cr5.base.options import complete
from cr5.plan.catalogue import PACKAGE, SHARED
from cr5.scores.metrics import parsed, values
from cr5.scores.ranked import Ranked
from cr5.tasks import ad_hoc, classification, documents, lexicon_induction, sentences
from cr5.tasks.base import Data, Search, Texts
from cr5.tasks.ranking import rank_all

LANGUAGES = ("da", "en", "vi")
PAIRS = list(itertools.permutations(LANGUAGES, 2))
EXAMPLE = load_module(Path(__file__).with_name("example_task.py"), "searches")
TASKS = {
    "ad_hoc": ad_hoc,
    "classification": classification,
    "documents": documents,
    "example_task": EXAMPLE,
    "lexicon_induction": lexicon_induction,
    "sentences": sentences,
}


def texts(prefix, n, seed, **more):
    counts = np.random.default_rng(seed).poisson(1.0, (n, 30)).astype(np.int32)
    return Texts(pd.Index([f"{prefix}{i}" for i in range(n)]), sparse.csr_matrix(counts), **more)


def of_each(make):
    return {language: make(seed) for seed, language in enumerate(LANGUAGES)}


def labelled(seed):
    roles = {"labelled": 30, "validation": 10, "test": 20}
    return {x: texts("c", n, seed, labels=pd.Index([*"ab"] * (n // 2))) for x, n in roles.items()}


def dictionaries():
    rows = [
        (a, b, f"{a}{i}", f"{b}{(i + j) % 30}") for a, b in PAIRS for i in range(9) for j in (0, 1)
    ]
    return pd.DataFrame(rows, columns=["query", "target", "word", "translation"])


@pytest.fixture(params=sorted(TASKS))
def given(request, bags, drawn, tmp_path):
    """A task, what it builds its searches from, and its options."""
    name, task = request.param, TASKS[request.param]
    data, options = (
        Data(bags, drawn),
        complete(task.OPTIONS, {}) if hasattr(task, "OPTIONS") else {},
    )
    if name == "ad_hoc":
        (tmp_path / "qrels").write_text("".join(f"q{i} 0 d{i % 7} {1 + i % 3}\n" for i in range(9)))
        options |= {"qrels": str(tmp_path / "qrels")}
        own = of_each(
            lambda seed: {"queries": texts("q", 9, seed), "documents": texts("d", 20, seed)}
        )
        data = replace(data, texts=own)
    if name == "classification":
        data = replace(data, texts=of_each(labelled))
    if name == "lexicon_induction":
        data = replace(data, tables={"entries": dictionaries()})
    if name == "sentences":
        options |= {"queries": 10}
        concepts = pd.Index([""] * 25)
        own = of_each(lambda seed: {"all": texts("s", 25, seed, concepts=concepts)})
        data = replace(data, texts=own)
    return task, data, options


def listed(search):
    """All that a search is."""
    parts = (search.queries, search.candidates, search.neighbours or search.queries)
    relevant = search.relevance.tocoo()
    return (
        [each.ids.tolist() for each in parts],
        [each.counts.toarray().tolist() for each in parts],
        sorted(zip(relevant.row, relevant.col, relevant.data, strict=True)),
        search.depth,
    )


def searched(task, data, options, languages=LANGUAGES):
    found = [(x.query, x.target, x) for x in task.searches(data, languages, options)]
    assert len({each[:2] for each in found}) == len(found), "a direction is searched twice"
    return {each[:2]: each[2] for each in found}


def check(task, data, options, model):
    """Raise AssertionError unless a task keeps to the contract."""
    found = searched(task, data, options)
    assert {pair for pair in found if pair[0] != pair[1]} == set(PAIRS), "a direction is missing"
    for search in found.values():
        for each in (search.queries, search.candidates):
            assert each.ids.is_unique
            assert each.counts.shape == (len(each.ids), 30)
        assert (np.diff(search.relevance.tocsr().indptr) > 0).all(), "a query has no answer"
    same = {pair: listed(search) for pair, search in found.items()}
    for order in itertools.permutations(LANGUAGES):
        again = searched(task, data, options, order)
        assert {pair: listed(x) for pair, x in again.items()} == same, "order or chance decides"
    of_pair = searched(task, replace(data, pairs=[("vi", "da")]), options)
    across = {pair for pair in of_pair if pair[0] != pair[1]}
    assert across == {("da", "vi"), ("vi", "da")}, "other pairs are searched"
    for ranks in rank_all(found.values(), model):
        for metric in task.METRICS:
            parsed(metric)
            of_queries = values(Ranked(ranks.answers, ranks.queries), metric)
            assert ((of_queries >= 0) & (of_queries <= 1)).all()


def test_every_task_is_put_through_it():
    ours = {x.stem for x in (PACKAGE / "tasks").glob("[!_]*.py")} - set(SHARED)
    assert set(TASKS) == ours | {"example_task"}


def test_every_task_keeps_it(given, models):
    check(*given, models.undirected)


def test_names_of_files_are_options(given):
    task, *_ = given
    names = set(getattr(task, "OPTIONS", {}))
    if not hasattr(task, "PARTS") and not hasattr(task, "PARALLEL"):
        assert set(getattr(task, "FILES", ())) <= names


def test_grades_of_the_example(monkeypatch):
    queries, candidates = texts("", 2, 0), texts("", 3, 1)
    queries = replace(queries, ids=pd.Index(["a/1", "b/1"]))
    candidates = replace(candidates, ids=pd.Index(["b/1", "a/2", "a/1"]))
    relevance = sparse.csr_matrix([[0, 0, 1], [1, 0, 0]])
    one = Search("da", "en", queries, candidates, relevance)
    monkeypatch.setattr(documents, "searches", lambda *given: iter([one]))
    [found] = EXAMPLE.searches(None, LANGUAGES, {"grade": 3})
    assert found.relevance.toarray().tolist() == [[0, 1, 3], [3, 0, 0]]


def broken(change):
    """A task of ten queries and as many answers, with one mistake."""

    def searches(data, languages, options, role="test"):
        for query, target in change(data, languages):
            ids = pd.Index([f"d{i}" for i in range(10)])
            seed = None if change is by_chance else 0
            order = np.random.default_rng(seed).permutation(10)
            relevance = sparse.identity(10, format="csr")[order]
            if change is without_answers:
                relevance = sparse.csr_matrix(np.diag([0, *[1] * 9]))
            words = texts("d", 10, languages.index("da") if change is by_order else 0)
            yield Search(query, target, replace(words, ids=ids), words, relevance)

    return SimpleNamespace(searches=searches, METRICS=("RR",))


def sound(data, languages):
    return data.directions(languages)


by_chance, by_order, without_answers = (lambda *x: sound(*x) for _ in range(3))


def of_all_pairs(data, languages):
    return itertools.permutations(languages, 2)


def twice(data, languages):
    return [*sound(data, languages), ("da", "en")]


def one_way(data, languages):
    return [(a, b) for a, b in sound(data, languages) if a < b]


def test_a_task_without_a_mistake_keeps_it(bags, drawn, models):
    check(broken(sound), Data(bags, drawn), {}, models.undirected)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (by_chance, "order or chance"),
        (by_order, "order or chance"),
        (without_answers, "has no answer"),
        (of_all_pairs, "other pairs"),
        (twice, "searched twice"),
        (one_way, "is missing"),
    ],
)
def test_a_broken_task_fails_it(bags, drawn, models, change, said):
    with pytest.raises(AssertionError, match=said):
        check(broken(change), Data(bags, drawn), {}, models.undirected)
