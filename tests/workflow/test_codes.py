"""A run whose languages are written as people write their codes."""

import pandas as pd
import pytest

from tests.kit.run import scores, small

pytestmark = pytest.mark.slow


def test_codes_are_folded_in_all_that_a_run_makes_and_files_are_named_either_way(tmp_path):
    run = small(tmp_path, languages=["DA", "en", "it-IT"], systems={"cr5": {"rank": 10}})
    (tmp_path / "corpus/da.jsonl.xz").rename(tmp_path / "corpus/DA.jsonl.xz")
    (tmp_path / "corpus/it.jsonl.xz").rename(tmp_path / "corpus/it_it.jsonl.xz")
    run()
    assert {folder.name for folder in (run.results / "bags").iterdir()} == {"da", "en", "it_it"}
    assert {*scores(run.results)["query"]} == {"da", "en", "it_it"}
    text = pd.read_json(tmp_path / "corpus/en.jsonl.xz", lines=True)["text"][0]
    answer = run.cr5("search", str(run.results), text, "--from", "EN", "--to", "it-it").stdout
    assert '"language": "it_it"' in answer
    run.configure(run.configuration | {"languages": ["DA", "en", "IT_it"]})
    assert run.planned() == []
