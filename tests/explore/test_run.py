import shutil

import pytest

from cr5.base.artefacts import making
from cr5.base.errors import UserError
from cr5.explore.run import find
from cr5.scores import ranks


@pytest.fixture
def copy(finished, tmp_path):
    """A copy of the finished run that a test may change."""
    return shutil.copytree(finished, tmp_path / "made_up")


def means(folder, rows):
    head = "setting,task,system,similarity,metric,value,directions,query,target,repetition"
    lines = [head, *(f"{x},2,all,all,mean" for x in rows)]
    with making(folder / "tables", "scores") as part:
        (part / "scores.csv").write_text("\n".join(lines) + "\n")


def test_the_best_by_cosine_first(copy):
    rows = ["worse,cosine,Success@1,.3", "worse,csls,Success@1,.4", "cr5,cosine,Success@1,.2"]
    rows += ["cr5,csls,Success@1,.9", "other,cosine,Success@1,.5", "cr5,cosine,Success@10,.99"]
    means(copy, [*(f"joint,documents,{row}" for row in rows), "joint,words,cr5,cosine,Success@1,1"])
    assert find(copy).systems == ("other", "worse", "cr5")


def test_at_most_four(copy):
    for name in ("u", "zzz"):
        shutil.copytree(copy / "ranks" / "joint" / "cr5", copy / "ranks" / "joint" / name)
    assert find(copy).systems == ("cr5", "other", "u", "worse")
    assert find(copy, systems=["zzz"]).systems == ("zzz",)


def test_the_only_setting(copy):
    (copy / "ranks" / "joint").rename(copy / "ranks" / "pairwise_ar-en")
    assert find(copy).setting == "pairwise_ar-en"
    shutil.copytree(copy / "ranks" / "pairwise_ar-en", copy / "ranks" / "other")
    with pytest.raises(UserError, match="name a setting; there: other, pairwise_ar-en"):
        find(copy)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("none",), "no setting 'none'; there: joint"),
        (("joint", ["cr6"]), "cr6/1/documents: no such system; there: cr5, other"),
    ],
)
def test_what_is_not_there(finished, arguments, said):
    with pytest.raises(UserError, match=said):
        find(finished, *arguments)


def test_a_folder_of_no_finished_run(tmp_path):
    with pytest.raises(UserError, match=r"no ranks of the task documents; .* run the workflow"):
        find(tmp_path)


def test_a_system_that_was_left_out_says_why(copy):
    place = copy / "ranks" / "joint" / "cr5" / "1" / "documents"
    ranks.leave_out(place, {}, "too few words")
    with pytest.raises(UserError, match="cr5/1/documents: too few words; there: other"):
        find(copy, systems=["cr5"])
    assert "cr5" not in find(copy).systems
