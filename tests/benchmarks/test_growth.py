import numpy as np
import pandas as pd
import pytest

from benchmarks import growth


@pytest.fixture
def table():
    """CPU time that grows in proportion, memory with the square root."""
    rows = []
    for grows, shape in growth.cases():
        cost = 3.0 * shape[grows] / growth.BASE[grows]
        rows.append({"grows": grows, **shape, "cpu_seconds": cost, "memory_mib": np.sqrt(cost)})
    return pd.DataFrame(rows)


def test_one_thing_grows_at_a_time():
    for grows, shape in growth.cases():
        assert {key: value for key, value in shape.items() if key != grows} == {
            key: value for key, value in growth.BASE.items() if key != grows
        }
    assert max(shape["languages"] for _, shape in growth.cases()) == 28


def test_exponent(table):
    part = table[table["grows"] == "rank"]
    assert growth.exponent(part, "rank", "cpu_seconds") == pytest.approx(1)
    assert growth.exponent(part, "rank", "memory_mib") == pytest.approx(0.5)


def test_figure_has_a_panel_for_each_cost_and_growth(table):
    axes = growth.draw(table).axes
    assert len(axes) == 2 * len(growth.GROWTH)
    assert axes[0].get_title() == "~ documents ^ 1.0"


def test_picture_is_the_same_every_time(table, tmp_path):
    for name in ("one.svg", "two.svg"):
        growth.save(growth.draw(table), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
