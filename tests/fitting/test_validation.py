import gc
import itertools
import weakref
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base import parts
from cr5.base.errors import UserError
from cr5.counts.bags import Bags
from cr5.counts.columns import beginning
from cr5.fitting.criteria import CRITERIA
from cr5.fitting.validation import Task, validated, validation
from cr5.models.word_tables import WordTables
from cr5.splits.draw import draw
from cr5.splits.options import Sizes
from cr5.tasks.base import Search, Texts, one_answer_each
from cr5.tasks.classification import Classification

LANGUAGES = ("da", "en", "vi")
WORDS = [f"word{i:02}" for i in range(30)]


@pytest.fixture(scope="module")
def planted():
    """Three languages in which a concept's bag is the same, but for a little noise."""
    generator = np.random.default_rng(0)
    shared = generator.poisson(1.0, (400, 30))
    built = {}
    for language in LANGUAGES:
        counts = sparse.csr_matrix(shared + generator.poisson(1.0, shared.shape)).astype(np.int32)
        documents = pd.DataFrame({"concept": [f"c{i:03}" for i in range(400)], "n_unique": 9})
        built[language] = Bags(counts, pd.DataFrame({"word": WORDS}), documents)
    documents = {x: bags.documents for x, bags in built.items()}
    pairs = list(itertools.combinations(LANGUAGES, 2))
    return built, draw(documents, pairs, Sizes(test=30, validation=20, candidates=100), 0)


@pytest.fixture
def model():
    words = dict.fromkeys(LANGUAGES, WORDS)
    ones, table = np.ones(30), np.eye(30, dtype=np.float32)
    return WordTables(words, dict.fromkeys(LANGUAGES, table), dict.fromkeys(LANGUAGES, ones))


def reciprocal_rank(ranks):
    return (1 / ranks).mean()


def by_brute_force(planted, languages, figure=reciprocal_rank):
    """The mean reciprocal rank of validation queries by cosine, all of it written out."""
    built, drawn = planted
    table = drawn.queries
    expected = []
    for pair in itertools.permutations(languages, 2):
        first, second = sorted(pair)
        of_pair = (table["first"] == first) & (table["second"] == second)
        queries = sorted(table.loc[of_pair & (table["role"] == "validation"), "concept"])
        if not queries:
            continue
        space = drawn.search_space(pair[1], languages, "validation")
        Q, C = (
            built[x].counts[built[x].rows(concepts)].toarray().astype(float)
            for x, concepts in zip(pair, (queries, space), strict=True)
        )
        cosines = (Q @ C.T) / np.outer(np.linalg.norm(Q, axis=1), np.linalg.norm(C, axis=1))
        own = cosines[np.arange(len(queries)), space.get_indexer(queries)]
        expected.append(figure((cosines >= own[:, None] - 1e-6).sum(axis=1)))
    return np.mean(expected)


@pytest.mark.parametrize("languages", [LANGUAGES, ("vi", "en", "da"), ("da", "vi")])
def test_the_mean_reciprocal_rank_over_directed_pairs(planted, model, languages):
    expected = by_brute_force(planted, languages)
    assert 0.5 < expected < 0.99
    assert validation(*planted, languages)(model) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "figure"),
    [("p@1", lambda ranks: np.mean(ranks == 1)), ("authors", lambda r: 1 / reciprocal_rank(r))],
)
def test_other_criteria(planted, model, name, figure):
    found = validation(*planted, LANGUAGES, criterion=CRITERIA[name])(model)
    assert found == pytest.approx(by_brute_force(planted, LANGUAGES, figure))
    assert abs(found - by_brute_force(planted, LANGUAGES)) > 0.01
    pairs = itertools.permutations(LANGUAGES, 2)
    assert [(q, t) for q, of_q in found.by_pair.items() for t in of_q] == list(pairs)
    assert np.mean([x for of_q in found.by_pair.values() for x in of_q.values()]) == found
    assert found.by_pair["da"]["vi"] != found.by_pair["vi"]["da"]


def test_a_score_knows_what_chance_gives(planted, model):
    """Of reciprocals of ranks that are all equally likely; the best of 100 is 2.5 deviations up."""
    _, drawn = planted
    sizes = [len(drawn.search_space(x, ("da", "vi"), "validation")) for x in ("da", "vi")]
    reciprocals = [1 / np.arange(1, n + 1) for n in sizes]
    mean = np.mean([x.mean() for x in reciprocals])
    deviation = np.sqrt(sum(x.var() / 20 for x in reciprocals)) / 2  # 20 validation queries
    chance = validation(*planted, ("da", "vi"))(model).chance
    assert 1.5 < (chance - mean) / deviation < 4.5


def test_of_a_pair_that_others_link_only_its_own_queries_count(planted, model):
    built, _ = planted
    of_pair = draw(
        {x: b.documents for x, b in built.items()},
        [("da", "vi")],
        Sizes(test=30, validation=20, candidates=100),
        0,
    )
    expected = by_brute_force((built, of_pair), ("da", "vi"))
    found = validation(built, of_pair, LANGUAGES, pairs=[("da", "vi")])(model)
    assert found == pytest.approx(expected)


def test_a_worse_model_scores_less(planted, model):
    score = validation(*planted, LANGUAGES)
    shuffled = np.random.default_rng(0).permutation(np.eye(30, dtype=np.float32))
    assert score(replace(model, tables={**model.tables, "vi": shuffled})) < score(model) - 0.1


def test_texts_are_cut_out_once_and_the_bags_dropped(planted, model, monkeypatch):
    built, drawn = planted
    cut = []
    of_bags = Texts.of_bags

    def watched(bags, concepts):
        cut.append(bags)
        return of_bags(bags, concepts)

    monkeypatch.setattr(Texts, "of_bags", watched)
    own = {x: replace(bags) for x, bags in built.items()}
    score = validation(own, drawn, LANGUAGES)
    assert not cut  # a system that has nothing to choose pays nothing
    assert score(model) == score(model)
    assert len(cut) == len(LANGUAGES)
    cut += own.values()
    alive = [weakref.ref(bags) for bags in cut]
    cut.clear()
    own.clear()
    gc.collect()
    assert [each() for each in alive] == [None] * 6
    assert score(model) == pytest.approx(by_brute_force(planted, LANGUAGES))


def test_the_first_measure_counts(planted, model):
    score = validation(*planted, LANGUAGES)
    turned = replace(model, measures=("csls", "cosine"))
    assert score(replace(model, measures=("cosine",))) == score(model)
    assert score(turned) == score(replace(model, measures=("csls",))) != score(model)


def test_no_validation_query_at_all(planted, model):
    built, drawn = planted
    queries = drawn.queries[drawn.queries["role"] == "test"]
    score = validation(built, replace(drawn, queries=queries), ("da", "vi"))
    with pytest.raises(UserError, match=r"no validation query for da, vi: raise splits\.max_share"):
        score(model)


def test_a_pair_without_validation_queries_does_not_count(planted, model):
    built, drawn = planted
    queries = drawn.queries[drawn.queries["first"] != "da"]
    fewer = replace(drawn, queries=queries)
    expected = by_brute_force((built, fewer), LANGUAGES)
    assert expected != by_brute_force(planted, LANGUAGES)
    assert validation(built, fewer, LANGUAGES)(model) == pytest.approx(expected)


def test_a_task_with_data_of_its_own_may_decide_and_what_is_not_found_counts_nothing(
    planted, model
):
    built, _ = planted
    generator = np.random.default_rng(3)

    def documents(n):
        counts = sparse.csr_matrix(generator.poisson(0.5, (n, 30)))
        labels = pd.Index(generator.choice(["x", "y"], n))
        return Texts(pd.Index([f"d{i}" for i in range(n)]), counts, labels=labels)

    own = {x: {"labelled": documents(50), "validation": documents(30)} for x in LANGUAGES}
    task = Task(Classification(labelled=["en"]), own)
    criteria = [CRITERIA[name] for name in ("p@1", "mrr", "authors")]
    found = [validation(built, None, LANGUAGES, criterion=x, task=task)(model) for x in criteria]
    labelled = own["en"]["labelled"]
    expected = {x: {"en": _accuracy(own[x]["validation"], labelled)} for x in LANGUAGES}
    assert found[0].by_pair == found[1].by_pair
    for language, figure in expected.items():
        assert found[0].by_pair[language] == pytest.approx(figure)
    assert 0.2 < found[0] < 0.8
    assert found[0] == pytest.approx(np.mean([x["en"] for x in expected.values()]))
    assert found[2].by_pair["vi"]["en"] == pytest.approx(1 / expected["vi"]["en"])
    alike = sparse.csr_matrix(np.ones((2, 30)))  # both labels are as near to everything
    labelled = Texts(pd.Index(["a", "b"]), alike, labels=pd.Index(["x", "y"]))
    never = replace(task, texts={"en": own["en"] | {"labelled": labelled}})
    assert validation(built, None, ["en"], criterion=criteria[0], task=never)(model) == 0
    assert validation(built, None, ["en"], criterion=criteria[2], task=never)(model) == np.inf


def _accuracy(queries, labelled):
    """By all cosines; of candidates of both labels as near as one another none is right."""
    Q, C = queries.counts.toarray().astype(float), labelled.counts.toarray().astype(float)
    cosines = (Q / np.linalg.norm(Q, axis=1)[:, None]) @ (C / np.linalg.norm(C, axis=1)[:, None]).T
    is_answer = queries.labels.to_numpy()[:, None] == labelled.labels.to_numpy()[None]
    best = np.where(is_answer, cosines, -1).max(axis=1)
    return (best > np.where(is_answer, -1, cosines).max(axis=1) + 1e-6).mean()


def test_a_model_is_validated_on_words_that_no_training_document_has(planted, model):
    """A word that is not in the list counts as its beginning, which the list ends with."""
    built, drawn = planted
    longer = pd.DataFrame({"word": [*WORDS[:-1], WORDS[-1] + "en"]})
    changed = {**built, "vi": replace(built["vi"], words=longer)}
    begins = replace(model, words={**model.words, "vi": [*WORDS[:-1], beginning(WORDS[-1])]})
    expected = validation(built, drawn, LANGUAGES)(model)
    assert validation(changed, drawn, LANGUAGES)(begins) == expected
    texts = {
        x: {"own": Texts.of_bags(y, pd.Index(y.documents["concept"]))} for x, y in built.items()
    }
    task = Task(SameOfOwn(), texts=texts)
    expected = validation(built, drawn, LANGUAGES, task=task)(model)
    assert validation(changed, drawn, LANGUAGES, task=task)(begins) == expected > 0.1


class SameOfOwn(parts.Task):
    """Each language's own texts find each other."""

    def searches(self, data, languages, role="test"):
        for pair in data.directions(languages):
            first, second = (data.texts[x]["own"] for x in pair)
            yield Search(*pair, first, second, one_answer_each(first.ids, second.ids), first)


def test_documents_for_validation_are_its_queries_and_the_candidates(planted):
    built, drawn = planted
    for x in LANGUAGES:
        found = validated(drawn, x, built[x].documents["concept"])
        space = drawn.search_space(x, LANGUAGES, "validation")
        assert set(space) <= set(found) <= set(space) | set(drawn.candidates_of(x))
        assert not found.has_duplicates
