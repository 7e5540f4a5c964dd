"""Which tests run, and how; the runs that they share, and a model of few words."""

import fcntl
import functools
import gc
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from cr5.contracts.training import TrainingSet, Validation
from cr5.models import store
from cr5.models.word_tables import WordTables
from tests.kit import papers
from tests.kit.run import Run, everything, give_all

WORDS = {"en": ["a", "cat", "dog", "sea"], "it": ["cane", "gatto", "mare"]}  # of the small model

HERE = Path(__file__).parent
LONG = (  # are started first: a run that others wait for, and beside it what needs none
    "test_promises.py",
    "systems",
    "test_reruns.py",
    "test_promised_scores.py",
    "workflow",
    "setup",
)


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run the slow tests too")


def pytest_configure(config):
    """Give tests, and all that they start, an empty home: nobody's caches are read or written."""
    config.addinivalue_line("markers", "slow: runs with --all, or where only files are named")
    if hasattr(config, "workerinput"):  # a process beside others inherits the home from the first
        return
    home = tempfile.mkdtemp(prefix="home-")
    compiled = Path(home) / "compiled"
    shutil.copytree(HERE.parent / "workflow", compiled / "workflow")
    for module in list(compiled.rglob("*.py")):  # what one run of the workflow compiles, all load
        (module.parent / "__pycache__").mkdir(exist_ok=True)
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    os.environ["HOME"] = home
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = f"{home}/.hypothesis"
    os.environ["XDG_CACHE_HOME"] = os.environ["MPLCONFIGDIR"] = f"{home}/.cache"


def pytest_xdist_auto_num_workers(config):
    """A process for each core, or none beside this one where only single files are asked for."""
    if _only_files(config):
        return 0
    return None


def _only_files(config):
    return all(Path(argument.split("::")[0]).is_file() for argument in config.args)


def pytest_collection_modifyitems(config, items):
    """Leave out slow tests, unless they are asked for; long files first, lest one ends alone."""
    if not _has_slow(config):
        slow = [test for test in items if test.get_closest_marker("slow")]
        items[:] = [test for test in items if not test.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
    if hasattr(config, "workerinput"):
        items.sort(
            key=lambda item: [item.path.is_relative_to(HERE / place) for place in LONG],
            reverse=True,
        )


def pytest_collection_finish():
    """Let no search for cycles look at what stays to the end: a search takes .2 s with it."""
    gc.freeze()


def _has_slow(config):
    return config.getoption("all") or _only_files(config)


def pytest_terminal_summary(terminalreporter, config):
    if not _has_slow(config):
        terminalreporter.write_line("Slow tests were left out: --all runs them too.")


@pytest.fixture
def small_model():
    """Word tables in two languages of which every number can be worked out by hand."""
    tables = {
        "en": np.array([[1, 1, 1], [1, 0, 0], [0, 2, 0], [0, 0, 1]], np.float32),
        "it": np.array([[0, 1, 0], [3, 0, 0], [0, 0, 1]], np.float32),
    }
    return WordTables(WORDS, tables, {"en": np.array([0, 1, 1, 2.0]), "it": np.ones(3)})


@pytest.fixture
def small_folder(tmp_path, small_model):
    """Where that model is on disk, in the folder of a run."""
    path = tmp_path / "run" / "models" / "joint" / "cr5" / "1"
    record = {
        "system": "cr5",
        "setting": "joint",
        "repetition": "1",
        "languages": ["en", "it"],
    }
    store.save(path, small_model, record)
    return path


@pytest.fixture(scope="session")
def once(tmp_path_factory, worker_id):
    """Gives a function that has one of the processes that share the tests make a run.

    Each process has a copy of its own, with times, as snakemake reads them.
    """

    def made(name, make):
        here = tmp_path_factory.getbasetemp()
        of_all_processes = here.parent
        if worker_id == "master":
            of_all_processes = here
        shared = of_all_processes / name
        with shared.with_suffix(".lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # another process waits until it is made
            if not shared.exists():
                part = tmp_path_factory.mktemp("part") / name
                part.mkdir()
                make(part)
                part.rename(shared)
        return Run(shared).copied(here / f"copy_of_{name}")

    return made


@pytest.fixture(scope="session")
def finished(once):
    """One run of everything small, which was killed and resumed: nothing is lost by that."""

    def make(folder):
        give_all(folder)
        Run(folder, everything()).killed_when("models/*/*/1")()

    return once("everything", make)


@pytest.fixture(scope="session")
def shrunken(once):
    """Gives a paper's run on made-up files, as far as the scores and their comparison."""

    def make(name, folder):
        papers.give(name, folder)
        run = Run(folder, papers.configuration(name))
        results = run.results.relative_to(folder)
        run(f"{results}/tables", f"{results}/report.html")

    @functools.cache
    def of(name):
        return once(name, functools.partial(make, name))

    return of


@pytest.fixture(scope="session")
def training_of():
    """Make a training set of given words; of one empty document, unless told otherwise."""

    def make(words, **given):
        n_words = {language: len(words[language]) for language in sorted(words)}
        return TrainingSet(
            **{
                "languages": tuple(n_words),
                "words": {language: words[language] for language in n_words},
                "features": {
                    language: sparse.csr_matrix((1, n_words[language])) for language in n_words
                },
                "concepts": {language: np.zeros(1, int) for language in n_words},
                "n_concepts": 1,
                "weights": {language: np.ones(n_words[language]) for language in n_words},
                "term_frequency": "raw",
                "frequencies": {
                    language: np.arange(n_words[language], 0, -1) for language in n_words
                },
                "validate": lambda model: Validation(0.5),
                "seed": 1,
            }
            | given
        )

    return make
