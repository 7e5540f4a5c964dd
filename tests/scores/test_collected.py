"""The job of scores: folders of ranks in, tables out."""

import pytest

from cr5.base.errors import UserError
from cr5.scores import collected, ranks
from cr5.scores.summary import ALL

METRICS = {"documents": ["Success@1", "RR"]}
CR5, MINE = (("joint", system, "documents") for system in ("cr5", "mine"))


@pytest.fixture
def ranked(tmp_path, found):
    """A function: writes ranks of one fit and repetition; returns their folder."""

    def make(fit, *places, repetition=1, series=None, direction=("da", "en")):
        setting, system, task = fit
        folder = tmp_path / setting / system / str(repetition)
        keys = {"setting": setting, "series": series or setting, "kind": "k", "system": system}
        keys |= {"task": task, "repetition": repetition}
        if places:
            list(ranks.write(folder, keys, [found(*direction, list(places))]))
        else:
            ranks.leave_out(folder, keys, "too few strings")
        return folder

    return make


def collect(folders):
    return collected.collect(folders, METRICS, 2, 0)


def test_tables_of_all_fits_one_after_the_other(ranked):
    """Ranks 1 and 2: half are found first; 1 / rank is 1 and 1/2."""
    folders = {CR5: [ranked(CR5, 1, 2)], MINE: [ranked(MINE, 3, 4, 1, 5)]}
    tables = collect(folders)
    for name in ("scores", "curves", "significance"):
        tables[name] = tables[name].query("query_language == 'all'")
    assert tables["scores"]["value"].tolist() == pytest.approx(
        [0.5, 0.75, 0.25, (1 / 3 + 1 / 4 + 1 + 1 / 5) / 4]
    )
    assert tables["curves"]["value"].tolist() == [0.5, 1, 0.25, 0.25]
    assert tables["curves"]["system"].tolist() == ["cr5", "cr5", "mine", "mine"]
    assert tables["significance"]["metric"].tolist() == METRICS["documents"]


def pairwise(ranked, system, *places):
    fits = [(f"two_{x}-{y}", x, y) for x, y in (("da", "en"), ("en", "it"))]
    return {
        (setting, system, "documents"): [
            ranked((setting, system, "documents"), *places, series="two", direction=pair)
        ]
        for setting, *pair in fits
    }


def test_settings_of_a_series_are_one(ranked):
    made = collect(pairwise(ranked, "a", 1, 1) | pairwise(ranked, "b", 2, 1))
    means = made["scores"].query("query_language == 'all' and metric == 'Success@1'")
    columns = ["setting", "system", "value", "directions"]
    assert means[columns].to_numpy().tolist() == [["two", "a", 1, 2], ["two", "b", 0.5, 2]]
    tests = made["significance"].query("metric == 'Success@1'")
    assert tests[["setting", "query_language", "difference"]].to_numpy().tolist() == [
        ["two_da-en", "da", 0.5],
        ["two_en-it", "en", 0.5],
        ["two", ALL, 0.5],
    ]


def test_settings_of_a_series_that_share_a_direction_are_not(ranked):
    fits = [(name, "a", "documents") for name in ("two_by_it", "two_by_vi")]
    made = collect({fit: [ranked(fit, 1, 2, series="two")] for fit in fits})
    means = made["scores"].query("query_language == 'all'")
    assert means["setting"].unique().tolist() == ["two_by_it", "two_by_vi"]
    assert made["significance"].empty  # a system alone


def test_what_was_left_out_has_its_reason(ranked):
    made = collect({MINE: [ranked(MINE)], CR5: [ranked(CR5, 1)]})
    assert set(made["scores"]["system"]) == {"cr5"}
    assert made["left_out"]["reason"].tolist() == ["too few strings"]
    assert list(made["left_out"]) == collected.LEFT_OUT
    with pytest.raises(UserError, match="everything was left out:\n  - too few strings"):
        collect({MINE: [ranked(MINE, repetition=2)]})


def test_written_and_read(ranked, tmp_path):
    made = collect({CR5: [ranked(CR5, 1, 2)]})
    collected.write(made, tmp_path / "tables")
    names = {path.name for path in (tmp_path / "tables").iterdir()}
    assert names == {"about.json", *(f"{name}.csv" for name in made)}
    assert collected.read(tmp_path / "tables", "scores")["value"].tolist() == [0.5, 0.75] * 2
