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
BAGS = [f"results/wiki/bags/{language}" for language in LANGUAGES]
DOCUMENTS = "results/wiki/documents/es"


def configured(**corpus):
    corpus = {"name": "wiki", "source": "wikipedia"} | corpus
    return {"languages": list(LANGUAGES), "bags": {"unique_words": [1, 9999]}, "corpus": corpus}


@pytest.fixture(scope="module")
def mirror(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mirror") / "dumps"
    wikimedia.make(folder, LANGUAGES, 150, parts=(2,))
    return folder


def bags(run, language):
    """Counts by concept and word, in an order that no source has a say in."""
    found, concepts, words = counts(run.results, language)
    return pd.DataFrame(found.toarray(), concepts, words).sort_index()


@pytest.fixture(scope="module")
def check(mirror, tmp_path_factory):
    """A function: bags of a run are those of the same documents as JSON lines."""
    corpus = {"source": "files", "path": str(mirror / "aligned" / "{language}.jsonl")}
    direct = Run(tmp_path_factory.mktemp("aligned"), configured(**corpus))
    direct(*BAGS)

    def check(run, *languages):
        for language in languages:
            words_of_bags = bags(run, language)
            assert len(words_of_bags) > 100
            pd.testing.assert_frame_equal(words_of_bags, bags(direct, language))

    return check


def test_a_folder_and_a_server_over_a_bad_line_give_the_same(mirror, check, tmp_path):
    run = Run(tmp_path, configured(base=str(mirror)))
    run(*BAGS)
    check(run, *LANGUAGES)
    for path in mirror.rglob("*"):
        path.touch()  # files count by their content
    assert run.planned(*BAGS) == []
    with serving(mirror) as running:
        running.most, running.statuses = 20_000, [503]
        corpus = {"name": "served", "base": running.url}
        run.configure(configured(**corpus, contact="test@example.org"))
        run(*(path.replace("wiki", "served") for path in (*BAGS, DOCUMENTS)), NO_PROXY="*")
    check(run, *LANGUAGES)
    notes = json.loads((run.results / "documents" / "es" / "notes.json").read_text())
    assert all(file["checksum"].startswith("sha") for file in notes["files"])
    assert notes["pages"]["redirect"] and notes["pages"]["no_concept"]

    # Another contact, no server: what was found and fetched stays.
    run.configure(configured(**corpus, contact="other@example.org"))
    planned = run("results/served/bags/es", "--dry-run", "--forcerun", "part").stdout
    assert "rule part:" in planned
    assert "rule download:" not in planned and "checkpoint pins:" not in planned


def test_a_dump_damaged_after_it_came_is_named_and_fetched_anew(mirror, check, tmp_path):
    with serving(mirror) as running:
        run = Run(tmp_path, configured(base=running.url, contact="test@example.org"))
        run(DOCUMENTS, NO_PROXY="*")
        dump = max((run.results / "dumps" / "es").glob("*.xml.bz2"))
        dump.write_bytes(dump.read_bytes()[:-100])
        assert f"{dump.name}: " in run(BAGS[1], check=False).stdout
        dump.unlink()
        run(BAGS[1], NO_PROXY="*")
    check(run, "es")
