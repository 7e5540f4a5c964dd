"""Parallel text and vectors of others: a server's archives, own paragraphs, aligners' tables."""

import json
import os
import tarfile

import pandas as pd
import pytest

from tests.kit import inside
from tests.kit.layouts import aligned, help_pages, word_vectors
from tests.kit.run import Run, small
from tests.kit.run import scores as read
from tests.kit.server import serving

pytestmark = pytest.mark.slow

LANGUAGES = ("da", "en")
SETTINGS = {
    "joint": {"systems": ["word_by_word", "procrustes"], "tasks": ["documents"]},
    "searched": {"kind": "joint", "systems": ["cr5"], "tasks": ["sentences", "europarl"]},
}
SYSTEMS = {
    "cr5": {"rank": 20, "ridges": [0.1, 1.0], "validation_task": "sentences"},
    "word_by_word": {"skip_words": 0},
    "procrustes": {"seeds": "identical", "rounds": 0},
}


def searched_and_trained(results):
    """Per language the own paragraphs that are searched, and those that train in any setting.

    Paragraphs are compared by their text: that of the first is taken from the aligned table, by the
    ids and documents that were written; that of the second from the documents.
    """
    table = pd.read_parquet(results / "aligned" / "sentences" / "all" / "sentences.parquet")
    for language in LANGUAGES:
        pages = inside.candidates(results, language)
        documents = pd.read_parquet(results / "documents" / language / "documents.parquet")
        own = set().union(*(inside.trained(results, x, language) for x in SETTINGS))
        texts = documents.loc[documents["concept"].isin(own), "text"]
        searched = set(table.loc[table["concept"].isin(pages), language].dropna())
        yield searched, {line for text in texts for line in text.split("\n")}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """An archive as Europarl's, and vectors."""
    folder = tmp_path_factory.mktemp("served")
    aligned(str(folder / "europarl-v7.da-en.{language}"), LANGUAGES, 60)
    with tarfile.open(folder / "da-en.tgz", "w:gz") as tar:
        for path in sorted(folder.glob("europarl*")):
            tar.add(path, path.name)
    word_vectors(str(folder / "wiki.{language}.vec"), LANGUAGES, 16, 0.6)
    with serving(folder) as running:
        yield running


HELP = {
    "corpus": {
        "name": "tiny",
        "source": "libreoffice_help",
        "path": "help",
        "paragraphs": "all",
    },
    "languages": list(LANGUAGES),
    "bags": {"unique_words": [5, 1000]},
    "splits": {"max_share": {"test": 0.2, "validation": 0.1, "candidates": 0.2}},
    "alignments": {"aligner": "eflomal"},
    "systems": SYSTEMS,
}


@pytest.fixture(scope="module")
def run(tmp_path_factory, served):
    europarl = {
        "module": "sentences",
        "address": f"{served.url}/{{first}}-{{second}}.tgz",
        "path": "europarl-v7.{first}-{second}.{language}",
        "pairs": ["da-en"],
        "idf": "own",
        "candidates": 20,
        "idf_lines": 5,
    }
    sentences = {"min_words": 3, "queries": 30}
    configuration = HELP | {
        "vectors": {"path": f"{served.url}/wiki.{{language}}.vec"},
        "tasks": {"documents": {}, "sentences": sentences, "europarl": europarl},
        "settings": SETTINGS,
    }
    made = Run(tmp_path_factory.mktemp("parallel"), configuration)
    help_pages(made.folder / "help", LANGUAGES)
    made("results/tiny/report.html", NO_PROXY="*")
    return made


@pytest.fixture(scope="module")
def scores(run):
    return read(run.results)


def test_each_file_is_fetched_once_and_members_of_archives_are_searched(run, scores, served):
    assert len({path for path, *_ in served.requests}) == len(served.requests) == 3
    chosen = scores[scores["task"] == "europarl"]
    assert chosen["n_queries"].between(15, 20).all()
    assert chosen["n_candidates"].between(15, 20).all()
    [fetched] = (run.results / "fetched").glob("*wiki.da.vec")
    assert fetched.read_bytes() == (served.folder / "wiki.da.vec").read_bytes()
    assert "Nothing to be done" in run("results/tiny/report.html").stdout


def test_own_paragraphs_that_are_searched_train_nowhere(run, scores):
    for searched, trained in searched_and_trained(run.results):
        assert len(searched) > 50
        assert len(trained) > 100
        assert not searched & trained
    asked = inside.asked(run.results, "searched", "cr5", "sentences", "da", "en")
    drawn = inside.queries(run.results)
    tested = set(drawn.loc[drawn["role"] == "test", "concept"])
    assert len(asked) == 30
    assert {query.rpartition("#")[0] for query in asked} <= tested
    chosen = (scores["task"] == "sentences") & (scores["metric"] == "RR")
    assert scores.loc[chosen, "value"].mean() > 0.1


def test_a_system_chooses_by_the_task_that_it_names(run):
    """More paragraphs are asked for than there are validation documents."""
    found = inside.fit_of(run.results, "searched", "cr5")["fit"]["validation"]
    assert len(found) >= 2
    assert all(0 < x["mrr"] < 1 for x in found)


def test_own_paragraphs_of_documents_that_train_are_aligned(run):
    made = run.results / "alignments/joint/1/da-en"
    table = pd.read_csv(made / "forward.tsv", sep="\t", names=["source", "target", "p"])
    for language, column in (("da", "source"), ("en", "target")):
        documents = pd.read_parquet(run.results / "documents" / language / "documents.parquet")
        trains = documents["concept"].isin(inside.trained(run.results, "joint", language))
        words = [set(" ".join(documents.loc[x, "text"]).split()) for x in (trains, ~trains)]
        assert len(table) > 100
        assert set(table[column].astype(str)) <= words[0]
        assert words[1] - words[0]
    told = json.loads((made / "about.json").read_text())["of"]
    assert {"paragraphs/da", "paragraphs/en", "settings/joint/1"} <= told.keys()


@pytest.mark.parametrize("system", ["word_by_word", "procrustes"])
def test_what_is_aligned_and_what_others_trained_translates(scores, system):
    found = scores[(scores["system"] == system) & (scores["metric"] == "Success@1")]
    assert (found["value"] > 5 / found["n_candidates"]).all()


def test_a_test_text_in_parallel_files_is_refused(tmp_path):
    run = small(
        tmp_path,
        languages=["da", "en"],
        systems={"word_by_word": {}},
        alignments={"aligner": "eflomal", "sentences": {"path": "text/{language}"}},
    )
    (run.folder / "text").mkdir()
    path = run.folder / "text" / "da"
    path.write_text("da ene\n")
    path.with_name("en").write_text("the one\n")
    run("results/tiny/alignments/da-en", "results/tiny/seen")
    documents = pd.read_parquet(run.results / "documents/da/documents.parquet")
    documents = documents.set_index("concept")
    text = "  ".join(documents.loc[inside.queries(run.results)["concept"].iloc[0], "text"].split())
    path.write_text(f"{text}\n")
    done = run("results/tiny/seen", check=False)
    assert done.returncode != 0
    assert "alignments.sentences: 1 texts, such as" in done.stdout
    assert "in da are test or validation texts" in done.stdout


def test_without_the_aligner_no_job_starts(tmp_path):
    run = Run(tmp_path, HELP | {"systems": {"word_by_word": {}}})
    help_pages(tmp_path / "help", LANGUAGES, n=20)
    (tmp_path / "eflomal").mkdir()  # stands for the package, and has no program
    done = run(check=False, PATH=os.defpath, PYTHONPATH=str(tmp_path))
    assert done.returncode != 0
    assert "alignments.aligner: eflomal is not installed: pip install eflomal==2.0.0" in done.stdout
    assert not run.files("documents")
