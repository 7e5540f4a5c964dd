import json
import math
import weakref
from dataclasses import dataclass, field, replace

import pytest

from cr5.base.errors import UserError
from cr5.fitting.best import Selection, best
from cr5.fitting.contract import Fit
from cr5.fitting.criteria import CRITERIA, Score
from cr5.fitting.grid import Grid
from cr5.models.contract import Model

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
    for value, score in zip(values or range(len(scores)), scores, strict=True):
        yield Fit(Scored(score), {"said": f"of {value}"}, {name: value})


@pytest.fixture
def training(make_training_set):
    return make_training_set(validate=lambda model: model.score)


def test_the_best_is_kept_with_what_was_tried(training):
    kept = best(training, fits([0.25, 0.75, 0.5], [10, 20, 40]))
    assert kept.model == Scored(0.75)
    assert kept.chosen == {"rank": 20}
    assert kept.report == {
        "rank": 20,
        "said": "of 20",
        "criterion": "mrr",
        "validation": [
            {"rank": 10, "mrr": 0.25},
            {"rank": 20, "mrr": 0.75},
            {"rank": 40, "mrr": 0.5},
        ],
        "kept": 1,
        "warnings": [],
    }


@pytest.mark.parametrize(
    ("scores", "first"), [([0.5] * 4, 0), ([0.25, 0.5, 0.5], 1), ([0, 0], 0), ([-1, -1], 0)]
)
def test_of_equals_the_first_one_is_kept(training, scores, first):
    assert best(training, fits(scores)).chosen == {"rank": first}


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([NAN, 0.1, 0.2], 2),
        ([0.2, NAN, 0.1], 0),
        ([0.1, 0.2, NAN], 1),
        ([NAN, NAN, 0.0], 2),
        ([0.0, NAN, NAN], 0),
    ],
)
def test_nan_never_wins_and_is_null_in_the_report(training, scores, expected):
    kept = best(training, fits(scores))
    assert kept.chosen == {"rank": expected}
    tried = [None if math.isnan(score) else score for score in scores]
    read = json.loads(json.dumps(kept.report, allow_nan=False))
    assert [entry["mrr"] for entry in read["validation"]] == tried


def test_nothing_but_nan_decides_nothing(training):
    with pytest.raises(UserError, match="no score for any of the options tried"):
        best(training, fits([NAN, NAN, NAN]))


def test_nothing_to_choose_from(training):
    with pytest.raises(UserError, match="nothing to choose from: give at least one value"):
        best(training, iter([]))


def test_one_fit_is_not_validated(make_training_set):
    kept = best(make_training_set(validate=pytest.fail), fits([NAN], [7]))
    assert kept.model.score is NAN
    assert kept.report == {"rank": 7, "said": "of 7"}


@pytest.mark.parametrize("scores", [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [2, 1, 4, 3, 5, 0]])
def test_at_most_two_models_are_alive(make_training_set, scores):
    alive, most, order = weakref.WeakSet(), [], []

    def made():
        for number, score in enumerate(scores):
            most.append(len(alive) + 1)  # with the one that is made now
            order.append(("made", number))
            model = Scored(score)
            alive.add(model)
            fit = Fit(model, {}, {"number": number})
            del model
            yield fit
            del fit  # this generator holds none

    def validate(model):
        most.append(len(alive))
        order.append(("validated", scores.index(model.score)))
        return model.score

    kept = best(make_training_set(validate=validate), made())
    assert kept.model.score == max(scores)
    assert max(most) == 2
    # two are made to see whether there is a choice; after that each is validated when made
    later = [(what, number) for number in range(2, len(scores)) for what in ("made", "validated")]
    assert order[4:] == later


@pytest.mark.parametrize(
    ("values", "scores", "expected"),
    [
        ([1, 2, 3], [1, 2, 0], []),
        ([1, 2, 3], [2, 1, 0], ["the best x, 1, is at the edge of the grid"]),
        ([3, 1, 2], [2, 1, 0], ["the best x, 3, is at the edge of the grid"]),
        ([2, 1, 3], [2, 1, 0], []),
        ([0.5, 1], [0, 1], ["the best x, 1, is at the edge of the grid"]),
        ([0, 0.5, 1], [2, 1, 0], []),  # a weight that is left out
        ([0.01, 0.025], [0, 1], ["the best x, 0.025, is at the edge of the grid"]),
        (["l1", "l2", "none"], [2, 1, 0], []),
        ([True, False], [2, 1], []),
        ([None, 3], [0, 1], []),
        ([[1], [2]], [0, 1], []),
        ([5, 5], [0, 1], []),
    ],
)
def test_edges_are_warned_of_for_numbers_only(training, values, scores, expected):
    assert best(training, fits(scores, values, "x")).report["warnings"] == expected


def test_edges_of_each_option_and_the_fit_s_own_warnings(training):
    tried = [
        Fit(Scored(0.1), {"warnings": ["a"]}, {"rank": 10, "ridge": 1.0}),
        Fit(Scored(0.3), {"warnings": ["b"]}, {"rank": 20, "ridge": 2.0}),
        Fit(Scored(0.2), {"warnings": ["c"]}, {"rank": 20, "ridge": 4.0}),
    ]
    warnings = best(training, tried).report["warnings"]
    assert warnings == ["b", "the best rank, 20, is at the edge of the grid"]


def test_a_grid_of_equals_tells_nothing(training):
    warnings = best(training, fits([0.25, 0.25, 0.25])).report["warnings"]
    assert warnings == ["all 3 fits of the grid score 0.25: validation tells nothing"]


@pytest.mark.parametrize("scores", [[0.5, 0.25, 1.5], [0.5, 0.25, NAN]])
def test_by_the_authors_criterion_less_is_better(make_training_set, scores):
    training = make_training_set(validate=lambda m: m.score, criterion=CRITERIA["authors"])
    kept = best(training, fits(scores, [1, 2, 4], "x"))
    assert kept.report["criterion"] == "authors"
    assert kept.report["validation"][:2] == [{"x": 1, "authors": 0.5}, {"x": 2, "authors": 0.25}]
    assert kept.chosen == {"x": 2}
    alike = best(training, fits([0.5, 0.5, 0.5], [1, 2, 4], "x"))
    assert alike.chosen == {"x": 1}  # of equals the first one


def test_scores_of_pairs_are_kept_in_the_order_of_what_was_tried(make_training_set):
    def validate(model):
        return Score(model.score, {"da": {"en": model.score - 0.1}, "en": {"da": 0.9}})

    report = best(make_training_set(validate=validate), fits([0.5, 0.75, 0.25])).report
    assert report["validation_pairs"] == {
        "da": {"en": pytest.approx([0.4, 0.65, 0.15])},
        "en": {"da": [0.9] * 3},
    }
    assert json.loads(json.dumps(report))["validation"][1] == {"rank": 1, "mrr": 0.75}


@pytest.mark.parametrize("score", [NAN, math.inf])
def test_a_score_that_is_no_number_is_null(training, score):
    kept = best(training, fits([0.5, score]))
    assert [entry["mrr"] for entry in kept.report["validation"]] == [0.5, None]


@pytest.mark.parametrize(
    ("scores", "waited"),
    [
        ([1, 2, 3, 4], [0, 0, 0]),
        ([1, 2, 2, 4], [0, 1, 0]),  # as good is not better
        ([1, 2, 1, 4, 3, 3], [0, 1, 0, 1, 2]),
        ([5, 4, 3, 2], [1, 2, 3]),
        ([NAN, NAN, 1], [2, 0]),
        ([NAN, 1, NAN, 2, NAN, 1.5], [0, 1, 0, 1, 2]),
    ],
)
def test_checks_without_gain_are_counted(training, scores, waited):
    selection, found = Selection(training), []
    for fit in fits(scores, name="steps"):
        selection.add(replace(fit, chosen={**fit.chosen, "size": 3}))
        found.append(selection.checks_without_gain(size=3))
    assert found == [0, *waited]  # the first fit waits for a second


def test_checks_without_gain_by_the_authors_criterion(make_training_set):
    training = make_training_set(validate=lambda m: m.score, criterion=CRITERIA["authors"])
    selection = Selection(training)
    for fit in fits([3.0, 2.0, 1.0, 2.0], name="steps"):
        selection.add(fit)
    assert selection.checks_without_gain() == 1


def test_checks_without_gain_are_those_of_a_run(training):
    selection = Selection(training)
    for size, score in ((1, 0.9), (2, 0.2), (2, 0.3), (2, 0.1), (3, 0.1), (3, 0.1)):
        selection.add(Fit(Scored(score), {}, {"size": size}))
    assert [selection.checks_without_gain(size=x) for x in (1, 2, 3)] == [0, 1, 1]
    kept = selection.result()
    assert kept.chosen == {"size": 1}
    assert "beyond" not in kept.report


def on_a_grid(training, score_of, given, extend=0, **bounds):
    selection = Selection(training)
    grid = Grid(selection, "x", given, extend, **bounds)
    for value in grid:
        selection.add(Fit(Scored(score_of(value)), {}, {"x": value}))
    return selection.result(grid.report()).report


@pytest.mark.parametrize("peak", [0.002, 0.05, 1.3, 70])
def test_a_grid_goes_on_until_its_best_is_inside(training, peak):
    def score_of(value):
        return -abs(math.log(value / peak))

    report = on_a_grid(training, score_of, [3.0, 1.0, 0.3, 0.1], 9)
    values = sorted(entry["x"] for entry in report["validation"])
    assert values[0] < report["x"] < values[-1]
    assert report["warnings"] == []
    assert report.get("beyond", {"x": []})["x"] == [
        entry["x"] for entry in report["validation"][4:]
    ]
    nearest = min(values, key=lambda value: abs(math.log(value / peak)))
    assert report["x"] == nearest


def test_a_grid_beside_another_option_goes_on_by_the_best_of_both(training):
    selection = Selection(training)
    for value in Grid(selection, "x", [1.0, 0.1], 5, low=1e-2):
        for rank in (20, 10):
            selection.add(Fit(Scored(rank - 2 * value), {}, {"x": value, "rank": rank}))
    report = selection.result().report
    assert (report["x"], report["rank"], len(report["validation"])) == (0.01, 20, 6)
    assert report["warnings"] == [
        "the best x, 0.01, is at the edge of the grid",
        "the best rank, 20, is at the edge of the grid",
    ]
