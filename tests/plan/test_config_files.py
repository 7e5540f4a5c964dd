import re

import pytest

from cr5.base.errors import UserError
from cr5.plan import config_files


@pytest.fixture
def read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_and_read(content, name="mine.yaml"):
        content = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(content)
        return config_files.read(name)

    return write_and_read


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
    ],
)  # fmt: skip
def test_what_is_right_is_read(read, content, expected):
    assert read(content) == expected


@pytest.mark.parametrize("name", ["none.yaml", ".", "file/x"])
def test_what_is_no_file_is_named(read, tmp_path, name):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=re.escape(name)):
        config_files.read(name)
