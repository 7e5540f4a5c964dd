"""Configuration files that are read; those that are refused are in `tests/refused/readers.txt`."""

import pytest

from cr5.base.errors import UserError
from cr5.plan import config_files


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a: {b: [1, x]}\nc: 1.5\n", {"a": {"b": [1, "x"]}, "c": 1.5}),
        ("\ufeffa: ü\n", {"a": "ü"}),
        # A key of what is merged may be given again: that is what merging is for.
        ("x: &x {a: 1, b: 2}\ny: {<<: *x, a: 3}\nz: *x\n",
         {"x": {"a": 1, "b": 2}, "y": {"a": 3, "b": 2}, "z": {"a": 1, "b": 2}}),
        ("a: 0\nb: 0.5\nc: 0x1f\nd: 10:30x\n", {"a": 0, "b": 0.5, "c": 31, "d": "10:30x"}),
        ("a: {x: 1}\nb: {x: 1}\n", {"a": {"x": 1}, "b": {"x": 1}}),
        ("'no': 1\n3: {'1.10': 2}\n", {"no": 1, 3: {"1.10": 2}}),
    ],
)  # fmt: skip
def test_what_is_right_is_read(tmp_path, content, expected):
    path = tmp_path / "mine.yaml"
    path.write_text(content, encoding="utf-8")
    assert config_files.read(path) == expected


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UserError, match=r"mine\.yaml: expected a configuration file"):
        config_files.read(tmp_path / "mine.yaml")
