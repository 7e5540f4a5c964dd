"""Word translation tables made of parallel text, and the system that takes them."""

import json
import os
import sys
from itertools import pairwise

import pandas as pd
import pytest

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
PAGES = 60
SYSTEMS = {
    "word_by_word": {"skip_words": 0},
    "lsa": {"module": "word_by_word", "skip_words": 0, "via": "lsa", "dimensions": [5, 20]},
}


@pytest.fixture
def program(tmp_path, monkeypatch):
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "eflomal").write_text(f"#!{sys.executable}\n{STUB}")
    (folder / "eflomal").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def letters(number):
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")


def page_words(page):
    """Of each page: five words that only it has, and some that it shares with its neighbours."""
    own = [letters(page) + x for x in "abcde"]
    return own + [f"s{letters((page + k) % PAGES // 2)}" for k in range(6)]


def write_help(folder, start):
    text = folder / "text"
    text.mkdir(parents=True)
    for page in range(PAGES):
        words = [start + word for word in page_words(page)]
        body = "".join(f'<p id="par{i}">{a} {b}</p>' for i, (a, b) in enumerate(pairwise(words)))
        html = f'<title>T</title><div id="DisplayArea">{body}</div>'
        (text / f"page{page:03}.html").write_text(html)


def given(**changes):
    return {
        "systems": SYSTEMS,
        "settings": {"joint": {}},
        "languages": ["da", "en"],
        "corpus": {
            "name": "tiny",
            "source": "libreoffice_help",
            "path": "help",
            "paragraphs": "all",
        },
        "alignments": {"aligner": "eflomal"},
        **changes,
    }


def test_own_paragraphs_of_documents_that_train_are_aligned(new_run, program):
    run = new_run(**given())
    for code, start in (("da", "d"), ("en-US", "e")):
        write_help(run.folder / "help" / code, start)
    run(*[f"results/tiny/ranks/joint/{system}/1/documents" for system in SYSTEMS])
    made = run.results / "alignments/joint/1/da-en"
    table = pd.read_csv(made / "forward.tsv", sep="\t", names=["source", "target", "p"])
    assert (table["source"].str[1:] == table["target"].str[1:]).all()
    trained = pd.read_parquet(run.results / "settings/joint/1.parquet")
    pages = {letters(int(concept[4:])) for concept in trained["concept"]}
    assert 0 < len(pages) < PAGES
    own = table[table["source"].str.len() == 5]
    own = own[~own["source"].str.startswith("ds")]
    assert set(own["source"].str[1:4]) == pages
    told = json.loads((made / "about.json").read_text())
    assert told["pair"] == ["da", "en"]
    assert {x["name"] for x in told["data"]} == {"da.parquet", "en.parquet", "1.parquet"}
    for system in SYSTEMS:
        about = json.loads((run.results / f"models/joint/{system}/1/fit.json").read_text())
        names = [x["name"] for x in about["data"]["alignments"]]
        assert names == ["forward.tsv", "reverse.tsv"]
        ranks = pd.read_parquet(run.results / f"ranks/joint/{system}/1/documents/answers.parquet")
        found = ranks[ranks["similarity"] == "cosine"].groupby("query_language")["rank"]
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
    lines = ["abaa abab\tbbaa bbab", "abac\tbbac", "abac\tbbac", "\tbbad"]
    (folder / "bb-a.tsv").write_text("".join(line + "\n" for line in map(turned, lines)))
    run("results/tiny/alignments/aa-bb/reverse.tsv")
    made = run.results / "alignments/aa-bb"
    assert (made / "reverse.tsv").read_text() == "bbaa\tabaa\t1\nbbab\tabab\t1\nbbac\tabac\t1\n"
    assert json.loads((made / "about.json").read_text())["sentences"] == 2


def turned(line):
    return "\t".join(reversed(line.split("\t")))


def test_without_parallel_files_of_a_pair_no_job_starts(new_run, program):
    sentences = {"path": "text/{first}-{second}.{language}"}
    run = new_run(
        **given(
            corpus={"name": "tiny", "source": "files", "path": "corpus/{language}.jsonl.xz"},
            languages=["aa", "bb", "cc"],
            alignments={"aligner": "eflomal", "sentences": sentences},
        )
    )
    (run.folder / "text").mkdir()
    for language in ("aa", "bb"):
        (run.folder / "text" / f"aa-bb.{language}").write_text("x\n")
    done = run("--dry-run", check=False)
    assert done.returncode != 0
    assert (
        "alignments.sentences: no parallel files of aa and cc, which train together" in done.stdout
    )
    assert "Traceback" not in done.stdout


def test_without_the_aligner_no_job_starts(new_run, monkeypatch, tmp_path):
    run = new_run(**given())
    write_help(run.folder / "help" / "da", "d")
    write_help(run.folder / "help" / "en-US", "e")
    (tmp_path / "eflomal").mkdir()  # stands for the package, and has no program
    done = run(
        "results/tiny/tables/scores.csv", check=False, PATH=os.defpath, PYTHONPATH=str(tmp_path)
    )
    assert done.returncode != 0
    assert "alignments.aligner: eflomal is not installed: pip install eflomal==2.0.0" in done.stdout
    assert not run.results.exists() or not run.files("documents")
