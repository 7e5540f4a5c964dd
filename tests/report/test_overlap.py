import pandas as pd

from cr5.report.overlap import members, overlap


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
