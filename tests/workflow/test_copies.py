"""A corpus of which every pair stands three times: told everywhere, and kept together."""

import json
import lzma
import shutil

import pandas as pd
import pytest

from tests.kit import inside
from tests.kit.corpus import CORPUS
from tests.kit.run import small

pytestmark = pytest.mark.slow

LANGUAGES = ("da", "en")
ENDS = ("a", "b", "c")


@pytest.fixture
def run(tmp_path):
    """With other cases and spaces in one of the three."""
    run = small(tmp_path, languages=[*LANGUAGES], systems={"lexical_overlap": {}})
    for language in LANGUAGES:
        lines = []
        for concept, text in CORPUS.documents[language].items():
            for end in ENDS:
                text_of_copy = text.title().replace(" ", "  ") if end == "c" else text
                lines.append(json.dumps({"concept": concept + end, "text": text_of_copy}))
        path = run.folder / "corpus" / f"{language}.jsonl.xz"
        path.write_bytes(lzma.compress("\n".join(lines).encode()))
    return run


def copies(run, concepts):
    """Documents (language, concept) with a text of these concepts, and none of them themselves."""
    numbers = {concept[:-1] for concept in concepts}
    every = {
        (x, concept + end) for x in LANGUAGES for concept in CORPUS.documents[x] for end in ENDS
    }
    return {
        document
        for document in every
        if document[1][:-1] in numbers and document[1] not in set(concepts)
    }


def trained(run):
    return {(x, concept) for x in LANGUAGES for concept in inside.trained(run.results, "joint", x)}


def test_copies_are_told_by_the_run_its_report_and_a_plan_and_are_kept_together(run):
    done = run.started()
    queries = inside.queries(run.results)
    held_out = queries["concept"]
    copies_of_held_out = copies(run, held_out)
    tests = held_out[queries["role"] == "test"]
    copied = tests[tests.str[:-1].duplicated(keep=False)]
    assert len(copies_of_held_out & trained(run)) > 50 and len(copied) > 1
    number = f"of another concept: {len(copies_of_held_out)} (da "
    trains = f"; {len(copies_of_held_out & trained(run))} may train; "
    asked = f"too narrow: {len(copied)} of {len(tests)} (da-en {len(copied)})"
    page = (run.results / "report.html").read_text(encoding="utf-8")
    message = " ".join(done.stdout.split())
    for told in (" ".join(page.split()), " ".join(run.started("-n").stdout.split())):
        assert number in told and trains in told and asked in told
    # when the job ends, and beside the table
    assert message.count(number) == message.count(asked) == 2

    run.configure(run.configuration | {"splits": {"duplicates": "together"}})
    assert "of another concept" not in run.started("-n").stdout  # which is of another draw
    shutil.rmtree(run.results)
    done = run.started()
    assert done.returncode == 0 and "of another concept" not in done.stdout
    assert json.loads((run.results / "seen" / "warnings.json").read_text()) == []
    held_out = inside.queries(run.results)["concept"]
    assert trained(run) and not copies(run, held_out) & trained(run)
    assert not held_out.str[:-1].duplicated().any()
    left_out = pd.read_parquet(run.results / "draws" / "1" / "copies.parquet")["concept"]
    assert {concept for _, concept in copies(run, held_out)} <= {*left_out}
