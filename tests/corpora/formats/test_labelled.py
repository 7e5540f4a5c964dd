import json
import lzma

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
