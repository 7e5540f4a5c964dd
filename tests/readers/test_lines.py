"""What a file without line ends, or with other ones, does to a reader."""

import io
import re
import tracemalloc

import pytest

from cr5.base import lines as files_of_lines
from cr5.base.errors import UserError
from cr5.base.lines import read_lines
from cr5.corpora.wikimedia.concepts import page_props
from tests.kit.readers import TARGETS

MIB = 1 << 20


@pytest.fixture
def file(tmp_path):
    return tmp_path / "x.txt"


def peak(call):
    """Bytes of memory that a call takes at most."""
    tracemalloc.start()
    try:
        call()
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return most


OF_LINES = """
jsonl tsv labelled matrix dictionary judged queries judgements descriptions parallel word_table
texts compressed vec released
"""


@pytest.mark.parametrize("name", OF_LINES.split())
def test_a_line_without_end(tmp_path, monkeypatch, name):
    monkeypatch.setattr(files_of_lines, "LONGEST", MIB // 4)
    path, errors = TARGETS[name].prepare(tmp_path), []
    content = b"a " + b"1" * (24 * MIB)
    assert peak(lambda: errors.append(TARGETS[name].outcome(path, content))) < 12 * MIB
    assert re.search(f"{path}.*line 1: .*more than 262144 bytes", str(errors[0]))


def test_the_longest_line_that_may_be(file, monkeypatch):
    monkeypatch.setattr(files_of_lines, "LONGEST", 10)
    file.write_bytes(b"123456789\n" * 2 + b"1234567890")
    assert len(list(read_lines(file))) == 3
    file.write_bytes(b"123456789\n" * 2 + b"1234567890\n")
    with pytest.raises(UserError, match=r"x\.txt, line 3: the line has more than 10 bytes"):
        list(read_lines(file))


def test_separators_of_unicode_end_no_line(file):
    lines = ["a\u2028b", "c\x85d\x0be", "f\rg", "h\x1ci"]
    file.write_text("\r\n".join(lines), encoding="utf-8", newline="")
    assert [text for _, text in read_lines(file)] == lines


def test_sql_of_one_line_takes_no_memory():
    rows = b"INSERT INTO `page_props` VALUES " + b"(1,'x','',NULL)," * MIB
    stream = io.BytesIO(rows + b"(7,'wikibase_item','Q64',NULL);\n-- Dump completed\n")
    found = []
    assert peak(lambda: found.append(page_props(stream, "x"))) < 16 * MIB
    assert found[0].qids.tolist() == [64]


def test_a_q_id_of_zero_is_no_disambiguation_page():
    rows = b"(1,'wikibase_item','Q0',NULL),(2,'wikibase_item','Q5',NULL)"
    data = b"INSERT INTO `page_props` VALUES " + rows + b";\n-- Dump completed\n"
    found = page_props(io.BytesIO(data), "x")
    assert (found.page_ids.tolist(), found.disambiguation.tolist()) == ([2], [])
