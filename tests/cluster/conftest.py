"""A small run whose fits go wrong where a file asks for it, and what it comes to if none does."""

import pytest

from tests.cluster.runs import CHANGES, FAULTY, TABLES, contents
from tests.tiny_run import Run


@pytest.fixture(scope="session")
def made_here(corpus, tmp_path_factory):
    """What the run comes to on this machine, undisturbed."""
    run = Run(tmp_path_factory.mktemp("here"), corpus, **CHANGES)
    (run.folder / "faulty.py").write_text(FAULTY)
    run(*TABLES)
    return contents(run)
