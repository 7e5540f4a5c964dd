"""What figures share."""

import matplotlib
import pytest

from cr5.base.origin import Origin
from cr5.report.canvas import save_figure


@pytest.fixture
def check_bytes(tmp_path):
    """A function: draw and write a figure twice, the second time in another style of the user's.

    It takes two functions without arguments that should draw the same, or one.
    """
    source = Origin(7, "a1b2", "c3d4", ("1.0+abc",))

    def check(draw, again=None):
        save_figure(draw(), tmp_path / "a", source)
        with matplotlib.rc_context({"font.size": 20, "axes.facecolor": "red"}):
            save_figure((again or draw)(), tmp_path / "b", source)
        for ending in ("svg", "pdf", "png"):
            first = (tmp_path / f"a.{ending}").read_bytes()
            assert len(first) > 1000
            assert first == (tmp_path / f"b.{ending}").read_bytes(), ending
            assert b"CreationDate" not in first
            assert b"<dc:date>" not in first

    return check
