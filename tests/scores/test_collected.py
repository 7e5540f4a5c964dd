import pandas as pd
import pytest

from cr5.base import origin
from cr5.base.errors import UserError
from cr5.scores import collected, ranks
from cr5.search.ranking import Found

SOURCE = origin.Origin(7, "a", "corpus", ("1.0",))
METRICS = {"documents": ["Success@1", "RR"]}
CR5, MINE = (("joint", system, "documents") for system in ("cr5", "mine"))


def found(places, similarity="cosine"):
    names = [f"c{i}" for i in range(len(places))]
    answers = {"query": names, "candidate": names, "grade": 1.0, "rank": places, "score": 0.5}
    queries = {"query": names, "n_relevant": 1, "n_candidates": 20}
    queries = pd.DataFrame(queries).assign(depth=pd.array([None] * len(names), "Int64"))
    return Found("da", "en", similarity, pd.DataFrame(answers), queries.assign(nearest=""))


@pytest.fixture
def ranked(tmp_path):
    """A function: writes ranks of one fit and repetition; returns their folder."""

    def make(fit, *places, repetition=1, fits=None):
        setting, system, task = fit
        folder = tmp_path / setting / system / str(repetition)
        keys = {"setting": setting, "series": setting, "kind": setting, "system": system}
        keys |= {"task": task, "repetition": repetition}
        if places:
            list(ranks.write(folder, keys, [found(list(places))], fits))
        else:
            ranks.leave_out(folder, keys, "too few strings")
        return folder

    return make


def collect(folders):
    return collected.collect(folders, METRICS, 2)


def test_tables_of_all_fits_one_after_the_other(ranked):
    """Ranks 1 and 2: half are found first; 1 / rank is 1 and 1/2."""
    folders = {CR5: [ranked(CR5, 1, 2)], MINE: [ranked(MINE, 3, 4, 1, 5)]}
    tables = collect(folders).tables
    assert tables["scores"]["value"].tolist() == pytest.approx(
        [0.5, 0.75, 0.25, (1 / 3 + 1 / 4 + 1 + 1 / 5) / 4]
    )
    assert tables["curves"]["value"].tolist() == [0.5, 1, 0.25, 0.25]
    assert tables["mean_curves"]["value"].tolist() == [0.5, 1, 0.25, 0.25]
    assert tables["curves"]["system"].tolist() == ["cr5", "cr5", "mine", "mine"]


def test_repetitions_of_a_fit_are_one_figure_and_each_its_own(ranked):
    folders = {CR5: [ranked(CR5, 1, 2), ranked(CR5, 1, 1, repetition=2)]}
    made = collect(folders)
    of_p = {
        x: frame[frame["metric"] == "Success@1"]
        for x, frame in made.tables.items()
        if "metric" in frame
    }
    assert of_p["scores"]["value"].tolist() == [0.75]
    assert of_p["repetitions"]["value"].tolist() == [0.5, 1]
    frames = made.values  # noqa: PD011
    assert [each["Success@1"].tolist() for each in frames] == [[1, 0], [1, 1]]


def test_what_was_left_out_has_its_reason(ranked):
    made = collect({MINE: [ranked(MINE)], CR5: [ranked(CR5, 1)]})
    assert set(made.tables["scores"]["system"]) == {"cr5"}
    assert made.left_out["reason"].tolist() == ["too few strings"]
    assert list(made.left_out) == collected.LEFT_OUT


def test_where_all_was_left_out_the_error_says_why(ranked):
    with pytest.raises(UserError, match="everything was left out:\n  - too few strings"):
        collect({MINE: [ranked(MINE)]})


def test_ranks_of_something_else_are_refused(ranked):
    with pytest.raises(UserError, match="cr5"):
        collect({MINE: [ranked(CR5, 1)]})


def test_repetitions_of_other_bags_are_refused_of_other_draws_not(ranked):
    one = ranked(CR5, 1, fits={"draw": "a", "bags of en": "x"})
    other = ranked(CR5, 1, repetition=2, fits={"draw": "b", "bags of en": "x"})
    assert len(collect({CR5: [one, other]}).values) == 2
    strange = ranked(CR5, 1, repetition=3, fits={"draw": "c", "bags of en": "y"})
    with pytest.raises(UserError, match="the bags of en of one is not that of the other"):
        collect({CR5: [one, strange]})


def test_written_whole_with_their_origin(ranked, tmp_path):
    made = collect({CR5: [ranked(CR5, 1, 2)]})
    collected.write(made.frames, tmp_path / "tables", SOURCE)
    names = sorted(path.name for path in (tmp_path / "tables").iterdir())
    tables = ("curves", "left_out", "mean_curves", "repetitions", "scores")
    assert names == [f"{x}.{ending}" for x in tables for ending in ("csv", "json")]
    assert pd.read_csv(tmp_path / "tables" / "scores.csv")["value"].tolist() == [0.5, 0.75]
    assert origin.read(tmp_path / "tables" / "scores.json")[0] == SOURCE
