"""The files of the page beside what the run itself holds, read and computed anew."""

import itertools
import re
import shutil

import pytest

from cr5.base.artefacts import NO_JOB
from cr5.base.errors import UserError
from cr5.cli import main
from cr5.counts import documents as articles
from cr5.explore import page
from cr5.explore.page import find
from cr5.report import run
from cr5.scores import ranks
from tests.explore.conftest import SYSTEMS, recorded, write


@pytest.mark.parametrize("system", ["cr5", "other", "worse"])
def test_ranks_and_nearest_are_those_of_the_evaluation(evaluation, read, system):
    for query, target in itertools.permutations(("ar", "en", "vi"), 2):
        measures = read(f"ranks-{system}-{query}")[target]
        assert set(measures) == {"cosine", "csls"}
        for similarity, found in measures.items():
            wanted = evaluation(system, similarity, query, target)
            assert list(found) == wanted.index.tolist()
            for concept, each in wanted.iterrows():
                shown = found[concept]
                assert (shown["rank"], shown["nearest"]) == (each["rank"], [*each["nearest"]])
                for score in ("score", "scores"):
                    assert shown[score] == pytest.approx(each[score], abs=6e-5)


def test_of_many_queries_some_are_evenly_taken(finished, evaluation, read, written, monkeypatch):
    monkeypatch.setattr(page, "QUERIES", 5)
    few = write(finished, written.parent / "few", ["cr5"]).parent
    every = evaluation("cr5", "csls").index.tolist()
    assert [*read("ranks-cr5-en", few)["vi"]["csls"]] == every[::5]


@pytest.fixture
def copy(finished, tmp_path):
    """A copy of the finished run that a test may change."""
    return shutil.copytree(finished, tmp_path / "made_up")


def test_what_made_the_run(copy, written, tmp_path):
    """The configuration, as the tables name it; CSLS comes first where searches take it.

    Of a first look, whose record is in its own folder, as of a whole run.
    """
    names = re.compile('value="(cosine|csls)"')
    assert names.findall((written / "index.html").read_text()) == ["cosine", "csls"]
    (copy / run.RECORD).unlink()
    looked = recorded(copy / "quick", csls_neighbourhood="training")
    shown = write(copy, tmp_path / "out", ["worse"]).read_text()
    assert f"{looked['made']}.</p>" in shown and "seed 7, configuration cccc" in looked["made"]
    assert names.findall(shown) == ["csls", "cosine"]


def test_of_what_lies_there_only_what_the_run_names_is_shown(copy, tmp_path):
    """Ranks of a system that an earlier configuration had are of another version."""
    recorded(copy, ["cr5", "other"])
    assert [*find(copy, page.ranked(copy))[1]] == ["cr5", "other"]
    with pytest.raises(UserError, match="joint: no ranks of worse; there: cr5, other"):
        write(copy, tmp_path / "out", ["worse"])
    (copy / run.RECORD).unlink()
    with pytest.raises(UserError, match=r"there is no run\.json, nor one in quick/"):
        page.ranked(copy)


def test_the_command_writes_a_page_of_chosen_systems_beside_that_of_the_run(copy, capsys):
    main(["explore", str(copy)])
    own = (copy / "explore" / "about.json").read_bytes()
    main(["explore", str(copy), "--system", "worse,cr5"])
    main(["explore", str(copy), "--setting", "joint", "--system", "cr5"])
    assert (copy / "explore" / "about.json").read_bytes() == own
    made = sorted(x.name for x in copy.glob("explore*"))
    assert made == ["explore", "explore-joint-cr5", "explore-worse-cr5"]


def test_it_replaces_nothing_but_a_page(finished, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UserError, match="is there already, and no page: name another folder"):
        write(finished, tmp_path)
    assert [x.name for x in tmp_path.iterdir()] == ["mine.txt"]


def test_beginnings_of_texts_end_with_dots_and_hold_no_line_breaks(copy, tmp_path, read):
    names = [*read("documents-vi")["documents"]]
    assert read("documents-vi")["documents"]["q00"][1] == "</script>q00 " + "text " * 57 + "te…"
    texts = {x: "one\n two" if x == names[1] else "x" * 400 for x in names}
    articles.write(copy / "documents" / "vi", [(x, "", y) for x, y in texts.items()], "vi")
    out = write(copy, tmp_path / "out").parent
    titles, found = zip(*read("documents-vi", out)["documents"].values(), strict=True)
    assert (list(titles), found[:2]) == (names, ("x" * 300 + "…", "one two"))


def test_a_page_that_says_why_there_is_nothing(tmp_path):
    page.write_empty(tmp_path / "out", "too <few> documents")
    assert "too &lt;few&gt; documents" in (tmp_path / "out" / "index.html").read_text()


def test_the_best_four_by_cosine_come_first(copy):
    recorded(copy, [*SYSTEMS, "u", "zzz"])
    ranked = page.ranked(copy)
    for name in ("u", "zzz"):
        shutil.copytree(copy / "ranks" / "joint" / "cr5", copy / "ranks" / "joint" / name)
    head = "setting,system,value,task,similarity,metric,directions,query,target,repetition"
    rows = [f"joint,{x},documents,cosine,Success@1,2,all,all,mean" for x in ("zzz,.5", "other,.2")]
    with NO_JOB.making(copy / "tables", "scores") as part:
        (part / "scores.csv").write_text("\n".join([head, *rows]))
    assert [*find(copy, ranked)[1]] == ["zzz", "other", "cr5", "u"]
    assert [*find(copy, ranked, systems=["worse"])[1]] == ["worse"]


def test_the_only_setting_is_shown_or_else_the_first(copy):
    (copy / "ranks" / "joint").rename(copy / "ranks" / "pairwise_ar-en")
    ranked = [*(copy / "ranks").glob("*/*/1/documents")]
    assert find(copy, ranked)[0] == "pairwise_ar-en"
    shutil.copytree(copy / "ranks" / "pairwise_ar-en", copy / "ranks" / "other")
    assert find(copy, [*(copy / "ranks").glob("*/*/1/documents")])[0] == "other"


def test_a_system_that_was_left_out_is_not_shown(copy):
    place = copy / "ranks" / "joint" / "cr5" / "1" / "documents"
    ranks.leave_out(place, {}, "too few words")
    with pytest.raises(UserError, match="joint: no ranks of cr5; there: other"):
        find(copy, page.ranked(copy), systems=["cr5"])
    assert "cr5" not in find(copy, page.ranked(copy))[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("none",), "ranks/none: no system has ranks .*; settings that are there: joint"),
        (("joint", ["cr6"]), "joint: no ranks of cr6; there: cr5, other"),
        (("joint", ["cr5", "cr5"]), "cr5 is named more than once"),
    ],
)
def test_what_is_not_there(finished, arguments, said):
    with pytest.raises(UserError, match=said):
        find(finished, page.ranked(finished), *arguments)
    with pytest.raises(UserError, match=r"no system has ranks .* there: none"):
        find(finished, [], *arguments)
