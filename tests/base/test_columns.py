import re

import pytest

from cr5.base.columns import read_columns
from cr5.base.errors import UserError


def read(path, content, names=("id", "text")):
    path.write_text(content, encoding="utf-8")
    return [fields for _, fields in read_columns(path, names)]


def test_columns_are_read_by_their_names_in_any_order(tmp_path):
    content = "text\tmore\tid\nOne day\tx\t7\n\nTwo\t\t8\n"
    assert read(tmp_path / "a.tsv", content) == [["7", "One day"], ["8", "Two"]]
    assert read(tmp_path / "a.tsv", content, ["more"]) == [["x"], [""]]


def test_quotes_of_a_spreadsheet_are_taken_off_and_others_are_text(tmp_path):
    lines = ['1\t"She said ""yes"", twice."', '2\t"so" and "so"', '3\t"', '4\tabout 5"', '5\t""']
    found = read(tmp_path / "a.tsv", "\n".join(["id\ttext", *lines]))
    assert [text for _, text in found] == [
        'She said "yes", twice.',
        '"so" and "so"',
        '"',
        'about 5"',
        "",
    ]


def test_a_mark_at_the_beginning_and_ends_of_lines_do_not_count(tmp_path):
    assert read(tmp_path / "a.tsv", "\ufeffid\ttext\r\n1\tx\r\n") == [["1", "x"]]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("1\tx\n", "line 1: no column 'id'; the first line must name the columns"),
        ("id,text\n1,x\n", "line 1: no column 'id'; .* has 'id,text'"),
        ("id\tid\ttext\n", "line 1: more than one column 'id'"),
        (
            "id\ttext\n1\tx\ty\n",
            r"line 2: expected 2 fields .*\(id, text\), found 3",
        ),
        ("id\ttext\n1\n", "line 2: expected 2 fields"),
        ("\n", "line 1: no column 'id'; .* has nothing"),
    ],
)
def test_another_layout_is_refused_with_its_line(tmp_path, content, said):
    with pytest.raises(UserError, match=f"{re.escape(str(tmp_path / 'a.tsv'))}, {said}"):
        read(tmp_path / "a.tsv", content)
