"""A made-up Wikimedia gives the same bags as the documents that it was made from."""

import json

import pandas as pd
import pytest

from tests.kit import wikimedia
from tests.kit.inside import counts
from tests.kit.run import Run
from tests.kit.server import serving

pytestmark = pytest.mark.slow

LANGUAGES = ("da", "es")
BOTH = {"languages": list(LANGUAGES), "bags": {"unique_words": [1, 9999]}}
BAGS = [f"results/{{name}}/bags/{language}" for language in LANGUAGES]


@pytest.fixture(scope="module")
def mirror(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mirror") / "dumps"
    wikimedia.make(folder, LANGUAGES, 150, parts=(2,))
    return folder


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the workflow for a corpus section as far as the bags and the notes.

    What fails raises AssertionError with the output.
    """
    monkeypatch.setenv("NO_PROXY", "*")
    made = Run(tmp_path, {})

    def run(*targets, options=(), **corpus):
        made.configure(BOTH | {"corpus": corpus})
        targets = [target.format(name=corpus["name"]) for target in targets or BAGS]
        run.output = made(*targets, *options).stdout
        return made.results

    return run


def bags(folder):
    """Counts by concept and word, in an order that no source has a say in."""
    words = pd.read_parquet(folder / "words.parquet")
    found, _, _ = counts(folder.parents[1], folder.name)
    documents = pd.read_parquet(folder / "documents.parquet")
    order = documents["concept"].argsort().to_numpy()
    return words, documents.iloc[order].reset_index(drop=True), found[order]


def assert_equal(ours, theirs):
    (words, documents, counts), (their_words, their_documents, their_counts) = ours, theirs
    pd.testing.assert_frame_equal(words, their_words)
    columns = ["concept", "n_tokens", "n_unique"]
    pd.testing.assert_frame_equal(documents[columns], their_documents[columns])
    assert (counts != their_counts).nnz == 0


@pytest.fixture(scope="module")
def expected(mirror, tmp_path_factory):
    """The bags of the same documents as JSON lines."""
    path = str(mirror / "aligned" / "{language}.jsonl")
    corpus = {"name": "aligned", "source": "files", "path": path}
    run = Run(tmp_path_factory.mktemp("aligned"), BOTH | {"corpus": corpus})
    run(*(target.format(name="aligned") for target in BAGS))
    return {language: bags(run.results / "bags" / language) for language in LANGUAGES}


def test_the_same_bags_and_texts_from_a_folder(run, mirror, expected):
    more = "results/{name}/documents/es"
    results = run(*BAGS, more, name="wiki", source="wikipedia", base=str(mirror))
    for language in LANGUAGES:
        found = bags(results / "bags" / language)
        assert len(found[1]) > 100
        assert_equal(found, expected[language])
    # No system needs the text; the page on which to look through the results does.
    texts = pd.read_parquet(results / "documents" / "es" / "documents.parquet")
    assert set(texts["concept"]) >= set(expected["es"][1]["concept"])


def test_over_a_bad_line(run, mirror, expected):
    with serving(mirror) as running:
        running.most, running.statuses = 20_000, [503]
        settings = {"source": "wikipedia", "base": running.url, "contact": "test@example.org"}
        notes = "results/{name}/documents/es"
        results = run(*BAGS, notes, name="served", **settings)
    for language in LANGUAGES:
        assert_equal(bags(results / "bags" / language), expected[language])
    notes = json.loads((results / "documents" / "es" / "notes.json").read_text())
    assert all(file["checksum"].startswith("sha") for file in notes["files"])
    assert notes["pages"]["documents"] >= len(expected["es"][1])
    assert notes["pages"]["redirect"] and notes["pages"]["no_concept"]

    # Another contact, no server: what was found and fetched stays.
    settings["contact"] = "other@example.org"
    run(name="served", options=["--dry-run", "--forcerun", "part"], **settings)
    assert "rule part:" in run.output
    assert "rule download:" not in run.output
    assert "checkpoint pins:" not in run.output


def test_a_dump_damaged_after_it_came_is_named_and_fetched_anew(run, mirror, expected):
    bags_of_es = "results/{name}/bags/es"
    with serving(mirror) as running:
        settings = {"source": "wikipedia", "base": running.url, "contact": "test@example.org"}
        settings |= {"name": "damaged"}
        results = run("results/{name}/documents/es", **settings)
        dump = max((results / "dumps" / "es").glob("*.xml.bz2"))
        dump.write_bytes(dump.read_bytes()[:-100])
        with pytest.raises(AssertionError, match=f"{dump.name}: "):
            run(bags_of_es, **settings)
        dump.unlink()
        run(bags_of_es, **settings)
    assert_equal(bags(results / "bags" / "es"), expected["es"])
