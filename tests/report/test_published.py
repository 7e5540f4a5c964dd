"""Expected values are read off the printed Table 1 of the Cr5 paper (percent)."""

import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.report.published import FIGURES, add_published, read_figures, table1_figures


@pytest.mark.parametrize(
    ("key", "printed"),
    [
        (("joint", "advrefine", "da", "en", "cosine", "P@1"), 0.377),
        (("joint", "advrefine", "vi", "it", "csls", "P@10"), 0.308),
        (("joint", "cr5", "da", "en", "cosine", "P@1"), 0.626),
        (("joint", "cr5", "vi", "it", "csls", "P@10"), 0.771),
        (("pairwise", "cr5", "da", "en", "cosine", "P@1"), 0.692),
        (("pairwise", "cr5", "en", "it", "csls", "P@5"), 0.858),
    ],
)
def test_figures_of_the_paper(key, printed):
    assert table1_figures()[key] == printed


@pytest.mark.parametrize(
    "key",
    [
        ("joint", "my_system", "da", "en", "cosine", "P@1"),
        ("joint", "cr5", "da", "sw", "cosine", "P@1"),
        ("joint", "cr5", "da", "en", "cosine", "MRR"),
        ("joint", "cr5", "da", "en", "cosine", "docs_in_intersection"),
        ("pairwise", "advrefine", "da", "en", "cosine", "P@1"),
        ("pairwise", "cr5", "da", "it", "cosine", "P@1"),  # not a pairwise model of the paper
    ],
)
def test_none_where_the_paper_has_no_figure(key):
    assert key not in table1_figures().index


def test_add_published_fills_the_column_in_the_order_of_the_rows():
    scores = pd.DataFrame(
        [
            ("pairwise_da-vi", "cr5", "vi", "da", "csls", "P@10", 9.0),
            ("joint", "cr5", "xx", "da", "csls", "P@10", 9.0),
            ("joint", "cr5", "it", "en", "cosine", "P@1", 9.0),
            ("joint", "cr5", "it", "en", "cosine", "MRR", 9.0),
        ],
        columns=["setting", "system", "query", "target", "similarity", "metric", "published"],
        index=[7, 7, 3, 1],
    )
    before = scores.copy()
    filled = add_published(scores)
    assert filled["published"].fillna(-1).tolist() == [0.664, -1, 0.782, -1]
    assert list(filled.index) == [7, 7, 3, 1]
    pd.testing.assert_frame_equal(scores, before)


def test_add_published_names_missing_columns():
    with pytest.raises(UserError, match=r"scores: expected the column\(s\) system, similarity"):
        add_published(pd.DataFrame({"setting": [], "query": [], "target": [], "metric": []}))


def test_the_file_is_complete():
    figures = read_figures(FIGURES)
    assert len(figures) == 534
    assert figures["paper"].value_counts().to_dict() == {
        "Cr5": 317,
        "RCSLS": 95,
        "XCNN": 76,
        "OPCA": 46,
    }
    # first and last row
    assert figures.iloc[0]["value"] == 37.7
    assert figures["value"].notna().all()


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UserError, match=r"none.csv: not found.*restore the file"):
        read_figures(tmp_path / "none.csv")
