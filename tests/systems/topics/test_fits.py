"""The documents of topic models, and how validation chooses among topics."""

from itertools import count

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.systems.projections.columns import ColumnSettings, columns
from cr5.systems.topics import fits
from cr5.systems.topics.corpus import coupled, joined, make_corpus
from cr5.systems.topics.em import Em
from cr5.systems.topics.gibbs import Gibbs
from cr5.systems.topics.models import Cplsa, Jplsa, Pltm

WORDS = {"da": ["og", "taxi", "kat"], "en": ["cat", "taxi"]}
COUNTS = {"da": [[4, 1, 0], [3, 0, 2], [2, 0, 0]], "en": [[1, 2], [5, 0], [0, 1]]}
CONCEPTS = {"da": [2, 0, 3], "en": [0, 1, 2]}
OPTIONS = {"skip_words": 0, "dimensions": [3], "max_iterations": 12}
PLTM = Pltm(dimensions=[12], skip_words=0, max_iterations=60, alpha=0.2, beta=0.05, burn_in=40)


def test_a_concept_has_one_document_or_a_pair_of_them(training_of):
    """Of four concepts two are in both languages; `og`, the most frequent word, is dropped."""
    training = training_of(
        WORDS,
        counts={x: sparse.csr_matrix(np.array(rows, np.int32)) for x, rows in COUNTS.items()},
        concepts={x: np.array(numbers) for x, numbers in CONCEPTS.items()},
        n_concepts=4,
    )
    chosen = columns(training.words, training.counts, ColumnSettings(skip_words=1))
    # columns by frequency: cat 6, taxi 4, kat 2; concept 3 has only a dropped word
    one = joined(training, chosen)
    np.testing.assert_array_equal(one.counts.toarray(), [[1, 2, 2], [5, 0, 0], [0, 2, 0]])
    assert (one.n_pairs, one.tokens.tolist(), one.frequencies.tolist()) == (0, [5, 5, 2], [6, 4, 2])
    # concepts 0 and 2, Danish before English; then concept 1 in English alone
    corpus = coupled(training, chosen)
    expected = np.array([[0, 0, 2], [1, 2, 0], [0, 1, 0], [0, 1, 0], [5, 0, 0]])
    np.testing.assert_array_equal(corpus.counts.toarray(), expected)
    assert corpus.n_pairs == 2
    by_word = corpus.by_word.copy()
    by_word.data = corpus.counts.data[by_word.data]
    np.testing.assert_array_equal(by_word.toarray(), expected.T)


def test_where_there_is_nothing_to_couple_or_to_count(training_of):
    training = training_of({x: ["a"] for x in ("da", "en", "it")})
    with pytest.raises(LeftOutError, match="da, en, it"):
        coupled(training, None)
    with pytest.raises(LeftOutError):
        make_corpus(sparse.csr_matrix((3, 2)), 0)


@pytest.fixture(autouse=True)
def often_checked(monkeypatch):
    monkeypatch.setattr(fits, "CHECK_EVERY", 2)


@pytest.fixture
def tried(planted):
    """Fit with scores by script; what was tried, and the fit."""

    def make(system, scores, **given):
        scores = iter(scores)
        found = system.fit(planted(n=50, validate=lambda model: next(scores), **given).training)
        return [(x["dimension"], x["iterations"]) for x in found.report["validation"]], found

    return make


def test_it_stops_after_checks_without_better_ones(tried, monkeypatch):
    monkeypatch.setattr(fits, "PATIENCE", 2)
    seen, found = tried(Jplsa(**OPTIONS), [0.2, 0.5, 0.4, 0.5])
    assert seen == [(3, 2), (3, 4), (3, 6), (3, 8)]
    assert found.chosen == {"dimension": 3, "iterations": 4}
    assert [each["iterations"] for each in found.report["history"]] == [2, 4]
    assert tried(Jplsa(**OPTIONS | {"max_iterations": 5}), count())[0] == [(3, 2), (3, 4), (3, 5)]


def test_each_number_of_topics_has_its_own_patience(tried, monkeypatch):
    monkeypatch.setattr(fits, "PATIENCE", 1)
    scores = [0.5, 0.4, *[0.1, 0.2, 0.3, 0.9, 0.8]]
    seen, found = tried(Jplsa(**OPTIONS | {"dimensions": [4, 2]}), scores)
    assert seen == [(2, 2), (2, 4), (4, 2), (4, 4), (4, 6), (4, 8), (4, 10)]
    assert found.chosen == {"dimension": 4, "iterations": 8}


def test_topics_are_validated_only_after_burn_in(tried, monkeypatch):
    """A sample of the first sweeps says nothing yet, so patience must not end the run on it."""
    monkeypatch.setattr(fits, "PATIENCE", 1)
    assert tried(PLTM, count(0, -1))[0] == [(12, 42), (12, 44)]


def test_checks_do_not_disturb_the_iterations(tried, monkeypatch):
    tables = []
    for every in (1, 12):
        monkeypatch.setattr(fits, "CHECK_EVERY", every)
        _, found = tried(Jplsa(**OPTIONS | {"max_iterations": 24}), count())
        tables.append(found.model.tables["en"])
    np.testing.assert_array_equal(*tables)


def test_no_more_topics_than_words(tried):
    few = Jplsa(**OPTIONS | {"dimensions": [3, 12, 40], "max_words": 11})
    seen, found = tried(few, [0.5] * 6)
    assert {n for n, _ in seen} == {3}
    assert len(found.report["warnings"]) == 3  # and that validation tells nothing
    with pytest.raises(UserError, match="dimensions: 12, 40 topics"):
        tried(few.model_copy(update={"dimensions": (40, 12)}), [])


def embedded(training, chosen, phi, theta0, prior, x):
    """theta ~ sum_w n_w p(t | w) + prior with p(t | w) ~ p(t) p(w | t), by plain sums."""
    topics = phi * theta0 / (phi * theta0).sum(axis=1, keepdims=True)
    rows = training.counts[x].toarray() @ chosen.table(x, topics) + prior
    return rows / rows.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("system", [Jplsa(**OPTIONS), Cplsa(**OPTIONS, sigma="exact"), PLTM])
def test_documents_take_one_iteration_from_theta0(planted, system):
    better = count()
    training = planted(n=150, validate=lambda model: next(better)).training
    merged, sampled = system is not PLTM, system is PLTM
    found = system.fit(training)
    chosen = columns(training.words, training.counts, ColumnSettings(0, 20000, merged))
    corpus = (coupled if isinstance(system, Cplsa) else joined)(training, chosen)
    estimator = Em(corpus, sigma=None)
    if sampled:
        first_of_es = (chosen.numbers["en"] >= 0).sum()
        estimator = Gibbs(corpus, [0, first_of_es], 0.2, 0.05, 40, training.seed)
    topics = estimator.start(system.dimensions[0])
    for _ in range(system.max_iterations):
        estimator.step(topics)
    means, prior = estimator.means(topics), 0.2 if sampled else 0.1
    for x in training.languages:
        rows = found.model.embed(training.counts[x], x)
        np.testing.assert_allclose(rows, embedded(training, chosen, *means, prior, x), atol=1e-5)
    nothing = found.model.embed(sparse.csr_matrix((1, len(training.words["en"]))), "en")
    np.testing.assert_allclose(nothing, 1 / system.dimensions[0], rtol=1e-6)


def test_the_report_says_what_coupling_leaves(tried):
    many = OPTIONS | {"dimensions": [12]}
    loose, tight = (tried(Cplsa(**many, sigma=x), count())[1].report for x in (0.01, "exact"))
    assert loose["pairs"] * 2 == loose["documents"]
    last = loose["history"][-1]
    assert 0.1 < last["gap_mean"] < last["gap_max"] <= 2
    assert any("sigma: exact" in each for each in loose["warnings"])
    assert tight["history"][-1]["gap_max"] <= 0.01
    assert not any("sigma" in each for each in tight["warnings"])
    paper, one = (tried(Cplsa(**OPTIONS, sigma=x), count())[1].report for x in ("paper", 1))
    assert paper == one
