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
BAGS = ("results/wiki/bags/da", "results/wiki/bags/es")
SERVED_BAGS = ("results/served/bags/da", "results/served/bags/es")


def configured(corpus):
    corpus = {"name": "wiki", "source": "wikipedia"} | corpus
    return {"languages": list(LANGUAGES), "bags": {"unique_words": [1, 9999]}, "corpus": corpus}


@pytest.fixture(scope="module")
def mirror(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mirror") / "dumps"
    wikimedia.make(folder, LANGUAGES, 150, parts=(2,))
    return folder


def bags(run, language):
    """Counts by concept and word, in an order that no source has a say in."""
    table, concepts, words = counts(run.results, language)
    return pd.DataFrame(table.toarray(), concepts, words).sort_index()


@pytest.fixture(scope="module")
def direct(mirror, tmp_path_factory):
    """A run of the same documents as JSON lines."""
    corpus = {"source": "files", "path": str(mirror / "aligned" / "{language}.jsonl")}
    finished = Run(tmp_path_factory.mktemp("aligned"), configured(corpus))
    finished(*BAGS)
    return finished


def check_bags(run, direct, language):
    """Raise unless both runs have the same."""
    expected = bags(direct, language)
    assert len(expected) > 100
    pd.testing.assert_frame_equal(bags(run, language), expected)


def test_a_folder_and_a_server_over_a_bad_line_give_the_same(mirror, direct, tmp_path):
    run = Run(tmp_path, configured({"base": str(mirror)}))
    run(*BAGS)
    check_bags(run, direct, "da")
    check_bags(run, direct, "es")
    for path in mirror.rglob("*"):
        path.touch()  # files count by their content
    assert run.planned(*BAGS) == []

    with serving(mirror) as running:
        running.most = 20_000
        running.statuses = [503]
        corpus = {"name": "served", "base": running.url, "contact": "test@example.org"}
        run.configure(configured(corpus))
        run("results/served/documents/es", *SERVED_BAGS, NO_PROXY="*")
    check_bags(run, direct, "da")
    check_bags(run, direct, "es")
    notes = json.loads((run.results / "documents" / "es" / "notes.json").read_text())
    assert all(file["checksum"].startswith("sha") for file in notes["files"])
    assert notes["pages"]["redirect"]
    assert notes["pages"]["no_concept"]

    # Another contact, no server: what was found and fetched stays.
    run.configure(configured(corpus | {"contact": "other@example.org"}))
    planned = run("results/served/bags/es", "--dry-run", "--forcerun", "part").stdout
    assert "rule part:" in planned
    assert "rule download:" not in planned
    assert "checkpoint pins:" not in planned


def test_a_dump_damaged_after_it_came_is_named_and_fetched_anew(mirror, direct, tmp_path):
    with serving(mirror) as running:
        run = Run(tmp_path, configured({"base": running.url, "contact": "test@example.org"}))
        run("results/wiki/documents/es", NO_PROXY="*")
        dump = max((run.results / "dumps" / "es").glob("*.xml.bz2"))
        dump.write_bytes(dump.read_bytes()[:-100])
        refused = run("results/wiki/bags/es", check=False)
        assert f"{dump.name}: " in refused.stdout
        dump.unlink()
        run("results/wiki/bags/es", NO_PROXY="*")
    check_bags(run, direct, "es")
