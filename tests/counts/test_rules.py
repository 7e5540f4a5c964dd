from typing import get_args

import pytest
from pydantic import TypeAdapter

from cr5.counts.rules import Bounds, Weighting
from cr5.counts.weighting import TERM_FREQUENCIES


def test_every_term_frequency_may_be_configured_and_no_other():
    assert set(get_args(Weighting.__annotations__["term_frequency"])) == set(TERM_FREQUENCIES)


@pytest.mark.parametrize("bounds", ["[0, 0]", "[5, 5]", "[1, 20]"])
def test_bounds(bounds):
    least, most = TypeAdapter(Bounds).validate_json(bounds, strict=True)
    assert least <= most
