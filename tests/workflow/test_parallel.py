"""Parallel text from an address, and a corpus's own paragraphs, through the workflow."""

import io
import json
import lzma
import tarfile

import pandas as pd
import pytest

from benchmarks.made_up.server import serving

pytestmark = pytest.mark.slow

ONE = {"systems": {"lexical_overlap": {}}, "settings": {"joint": {}}, "languages": ["aa", "bb"]}


def archive(path, members):
    with tarfile.open(path, "w:gz") as tar:
        for name, lines in members.items():
            content = "".join(f"{line}\n" for line in lines).encode()
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))


@pytest.fixture
def served(tmp_path, monkeypatch):
    """An archive as Europarl's, of words that are spelled alike in both languages."""
    monkeypatch.setenv("NO_PROXY", "*")
    folder = tmp_path / "served"
    folder.mkdir()
    lines = [" ".join(f"x{a}{b}{c}" for c in "aehi") for a in "abc" for b in "abcdefghij"]
    lines = [line.replace("x", "xa") for line in lines]
    archive(
        folder / "bb-aa.tgz",
        {"europarl-v7.bb-aa.aa": [*lines, "xaa"], "europarl-v7.bb-aa.bb": [*lines, ""]},
    )
    with serving(folder) as running:
        yield running


def test_an_archive_is_fetched_once_and_its_members_are_searched(new_run, served):
    task = {
        "module": "sentences",
        "address": f"{served.url}/{{first}}-{{second}}.tgz",
        "path": "europarl-v7.{first}-{second}.{language}",
        "pairs": ["bb-aa"],
        "idf": "own",
        "candidates": 20,
        "idf_lines": 5,
    }
    run = new_run(**ONE, tasks={"europarl": task})
    run("results/tiny/tables/table1.md")
    assert len(served.requests) == 1
    scores = pd.read_csv(run.results / "tables" / "scores.csv")
    assert (scores["n_queries"] == 20).all()
    assert (scores["n_candidates"] == 20).all()
    table = (run.results / "tables" / "table1.md").read_text(encoding="utf-8")
    assert "aa–bb 30, of these 0 empty" in table  # the last line is beyond 20 + 2 * 5
    [pin] = (run.results / "fetched").glob("*.pin.tsv")
    assert served.url in pin.read_text()


def write_help(run, made_up, language):
    """Pages of four paragraphs of a made-up language, one that is on all, one on every third."""
    lines = lzma.decompress((run.folder / "corpus" / f"{made_up}.jsonl.xz").read_bytes())
    folder = run.folder / "help" / language / "text"
    folder.mkdir(parents=True)
    for entry in map(json.loads, lines.decode().splitlines()):
        words = entry["text"].split()
        texts = [" ".join(words[start : start + 30]) for start in range(0, 120, 30)]
        some = "abc"[len(entry["concept"]) % 3]
        texts += [f"{made_up} on all of its pages", f"{made_up}{some} on some of its pages"]
        body = "".join(f'<p id="par{i}">{text}</p>' for i, text in enumerate(texts))
        page = f'<title>T</title><div id="DisplayArea">{body}</div>'
        (folder / f"{entry['concept']}.html").write_text(page)


def test_own_paragraphs_that_are_searched_train_nowhere(new_run, paragraphs_of):
    corpus = {"name": "tiny", "source": "libreoffice_help", "path": "help"}
    tasks = {"documents": {}, "sentences": {"min_words": 5, "queries": 30}}
    systems = {"cr5": {"rank": 10, "ridges": [1.0]}}
    changes = {"languages": ["da", "en"], "corpus": corpus, "systems": systems, "tasks": tasks}
    run = new_run(**ONE | changes)
    write_help(run, "aa", "da")
    write_help(run, "bb", "en-US")
    run("results/tiny/tables/tasks/sentences.md")
    searched, trained = paragraphs_of(run.results)
    for language in ("da", "en"):
        assert len(searched[language]) > 50
        assert len(trained[language]) > 100
        assert not searched[language] & trained[language]
    ranks = pd.read_parquet(run.results / "ranks/joint/cr5/1/sentences/queries.parquet")
    assert set(ranks.groupby(["query_language", "similarity"]).size()) == {30}
    drawn = pd.read_parquet(run.results / "draws" / "1" / "queries.parquet")
    tested = set(drawn.loc[drawn["role"] == "test", "concept"])
    assert {query.rpartition("#")[0] for query in ranks["query"]} <= tested
    scores = pd.read_csv(run.results / "tables" / "scores.csv")
    mrr = scores[(scores["task"] == "sentences") & (scores["metric"] == "RR")]["value"]
    assert mrr.mean() > 0.1
