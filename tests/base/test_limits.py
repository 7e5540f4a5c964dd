import re
from pathlib import Path

import pytest

from cr5.base import limits
from cr5.base.errors import UserError
from cr5.models.formats import packed

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
UNITS = {"MiB": 1 << 20, "GiB": 1 << 30, "": 1, "times": 1, "levels": 1, "values": 1}


def test_the_documentation_has_the_numbers():
    table = PAGE.read_text(encoding="utf-8").partition("## Untrusted input")[2]
    rows = re.findall(r"^\| ([^|]*\d[^|]*) \|", table, re.MULTILINE)
    numbers = [re.findall(r"([\d,]*\d) ?([A-Za-z]*)", row) for row in rows]
    said = [[int(x.replace(",", "")) * UNITS[unit] for x, unit in row] for row in numbers]
    assert said == [
        [limits.LINE],
        [limits.EXPANSION, limits.EXPANDED],
        [limits.DICTIONARY],
        [limits.PAGE],
        [limits.WHOLE],
        [limits.NAME],
        [limits.NUMBERS],
        [limits.ANSWER],
        [limits.CONFIGURATION, limits.NESTING, limits.VALUES],
        [packed.MOST, packed.ROOM],
    ]


@pytest.mark.parametrize("packed_size", [0, 1, limits.EXPANDED // limits.EXPANSION - 1])
def test_expansion(packed_size):
    limits.check_expansion(limits.EXPANDED, packed_size, "x")
    with pytest.raises(UserError, match=f"x: {packed_size} bytes unpack to {limits.EXPANDED + 1}"):
        limits.check_expansion(limits.EXPANDED + 1, packed_size, "x")


def test_what_is_large_but_text_may_expand():
    limits.check_expansion(1 << 40, 1 << 31, "x")
