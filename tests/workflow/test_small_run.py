"""Small runs: `.test`, which catalogues of workflows expect, as a module too; and `quick`."""

import json
import lzma
import shutil
import sys

import pandas as pd
import pytest

from tests.kit.corpus import LANGUAGES, give
from tests.kit.run import MEANS, PROFILE, ROOT, ended, scores


def test_its_text_is_made_up_by_the_tests(tmp_path):
    give(tmp_path)
    for language in LANGUAGES:
        paths = (x / f"{language}.jsonl.xz" for x in (ROOT / ".test" / "data", tmp_path))
        here, there = (lzma.decompress(path.read_bytes()) for path in paths)
        assert here == there


@pytest.mark.slow
def test_a_workflow_that_has_this_one_as_a_module_which_goes_on_by_itself(tmp_path):
    """In a folder with the configuration and its text, by the Snakefile of docs/extending.md."""
    for part in ("config", "data"):
        shutil.copytree(ROOT / ".test" / part, tmp_path / part)
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    module = page.split("```text\nmodule cr5:")[1].split("```")[0]
    module = module.replace("path/to/cr5", str(ROOT)).replace("results/tiny", "results/made_up")
    shown = f'configfile: "config/config.yaml"\n\nmodule cr5:{module}'
    (tmp_path / "Snakefile").write_text(shown)
    snakemake = [sys.executable, "-m", "snakemake", "--cores", "2"]
    for said in ("summary.txt", "Nothing to be done"):
        done = ended([*snakemake, "summary.txt"], tmp_path)
        assert done.returncode == 0 and said in done.stdout, done.stdout[-3000:]
    assert len((tmp_path / "summary.txt").read_text().splitlines()) == 3

    alone = ["--directory", tmp_path, "--snakefile", ROOT / "Snakefile"]
    done = ended([*snakemake, *PROFILE, *alone], ROOT)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "rule explore:" in done.stdout and "rule fit:" not in done.stdout
    assert (tmp_path / "results" / "made_up" / "report.html").exists()
    means = scores(tmp_path / "results" / "made_up", MEANS)
    found = means[(means["setting"] == "joint") & (means["metric"] == "Success@1")]
    found = found.groupby("system")["value"].max()
    assert found["cr5"] > found["lexical_overlap"] > 0  # a tenth of the words are common


@pytest.mark.slow
def test_quick_makes_the_first_table_of_what_needs_little(new_run):
    """And says that jobs used all of their processor, where they did."""
    systems = {"cr5": {"rank": 10}, "lexical_overlap": {}, "procrustes": {"seeds": "identical"}}
    run = new_run(languages=["da", "en"], systems=systems, processor="own")
    run("quick")
    fit = json.loads((run.results / "models/joint/cr5/1/fit.json").read_text())
    assert fit["processor"]["choice"] == "own"
    told = f"all of a processor used ({' and '.join(fit['processor']['kernels'])})"
    assert told in (run.results / "quick" / "report" / "table1.md").read_text(encoding="utf-8")
    made = pd.read_csv(run.results / "quick" / "tables" / "scores.csv")["system"]
    assert {*made} == {"cr5", "lexical_overlap"}
    assert not (run.results / "vectors").exists()
