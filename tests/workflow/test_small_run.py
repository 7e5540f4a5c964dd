"""`.test`, the run that shows that an installation works, as catalogues of workflows expect it."""

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
