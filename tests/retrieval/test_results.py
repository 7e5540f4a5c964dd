"""What a run left in its folder, and the choice of its best system."""

import pytest

from cr5.base.artefacts import making
from cr5.base.errors import UserError
from cr5.retrieval.results import Results

HEADER = "setting,system,task,similarity,metric,value,directions,query,target,repetition"


def means(folder, *rows, scope="tables"):
    lines = [HEADER, *(f"{row},all,all,mean" for row in rows)]
    with making(folder / scope, "scores") as part:
        (part / "scores.csv").write_text("\n".join(lines) + "\n")
    return Results(folder)


def test_the_best_by_cosine_among_settings_of_most_directions(tmp_path):
    assert Results(tmp_path).best() == []
    results = means(
        tmp_path,
        "near,a,documents,cosine,Success@1,.9,2",
        "joint,a,documents,cosine,Success@1,.2,12",
        "joint,b,documents,cosine,Success@1,.3,12",
        "joint,d,documents,cosine,Success@1,.2,12",
        "joint,c,documents,cosine,Success@1,.2,12",
        "joint,c,documents,csls,Success@1,.9,12",
        "joint,c,documents,cosine,RR,.9,12",
        "joint,c,words,cosine,Success@1,.9,12",
    )
    joint = [("joint", x) for x in "bacd"]
    assert results.best() == [*joint, ("near", "a")]
    assert results.best(setting="joint") == joint
    assert [x["value"] for x in results.scores(system="c", metric="RR")] == [".9"]


def test_the_best_of_a_first_look_until_all_is_run(tmp_path):
    results = means(tmp_path, "joint,a,documents,cosine,Success@1,.9,12", scope="quick/tables")
    assert results.best() == [("joint", "a")]
    means(tmp_path, "joint,b,documents,cosine,Success@1,.5,12")
    assert results.best() == [("joint", "b")]


def test_a_damaged_table_of_scores(tmp_path):
    results = means(tmp_path, "joint,a,documents,cosine,Success@1,.9,12")
    (tmp_path / "tables" / "scores.csv").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match=r"tables/scores\.csv: not what was written"):
        results.scores()
