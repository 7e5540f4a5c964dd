"""Parallel text: an archive, a corpus's own paragraphs, and the tables that an aligner makes."""

import io
import json
import os
import sys
import tarfile

import pandas as pd
import pytest

from benchmarks.made_up.server import serving

pytestmark = pytest.mark.slow

# Word k of a sentence is linked to word k of the other: what these languages are made for.
STUB = """import sys, pathlib
urandom = '/dev/urandom'
texts = [pathlib.Path(x).read_text().splitlines()[1:] for x in ('first', 'second')]
sizes = [min(int(line.split()[0]) for line in pair) for pair in zip(*texts)]
output = 'forward' if '-f' in sys.argv else 'reverse'
lines = [' '.join(f'{i}-{i}' for i in range(size)) for size in sizes]
pathlib.Path(output).write_text(''.join(f'{line}\\n' for line in lines))
"""
PAGES = 120
LANGUAGES = {"da": ("da", "d"), "en": ("en-US", "e")}  # their folders, and how their words begin
SYSTEMS = {
    "cr5": {"rank": 10, "ridges": [0.1, 1.0], "validation_task": "sentences"},
    "word_by_word": {"skip_words": 0},
    "lsa": {"module": "word_by_word", "skip_words": 0, "via": "lsa", "dimensions": [5, 20]},
}
ALIGNED = ["word_by_word", "lsa"]
SETTINGS = {
    "joint": {"systems": ALIGNED, "tasks": ["documents"]},
    "searched": {"kind": "joint", "systems": ["cr5"], "tasks": ["sentences", "europarl"]},
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A PATH with an aligner."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "eflomal").write_text(f"#!{sys.executable}\n{STUB}")
    (folder / "eflomal").chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def letters(number):
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")


def own_words(page):
    return [letters(page) + x for x in "abcdefg"]


def paragraphs(page):
    """Between words that only this page has stand words that it shares with its neighbours."""
    own = own_words(page)
    shared = [f"s{letters((page + k) % PAGES // 2)}" for k in range(6)]
    return [[own[k], shared[k], own[k + 1]] for k in range(6)]


def write_help(folder):
    """Two further paragraphs: one is on all pages, one on every third."""
    for place, start in LANGUAGES.values():
        text = folder / place / "text"
        text.mkdir(parents=True)
        for page in range(PAGES):
            said = [" ".join(start + word for word in words) for words in paragraphs(page)]
            said += [f"{start} on all pages", f"{start}{'abc'[page % 3]} on some of the pages"]
            body = "".join(f'<p id="par{i}">{each}</p>' for i, each in enumerate(said))
            html = f'<title>T</title><div id="DisplayArea">{body}</div>'
            (text / f"page{page:03}.html").write_text(html)


def write_archive(path):
    """As Europarl's: a line for each of thirty pages, and one that is empty in Danish."""
    lines = {
        x: ["".join(f"{start}{word} " for word in own_words(page)) for page in range(30)]
        for x, (_, start) in LANGUAGES.items()
    }
    with tarfile.open(path, "w:gz") as tar:
        for language, last in (("da", ""), ("en", "eaaaa")):
            content = "".join(f"{line}\n" for line in [*lines[language], last]).encode()
            info = tarfile.TarInfo(f"europarl-v7.da-en.{language}")
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    write_archive(folder / "da-en.tgz")
    with serving(folder) as running:
        yield running


def given(**changes):
    corpus = {"name": "tiny", "source": "libreoffice_help", "path": "help", "paragraphs": "all"}
    common = {"corpus": corpus, "languages": list(LANGUAGES), "systems": SYSTEMS}
    return {**common, "alignments": {"aligner": "eflomal"}, **changes}


@pytest.fixture(scope="module")
def run(new_run_in, tmp_path_factory, served, program):
    europarl = {
        "module": "sentences",
        "address": f"{served.url}/{{first}}-{{second}}.tgz",
        "path": "europarl-v7.{first}-{second}.{language}",
        "pairs": ["da-en"],
        "idf": "own",
        "candidates": 20,
        "idf_lines": 5,
    }
    tasks = {"documents": {}, "sentences": {"min_words": 3, "queries": 30}, "europarl": europarl}
    made = new_run_in(tmp_path_factory.mktemp("parallel"), **given(tasks=tasks, settings=SETTINGS))
    write_help(made.folder / "help")
    made("results/tiny/tables/table1.md", PATH=program, NO_PROXY="*")
    return made


@pytest.fixture(scope="module")
def scores(run):
    return pd.read_csv(run.results / "tables" / "scores.csv")


def ranks(run, fit, name):
    return pd.read_parquet(run.results / f"ranks/{fit}/{name}.parquet")


def test_an_archive_is_fetched_once_and_its_members_are_searched(run, scores, served):
    assert len(served.requests) == 1
    chosen = scores[scores["task"] == "europarl"]
    assert (chosen["n_queries"] == 20).all()
    assert (chosen["n_candidates"] == 20).all()
    table = (run.results / "tables" / "tasks" / "europarl.md").read_text(encoding="utf-8")
    assert "da–en 30, of these 0 empty" in table  # the last line is beyond 20 + 2 * 5
    [pin] = (run.results / "fetched").glob("*.pin.tsv")
    assert served.url in pin.read_text()


def test_own_paragraphs_that_are_searched_train_nowhere(run, scores, paragraphs_of):
    searched, trained = paragraphs_of(run.results)
    for language in LANGUAGES:
        assert len(searched[language]) > 50
        assert len(trained[language]) > 100
        assert not searched[language] & trained[language]
    found = ranks(run, "searched/cr5/1/sentences", "queries")
    assert set(found.groupby(["query_language", "similarity"]).size()) == {30}
    drawn = pd.read_parquet(run.results / "draws" / "1" / "queries.parquet")
    tested = set(drawn.loc[drawn["role"] == "test", "concept"])
    assert {query.rpartition("#")[0] for query in found["query"]} <= tested
    chosen = (scores["task"] == "sentences") & (scores["metric"] == "RR")
    assert scores.loc[chosen, "value"].mean() > 0.1


def test_a_system_chooses_by_the_task_that_it_names(run):
    """More paragraphs are asked for than there are validation documents."""
    about = json.loads((run.results / "models/searched/cr5/1/fit.json").read_text())
    assert len(about["fit"]["validation"]) >= 2
    assert all(0 < x["mrr"] < 1 for x in about["fit"]["validation"])


def test_own_paragraphs_of_documents_that_train_are_aligned(run):
    made = run.results / "alignments/joint/1/da-en"
    table = pd.read_csv(made / "forward.tsv", sep="\t", names=["source", "target", "p"])
    table = table[table["source"].str.len() == 5]
    assert (table["source"].str[1:] == table["target"].str[1:]).all()
    trained = pd.read_parquet(run.results / "settings/joint/1.parquet")
    pages = {letters(int(concept[4:])) for concept in trained["concept"]}
    assert 0 < len(pages) < PAGES
    own = table[~table["source"].str.startswith("ds")]
    assert set(own["source"].str[1:4]) == pages
    told = json.loads((made / "about.json").read_text())
    assert told["pair"] == ["da", "en"]
    assert {x["name"] for x in told["data"]} == {"da.parquet", "en.parquet", "1.parquet"}


@pytest.mark.parametrize("system", ALIGNED)
def test_what_is_aligned_translates(run, system):
    about = json.loads((run.results / f"models/joint/{system}/1/fit.json").read_text())
    names = [x["name"] for x in about["data"]["alignments"]]
    assert names == ["forward.tsv", "reverse.tsv"]
    found = ranks(run, f"joint/{system}/1/documents", "answers")
    found = found[found["similarity"] == "cosine"].groupby("query_language")["rank"]
    assert len(found) == 2
    assert (found.apply(lambda each: (each == 1).mean()) > 0.5).all()


def test_parallel_files_are_aligned_once_for_all(new_run, program):
    sentences = {"path": "text/{first}-{second}.tsv", "codes": {"aa": "a"}}
    run = new_run(
        languages=["aa", "bb"],
        systems={"word_by_word": {}},
        settings={"joint": {}},
        alignments={"aligner": "eflomal", "sentences": sentences},
    )
    folder = run.folder / "text"
    folder.mkdir()
    lines = ["bbaa bbab\tabaa abab", "bbac\tabac", "bbac\tabac", "bbad\t"]
    (folder / "bb-a.tsv").write_text("".join(f"{line}\n" for line in lines))
    run("results/tiny/alignments/aa-bb/reverse.tsv", PATH=program)
    made = run.results / "alignments/aa-bb"
    assert (made / "reverse.tsv").read_text() == "bbaa\tabaa\t1\nbbab\tabab\t1\nbbac\tabac\t1\n"
    assert json.loads((made / "about.json").read_text())["sentences"] == 2
    run("results/tiny/seen.json", PATH=program)
    drawn = pd.read_parquet(run.results / "draws/1/queries.parquet")
    documents = pd.read_parquet(run.results / "documents/bb.parquet").set_index("concept")
    text = "  ".join(documents.loc[drawn["concept"].iloc[0], "text"].split())
    (folder / "bb-a.tsv").write_text("".join(f"{line}\n" for line in [*lines, f"{text}\taaaa"]))
    done = run("results/tiny/seen.json", check=False, PATH=program)
    assert done.returncode != 0
    assert "alignments.sentences: 1 texts, such as" in done.stdout
    assert "in bb are test or validation texts" in done.stdout


def test_without_the_aligner_no_job_starts(new_run, tmp_path):
    run = new_run(**given(settings={"joint": {}}, systems={"word_by_word": {}}))
    write_help(run.folder / "help")
    (tmp_path / "eflomal").mkdir()  # stands for the package, and has no program
    done = run(
        "results/tiny/tables/scores.csv", check=False, PATH=os.defpath, PYTHONPATH=str(tmp_path)
    )
    assert done.returncode != 0
    assert "alignments.aligner: eflomal is not installed: pip install eflomal==2.0.0" in done.stdout
    assert not run.results.exists() or not run.files("documents")
