import pandas as pd

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


def test_a_language_that_keeps_less_than_half_is_told_what_would_keep_more():
    statistics = LANGUAGES.assign(
        language=["vi", "es"],
        documents=[2958, 441],  # vi keeps half of them exactly
        kept_documents=[1479, 7],
        unique_words=[[50, 1000]] * 2,
        suggested_unique_words=[[60, 900], [110, 2400]],
    )
    assert language_table(statistics, "x").notes == [
        "Kept: documents with a number of unique words within the limits, 50 to 1,000.",
        "es keeps 7 of 441 documents: bags.unique_words: [110, 2400] would keep 90 % of them.",
    ]
    unknown = statistics.assign(suggested_unique_words=[[60, 900], None])
    table = language_table(unknown, "x")
    assert len(table.notes) == 1
    assert "suggested_unique_words" not in table.data


def pairs(*rows):
    return pd.DataFrame(rows, columns=PAIRS)


def test_pairs():
    frame = pairs(
        ("joint", "joint", "joint", 1, "da", "vi", 30, 20, 2, 60),
        ("joint", "joint", "joint", 1, "da", "en", 79000, 77000, 1000, 800),
        ("pairwise_da-vi", "pairwise", "pairwise", 1, "da", "vi", 30, 24, 2, 60),
        ("pairwise_en-vi", "pairwise", "pairwise", 1, "en", "vi", 25, 20, 2, 3),
    )
    table = pair_table(frame, "x")
    assert table.header == ["Pair", "Setting", "Concepts", "Train", "Validation", "Test"]
    assert table.blocks == [
        (
            "",
            [
                ["da–en", "joint", "79,000", "77,000", "1,000", "800"],
                ["da–vi", "joint", "30", "20", "2", "60"],
                ["da–vi", "pairwise", "30", "24", "2", "60"],
                ["en–vi", "pairwise", "25", "20", "2", "3"],
            ],
        )
    ]
    pd.testing.assert_frame_equal(table.data, frame, check_dtype=False)
    assert table.notes[1].startswith("Fewer than 50 queries in en–vi (3): ")
    assert len(table.notes) == 2


def test_pairs_are_means_over_repetitions():
    frame = pairs(
        ("joint", "joint", "joint", 2, "da", "vi", 30, 23, 3, 60),
        ("joint", "joint", "joint", 1, "da", "vi", 30, 20, 2, 51),
        ("joint", "joint", "joint", 3, "da", "vi", 30, 20, 3, 51),
    )
    table = pair_table(frame, "x")
    assert table.blocks == [("", [["da–vi", "joint", "30", "21", "3", "54"]])]
    assert table.notes[1:] == ["Means over 3 repetitions."]
    assert len(table.data) == 3


def test_a_pair_that_trains_and_is_not_searched_has_no_queries_and_is_no_warning():
    """The CSV file has whole numbers all the same."""
    frame = pairs(
        ("transitive_da-vi", "transitive", "transitive", 1, "da", "vi", 30, 0, 2.0, 60.0),
        ("transitive_da-vi", "transitive", "transitive", 1, "da", "en", 30, 20, None, None),
    )
    table = pair_table(frame, "x")
    ((_, rows),) = table.blocks
    assert rows[0] == ["da–en", "transitive", "30", "20", "–", "–"]
    assert rows[1] == ["da–vi", "transitive", "30", "0", "2", "60"]
    assert len(table.notes) == 2
    assert table.notes[1].startswith("Pairs without validation and test")
    assert table.data.to_csv(index=False).splitlines()[1:] == [
        "transitive_da-vi,transitive,transitive,1,da,vi,30,0,2,60",
        "transitive_da-vi,transitive,transitive,1,da,en,30,20,,",
    ]
