"""A corpus of which every pair stands three times: told everywhere, and kept together."""

import json
import lzma

import pandas as pd
import pytest

from tests.kit import inside
from tests.kit.corpus import CORPUS
from tests.kit.run import small

pytestmark = pytest.mark.slow

LANGUAGES = ("da", "en")
ENDS = ("a", "b", "c")
TOGETHER = {"splits": {"duplicates": "together"}}


@pytest.fixture
def run(tmp_path):
    run = small(tmp_path, languages=list(LANGUAGES), systems={"lexical_overlap": {}})
    for language in LANGUAGES:
        lines = "\n".join(lines_of(language))
        path = run.folder / "corpus" / f"{language}.jsonl.xz"
        path.write_bytes(lzma.compress(lines.encode()))
    return run


def lines_of(language):
    """Three copies of each document; one has other cases and spaces."""
    for concept, text in CORPUS.documents[language].items():
        text_of_end = dict.fromkeys(ENDS, text) | {"c": text.title().replace(" ", "  ")}
        for end in ENDS:
            yield json.dumps({"concept": concept + end, "text": text_of_end[end]})


def copies(concepts):
    """Documents (language, concept) with a text of these concepts, and none of them themselves."""
    concepts = set(concepts)
    of_concepts = set()
    for concept in concepts:
        for end in ENDS:
            of_concepts.add(concept[:-1] + end)
    documents = set()
    for language in LANGUAGES:
        for concept in of_concepts - concepts:
            if concept[:-1] in CORPUS.documents[language]:
                documents.add((language, concept))
    return documents


def trained(run):
    """Documents (language, concept) that train."""
    documents = set()
    for language in LANGUAGES:
        for concept in inside.trained(run.results, "joint", language):
            documents.add((language, concept))
    return documents


def in_one_line(text):
    return " ".join(text.split())


def test_copies_are_told_by_the_run_its_report_and_a_plan(run):
    done = run.started()
    queries = inside.queries(run.results)
    held_out = copies(queries["concept"])
    in_training = held_out & trained(run)
    tests = queries.loc[queries["role"] == "test", "concept"]
    copied = tests[tests.str[:-1].duplicated(keep=False)]
    assert len(in_training) > 50
    assert len(copied) > 1

    number = f"of another concept: {len(held_out)} (da "
    trains = f"; {len(in_training)} may train; "
    narrow = f"too narrow: {len(copied)} of {len(tests)} (da-en {len(copied)})"
    page = (run.results / "report.html").read_text(encoding="utf-8")
    plan = run.started("-n").stdout
    for shown in (page, plan):
        assert number in in_one_line(shown)
        assert trains in in_one_line(shown)
        assert narrow in in_one_line(shown)
    # when the job ends, and beside the table
    message = in_one_line(done.stdout)
    assert message.count(number) == 2
    assert message.count(narrow) == 2

    run.configure(run.configuration | TOGETHER)
    assert "of another concept" not in run.started("-n").stdout  # which is of another draw


def test_copies_may_be_kept_together(run):
    run.configure(run.configuration | TOGETHER)
    done = run.started()
    assert done.returncode == 0
    assert "of another concept" not in done.stdout
    assert json.loads((run.results / "seen" / "warnings.json").read_text()) == []
    held_out = inside.queries(run.results)["concept"]
    assert trained(run)
    assert not copies(held_out) & trained(run)
    assert not held_out.str[:-1].duplicated().any()
    left_out = pd.read_parquet(run.results / "draws" / "1" / "copies.parquet")
    concepts_of_copies = {concept for _, concept in copies(held_out)}
    assert concepts_of_copies <= set(left_out["concept"])
