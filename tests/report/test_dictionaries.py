import pandas as pd
import pytest

from cr5.report.dictionaries import HEADINGS, coverage_notes, dictionary_table
from cr5.report.table import to_markdown


@pytest.fixture
def coverage():
    counts = dict.fromkeys(HEADINGS, 0)
    there = {"entries": 12345, "other_part": 300, "used": 12045, "words": 9000, "queries": 8000}
    return pd.DataFrame(
        [
            {"query": "vi", "target": "da", **counts, "inverted": False, "file": ""},
            {"query": "en", "target": "da", **there, "inverted": True, "file": "da-en.txt"},
            {"query": "da", "target": "en", **there, "inverted": False, "file": "da-en.txt"},
        ]
    ).fillna(0)


def test_each_reason_stands_beside_its_count(coverage):
    text = to_markdown(dictionary_table(coverage, "my_corpus", "words"))
    rows = [[cell.strip() for cell in x.split("|")[1:-1]] for x in text.splitlines() if "→" in x]
    assert rows[0] == ["da→en", "12,345", "300", "0", "0", "0", "0", "12,045", "9,000", "8,000",
                       "da-en.txt"]  # fmt: skip
    assert rows[1][0] == "en→da" and rows[1][-1] == "da-en.txt, inverted"
    assert rows[2] == ["vi→da", *["–"] * 9, "none"]


def test_scores_say_of_how_much_of_the_dictionaries_they_are(coverage):
    assert coverage_notes(coverage) == [
        "Queries, of the words that the dictionary has: en→da 8,000 of 9,000, da→en 8,000 of "
        "9,000.",
        "No dictionary for vi→da.",
    ]
    assert coverage_notes(coverage[:0]) == []
