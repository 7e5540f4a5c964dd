import pytest

from cr5.fitting.grid import Grid


class Choice:
    """In place of a selection: what is best so far is given."""

    best = None

    def leading(self, name):
        return self.best


def walk(given, best_of, *more, **bounds):
    """Take all values; after each, the best of those taken is known."""
    choice, taken = Choice(), []
    for value in Grid(choice, "ridge", given, *more, **bounds):
        taken.append(value)
        choice.best = best_of(taken)
    return taken


@pytest.mark.parametrize(
    ("best_of", "expected"),
    [
        (lambda taken: 0.25, []),  # inside
        (min, [0.04, 0.016]),
        (max, [10.0, 40.0]),  # by the last step at that edge, a factor of 4
        (lambda taken: 2.5, [10.0]),  # beyond it is worse
        (lambda taken: None, []),  # nothing known, or all alike
    ],
)
def test_it_goes_on_where_the_best_is_at_an_edge(best_of, expected):
    given = [2.5, 0.625, 0.25, 0.1]
    assert walk(given, best_of, 2)[4:] == expected


def test_it_stops_at_its_bounds():
    assert walk([1.0, 0.1], min, 9, low=1e-3) == [1.0, 0.1, 0.01, 0.001]
    assert walk([0.1, 1.0], max, 9, high=50) == [0.1, 1.0, 10.0]


@pytest.mark.parametrize("values", [[3.0], [3.0, 3.0]])
def test_one_value_is_no_choice(values):
    assert walk(values, min, 9) == values


def test_no_more_than_asked_for():
    assert walk([1.0, 0.1], min) == [1.0, 0.1]


def test_it_may_turn_to_the_other_edge():
    # 0.1 looks best, then 0.01 ties with what came first
    best = iter([None, 0.1, 1.0, 1.0, 1.0])
    assert walk([1.0, 0.1], lambda taken: next(best), 3) == [1.0, 0.1, 0.01, 10.0]


def test_values_are_rounded_to_three_digits():
    assert walk([0.03, 0.01], min, 2)[2:] == [0.00333, 0.00111]
