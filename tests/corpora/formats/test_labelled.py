import json
import lzma

import pytest

from cr5.base.errors import UserError
from cr5.corpora.formats.rows import labelled

TSV = "index_id\tcategory\ttext\n7\tsports\tA run\n8\ttravel\tA hill\n"
NAMES = ("index_id", "category", "text")


def write(path, content):
    path.write_text(content, encoding="utf-8")
    return path


def json_lines(*entries):
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def test_columns_and_json_lines_are_the_same(tmp_path):
    entries = [dict(zip(NAMES, x.split("\t"), strict=True)) for x in TSV.splitlines()[1:]]
    expected = [("7", "A run", "sports"), ("8", "A hill", "travel")]
    assert list(labelled(write(tmp_path / "a", TSV), *NAMES)) == expected
    assert list(labelled(write(tmp_path / "b", json_lines(*entries)), *NAMES)) == expected
    (tmp_path / "c").write_bytes(lzma.compress(TSV.encode()))
    assert list(labelled(tmp_path / "c", *NAMES)) == expected


def test_where_only_labels_are_wanted_no_text_is_needed(tmp_path):
    content = json_lines({"concept": 3, "category": " x "}, {"category": "y", "concept": "Q"})
    found = list(labelled(write(tmp_path / "a", content), "concept", "category"))
    assert found == [("3", "", "x"), ("Q", "", "y")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (TSV + "7\ttravel\tA sea\n", "a, line 4: the index_id '7' was already on line 2"),
        (TSV + "9\t \tA sea\n", 'a, line 4: "category" is empty'),
        (TSV.replace("category", "topic"), "line 2: \"category\" is missing; .* 'topic'"),
        (TSV.splitlines()[0], "a: no document"),
        (TSV + "1\0\tsports\tA\n", r"a, line 4: \"index_id\" .* cannot be kept: '1\\x00'"),
        (TSV + "9\tx\x1by\tA\n", r"a, line 4: \"category\" .* cannot be kept: 'x\\x1by'"),
    ],
)
def test_mistakes_name_file_and_line(tmp_path, content, said):
    with pytest.raises(UserError, match=said):
        list(labelled(write(tmp_path / "a", content), *NAMES))
