"""Parallel text and vectors of others: a server's archives, own paragraphs, aligners' tables."""

import json
import os
import tarfile

import pandas as pd
import pytest

from tests.kit import inside
from tests.kit.layouts import aligned, help_pages, word_vectors
from tests.kit.run import Run, scores, small
from tests.kit.server import serving

pytestmark = pytest.mark.slow

LANGUAGES = ("da", "en")
SETTINGS = {
    "joint": {"systems": ["word_by_word", "procrustes"], "tasks": ["documents"]},
    "searched": {"kind": "joint", "systems": ["cr5"], "tasks": ["sentences", "europarl"]},
}
HELP = {
    "corpus": {"name": "tiny", "source": "libreoffice_help", "path": "help", "paragraphs": "all"},
    "languages": list(LANGUAGES),
    "bags": {"unique_words": [5, 1000]},
    "splits": {"max_share": {"test": 0.2, "validation": 0.1, "candidates": 0.2}},
    "alignments": {"aligner": "eflomal"},
    "systems": {
        "cr5": {"rank": 20, "ridges": [0.1, 1.0], "validation_task": "sentences"},
        "word_by_word": {"skip_words": 0},
        "procrustes": {"seeds": "identical", "rounds": 0},
    },
}


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
    finished = Run(tmp_path_factory.mktemp("parallel"), configuration)
    help_pages(finished.folder / "help", LANGUAGES)
    finished("results/tiny/tables", NO_PROXY="*")
    return finished


def documents(run, language):
    return pd.read_parquet(run.results / "documents" / language / "documents.parquet")


def test_each_file_is_fetched_once_and_members_of_archives_are_searched(run, served):
    paths = [request[0] for request in served.requests]
    assert len(set(paths)) == 3
    assert len(paths) == 3
    table = scores(run.results)
    n_candidates = table.loc[table["task"] == "europarl", "n_candidates"]
    assert n_candidates.between(15, 20).all()
    [fetched] = (run.results / "fetched").rglob("wiki.da.vec")
    assert fetched.read_bytes() == (served.folder / "wiki.da.vec").read_bytes()
    assert run.planned("results/tiny/tables") == []


def test_own_paragraphs_that_are_searched_train_nowhere(run):
    """By their text: of candidates in the table of sentences, of what trains in documents."""
    sentences = run.results / "aligned" / "sentences" / "all" / "sentences.parquet"
    table = pd.read_parquet(sentences)
    for language in LANGUAGES:
        candidates = inside.candidates(run.results, language)
        is_searched = table["concept"].isin(candidates)
        searched = set(table.loc[is_searched, language].dropna())
        trained = trained_paragraphs(run, language)
        assert len(searched) > 50
        assert len(trained) > 100
        assert not searched & trained


def trained_paragraphs(run, language):
    concepts = set()
    for setting in SETTINGS:
        concepts.update(inside.trained(run.results, setting, language))
    texts = documents(run, language)
    trained = texts.loc[texts["concept"].isin(concepts), "text"]
    return set("\n".join(trained).split("\n"))


def test_own_paragraphs_of_test_queries_are_asked_for(run):
    queries = inside.queries(run.results)
    tests = set(queries.loc[queries["role"] == "test", "concept"])
    asked = inside.asked(run.results, "searched", "cr5", "sentences", "da", "en")
    concepts = {query.rpartition("#")[0] for query in asked}
    assert len(asked) == 30
    assert concepts <= tests


def test_a_system_chooses_by_own_paragraphs(run):
    """More are asked for than there are validation documents."""
    fit = inside.fit_of(run.results, "searched", "cr5")["fit"]
    scores_of_ridges = [entry["mrr"] for entry in fit["validation"]]
    assert len(scores_of_ridges) >= 2
    assert min(scores_of_ridges) > 0
    assert max(scores_of_ridges) < 1


def words(texts):
    return set(" ".join(texts).split())


def test_own_paragraphs_of_documents_that_train_are_aligned(run):
    folder = run.results / "alignments/joint/1/da-en"
    table = pd.read_csv(folder / "forward.tsv", sep="\t", names=["da", "en", "p"])
    assert len(table) > 100
    for language in LANGUAGES:
        texts = documents(run, language)
        is_trained = texts["concept"].isin(inside.trained(run.results, "joint", language))
        trained_words = words(texts.loc[is_trained, "text"])
        aligned_words = set(table[language].astype(str))
        assert aligned_words <= trained_words
        assert words(texts["text"]) - trained_words
    inputs = json.loads((folder / "about.json").read_text())["of"]
    assert {"paragraphs/da", "paragraphs/en", "settings/joint/1"} <= inputs.keys()


def test_a_test_text_in_parallel_files_is_refused(tmp_path):
    run = small(
        tmp_path,
        languages=["da", "en"],
        systems={"word_by_word": {}},
        alignments={"aligner": "eflomal", "sentences": {"path": "{language}.txt"}},
    )
    path = tmp_path / "da.txt"
    path.write_text("da ene\n")
    path.with_name("en.txt").write_text("the one\n")
    run("results/tiny/seen")
    texts = documents(run, "da").set_index("concept")["text"]
    query = inside.queries(run.results)["concept"].iloc[0]
    with_other_spaces = "  ".join(texts[query].split())
    path.write_text(f"{with_other_spaces}\n")
    done = run("results/tiny/seen", check=False)
    assert done.returncode != 0
    assert "alignments.sentences: 1 texts, such as" in done.stdout
    assert "in da are test or validation texts" in done.stdout


def test_without_the_aligner_no_job_starts(tmp_path):
    run = Run(tmp_path, HELP | {"systems": {"word_by_word": {}}})
    help_pages(tmp_path / "help", LANGUAGES, n=20)
    (tmp_path / "eflomal").mkdir()  # stands for the package, and has no program
    without_aligner = {"PATH": os.defpath, "PYTHONPATH": str(tmp_path)}
    plan = run("-n", check=False, **without_aligner)
    done = run(check=False, **without_aligner)
    assert plan.returncode == 0
    assert done.returncode != 0
    missing = "alignments.aligner: eflomal is not installed: pip install eflomal==2.0.0"
    assert f"A run would not start: {missing}" in " ".join(plan.stdout.split())
    assert missing in done.stdout
    assert not run.files("documents")
