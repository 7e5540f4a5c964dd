"""What is made first: `.test`, as catalogues of workflows expect it, and `quick`."""

import json
import lzma
import shutil

import pandas as pd
import pytest

from tests.conftest import articles
from tests.tiny_run import ROOT, snakemake

LANGUAGES = ("aa", "bb", "cc")
CONCEPTS = 120


def text(language):
    """Return the file of a language as it was made."""
    return "".join(json.dumps(x) + "\n" for x in articles(language, n_concepts=CONCEPTS))


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_text_is_made_up_by_the_tests(language):
    with lzma.open(ROOT / ".test" / "data" / f"{language}.jsonl.xz", "rt") as file:
        assert file.read() == text(language)


@pytest.mark.slow
def test_it_runs_in_a_folder_of_its_own(tmp_path):
    folder = tmp_path / "elsewhere"
    for part in ("config", "data"):
        shutil.copytree(ROOT / ".test" / part, folder / part)
    snakemake("--directory", folder, "--snakefile", ROOT / "Snakefile")
    means = pd.read_csv(folder / "results" / "made_up" / "tables" / "means.csv")
    found = means[(means["setting"] == "joint") & (means["metric"] == "Success@1")]
    found = found.groupby("system")["value"].max()
    assert found["cr5"] > found["lexical_overlap"] > 0  # a tenth of the words are common


@pytest.mark.slow
def test_quick_makes_the_first_table_of_what_needs_little(new_run):
    """And says that jobs used all of their processor, where they did."""
    small = new_run(languages=["aa", "bb"], settings={"joint": {}}, processor="own")
    small("quick")
    fit = json.loads((small.results / "models/joint/cr5/1/fit.json").read_text())
    assert fit["processor"]["choice"] == "own"
    assert fit["origin"]["own"] == fit["processor"]["kernels"]
    told = f"all of a processor used ({' and '.join(fit['origin']['own'])})"
    assert told in (small.results / "quick" / "table1.md").read_text(encoding="utf-8")
    scores = pd.read_csv(small.results / "quick" / "scores.csv")
    assert set(scores["system"]) == {"cr5", "lexical_overlap", "toy"}
    assert (small.results / "quick" / "table1.md").is_file()
    assert not (small.results / "vectors").exists()
