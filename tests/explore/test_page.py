"""The files of the page beside what the run itself holds, read and computed anew."""

import itertools
import shutil
from collections import Counter

import pandas as pd
import pytest

from cr5.base.artefacts import making
from cr5.base.errors import UserError
from cr5.counts import documents as articles
from cr5.explore import page
from cr5.report import record

LANGUAGES = ("ar", "en", "vi")
SYSTEMS = ("cr5", "other", "worse")
DIRECTIONS = list(itertools.permutations(LANGUAGES, 2))


def tables(finished, system):
    folder = finished / "ranks" / "joint" / system / "1" / "documents"
    return [pd.read_parquet(folder / f"{name}.parquet") for name in ("queries", "answers")]


def of(frame, query, target, similarity):
    names = ("query_language", "target_language", "similarity")
    for name, value in zip(names, (query, target, similarity), strict=True):
        frame = frame[frame[name] == value]
    return frame.set_index("query")


@pytest.mark.parametrize("system", SYSTEMS)
def test_ranks_and_nearest_are_those_of_the_evaluation(finished, read, system):
    queries, answers = tables(finished, system)
    for query, target in DIRECTIONS:
        asked, there = (read(f"documents-{x}")["ids"] for x in (query, target))
        measures = read(f"ranks-{system}-{query}")[target]["measures"]
        assert set(measures) == {"cosine", "csls"}
        for similarity, found in measures.items():
            wanted = of(queries, query, target, similarity)
            truth = of(answers, query, target, similarity)
            names = [asked[number] for number in found["query"]]
            assert names == wanted.index.tolist()
            assert [there[number] for number in found["true"]] == names
            assert found["rank"] == truth["rank"][names].tolist()
            assert found["score"] == pytest.approx(truth["score"][names].tolist(), abs=6e-5)
            nearest = [[there[number] for number in row] for row in found["nearest"]]
            assert nearest == [list(row) for row in wanted["nearest"]]


def test_hubs_are_counted_over_all_queries(finished, read, written, tmp_path, monkeypatch):
    monkeypatch.setattr(page, "QUERIES", 5)
    few = page.write(finished, tmp_path / "few", ["cr5"]).parent
    wanted = of(tables(finished, "cr5")[0], "en", "vi", "csls")["nearest"]
    counts = Counter(concept for row in wanted for concept in row)
    for folder in (None, few):
        args = (folder,) if folder else ()
        ids = read("documents-vi", *args)["ids"]
        found = read("ranks-cr5-en", *args)["vi"]["measures"]["csls"]
        hubs = [(ids[number], count) for number, count in found["hubs"]]
        assert hubs == sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:30]
        assert found["queries"] == 24
    assert len(found["query"]) == 5
    assert read("about", few)["left"] == {"shown": 30, "all": 144}
    assert read("about")["left"] is None


def recorded(results, evaluation):
    """Write down what made the run."""
    config = {"seed": 7, "processor": "common", "evaluation": evaluation}
    about = record.about(config, {"configuration": "cccccccccccc", "systems": {}}, [])
    with making(results / "report", record.KIND, beside=[record.RUN, record.CONFIG]):
        record.write(results, about)
    return about


def test_the_page_names_the_configuration_that_the_tables_name(copy, read, tmp_path):
    about = recorded(copy, {})
    out = page.write(copy, tmp_path / "out").parent
    assert read("about", out)["origin"] == about["made"]
    assert about["made"].startswith("seed 7, configuration cccccccccccc, code 0.1.0")


def test_a_build_that_fails_leaves_the_page_that_was_there(
    finished, written, tmp_path, monkeypatch
):
    out = shutil.copytree(written, tmp_path / "explore")
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}

    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(page, "_found", fail)
    with pytest.raises(KeyboardInterrupt):
        page.write(finished, out)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_it_replaces_nothing_but_a_page(finished, tmp_path):
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    with pytest.raises(UserError, match="is there already, and no page: name another folder"):
        page.write(finished, tmp_path)
    assert mine.read_text() == "mine"


@pytest.fixture
def copy(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "made_up")


def test_documents_of_another_run_are_noticed(copy, tmp_path):
    rows = [("q99", "Title", "text")]
    articles.write(copy / "documents" / "vi", rows, "vi")
    with pytest.raises(UserError, match=r"'q00' was searched in vi, and is not among its docu"):
        page.write(copy, tmp_path / "out", ["cr5"])


def test_csls_comes_first_where_searches_take_it(copy, tmp_path, read):
    """Where models keep training documents."""
    assert [x["measures"] for x in read("about")["systems"]] == [["cosine", "csls"]] * 3
    recorded(copy, {"csls_neighbourhood": "training"})
    out = page.write(copy, tmp_path / "out", ["worse"]).parent
    assert read("about", out)["systems"][0]["measures"] == ["csls", "cosine"]


def test_beginnings_of_texts_end_with_dots_and_hold_no_line_breaks(copy, tmp_path, read):
    names = read("documents-vi")["ids"]
    assert read("texts-vi")[0] == f"</script>{names[0]} " + "text " * 57 + "te…"
    texts = {x: "one\n two" if x == names[1] else "x" * 400 for x in names}
    articles.write(copy / "documents" / "vi", [(x, "", y) for x, y in texts.items()], "vi")
    out = page.write(copy, tmp_path / "out").parent
    assert read("texts-vi", out)[:2] == ["x" * 300 + "…", "one two"]
    assert read("documents-vi", out)["titles"] == names  # without a title it has its concept


def test_a_page_that_says_why_there_is_nothing(tmp_path):
    page.write_empty(tmp_path / "out", "too <few> documents")
    assert "too &lt;few&gt; documents" in (tmp_path / "out" / "index.html").read_text()
