"""The job of scores: folders of ranks in, tables out."""

import pytest

from cr5.base.errors import UserError
from cr5.scores import collected, ranks
from cr5.scores.summary import ALL
from tests.scores.conftest import search

METRICS = {"documents": ["Success@1", "RR"]}
CR5 = ("joint", "cr5", "documents")
MINE = ("joint", "mine", "documents")


@pytest.fixture
def ranked(tmp_path):
    """A function: writes ranks of one fit and repetition; returns their folder."""

    def make(fit, *places, repetition=1, series=None, direction="da-en"):
        setting, system, task = fit
        folder = tmp_path / setting / system / str(repetition)
        keys = {
            "setting": setting,
            "series": series or setting,
            "kind": "k",
            "system": system,
            "task": task,
            "repetition": repetition,
        }
        if places:
            list(ranks.write(folder, keys, [search(direction, list(places))]))
        else:
            ranks.leave_out(folder, keys, "too few strings")
        return folder

    return make


def collect(folders):
    return collected.collect(folders, METRICS, 2, 0)


def pooled(tables, name):
    """The rows of a table that are over all directions."""
    table = tables[name]
    return table[table["query_language"] == ALL]


def test_tables_of_all_fits_one_after_the_other(ranked):
    """Ranks 1 and 2: half are found first; 1 / rank is 1 and 1/2."""
    of_cr5 = ranked(CR5, 1, 2)
    of_mine = ranked(MINE, 3, 4, 1, 5)
    tables = collect({CR5: [of_cr5], MINE: [of_mine]})
    mean_reciprocal = (1 / 3 + 1 / 4 + 1 + 1 / 5) / 4
    expected = [0.5, 0.75, 0.25, mean_reciprocal]
    assert pooled(tables, "scores")["value"].tolist() == pytest.approx(expected)
    curves = pooled(tables, "curves")
    assert curves["value"].tolist() == [0.5, 1, 0.25, 0.25]
    assert curves["system"].tolist() == ["cr5", "cr5", "mine", "mine"]
    assert pooled(tables, "significance")["metric"].tolist() == METRICS["documents"]


@pytest.fixture
def of_a_series(ranked):
    """Tables of two settings of a series, each of a direction, and two systems."""
    folders = {}
    for system, ranks_of_system in {"a": [1, 1], "b": [2, 1]}.items():
        for direction in ("da-en", "en-it"):
            fit = (f"two_{direction}", system, "documents")
            folder = ranked(fit, *ranks_of_system, series="two", direction=direction)
            folders[fit] = [folder]
    return collect(folders)


def test_settings_of_a_series_are_one(of_a_series):
    means = pooled(of_a_series, "scores").query("metric == 'Success@1'")
    columns = ["setting", "system", "value", "directions"]
    assert means[columns].to_numpy().tolist() == [["two", "a", 1, 2], ["two", "b", 0.5, 2]]


def test_settings_of_a_series_are_compared_as_one(of_a_series):
    tests = of_a_series["significance"].query("metric == 'Success@1'")
    columns = ["setting", "query_language", "difference"]
    assert tests[columns].to_numpy().tolist() == [
        ["two_da-en", "da", 0.5],
        ["two_en-it", "en", 0.5],
        ["two", ALL, 0.5],
    ]


def test_settings_of_a_series_that_share_a_direction_are_not(ranked):
    folders = {}
    for setting in ("two_by_it", "two_by_vi"):
        fit = (setting, "a", "documents")
        folders[fit] = [ranked(fit, 1, 2, series="two")]
    tables = collect(folders)
    assert pooled(tables, "scores")["setting"].unique().tolist() == ["two_by_it", "two_by_vi"]
    assert tables["significance"].empty  # a system alone


def test_what_was_left_out_has_its_reason(ranked):
    tables = collect({MINE: [ranked(MINE)], CR5: [ranked(CR5, 1)]})
    assert set(tables["scores"]["system"]) == {"cr5"}
    assert tables["left_out"]["reason"].tolist() == ["too few strings"]
    assert list(tables["left_out"]) == collected.LEFT_OUT


def test_without_any_ranks_there_is_nothing_to_report(ranked):
    with pytest.raises(UserError, match="everything was left out:\n  - too few strings"):
        collect({MINE: [ranked(MINE, repetition=2)]})


def test_written_and_read(ranked, tmp_path):
    tables = collect({CR5: [ranked(CR5, 1, 2)]})
    folder = tmp_path / "tables"
    collected.write(tables, folder)
    names = {path.name for path in folder.iterdir()}
    files_of_tables = {f"{name}.csv" for name in tables}
    assert names == files_of_tables | {"about.json"}
    scores = collected.read(folder, "scores")
    assert scores["value"].tolist() == [0.5, 0.75, 0.5, 0.75]
    assert list(scores) == list(tables["scores"])


def test_names_of_digits_stay_names(ranked, tmp_path):
    folders = {}
    for setting, system in (("007", "1"), ("7", "01")):
        fit = (setting, system, "documents")
        folders[fit] = [ranked(fit, 1, 2)]
    tables = collect(folders)
    folder = tmp_path / "tables"
    collected.write(tables, folder)
    scores = collected.read(folder, "scores")
    fits = scores[["label", "setting", "system"]]
    first, *_, last = fits.to_numpy().tolist()
    assert first == ["007", "007", "1"]
    assert last == ["7", "7", "01"]


def test_files_call_the_two_languages_query_and_target(ranked, tmp_path):
    collected.write(collect({CR5: [ranked(CR5, 1, 2)]}), tmp_path / "tables")
    head = (tmp_path / "tables" / "scores.csv").read_text().splitlines()[0]
    assert head.startswith("setting,series,kind,system,task,label,query,target,similarity,metric,")
