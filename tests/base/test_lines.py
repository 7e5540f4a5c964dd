import io
import json
import lzma

import pytest

from cr5.base import json_lines
from cr5.base.lines import bounded, decoded, read_lines


def test_lines_with_where_they_stand(tmp_path):
    path = tmp_path / "a.xz"
    path.write_bytes(lzma.compress("\ufeffæ\r\n\nb\u2028c".encode()))
    assert list(read_lines(path)) == [
        (f"{path}, line 1", "æ"),
        (f"{path}, line 2", ""),
        (f"{path}, line 3", "b\u2028c"),
    ]


def test_a_byte_order_mark_goes_before_the_first_line_alone():
    lines = b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n"
    assert list(bounded(io.BytesIO(lines), "x")) == [b"a\n", b"\xef\xbb\xbfb\n"]
    assert [text for _, text in decoded(bounded(io.BytesIO(lines), "x"), "x")] == ["a", "b"]


def test_json_with_each_key_once_is_read_as_json_reads_it():
    text = '{"a": [1, 2.5, null], "b": {"a": "x"}}'
    assert json_lines.loads(text) == json.loads(text)
    for twice in ('{"a": 1, "a": 1}', '[{"b": {"a": 1, "c": 2, "a": 3}}]'):
        with pytest.raises(KeyError, match="a"):
            json_lines.loads(twice)
