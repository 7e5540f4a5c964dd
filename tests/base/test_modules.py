import pytest

from cr5.base.errors import UserError
from cr5.base.modules import load_module, running


def test_a_module_may_hold_dataclasses(tmp_path):
    """They look their module up by its name."""
    path = tmp_path / "mine.py"
    path.write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass A:\n    x: int\ndef fit(training, options): return A(4).x\n"
    )
    assert load_module(path).fit(None, {}) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import sys\nsys.exit(0)", r"mine\.py: it ended the program; let it return, or raise"),
        ("raise SystemExit", r"mine\.py: it ended the program"),
        ("import no_such_package.part", r"mine\.py: not installed: no_such_package"),
    ],
)
def test_a_module_that_cannot_be_run(tmp_path, text, message):
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(UserError, match=message):
        load_module(path)


def test_a_program_that_is_ended_ends(tmp_path):
    with pytest.raises(SystemExit), running(tmp_path / "mine.py"):
        raise SystemExit(143)
