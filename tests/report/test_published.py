"""Expected values are read off the printed Tables 1 and 4 of the Cr5 paper (percent)."""

import pandas as pd
import pytest

from cr5.report.published import FIGURES, KEYS, add_published, figures, table_figures


@pytest.mark.parametrize(
    ("key", "printed"),
    [
        (("AdvRefine", "da", "en", "cosine", "Success@1"), 0.377),
        (("AdvRefine", "vi", "it", "csls", "Success@10"), 0.308),
        (("Cr5 joint", "da", "en", "cosine", "Success@1"), 0.626),
        (("Cr5 joint", "vi", "it", "csls", "Success@10"), 0.771),
        (("Cr5 pairwise", "da", "en", "cosine", "Success@1"), 0.692),
        (("Cr5 pairwise", "en", "it", "csls", "Success@5"), 0.858),
        (("Cr5, words", "it", "en", "cosine", "Success@1"), 0.410),
        (("Cr5, words", "en", "it", "csls", "Success@10"), 0.580),
        (("AdvRefine, words", "en", "it", "csls", "Success@1"), 0.662),  # printed under Italian
    ],
)
def test_figures_of_the_paper(key, printed):
    assert table_figures()[key] == printed


@pytest.mark.parametrize(
    "key",
    [
        ("my_system", "da", "en", "cosine", "Success@1"),
        ("Cr5 joint", "da", "sw", "cosine", "Success@1"),
        ("Cr5 joint", "da", "en", "cosine", "RR"),
        ("Cr5 joint", "da", "en", "cosine", "docs_in_intersection"),
        ("AdvRefine", "da", "en", "csls", "RR"),
        ("AdvRefine, words", "it", "en", "cosine", "Success@1"),  # of these, CSLS alone
        ("Cr5", "it", "en", "cosine", "Success@1"),
        ("Cr5 pairwise", "da", "it", "cosine", "Success@1"),  # not a pairwise model of the paper
    ],
)
def test_none_where_the_paper_has_no_figure(key):
    assert key not in table_figures().index


def test_add_published_fills_the_column_in_the_order_of_the_rows():
    scores = pd.DataFrame(
        [
            ("Cr5 pairwise", "vi", "da", "csls", "Success@10", 9.0),
            ("Cr5 joint", "xx", "da", "csls", "Success@10", 9.0),
            ("Cr5 joint", "it", "en", "cosine", "Success@1", 9.0),
            ("Cr5 joint", "it", "en", "cosine", "RR", 9.0),
            ("", "it", "en", "cosine", "Success@1", 9.0),
        ],
        columns=["published_row", "query", "target", "similarity", "metric", "published"],
        index=[7, 7, 3, 1, 0],
    )
    before = scores.copy()
    filled = add_published(scores)
    assert filled["published"].fillna(-1).tolist() == [0.664, -1, 0.782, -1, -1]
    assert list(filled.index) == [7, 7, 3, 1, 0]
    pd.testing.assert_frame_equal(scores, before)


def test_sentences_are_of_table_3():
    """Cr5, query in Italian, cosine 42.6, CSLS 49.7; AdvRefine with CSLS alone."""
    printed = table_figures()
    assert printed["Cr5, sentences", "it", "en", "cosine", "Success@1"] == 0.426
    assert printed["Cr5, sentences", "it", "en", "csls", "Success@1"] == 0.497
    assert printed["AdvRefine, sentences", "it", "en", "csls", "Success@1"] == 0.690
    assert ("AdvRefine, sentences", "en", "it", "cosine", "Success@10") not in printed.index
    scores = pd.DataFrame([("Cr5, sentences", "en", "it", "csls", "Success@5")], columns=KEYS)
    assert add_published(scores)["published"].tolist() == [0.627]


def test_what_both_papers_quote_is_of_the_same_direction():
    """Mikolov, Dinu, Artetxe and Smith: words from WaCky's vectors, both ways."""
    author = figures()["row_system"].str.split().str[0]
    chosen = figures().assign(author=author)[figures()["metric"] == "P@1"]
    words = chosen[(chosen["paper"] == "Cr5") & (chosen["table"] == "4")]
    others = chosen[(chosen["paper"] == "RCSLS") & (chosen["table"] == "3")]
    both = words.merge(others, on=["author", "value"])
    assert len(both) == 8
    assert (both["query_lang_x"] == both["query_lang_y"]).all()


def test_the_file_is_complete():
    every = pd.read_csv(FIGURES)
    assert len(every) == 536
    assert every["paper"].value_counts().to_dict() == {
        "Cr5": 317,
        "RCSLS": 95,
        "XCNN": 76,
        "OPCA": 48,
    }
    # first and last row
    assert every.iloc[0]["value"] == 37.7
    assert every["value"].notna().all()
