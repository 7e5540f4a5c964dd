import itertools

import pandas as pd

from cr5.report.overlap import COLUMNS, MOST_REGIONS, members, overlap, overlap_figure


def table(*rows):
    found = [(name, name, "joint", repetition, *rest) for name, repetition, *rest in rows]
    return pd.DataFrame(found, columns=COLUMNS)


ROWS = (
    ("joint", 1, "da en vi", "da en vi", 30),
    ("joint", 1, "da en vi", "", 20),
    ("joint", 1, "da vi", "da vi", 4),
    ("joint", 1, "en", "", 1000),
    ("few", 1, "da en vi", "da vi", 10),
    ("few", 1, "da en vi", "", 40),
    ("few", 1, "da vi", "", 4),
    ("few", 1, "en", "", 1000),
)


def texts(axes):
    return [x.get_text() for x in axes.texts]


def test_bars_are_of_what_exists_and_cells_of_what_trains():
    bars, dots, cells = overlap_figure(table(*ROWS)).axes
    assert [x.get_height() for x in bars.patches] == [50, 4, 1000]
    assert texts(bars) == ["50", "4", "1,000"]
    dark = [x.get_ydata().tolist() for x in dots.lines if x.get_color() == "0.15"]
    assert dark == [[0, 1, 2], [0, 2], [1]]
    assert [x.get_text() for x in dots.get_yticklabels()] == ["da", "en", "vi"]
    assert [x.get_text() for x in cells.get_yticklabels()] == ["joint (da, en, vi)", "few (da, vi)"]
    found = {(*x.get_position(), x.get_text()) for x in cells.texts}
    assert found == {(0, 0, "30"), (1, 0, "4"), (0, 1, "10")}


def test_repetitions_are_averaged_and_what_exists_is_counted_once():
    again = [(name, 2, *rest) for name, _, *rest in ROWS]
    again[4] = ("few", 2, "da en vi", "da vi", 20)
    again[5] = ("few", 2, "da en vi", "", 30)
    bars, _, cells = overlap_figure(table(*ROWS, *again)).axes
    assert texts(bars) == ["50", "4", "1,000"]
    assert {x.get_text() for x in cells.texts} == {"30", "4", "15"}


def test_the_smallest_of_many_regions_are_counted_and_not_drawn():
    languages = ["da", "de", "en", "fr", "vi"]
    regions = [" ".join(x) for n in range(1, 6) for x in itertools.combinations(languages, n)]
    rows = [("joint", 1, region, region, 5 + i) for i, region in enumerate(regions)]
    bars, _, cells = overlap_figure(table(*rows)).axes
    assert len(regions) == 31
    assert len(bars.patches) == MOST_REGIONS
    assert cells.get_xlabel() == "Not drawn: 7 smaller regions, of 56 concepts together."


def test_same_bytes_twice(check_bytes):
    check_bytes(lambda: overlap_figure(table(*ROWS)))


def test_it_says_what_the_shades_mean():
    [key] = overlap_figure(table(*ROWS)).legends
    assert [x.get_text() for x in key.get_texts()] == [
        *("few", "half", "all of a column's concepts train")
    ]
    alphas = [patch.get_alpha() for patch in key.get_patches()]
    assert alphas == sorted(alphas) and len(set(alphas)) == 3


def test_concepts_by_who_has_them_and_where_they_train():
    documents = {"vi": pd.Index(list("abcde")), "da": pd.Index(list("abcf")), "en": pd.Index(["a"])}
    rows = [("a", "da"), ("a", "vi"), ("b", "da"), ("b", "vi")]
    trained = pd.DataFrame(rows, columns=["concept", "language"])
    assert overlap(members(documents), trained).to_numpy().tolist() == [
        ["da en vi", "da vi", 1],
        ["da vi", "", 1],
        ["da vi", "da vi", 1],
        ["da", "", 1],
        ["vi", "", 2],
    ]


def test_nothing_trains_where_a_setting_is_left_out():
    documents = {"da": pd.Index(["a"]), "en": pd.Index(["a", "b"])}
    trained = pd.DataFrame({"concept": [], "language": []}, dtype=str)
    found = overlap(members(documents), trained)
    assert found.to_numpy().tolist() == [["da en", "", 1], ["en", "", 1]]
