import json

import pytest

from cr5.base import json_lines


def test_what_has_each_key_once_is_read_as_json_reads_it():
    text = '{"a": [1, 2.5, null], "b": {"a": "x"}}'
    assert json_lines.loads(text) == json.loads(text)


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', '[{"b": {"a": 1, "c": 2, "a": 3}}]'])
def test_a_key_that_stands_twice_is_named(text):
    with pytest.raises(KeyError, match="a"):
        json_lines.loads(text)
