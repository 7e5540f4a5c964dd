"""Fits are scored on validation queries, and the best of them is kept with what was tried."""

import itertools
import json
import math
import re
import weakref
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.contracts.model import Model
from cr5.contracts.training import CRITERIA, Fit, SearchSize, Validation
from cr5.contracts.vocabulary import Fallbacks
from cr5.fitting.choose import ALIKE, Selection, Task, Validator, added, at_chance, best
from cr5.tasks.base import Texts
from cr5.tasks.classification import Classification
from tests.kit.concepts import LANGUAGES, made_bags, made_draw, made_model

NAN = math.nan


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
    """A fit for each score, with a value of its own."""
    for value, score in zip(values or range(len(scores)), scores, strict=True):
        yield Fit(Scored(score), {"said": f"of {value}"}, {name: value})


def score_of(model):
    return Validation(model.score)


@pytest.fixture
def training(make_training_set):
    return make_training_set(validate=score_of)


def test_the_best_is_kept_with_what_was_tried(training):
    best_fit = best(training, fits([0.25, 0.75, NAN, 0.5], [10, 20, 30, 40]))
    assert best_fit.model == Scored(0.75)
    assert best_fit.chosen == {"rank": 20}
    assert json.loads(json.dumps(best_fit.report, allow_nan=False)) == {
        "rank": 20,
        "said": "of 20",
        "criterion": "mrr",
        "validation": [
            {"rank": 10, "mrr": 0.25},
            {"rank": 20, "mrr": 0.75},
            {"rank": 30, "mrr": None},
            {"rank": 40, "mrr": 0.5},
        ],
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
    single = best(make_training_set(validate=pytest.fail), fits([NAN], [7]))
    assert single.report == {"rank": 7, "said": "of 7"}


@pytest.mark.parametrize(
    ("values", "scores", "expected"),
    [
        ([1, 2, 3], [1, 2, 0], []),
        ([3, 1, 2], [2, 1, 0], ["the best x, 3, is at the edge of the grid"]),
        ([0, 0.5, 1], [2, 1, 0], []),  # a weight that is left out
        (["l1", "l2", "none"], [2, 1, 0], []),
        ([True, False], [2, 1], []),
        ([None, 3], [0, 1], []),
        ([1, 2], [0.25, 0.25], [f"{ALIKE}: all 2 score 0.25, so the first is taken"]),
    ],
)
def test_edges_are_warned_of_for_numbers_only(training, values, scores, expected):
    assert best(training, fits(scores, values, "x")).report["warnings"] == expected


def test_what_is_tried_is_told_with_its_score(training):
    told = []
    best(replace(training, tell=told.append), fits([0.5, 0.25], [7, 9], "x"))
    assert told == [
        "fit: x 7: MRR 0.5000 on validation queries",
        "fit: x 9: MRR 0.2500 on validation queries",
    ]


def test_of_several_choices_one_line_says_that_validation_cannot_choose(training):
    first = best(training, fits([0.5, 0.5], [7, 9], "x"))
    second = best(training, fits([1, 1, 1], [1, 2, 3], "y"))
    expected = [f"{ALIKE}: all 2 score 0.5, so the first is taken"]
    assert added(first, second, "y_validation").report["warnings"] == expected


def test_a_score_at_chance_is_told(make_training_set):
    def validate(model):
        # by chance .75, the best of a hundred orders about .9
        return Validation(model.score, [SearchSize(n_queries=20, n_candidates=2)])

    report = best(make_training_set(validate=validate), fits([0.5, 0.75, 0.25])).report
    [warning] = report["warnings"]
    assert "this fit found NOTHING: MRR 0.7500" in warning
    assert re.search(r"has 0\.(8|9)", warning)


def test_without_the_sizes_of_searches_chance_is_not_known():
    assert at_chance(Validation(0.1), CRITERIA["mrr"]) == []


@pytest.mark.parametrize("sizes", [[(1, 1)], [(5, 1), (3, 1)], [(1, 4)], [(2, 2)]])
@pytest.mark.parametrize("name", CRITERIA)
def test_where_chance_may_find_everything_nothing_is_said(sizes, name):
    all_found = CRITERIA[name].of_ranks(np.ones(1))
    validation = Validation(all_found, [SearchSize(*size) for size in sizes])
    assert at_chance(validation, CRITERIA[name]) == []


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([1, 2, 2, 4], [0, 0, 1, 0]),  # as good is not better
        ([1, 2, 1, 4, 3, 3], [0, 0, 1, 0, 1, 2]),
        ([NAN, 1, NAN, 2, NAN, 1.5], [0, 0, 1, 0, 1, 2]),
    ],
)
def test_checks_without_gain_are_those_of_a_run(training, scores, expected):
    selection = Selection(training)
    selection.add(Fit(Scored(9), {}, {"size": 2}))
    n_checks = []
    for fit in fits(scores, name="steps"):
        selection.add(replace(fit, chosen={**fit.chosen, "size": 3}))
        n_checks.append(selection.checks_without_gain(size=3))
    assert n_checks == expected


GRID = [2.5, 0.625, 0.25, 0.1]


def test_two_models_at_most_are_held(training):
    """The one that is best so far, and the next one, which is being made or validated."""
    references = []

    def fits_that_count():
        for score in (1, 3, 2, 5, 4):
            assert sum(reference() is not None for reference in references) <= 1
            model = Scored(score, {"words": []})
            references.append(weakref.ref(model))
            fit = Fit(model, {}, {"rank": score})
            del model
            yield fit
            del fit

    best(training, fits_that_count())
    assert len(references) == 5


@pytest.mark.parametrize(
    ("values", "best_value", "beyond"),
    [
        (GRID, 0.25, []),  # inside
        (GRID, 0, [0.04, 0.016, 0.0064]),
        (GRID, 100, [10.0, 40.0]),  # by the last step, up to a bound
        (GRID, 3, [10.0]),  # beyond it is worse
        ([0.03, 0.01], 0, [0.00333, 0.00111]),  # three digits, down to a bound
        ([3.0], 100, []),
    ],
)
@pytest.mark.parametrize("extend", [3, 0])
def test_a_grid_goes_on_where_its_best_is_at_an_edge(training, values, best_value, beyond, extend):
    selection = Selection(replace(training, extend=extend))
    for value in selection.grid("x", values, low=1e-3, high=50):
        for rank in (2, 1):  # another option, of which the best has the edge
            model = Scored(rank - abs(value - best_value))
            selection.add(Fit(model, {}, {"x": value, "rank": rank}))
    tried = [entry["x"] for entry in selection.result().report["validation"]]
    assert tried[::2] == values + beyond[:extend]
    assert tried[1::2] == values + beyond[:extend]


def test_of_values_that_score_the_same_the_first_is_at_the_edge(training):
    selection = Selection(replace(training, extend=3))
    for value in selection.grid("x", [1.0, 0.1], high=50):
        for rank in (2, 1):
            selection.add(Fit(Scored(rank), {}, {"x": value, "rank": rank}))
    tried = [entry["x"] for entry in selection.result().report["validation"]]
    assert tried == [1.0, 1.0, 0.1, 0.1, 10.0, 10.0]


@pytest.fixture(scope="module")
def planted():
    """Bags of three languages, in which a concept's is alike, and a draw."""
    bags = made_bags(noise=1.0)
    return bags, made_draw(bags)


@pytest.fixture
def model():
    return made_model()


def reciprocal_rank(ranks):
    return (1 / ranks).mean()


def cosines_of(query_counts, candidate_counts):
    """Q x C, by dense matrices."""
    queries = query_counts.toarray().astype(float)
    candidates = candidate_counts.toarray().astype(float)
    lengths = np.outer(np.linalg.norm(queries, axis=1), np.linalg.norm(candidates, axis=1))
    return queries @ candidates.T / lengths


def counts_of(bags, concepts):
    return bags.counts[bags.rows(concepts)]


def by_brute_force(planted, languages, figure=reciprocal_rank):
    """The mean reciprocal rank of validation queries by cosine, all of it written out."""
    bags, drawn = planted
    table = drawn.queries[drawn.queries["role"] == "validation"]
    figures = []
    for query_language, target_language in itertools.permutations(languages, 2):
        first, second = sorted([query_language, target_language])
        of_pair = (table["first"] == first) & (table["second"] == second)
        queries = sorted(table.loc[of_pair, "concept"])
        if not queries:
            continue
        space = drawn.search_space(target_language, languages, "validation")
        cosines = cosines_of(
            counts_of(bags[query_language], queries), counts_of(bags[target_language], space)
        )
        of_answers = cosines[np.arange(len(queries)), space.get_indexer(queries)]
        is_not_worse = cosines >= of_answers[:, None] - 1e-6
        figures.append(figure(is_not_worse.sum(axis=1)))
    return np.mean(figures)


def share_of_first(ranks):
    return np.mean(ranks == 1)


def minus_inverse(ranks):
    return -1 / reciprocal_rank(ranks)


FIGURES = {"mrr": reciprocal_rank, "p@1": share_of_first, "authors": minus_inverse}


def validated(planted, model, languages, **options):
    bags, drawn = planted
    validator = Validator(bags, drawn, languages, **options)
    return validator(model)


@pytest.mark.parametrize(("languages", "n_searches"), [(LANGUAGES, 6), (("vi", "da"), 2)])
@pytest.mark.parametrize("name", CRITERIA)
def test_the_mean_of_a_criterion_over_directed_pairs(planted, model, languages, n_searches, name):
    validation = validated(planted, model, languages, criterion=CRITERIA[name])
    expected = by_brute_force(planted, languages, FIGURES[name])
    assert validation.score == pytest.approx(expected)
    assert len(validation.sizes) == n_searches


def test_the_authors_criterion_of_queries_without_an_answer():
    assert CRITERIA["authors"].of_ranks(np.array([np.inf])) == -np.inf


@pytest.mark.parametrize(("n_deviations", "n_warnings"), [(1.5, 1), (4.5, 0)])
def test_chance_is_the_best_of_a_hundred_random_orders(planted, model, n_deviations, n_warnings):
    """Of reciprocals of ranks that are all equally likely; the best of 100 is 2.5 deviations up."""
    _, drawn = planted
    sizes = validated(planted, model, ("da", "vi")).sizes
    means = []
    variances = []  # of the mean of 20 queries
    for size, target_language in zip(sizes, ("vi", "da"), strict=True):
        n_candidates = len(drawn.search_space(target_language, ("da", "vi"), "validation"))
        assert size == (20, n_candidates)
        reciprocals = 1 / np.arange(1, n_candidates + 1)
        means.append(reciprocals.mean())
        variances.append(reciprocals.var() / 20)
    deviation = np.sqrt(sum(variances)) / 2
    validation = Validation(np.mean(means) + n_deviations * deviation, sizes)
    assert len(at_chance(validation, CRITERIA["mrr"])) == n_warnings


@pytest.fixture
def linked(planted):
    """The same, with queries of the pair da-vi alone."""
    bags, drawn = planted
    queries = drawn.queries
    of_pair = (queries["first"] == "da") & (queries["second"] == "vi")
    return bags, replace(drawn, queries=queries[of_pair])


@pytest.mark.parametrize("pairs", [None, [("da", "vi")]])
def test_of_a_pair_that_others_link_only_its_own_queries_count(linked, model, pairs):
    validation = validated(linked, model, LANGUAGES, pairs=pairs)
    assert validation.score == pytest.approx(by_brute_force(linked, LANGUAGES))


def test_without_validation_queries_a_system_is_left_out(linked, model):
    bags, drawn = linked
    is_test = drawn.queries["role"] == "test"
    without_validation = replace(drawn, queries=drawn.queries[is_test])
    with pytest.raises(UserError, match=r"no validation query for da, vi: raise splits\.max_share"):
        validated((bags, without_validation), model, ("da", "vi"))


def test_the_first_measure_counts(planted, model):
    bags, drawn = planted
    validate = Validator(bags, drawn, LANGUAGES)
    by_cosine = validate(replace(model, measures=("cosine",)))
    by_csls = validate(replace(model, measures=("csls",)))
    assert by_cosine != by_csls
    assert validate(replace(model, measures=("cosine", "csls"))) == by_cosine
    assert validate(replace(model, measures=("csls", "cosine"))) == by_csls


def test_a_task_with_data_of_its_own_may_decide(planted, model):
    bags, _ = planted
    generator = np.random.default_rng(3)

    def documents(n_documents):
        counts = sparse.csr_matrix(generator.poisson(0.5, (n_documents, 30)))
        ids = [f"d{number}" for number in range(n_documents)]
        labels = generator.choice(["x", "y"], n_documents)
        return Texts(pd.DataFrame({"id": ids, "label": labels}), counts)

    texts = {}
    for language in LANGUAGES:
        labelled = documents(50)
        texts[language] = {"labelled": labelled, "validation": documents(30)}
    task = Task(Classification(labelled=["en"]), texts)
    validate = Validator(bags, None, LANGUAGES, criterion=CRITERIA["p@1"], task=task)
    score = validate(model).score
    labelled = texts["en"]["labelled"]
    expected = [accuracy(texts[language]["validation"], labelled) for language in LANGUAGES]
    assert 0.2 < score < 0.8
    assert score == pytest.approx(np.mean(expected))


def accuracy(queries, labelled):
    """By all cosines; of candidates of both labels as near as one another none is right."""
    cosines = cosines_of(queries.counts, labelled.counts)
    query_labels = queries.about["label"].to_numpy()
    is_answer = np.equal.outer(query_labels, labelled.about["label"].to_numpy())
    nearest_answer = np.where(is_answer, cosines, -1).max(axis=1)
    nearest_other = np.where(is_answer, -1, cosines).max(axis=1)
    return (nearest_answer > nearest_other + 1e-6).mean()


def test_a_model_is_validated_on_words_that_no_training_document_has(planted, model):
    """A word that is not in the list counts as its beginning."""
    bags, drawn = planted
    *words, last = model.words["vi"]
    longer = pd.DataFrame({"word": [*words, last + "en"]})
    changed = {**bags, "vi": replace(bags["vi"], words=longer)}
    of_vietnamese = {"vi": words}
    fallbacks = {"vi": Fallbacks(beginnings=[last])}
    expected = Validator(bags, drawn, LANGUAGES)(model)
    with_beginning = replace(model, words=model.words | of_vietnamese, fallbacks=fallbacks)
    assert Validator(changed, drawn, LANGUAGES)(with_beginning) == expected
