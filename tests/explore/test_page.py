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
from tests.explore.conftest import LANGUAGES, SYSTEMS, recorded, write

DIRECTIONS = list(itertools.permutations(LANGUAGES, 2))


@pytest.mark.parametrize(("query_language", "target_language"), DIRECTIONS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_ranks_and_nearest_are_those_of_the_evaluation(
    evaluation, read, system, query_language, target_language
):
    by_measure = read(f"ranks-{system}-{query_language}")[target_language]
    assert set(by_measure) == {"cosine", "csls"}
    for similarity, shown in by_measure.items():
        expected = evaluation(system, similarity, query_language, target_language)
        assert list(shown) == expected.index.tolist()
        for query_id, row in expected.iterrows():
            query = shown[query_id]
            assert query["rank"] == row["rank"]
            assert query["nearest"] == list(row["nearest"])
            assert query["score"] == pytest.approx(row["score"], abs=6e-5)
            assert query["scores"] == pytest.approx(row["scores"], abs=6e-5)


def test_of_many_queries_some_are_evenly_taken(finished, evaluation, read, written, monkeypatch):
    monkeypatch.setattr(page, "QUERIES", 5)
    folder = write(finished, written.parent / "few", ["cr5"]).parent
    query_ids = evaluation("cr5", "csls").index.tolist()
    shown = read("ranks-cr5-en", folder)["vi"]["csls"]
    assert list(shown) == query_ids[::5]


@pytest.fixture
def copy(finished, tmp_path):
    """A copy of the finished run that a test may change."""
    return shutil.copytree(finished, tmp_path / "made_up")


def measures_of(text):
    """The measures that a page has, in order."""
    return re.findall('value="(cosine|csls)"', text)


def test_measures_stand_as_in_the_ranks(written):
    assert measures_of((written / "index.html").read_text()) == ["cosine", "csls"]


def test_of_a_first_look_its_own_record_counts(copy, tmp_path):
    """The configuration, as the tables name it; CSLS comes first where searches take it."""
    (copy / run.RECORD).unlink()
    record = recorded(copy / "quick", csls_neighbourhood="training")
    text = write(copy, tmp_path / "out", ["worse"]).read_text()
    assert f"{record['made']}.</p>" in text
    assert "seed 7, configuration cccc" in record["made"]
    assert measures_of(text) == ["csls", "cosine"]


def test_of_what_lies_there_only_what_the_run_names_is_shown(copy, tmp_path):
    """Ranks of a system that an earlier configuration had are of another version."""
    recorded(copy, ["cr5", "other"])
    _, places = find(copy, page.ranked(copy))
    assert list(places) == ["cr5", "other"]
    with pytest.raises(UserError, match="joint: no ranks of worse; there: cr5, other"):
        write(copy, tmp_path / "out", ["worse"])


def test_without_a_record_there_is_no_run(copy):
    (copy / run.RECORD).unlink()
    with pytest.raises(UserError, match=r"there is no run\.json, nor one in quick/"):
        page.ranked(copy)


def test_the_command_writes_a_page_of_chosen_systems_beside_that_of_the_run(copy, capsys):
    main(["explore", str(copy)])
    about = (copy / "explore" / "about.json").read_bytes()
    main(["explore", str(copy), "--system", "worse,cr5"])
    main(["explore", str(copy), "--setting", "joint", "--system", "cr5"])
    assert (copy / "explore" / "about.json").read_bytes() == about
    pages = sorted(path.name for path in copy.glob("explore*"))
    assert pages == ["explore", "explore-joint-cr5", "explore-worse-cr5"]


def test_it_replaces_nothing_but_a_page(finished, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UserError, match="is there already, and no page: name another folder"):
        write(finished, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_beginnings_of_texts_end_with_dots(read):
    _, text = read("documents-vi")["documents"]["q00"]
    assert text == "</script>q00 " + "text " * 57 + "te…"


def test_beginnings_of_texts_hold_no_line_breaks(copy, tmp_path, read):
    concepts = list(read("documents-vi")["documents"])
    texts = dict.fromkeys(concepts, "x" * 400)
    texts[concepts[1]] = "one\n two"
    rows = [(concept, "", text) for concept, text in texts.items()]
    articles.write(copy / "documents" / "vi", rows, "vi")
    folder = write(copy, tmp_path / "out").parent
    documents = read("documents-vi", folder)["documents"]
    titles = [title for title, _ in documents.values()]
    assert titles == concepts  # without a title, the id
    beginnings = [beginning for _, beginning in documents.values()]
    assert beginnings[0] == "x" * 300 + "…"
    assert beginnings[1] == "one two"


def test_a_page_that_says_why_there_is_nothing(tmp_path):
    page.write_empty(tmp_path / "out", "too <few> documents")
    assert "too &lt;few&gt; documents" in (tmp_path / "out" / "index.html").read_text()


SCORES = """\
setting,system,value,task,similarity,metric,directions,query,target,repetition
joint,zzz,.5,documents,cosine,Success@1,2,all,all,mean
joint,other,.2,documents,cosine,Success@1,2,all,all,mean
"""


@pytest.mark.parametrize(
    ("systems", "expected"), [((), ["zzz", "other", "cr5", "u"]), (["worse"], ["worse"])]
)
def test_the_best_four_by_cosine_come_first(copy, systems, expected):
    recorded(copy, list(SYSTEMS) + ["u", "zzz"])
    joint = copy / "ranks" / "joint"
    for name in ("u", "zzz"):
        shutil.copytree(joint / "cr5", joint / name)
    with NO_JOB.making(copy / "tables", "scores") as temporary:
        (temporary / "scores.csv").write_text(SCORES)
    _, places = find(copy, page.ranked(copy), systems=systems)
    assert list(places) == expected


def setting_shown(folder):
    setting, _ = find(folder, folder.glob("ranks/*/*/1/documents"))
    return setting


def test_the_only_setting_is_shown_or_else_the_first(copy):
    (copy / "ranks" / "joint").rename(copy / "ranks" / "pairwise_ar-en")
    assert setting_shown(copy) == "pairwise_ar-en"
    shutil.copytree(copy / "ranks" / "pairwise_ar-en", copy / "ranks" / "other")
    assert setting_shown(copy) == "other"


def test_a_system_that_was_left_out_is_not_shown(copy):
    place = copy / "ranks" / "joint" / "cr5" / "1" / "documents"
    ranks.leave_out(place, {}, "too few words")
    with pytest.raises(UserError, match="joint: no ranks of cr5; there: other"):
        find(copy, page.ranked(copy), systems=["cr5"])
    _, places = find(copy, page.ranked(copy))
    assert "cr5" not in places


@pytest.mark.parametrize(
    ("setting", "systems", "message"),
    [
        ("none", (), "ranks/none: no system has ranks .*; settings that are there: joint"),
        ("joint", ["cr6"], "joint: no ranks of cr6; there: cr5, other"),
        ("joint", ["cr5", "cr5"], "cr5 is named more than once"),
    ],
)
def test_what_is_not_there(finished, setting, systems, message):
    with pytest.raises(UserError, match=message):
        find(finished, page.ranked(finished), setting, systems)


def test_without_any_ranks_no_setting_is_there(finished):
    with pytest.raises(UserError, match=r"no system has ranks .* there: none"):
        find(finished, [], "joint")
