import pytest

from cr5.plan.matrix import Row, Setting, leftovers


@pytest.fixture
def rows():
    joint = Setting(
        "joint", "joint", "joint", ("da", "en"), ("cr5", "mine"), ("documents",), (("da", "en"),)
    )
    pair = Setting(
        "near_da-en", "near", "pairwise", ("da", "en"), ("cr5",), ("documents",), (("da", "en"),)
    )
    return [
        Row(setting, system, repetition, "documents")
        for setting in (joint, pair)
        for system in setting.systems
        for repetition in (1, 2)
    ]


def make(root, *paths):
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()


def test_of_what_is_configured_nothing_is_left_over(tmp_path, rows):
    make(
        tmp_path,
        *["models/joint/cr5/1/model.json", "models/near_da-en/cr5/2/fit.json"],
        *["ranks/joint/mine/2/documents/answers.parquet"],
        *["settings/joint/1.csv", "draws/1/x", "bags/xx/x", "tables/table1.md", "logs/fit/old"],
        *["tables/tasks/documents.md", "models/joint/.part/x", "tasks/dictionary/tables/x"],
    )
    assert leftovers(tmp_path, rows) == []


def test_what_is_left_over_is_named_as_a_whole(tmp_path, rows):
    old = ["models/joint/old", "models/old", "models/joint/cr5/3", "ranks/near_da-en/mine"]
    old += ["ranks/joint/cr5/1/words", "draws/3", "tasks/words"]
    old += ["aligned/words"]
    make(tmp_path, *(f"{path}/x/y" for path in old), "tables/tasks/words.md")
    expected = {tmp_path / path for path in [*old, "tables/tasks/words.md"]}
    assert set(leftovers(tmp_path, rows)) == expected


def test_of_no_results_nothing_is_left_over(tmp_path, rows):
    assert leftovers(tmp_path / "none", rows) == []
