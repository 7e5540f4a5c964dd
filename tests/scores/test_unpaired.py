"""Checked by hand, against scipy on the queries themselves, and by the claims of Platt et al."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import cr5.report
from cr5.scores.unpaired import MOMENTS, moments, p_values

FIGURES = Path(cr5.report.__file__).with_name("published_figures.csv")


def of_shares(shares, n):
    """Moments of what is 1 or 0 for each query, from the share of ones: of printed accuracies."""
    mean = pd.Series(shares)
    deviation = np.sqrt(mean * (1 - mean) * n / (n - 1))
    return pd.DataFrame({"mean": mean, "deviation": deviation, "n": n})[MOMENTS]


def plain(values):
    """Moments where each row is a query and all weigh the same."""
    frame = pd.DataFrame({"Success@1": values})
    names = pd.Series(range(len(values)))
    return moments(frame, np.full(len(values), 1 / len(values)), names)


def test_four_and_four_queries_by_hand():
    """Means .75 and .25, both variances 1/4: t = .5 / sqrt(.25 / 4 + .25 / 4) = sqrt(2), 6 free."""
    one, other = plain([1, 1, 1, 0]), plain([0, 0, 1, 0])
    assert one.loc["Success@1"].tolist() == [0.75, 0.5, 4]
    t = np.sqrt(2)
    # the distribution of t with six degrees of freedom, in closed form
    x = t / np.sqrt(t**2 + 6)
    expected = 1 - x * (1 + (1 - x**2) / 2 + 3 / 8 * (1 - x**2) ** 2)
    assert p_values(one, other) == pytest.approx([expected])


def test_as_scipy_on_the_queries_themselves():
    generator = np.random.default_rng(0)
    one, other = generator.random(70), generator.random(50) + 0.1
    expected = stats.ttest_ind(one, other).pvalue
    assert p_values(plain(one), plain(other)) == pytest.approx([expected])


def test_a_query_of_two_directions_is_one_unit():
    """Its mean over both counts, as if it had been given."""
    of_both = pd.DataFrame({"Success@1": [1, 1, 0, 0, 1, 0]})
    names = pd.Series(["a", "b", "c", "a", "b", "c"])
    found = moments(of_both, np.full(6, 1 / 6), names)
    pd.testing.assert_frame_equal(found, plain([0.5, 1, 0]))


def test_directions_with_unlike_numbers_of_queries_weigh_the_same():
    frame = pd.DataFrame({"Success@1": [1, 0, 1, 1]})
    found = moments(frame, np.array([0.5, 1 / 6, 1 / 6, 1 / 6]), pd.Series(list("abcd")))
    assert found.loc["Success@1", "mean"] == pytest.approx(0.5 + 1 / 3)


def test_where_nothing_varies_or_nothing_is_known():
    one = of_shares({"a": 1.0, "b": 1.0}, 10)
    other = of_shares({"a": 1.0, "b": 0.0}, 10)
    assert p_values(one, other).tolist() == [1, 0]
    assert p_values(plain([1]), plain([0])).tolist() == [1]


def printed(table, query):
    """Accuracies of a table of Platt et al., by row."""
    figures = pd.read_csv(FIGURES, dtype={"table": str})
    chosen = (figures["paper"] == "OPCA") & (figures["table"] == table)
    chosen &= (figures["metric"] == "accuracy") & (figures["query_lang"] == query)
    return figures[chosen].set_index("row_system")["value"].to_dict()


def by_t(shares, n):
    found = of_shares(shares, n)
    return lambda one, other: p_values(found.loc[[one]], found.loc[[other]])[0]


def test_a_p_value_that_the_paper_s_claim_needs():
    """OPCA is better than word-by-word through LSA on Spanish: p = .0055, of six tests, not 21."""
    shares = printed("3", "es")
    p = by_t(shares, 12_342)("OPCA (dim=100)", "Word-by-word (dim=50)")
    assert p == pytest.approx(0.0055, abs=5e-5)
    assert p * (len(shares) - 1) < 0.05 < p * 21
