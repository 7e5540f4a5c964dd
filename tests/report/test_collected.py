import pandas as pd
import pytest

from cr5.base import origin
from cr5.base.errors import UserError
from cr5.report import collected
from cr5.scores import kept

SOURCE = origin.Origin(7, "a", "corpus", ("1.0",))
KEYS = {"setting": "joint", "series": "joint", "kind": "joint", "system": "cr5", "task": "x"}
PLACE = {"query": "da", "target": "en", "similarity": "cosine"}


def scored(folder, value, source=SOURCE, **keys):
    row = {**KEYS, **PLACE, **keys}
    frames = {
        "scores": [{**row, "metric": "P@1", "value": value}],
        "repetitions": [{**row, "metric": "P@1", "repetition": 1, "value": value}],
        "curves": [{**row, "k": k, "value": value} for k in (1, 2)],
        "mean_curves": [{**row, "k": 1, "value": value}],
    }
    kept.save(folder, {name: pd.DataFrame(rows) for name, rows in frames.items()}, [], source)
    return folder


def left_out(folder, reason):
    row = {**KEYS, "system": "procrustes", "repetition": 1, "reason": reason}
    kept.save(folder, {name: pd.DataFrame() for name in collected.TABLES}, [row], SOURCE)
    return folder


def test_tables_of_all_fits_one_after_the_other(tmp_path):
    folders = [scored(tmp_path / "a", 0.5), scored(tmp_path / "b", 0.25, system="mine")]
    found = collected.collect(folders, {("joint", "cr5", "x"): "Cr5 joint"})
    assert found.tables["scores"]["value"].tolist() == [0.5, 0.25]
    assert found.tables["scores"]["published_row"].tolist() == ["Cr5 joint", ""]
    assert found.tables["curves"]["system"].tolist() == ["cr5", "cr5", "mine", "mine"]
    assert found.left_out.empty
    assert (found.origin.seed, found.origin.corpus) == (7, "corpus")


def test_the_published_figure_stands_beside_ours(tmp_path):
    """Table 1 (b) of the paper, da to en: Cr5 joint by cosine has a P@1 of 62.6 %."""
    found = collected.collect([scored(tmp_path / "a", 0.5)], {("joint", "cr5", "x"): "Cr5 joint"})
    assert found.tables["scores"]["published"].tolist() == [0.626]


def test_what_was_left_out_has_its_reason(tmp_path):
    folders = [left_out(tmp_path / "a", "too few strings"), scored(tmp_path / "b", 0.5)]
    found = collected.collect(folders, {})
    assert found.tables["scores"]["system"].tolist() == ["cr5"]
    assert found.left_out["reason"].tolist() == ["too few strings"]
    assert list(found.left_out) == collected.LEFT_OUT


def test_where_all_was_left_out_the_error_says_why(tmp_path):
    with pytest.raises(UserError, match="all was left out:\n  - too few strings"):
        collected.collect([left_out(tmp_path / "a", "too few strings")], {})


def test_scores_of_different_runs_are_refused(tmp_path):
    other = origin.Origin(99, "a", "corpus", ("1.0",))
    folders = [scored(tmp_path / "a", 0.5), scored(tmp_path / "b", 0.5, other, system="mine")]
    with pytest.raises(UserError, match=r"seed 7, .*; seed 99, .*Remove the one"):
        collected.collect(folders, {})


def test_written_whole_with_their_origin(tmp_path):
    found = collected.collect([scored(tmp_path / "a", 0.5)], {})
    collected.write(found, tmp_path / "tables")
    names = sorted(path.name for path in (tmp_path / "tables").iterdir())
    tables = ("curves", "left_out", "mean_curves", "repetitions", "scores")
    assert names == [f"{x}.{ending}" for x in tables for ending in ("csv", "json")]
    assert pd.read_csv(tmp_path / "tables" / "scores.csv")["value"].tolist() == [0.5]
    assert origin.read(tmp_path / "tables" / "scores.json")[0] == found.origin
