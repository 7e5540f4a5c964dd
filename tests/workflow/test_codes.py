"""A run whose languages are written as people write their codes."""

import pandas as pd
import pytest

from tests.kit.run import scores, small

pytestmark = pytest.mark.slow


def test_codes_are_folded_in_all_that_a_run_makes_and_files_are_named_either_way(tmp_path):
    run = small(tmp_path, languages=["DA", "en", "it-IT"], systems={"cr5": {"rank": 10}})
    corpus = tmp_path / "corpus"
    (corpus / "da.jsonl.xz").rename(corpus / "DA.jsonl.xz")
    (corpus / "it.jsonl.xz").rename(corpus / "it_it.jsonl.xz")
    run()
    bags = run.results / "bags"
    assert {folder.name for folder in bags.iterdir()} == {"da", "en", "it_it"}
    assert set(scores(run.results)["query"]) == {"da", "en", "it_it"}
    texts = pd.read_json(corpus / "en.jsonl.xz", lines=True)["text"]
    search = run.cr5("search", str(run.results), texts[0], "--from", "EN", "--to", "it-it")
    assert '"language": "it_it"' in search.stdout
    run.configure(run.configuration | {"languages": ["DA", "en", "IT_it"]})
    assert run.planned() == []
