"""Fits are scored on validation queries, and the best of them is kept with what was tried."""

import itertools
import json
import math
import re
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.counts.bags import Bags
from cr5.counts.vocabulary import Fallbacks
from cr5.fitting.choose import CRITERIA, Score, Selection, Task, at_chance, best, validation
from cr5.fitting.contract import Fit
from cr5.models.contract import Model
from cr5.models.word_tables import WordTables
from cr5.splits.draw import draw
from cr5.splits.options import Sizes
from cr5.tasks.base import Texts
from cr5.tasks.classification import Classification

NAN = math.nan
LANGUAGES = ("da", "en", "vi")
WORDS = [f"word{i:02}" for i in range(30)]


@dataclass(frozen=True)
class Scored(Model):
    """A model that is as good as it says."""

    score: float
    words: dict = field(default_factory=dict, hash=False)
    measures: tuple = ("cosine",)

    def embed(self, counts, language, target_language=None):
        raise NotImplementedError

    def check(self):
        raise NotImplementedError


def fits(scores, values=None, name="rank"):
    for value, score in zip(values or range(len(scores)), scores, strict=True):
        yield Fit(Scored(score), {"said": f"of {value}"}, {name: value})


@pytest.fixture
def training(make_training_set):
    return make_training_set(validate=lambda model: model.score)


def test_the_best_is_kept_with_what_was_tried(training):
    kept = best(training, fits([0.25, 0.75, NAN, 0.5], [10, 20, 30, 40]))
    assert (kept.model, kept.chosen) == (Scored(0.75), {"rank": 20})
    tried = [(10, 0.25), (20, 0.75), (30, None), (40, 0.5)]
    assert json.loads(json.dumps(kept.report, allow_nan=False)) == {
        "rank": 20,
        "said": "of 20",
        "criterion": "mrr",
        "validation": [{"rank": x, "mrr": y} for x, y in tried],
        "kept": 1,
        "warnings": [],
    }


@pytest.mark.parametrize(
    ("scores", "first"),
    [
        ([0.5] * 4, 0),
        ([0.25, 0.5, 0.5], 1),
        ([NAN, 0.1, 0.2], 2),
        ([0.2, NAN, 0.1], 0),
    ],
)
def test_of_equals_the_first_one_is_kept_and_nan_never_is(training, scores, first):
    assert best(training, fits(scores)).chosen == {"rank": first}


@pytest.mark.parametrize("scores", [[NAN, NAN], []])
def test_without_a_score_nothing_is_decided(training, scores):
    with pytest.raises(UserError, match="no score for any of the options tried"):
        best(training, fits(scores))


def test_one_fit_is_not_validated(make_training_set):
    kept = best(make_training_set(validate=pytest.fail), fits([NAN], [7]))
    assert kept.report == {"rank": 7, "said": "of 7"}


@pytest.mark.parametrize(
    ("values", "scores", "expected"),
    [
        ([1, 2, 3], [1, 2, 0], []),
        ([3, 1, 2], [2, 1, 0], ["the best x, 3, is at the edge of the grid"]),
        ([0, 0.5, 1], [2, 1, 0], []),  # a weight that is left out
        (["l1", "l2", "none"], [2, 1, 0], []),
        ([True, False], [2, 1], []),
        ([None, 3], [0, 1], []),
        ([1, 2], [0.25, 0.25], ["all 2 fits of the grid score 0.25: validation tells nothing"]),
    ],
)
def test_edges_are_warned_of_for_numbers_only(training, values, scores, expected):
    assert best(training, fits(scores, values, "x")).report["warnings"] == expected


def test_a_score_at_chance_is_told(make_training_set):
    def validate(model):
        score = Score(model.score)
        score.sizes = [(20, 2)]  # by chance .75, the best of a hundred orders about .9
        return score

    report = best(make_training_set(validate=validate), fits([0.5, 0.75, 0.25])).report
    [said] = report["warnings"]
    assert "this fit found NOTHING: MRR 0.7500" in said and re.search(r"has 0\.(8|9)", said)
    assert at_chance(Score(0.1), CRITERIA["mrr"]) == []  # chance is not known


@pytest.mark.parametrize("sizes", [[(1, 1)], [(5, 1), (3, 1)], [(1, 4)], [(2, 2)]])
@pytest.mark.parametrize("name", CRITERIA)
def test_where_chance_may_find_everything_nothing_is_said(sizes, name):
    score = Score(CRITERIA[name].of_ranks(np.ones(1)))
    score.sizes = sizes
    assert at_chance(score, CRITERIA[name]) == []


@pytest.mark.parametrize(
    ("scores", "waited"),
    [
        ([1, 2, 2, 4], [0, 1, 0]),  # as good is not better
        ([1, 2, 1, 4, 3, 3], [0, 1, 0, 1, 2]),
        ([NAN, 1, NAN, 2, NAN, 1.5], [0, 1, 0, 1, 2]),
    ],
)
def test_checks_without_gain_are_those_of_a_run(training, scores, waited):
    selection, found = Selection(training), []
    selection.add(Fit(Scored(9), {}, {"size": 2}))
    for fit in fits(scores, name="steps"):
        selection.add(replace(fit, chosen={**fit.chosen, "size": 3}))
        found.append(selection.checks_without_gain(size=3))
    assert found == [0, *waited]


@pytest.mark.parametrize(
    ("given", "score_of", "beyond"),
    [
        ([2.5, 0.625, 0.25, 0.1], lambda x: -abs(x - 0.25), []),  # inside
        ([2.5, 0.625, 0.25, 0.1], lambda x: -x, [0.04, 0.016, 0.0064]),
        ([2.5, 0.625, 0.25, 0.1], lambda x: x, [10.0, 40.0]),  # by the last step, up to a bound
        ([2.5, 0.625, 0.25, 0.1], lambda x: -abs(x - 3), [10.0]),  # beyond it is worse
        ([0.03, 0.01], lambda x: -x, [0.00333, 0.00111]),  # three digits, down to a bound
        ([1.0, 0.1], lambda x: 0, [10.0]),  # of equals the first one
        ([3.0], lambda x: x, []),
    ],
)
@pytest.mark.parametrize("extend", [3, 0])
def test_a_grid_goes_on_where_its_best_is_at_an_edge(training, given, score_of, beyond, extend):
    selection = Selection(replace(training, extend=extend))
    for value in selection.grid("x", given, low=1e-3, high=50):
        for rank in (2, 1):  # another option, of which the best has the edge
            selection.add(Fit(Scored(rank + score_of(value)), {}, {"x": value, "rank": rank}))
    tried = [entry["x"] for entry in selection.result().report["validation"]]
    assert tried[::2] == tried[1::2] == given + beyond[:extend]


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


FIGURES = {
    "mrr": reciprocal_rank,
    "p@1": lambda ranks: np.mean(ranks == 1),
    "authors": lambda ranks: -1 / reciprocal_rank(ranks),
}


@pytest.mark.parametrize("languages", [LANGUAGES, ("vi", "da")])
@pytest.mark.parametrize("name", CRITERIA)
def test_the_mean_of_a_criterion_over_directed_pairs(planted, model, languages, name):
    found = validation(*planted, languages, criterion=CRITERIA[name])(model)
    assert found == pytest.approx(by_brute_force(planted, languages, FIGURES[name]))
    assert len(found.sizes) == len(languages) * (len(languages) - 1)
    assert CRITERIA["authors"].of_ranks(np.array([np.inf])) == -np.inf


def test_chance_is_the_best_of_a_hundred_random_orders(planted, model):
    """Of reciprocals of ranks that are all equally likely; the best of 100 is 2.5 deviations up."""
    score, (_, drawn) = validation(*planted, ("da", "vi"))(model), planted
    sizes = [len(drawn.search_space(x, ("da", "vi"), "validation")) for x in ("da", "vi")]
    assert score.sizes == [(20, n) for n in reversed(sizes)]
    reciprocals = [1 / np.arange(1, n + 1) for n in sizes]
    mean = np.mean([x.mean() for x in reciprocals])
    deviation = np.sqrt(sum(x.var() / 20 for x in reciprocals)) / 2
    for deviations, said in ((1.5, 1), (4.5, 0)):
        found = Score(mean + deviations * deviation)
        found.sizes = score.sizes
        assert len(at_chance(found, CRITERIA["mrr"])) == said


def test_of_a_pair_that_others_link_only_its_own_queries_count(planted, model):
    built, drawn = planted
    queries = drawn.queries[(drawn.queries["first"] == "da") & (drawn.queries["second"] == "vi")]
    own = replace(drawn, queries=queries)
    expected = by_brute_force((built, own), LANGUAGES)
    for given in (None, [("da", "vi")]):
        found = validation(built, own, LANGUAGES, pairs=given)(model)
        assert found == pytest.approx(expected)
    tested = replace(drawn, queries=queries[queries["role"] == "test"])
    with pytest.raises(UserError, match=r"no validation query for da, vi: raise splits\.max_share"):
        validation(built, tested, ("da", "vi"))(model)


def test_the_first_measure_counts(planted, model):
    score = validation(*planted, LANGUAGES)
    turned = replace(model, measures=("csls", "cosine"))
    assert score(replace(model, measures=("cosine",))) == score(model)
    assert score(turned) == score(replace(model, measures=("csls",))) != score(model)


def test_a_task_with_data_of_its_own_may_decide(planted, model):
    built, _ = planted
    generator = np.random.default_rng(3)

    def documents(n):
        counts = sparse.csr_matrix(generator.poisson(0.5, (n, 30)))
        about = {"id": [f"d{i}" for i in range(n)], "label": generator.choice(["x", "y"], n)}
        return Texts(pd.DataFrame(about), counts)

    own = {x: {"labelled": documents(50), "validation": documents(30)} for x in LANGUAGES}
    task = Task(Classification(labelled=["en"]), own)
    found = validation(built, None, LANGUAGES, criterion=CRITERIA["p@1"], task=task)(model)
    labelled = own["en"]["labelled"]
    expected = [_accuracy(own[language]["validation"], labelled) for language in LANGUAGES]
    assert 0.2 < found < 0.8
    assert found == pytest.approx(np.mean(expected))


def _accuracy(queries, labelled):
    """By all cosines; of candidates of both labels as near as one another none is right."""
    Q, C = queries.counts.toarray().astype(float), labelled.counts.toarray().astype(float)
    cosines = (Q / np.linalg.norm(Q, axis=1)[:, None]) @ (C / np.linalg.norm(C, axis=1)[:, None]).T
    is_answer = np.equal.outer(*(x.about["label"].to_numpy() for x in (queries, labelled)))
    best = np.where(is_answer, cosines, -1).max(axis=1)
    return (best > np.where(is_answer, -1, cosines).max(axis=1) + 1e-6).mean()


def test_a_model_is_validated_on_words_that_no_training_document_has(planted, model):
    """A word that is not in the list counts as its beginning."""
    built, drawn = planted
    longer = pd.DataFrame({"word": [*WORDS[:-1], WORDS[-1] + "en"]})
    changed = {**built, "vi": replace(built["vi"], words=longer)}
    words = {**model.words, "vi": WORDS[:-1]}
    begins = replace(model, words=words, fallbacks={"vi": Fallbacks(beginnings=[WORDS[-1]])})
    expected = validation(built, drawn, LANGUAGES)(model)
    assert validation(changed, drawn, LANGUAGES)(begins) == expected
