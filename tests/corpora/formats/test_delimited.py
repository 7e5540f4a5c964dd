import csv

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cr5.base import limits
from cr5.base.errors import UserError
from cr5.corpora.formats.delimited import read as read_rows


def read(path, content, names=("id", "text")):
    path.write_text(content, encoding="utf-8", newline="")
    return [[row[name] for name in names] for _, row in read_rows(path, names)]


def test_columns_are_read_by_their_names_in_any_order(tmp_path):
    content = "text\tmore\tid\nOne day\tx\t7\n\nTwo\t\t8\n"
    assert read(tmp_path / "a.tsv", content) == [["7", "One day"], ["8", "Two"]]
    assert read(tmp_path / "a.tsv", content, ["more"]) == [["x"], [""]]


QUOTED = ['1\t"She said ""yes"", twice."', '2\t"so" and "so"', '3\t"', '4\tabout 5"', '5\t""']


def test_quotes_of_a_spreadsheet_are_taken_off_and_others_are_text(tmp_path):
    found = read(tmp_path / "a.tsv", "\n".join(["id\ttext", *QUOTED]))
    assert [text for _, text in found] == [
        'She said "yes", twice.',
        '"so" and "so"',
        '"',
        'about 5"',
        "",
    ]


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_a_quoted_field_has_separators_and_lines(tmp_path, separator):
    lines = ["id|text", '1|"a|b"', '2|"so ""it""', "", 'ends|"', '"3"|"x', 'y"']
    found = read(tmp_path / "a", "\n".join(lines).replace("|", separator))
    expected = [["1", "a|b"], ["2", 'so "it"\n\nends|'], ["3", "x\ny"]]
    assert found == [[x.replace("|", separator) for x in row] for row in expected]


def test_quotes_that_nobody_closed_are_text_in_lines_that_are_rows_so(tmp_path):
    content = 'id\ttext\tn\n1\t"We have mice\t2\n2\t"it," she said\t3\n3\t"so\t"on\n'
    found = read(tmp_path / "a.tsv", content, ["text"])
    assert [text for [text] in found] == ['"We have mice', '"it," she said', '"so']


@pytest.mark.parametrize("separator", ["\t", ","])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_what_pandas_writes_is_read_back(tmp_path_factory, separator, quoting):
    text = st.text(st.sampled_from("ab\"\t,;\n ' å"), max_size=12)
    path = tmp_path_factory.mktemp("tables") / "a"

    @settings(derandomize=True, database=None, deadline=None, max_examples=150)
    @given(st.lists(st.tuples(text, text), min_size=1, max_size=5))
    def round_trip(rows):
        # two columns of texts between others, so that no line of a text looks like a row
        frame = pd.DataFrame([(1, *row, 2, 3, 4) for row in rows], columns=list("abcdef"))
        frame.to_csv(path, sep=separator, quoting=quoting, index=False)
        found = [(row["b"], row["c"]) for _, row in read_rows(path)]
        assert found == rows

    round_trip()


def test_a_mark_at_the_beginning_and_ends_of_lines_do_not_count(tmp_path):
    assert read(tmp_path / "a.tsv", "\ufeffid\ttext\r\n1\tx\r\n") == [["1", "x"]]


def test_the_place_of_a_row_is_its_first_line(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('id,text\n1,"a\nb"\n\n2,c\n')
    assert [where for where, _ in read_rows(path)] == [f"{path}, line 2", f"{path}, line 5"]


def test_a_quote_that_is_not_closed_does_not_hold_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "LINE", 100)
    with pytest.raises(UserError, match="line 2: a double quote begins a field and none ends it"):
        read(tmp_path / "a.csv", 'id,text\n1,"x\n' + 20 * "more text\n" + '"\n')


def test_quoted_fields_of_a_csv_file_of_one_column_may_have_several_lines(tmp_path):
    """It has no separator by which to tell it from a TSV file, where quotes may be text."""
    (tmp_path / "a.csv").write_text('text\n"x, y\nz"\nw\n')
    assert [row["text"] for _, row in read_rows(tmp_path / "a.csv")] == ["x, y\nz", "w"]
    (tmp_path / "a.tsv").write_text('text\n"x, y\nz\n')
    assert [row["text"] for _, row in read_rows(tmp_path / "a.tsv")] == ['"x, y', "z"]
