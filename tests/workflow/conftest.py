"""Runs the workflow on the small corpus, in processes of its own."""

import pandas as pd
import pytest

from tests.tiny_run import Run, copy_workflow, snakemake


def searched_and_trained(results):
    """Per language the own paragraphs that are searched, and those that train in any setting.

    Paragraphs are compared by their text: that of the first is taken from the aligned table, by the
    ids and documents that were written; that of the second from the documents.
    """
    table = pd.read_parquet(results / "aligned" / "sentences" / "all" / "sentences.parquet")
    candidates = pd.read_parquet(results / "draws" / "1" / "candidates.parquet")
    trained = pd.concat(map(pd.read_parquet, results.glob("settings/*/1.parquet")))
    searched, training = {}, {}
    for language in set(candidates["language"]):
        pages = candidates.loc[candidates["language"] == language, "concept"]
        searched[language] = set(table.loc[table["concept"].isin(pages), language].dropna())
        documents = pd.read_parquet(results / "documents" / f"{language}.parquet")
        own = trained.loc[trained["language"] == language, "concept"]
        texts = documents.loc[documents["concept"].isin(own), "text"]
        training[language] = {line for text in texts for line in text.split("\n")}
    return searched, training


@pytest.fixture(scope="session")
def paragraphs_of():
    return searched_and_trained


@pytest.fixture(scope="session")
def workflow_in():
    """Copy the workflow to a folder; gives a function that runs snakemake there."""

    def prepare(folder):
        copy_workflow(folder)
        return lambda *arguments: snakemake(*arguments, folder=folder)

    return prepare


@pytest.fixture(scope="session")
def new_run_in(corpus):
    """Prepare a run in a folder; keywords replace keys of the configuration."""
    return lambda folder, **changes: Run(folder, corpus, **changes)


@pytest.fixture
def new_run(new_run_in, tmp_path):
    """Prepare a run in a folder of its own."""
    return lambda **changes: new_run_in(tmp_path, **changes)
