import pytest

from cr5.corpora.wikimedia.wikitext.tables import cells


def words(text):
    return cells("\n" + text).split()


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ('{| class="wikitable"\n|+ The caption\n! A !! B\n|-\n| c || d\n|}', "The caption A B c d"),
        ('{|\n|- style="x"\n| align=left | a || width=1 | b\n| c\n|}', "a b c"),
        ("{|\n! scope=col | A\n! B || C\n|}", "A B C"),
        ("{|\n|\n{| border=1\n| inner\n|}\n| outer\n|}\nafter", "inner outer after"),
        (": {|\n| indented\n |}\nafter", "indented after"),
        ("{| never closed\n| a\ntext", "a text"),
    ],
)
def test_cells_lose_their_attributes(table, expected):
    assert words(table) == expected.split()


def test_bars_outside_of_tables_are_no_business_of_ours():
    text = "\na | b || c\n! d"
    assert cells(text) == text
