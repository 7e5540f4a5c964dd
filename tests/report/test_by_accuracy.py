import pandas as pd
import pytest

from cr5.report.accuracies import FIGURES, of_directions, of_means, published
from cr5.report.by_accuracy import ADDED, by_accuracy
from cr5.report.names import Systems
from cr5.report.table import to_html, to_latex, to_markdown

COUNTS = {"n_queries": 1234, "n_candidates": 1000.2, "repetitions": 1}
FITTED = pd.DataFrame(
    [
        ("joint", "joint", "opca", 1, 100),
        ("joint", "joint", "opca", 2, 50),
        ("joint", "joint", "opca", 3, 100),
        ("joint", "joint", "cplsa", 1, 20),
        ("other", "other", "lexical_overlap", 1, 7),
    ],
    columns=["setting", "series", "system", "repetition", "dimension"],
)


def figures(*rows, **changes):
    """System, similarity, query, target, metric and value of each."""
    names = ["system", "similarity", "query", "target", "metric", "value"]
    frame = pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows])
    about = {"setting": "joint", "series": "joint", "kind": "joint", "task": "documents"}
    ends = {"ci_low": frame["value"] - 0.01, "ci_high": frame["value"] + 0.01}
    return frame.assign(languages="en, es", **{**about, **ends, **COUNTS, **changes})[FIGURES]


def compared(similarity, *rows, place=("all", "all"), task="documents", metric="Success@1"):
    """System, other, p_holm and p_unpaired of each."""
    names = ["system", "other", "p_holm", "p_unpaired"]
    place = dict(zip(("query", "target"), place, strict=True))
    about = {"setting": "joint", "task": task, "metric": metric, "similarity": similarity}
    return pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows]).assign(
        **about, **place
    )


ALL = ("all", "all")
MEANS = figures(
    ("lexical_overlap", "cosine", *ALL, "Success@1", 0.41),
    ("lexical_overlap", "cosine", *ALL, "RR", 0.5),
    ("lexical_overlap", "csls", *ALL, "Success@1", 0.99),
    ("cplsa", "l1", *ALL, "Success@1", 0.9),
    ("cplsa", "l1", *ALL, "RR", 0.95),
    ("opca", "cosine", *ALL, "Success@1", 0.97416),
    ("opca", "cosine", *ALL, "Success@5", 0.99),
    ("opca", "cosine", *ALL, "RR", 0.98),
)
OF_FIRST = compared(
    "first",
    ("opca", "cplsa", 0.01, 0.026),  # .052 of two tests
    ("cplsa", "lexical_overlap", 0.01, 0.02),
    ("lexical_overlap", "opca", 0.01, 0.001),
)


def test_retrieval_by_hand():
    named = Systems({"lexical_overlap": {"title": "Lexical overlap"}})
    table = by_accuracy(MEANS, OF_FIRST, FITTED, "x", "documents", systems=named)
    assert table.header == ["System", "Dimension", "Accuracy", "MRR", "Measure"]
    assert table.blocks == [
        (
            "joint (en, es): 1,234 queries, 1,000 candidates",
            [
                ["opca", "50, 100", "97.42", "98.00", "cosine"],
                ["cplsa", "20", "90.00", "95.00", "l1"],
                ["Lexical overlap", "–", "41.00", "50.00", "cosine"],
            ],
        )
    ]
    assert list(table.data) == [*FIGURES, *ADDED]
    bold = table.data[table.data["best_unpaired"].fillna(False)]
    assert bold["system"].tolist() == ["cplsa", "opca"]  # neither is better than the other
    stars = table.data[table.data["best_paired"].fillna(False)]
    assert stars["system"].tolist() == ["opca"]
    assert table.data.loc[table.data["metric"] == "RR", "best_unpaired"].isna().all()


def test_bold_and_stars_in_all_formats():
    table = by_accuracy(MEANS, OF_FIRST, FITTED, "x", "documents")
    assert r"**97.42** \*" in to_markdown(table)
    assert r"\textbf{97.42} *" in to_latex(table)
    assert "<b>97.42</b> *" in to_html(table)
    assert "<b>90.00</b><" in to_html(table)
    assert "<b>41.00" not in to_html(table)


def test_where_all_have_one_measure_the_tests_are_by_it():
    alike = MEANS[MEANS["system"] != "cplsa"]
    by_cosine = compared("cosine", ("opca", "lexical_overlap", 0.2, 0.01))
    table = by_accuracy(alike, by_cosine, FITTED, "x", "documents")
    cells = [row[2] for row in table.blocks[0][1]]
    assert cells == ["97.42", "41.00 *"]  # only the first is bold
    assert (cells[0].rest, type(cells[1])) == ("*", str)
    accuracy = table.data[table.data["metric"] == "Success@1"].set_index("system")
    assert accuracy["best_unpaired"].to_dict() == {"lexical_overlap": False, "opca": True}
    assert accuracy["best_paired"].to_dict() == {"lexical_overlap": True, "opca": True}


def test_published_figures_stand_beside_ours():
    theirs = pd.DataFrame(
        [("joint", "opca", "documents", *ALL, "Success@1", 0.9742)],
        columns=["setting", "system", "task", "query", "target", "metric", "published"],
    )
    table = by_accuracy(MEANS, OF_FIRST, FITTED, "x", "documents", theirs)
    assert table.blocks[0][1][0][2].rest == "(97.42) *"
    assert "In parentheses: figures of Platt et al. (EMNLP 2010)." in table.notes


def test_classification_by_hand():
    rows = [
        *[("cplsa", "l1", "en", "en", 0.9), ("cplsa", "l1", "es", "en", 0.7)],
        *[("opca", "cosine", "es", "en", 0.8), ("opca", "cosine", "en", "en", 0.85)],
        ("opca", "cosine", "de", "en", 0.3),
    ]
    scores = figures(*[(*row[:4], "Success@1", row[4]) for row in rows], task="classification")
    found = [
        compared("first", ("opca", "cplsa", *p), place=(x, "en"), task="classification")
        for x, p in (("en", (0.5, 0.4)), ("es", (0.01, 0.04)))
    ]
    table = by_accuracy(scores, pd.concat(found), FITTED, "x", "classification")
    assert table.header == ["System", "Dimension", "en", "de", "es", "Measure"]
    [(_, rows)] = table.blocks
    assert rows == [
        ["opca", "50, 100", "85.00", "30.00", "80.00", "cosine"],
        ["cplsa", "20", "90.00", "–", "70.00", "l1"],
    ]
    best = table.data.set_index(["system", "query"])["best_unpaired"]
    assert best["opca", "en"]  # neither is better
    assert best["cplsa", "en"]
    assert (best["opca", "es"], best["cplsa", "es"]) == (True, False)
    assert pd.isna(best["opca", "de"])


def test_rows_go_by_the_last_language_that_a_setting_has():
    about = {"task": "classification"}
    spanish = figures(("opca", "cosine", "es", "en", "Success@1", 0.2), **about)
    german = figures(
        ("opca", "cosine", "de", "en", "Success@1", 0.3),
        ("cplsa", "l1", "de", "en", "Success@1", 0.6),
        **about,
        setting="other",
    )
    fitted = FITTED.iloc[:0]
    both = pd.concat([spanish, german], ignore_index=True)
    table = by_accuracy(both, OF_FIRST, fitted, "x", "classification")
    assert table.header[2:-1] == ["de", "es"]
    assert [[row[0] for row in rows] for _, rows in table.blocks] == [
        ["opca"],
        ["cplsa", "opca"],
    ]


def test_of_several_labelled_languages_directions_are_named():
    pairs = [("es", "en"), ("en", "es"), ("en", "en"), ("es", "es")]
    scores = figures(*[("opca", "cosine", *pair, "Success@1", 0.5) for pair in pairs])
    table = by_accuracy(scores, OF_FIRST, FITTED, "x", "documents")
    assert table.header[2:-1] == ["en→en", "es→en", "es→es", "en→es"]


def scored(*rows):
    names = ["setting", "series", "query", "target"]
    frame = figures(("opca", "cosine", *ALL, "Success@1", 0.5)).drop(columns=["languages", *names])
    return frame.merge(pd.DataFrame(rows, columns=names), how="cross")


def test_languages_of_settings_and_of_series_that_count_as_one():
    scores = scored(
        ("two_en-es", "two", "en", "es"),
        ("two_de-en", "two", "en", "de"),
        ("joint", "joint", "en", "es"),
        ("joint", "joint", "de", "es"),
    )
    of = of_directions(scores).set_index("setting")["languages"]
    assert of["two_en-es"] == "en, es"
    assert set(of["joint"]) == {"de, en, es"}
    means = scored(("two", "two", "", ""), ("joint", "joint", "", ""))
    found = of_means(means, scores).set_index("setting")["languages"]
    assert found.to_dict() == {"two": "de, en; en, es", "joint": "de, en, es"}


def test_only_what_compares_is_published():
    names = ["setting", "our_system", "query", "target", "metric", "published", "verdict"]
    mean = ("avg_both", "avg_both")
    rows = [
        ("two_en-es", "mine", *mean, "accuracy", 97.42, "equal"),
        ("two_en-es", "mine", *mean, "RR", 98.06, "other corpus"),
        ("", "", *mean, "accuracy", 97.16, "missing"),
    ]
    about = {"paper": "OPCA", "our_task": "documents", "system": "opca", "task": "documents"}
    rows = pd.DataFrame(rows, columns=names).assign(**about)
    one = scored(("two_en-es", "two", "en", "es"))
    found = published(rows, one)
    # by its own name for directions, and as tables of means call it
    assert found["setting"].tolist() == ["two_en-es", "two"]
    assert found["published"].tolist() == pytest.approx([0.9742] * 2)
    assert found.loc[0, ["system", "query", "target", "metric"]].tolist() == [
        "mine",
        *ALL,
        "Success@1",
    ]
    several = pd.concat([one, scored(("two_de-en", "two", "en", "de"))])
    assert published(rows, several)["setting"].tolist() == ["two_en-es"]
