import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.report.corpus import PAIRS, language_table, pair_table

LANGUAGES = pd.DataFrame(
    [("vi", 2560, 1479, 1234567, 20000, 61.25, 0), ("en", 10, 9, 80, 7, None, 60)],
    columns=[
        *["language", "documents", "kept_documents", "tokens", "words"],
        *["mean_unique_words", "nonzeros"],
    ],
)
PARAGRAPHS = pd.DataFrame(
    [("vi", 2560, 5000, 650, 2400, 1950)],
    columns=["language", "pages", "paragraphs", "kept", "dropped", "apart"],
)


def test_languages():
    table = language_table(LANGUAGES, "x")
    assert table.header == [
        "Language",
        "Documents",
        "Kept",
        "Tokens",
        "Vocabulary",
        "Unique words per document",
        "Nonzeros",
    ]
    assert table.blocks == [
        (
            "",
            [
                ["vi", "2,560", "1,479", "1,234,567", "20,000", "61.2", "0"],
                ["en", "10", "9", "80", "7", "–", "60"],
            ],
        )
    ]


def test_a_language_without_paragraphs_has_dashes_and_an_empty_field():
    table = language_table(LANGUAGES, "x", PARAGRAPHS)
    rows = table.blocks[0][1]
    assert rows[0][-5:] == ["2,560", "5,000", "650", "2,400", "1,950"]
    assert rows[1][-5:] == ["–"] * 5
    assert table.data.to_csv(index=False).splitlines()[1:] == [
        "vi,2560,1479,1234567,20000,61.25,0,2560,5000,650,2400,1950",
        "en,10,9,80,7,,60,,,,,",
    ]


def test_distinct_words_are_shown_if_known():
    table = language_table(LANGUAGES.assign(distinct_words=[31000, 8]), "x")
    assert table.header[4:6] == ["Distinct words", "Vocabulary"]
    assert [row[4:6] for row in table.blocks[0][1]] == [["31,000", "20,000"], ["8", "7"]]


def test_pairs():
    joint = pd.DataFrame([("da", "en", 79000, 77000, 1000, 0)], columns=PAIRS)
    alone = pd.DataFrame([("da", "vi", 25, 20, 2, 3)], columns=PAIRS)
    table = pair_table({"joint": joint, "pairwise_da-vi": alone}, "x")
    assert table.header == ["Pair", "Setting", "Concepts", "Train", "Validation", "Test"]
    assert table.blocks == [
        (
            "",
            [
                ["da–en", "joint", "79,000", "77,000", "1,000", "0"],
                ["da–vi", "pairwise", "25", "20", "2", "3"],
            ],
        )
    ]
    assert table.data["setting"].tolist() == ["joint", "pairwise_da-vi"]


def test_bad_input():
    with pytest.raises(UserError, match=r"corpus statistics: expected the column\(s\) nonzeros"):
        language_table(LANGUAGES.drop(columns="nonzeros"), "x")
    with pytest.raises(UserError, match="paragraphs: more than one row for language vi"):
        language_table(LANGUAGES, "x", pd.concat([PARAGRAPHS, PARAGRAPHS]))
    with pytest.raises(UserError, match="pairs of joint: no rows"):
        pair_table({"joint": pd.DataFrame(columns=PAIRS)}, "x")
