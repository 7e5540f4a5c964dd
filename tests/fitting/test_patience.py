import math

import pytest

from cr5.fitting.best import best
from cr5.fitting.contract import Fit
from cr5.fitting.criteria import CRITERIA, MRR
from cr5.fitting.patience import Patience
from cr5.fitting.tried import Tried

NAN = math.nan


def checks_until_over(scores, patience, criterion=MRR):
    tried = Tried(criterion)
    for number, score in enumerate(scores, start=1):
        tried.add({"size": 3, "steps": number}, score)
        patience.hear(tried)
        if patience.over:
            return number
    return None


@pytest.mark.parametrize(
    ("scores", "checks", "expected"),
    [
        ([1, 2, 3, 4], 1, None),
        ([1, 2, 2, 4], 1, 3),  # as good is not better
        ([1, 2, 1, 4, 3, 3], 2, 6),
        ([5, 4, 3, 2], 3, 4),
        ([NAN, NAN, 1], 2, 2),
        ([NAN, 1, NAN, 2, NAN, 1.5], 2, 6),
    ],
)
def test_it_is_over_after_so_many_checks_without_a_better_one(scores, checks, expected):
    assert checks_until_over(scores, Patience("size", checks)) == expected


def test_by_the_authors_criterion_less_is_better():
    scores = [3.0, 2.0, 1.0, 2.0]
    assert checks_until_over(scores, Patience("size", 1), CRITERIA["authors"]) == 4


def test_runs_are_apart(make_training_set):
    """The first two fits are made before either is validated, here of two runs."""
    scores = {(1, 1): 0.9, (2, 1): 0.2, (2, 2): 0.3, (2, 3): 0.1, (3, 1): 0.1, (3, 2): 0.1}
    patience, made = Patience("size", 1), []

    def fits():
        for size, most in ((1, 1), (2, 9), (3, 9)):
            patience.begin()
            for steps in range(1, most + 1):
                made.append((size, steps))
                yield Fit((size, steps), {}, {"size": size, "steps": steps})
                if patience.over:
                    break

    kept = best(make_training_set(validate=scores.get), fits(), patience)
    assert made == list(scores)
    assert kept.chosen == {"size": 1, "steps": 1}
    assert "beyond" not in kept.report
