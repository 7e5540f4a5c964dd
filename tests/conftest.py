"""A small corpus in four made-up languages that the tests write; which tests run, and how."""

import bz2
import fcntl
import gzip
import json
import lzma
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest

from cr5.models import store
from cr5.models.word_tables import WordTables
from tests.kit import run as kit_run
from tests.tiny_run import Run

LANGUAGES = ("aa", "bb", "cc", "dd")
ENDINGS = {"aa": "", "bb": ".gz", "cc": ".xz", "dd": ".bz2"}
OPENERS = {"": open, ".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
WORDS = {"en": ["a", "cat", "dog", "sea"], "it": ["cane", "gatto", "mare"]}  # of the small model

HERE = Path(__file__).parent
LONG = ("test_promises.py", "workflow", "setup")  # folders with the longest files, those first


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run the slow tests too")


def pytest_configure(config):
    """Give tests, and all that they start, an empty home: nobody's caches are read or written."""
    config.addinivalue_line("markers", "slow: runs with --all, or where only files are named")
    if hasattr(config, "workerinput"):  # a process beside others inherits the home from the first
        return
    home = tempfile.mkdtemp(prefix="home-")
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    os.environ["HOME"] = home
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = f"{home}/.hypothesis"
    os.environ["XDG_CACHE_HOME"] = os.environ["MPLCONFIGDIR"] = f"{home}/.cache"


def pytest_xdist_auto_num_workers(config):
    """A process for each core, or none beside this one where only single files are asked for."""
    return 0 if _only_files(config) else None


def _only_files(config):
    return all(Path(argument.split("::")[0]).is_file() for argument in config.args)


def pytest_collection_modifyitems(config, items):
    """Leave out slow tests, unless they are asked for; long files first, lest one ends alone."""
    if not config.getoption("all") and not _only_files(config):
        slow = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
        if slow:
            config.hook.pytest_deselected(items=slow)
        _note_left_out(config, len(slow))
    if hasattr(config, "workerinput"):
        items.sort(
            key=lambda item: [item.path.is_relative_to(HERE / x) for x in LONG], reverse=True
        )


LEFT_OUT = pytest.StashKey[int]()


def _note_left_out(config, number):
    if hasattr(config, "workerinput"):
        config.workeroutput["left_out"] = number  # every worker collects the same
    else:
        config.stash[LEFT_OUT] = number


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """A process that shared the tests says how many it left out."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_terminal_summary(terminalreporter, config):
    if number := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"{number} slow tests were left out: --all runs them too.")


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
    store.save(path, small_model, {"system": "cr5", "setting": "joint", "languages": ["en", "it"]})
    return path


def write_jsonl(path, entries):
    ending = path.suffix if path.suffix in OPENERS else ""
    with OPENERS[ending](path, "wt", encoding="utf-8") as file:
        for entry in entries:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")


def spell(number, language):
    """A word of letters alone: the language's initial and the number in letters."""
    return language[0] + "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")


def articles(language, n_concepts=240, n_topics=12, seed=0):
    """Documents about topics: each topic has its own words, each concept its own mixture.

    A concept has the same mixture in all languages, so that retrieval can be learnt; a tenth of
    the words is spelled the same everywhere.
    """
    mixtures = np.random.default_rng(seed).dirichlet([0.15] * n_topics, n_concepts)
    generator = np.random.default_rng([seed, *language.encode()])
    for concept, mixture in enumerate(mixtures):
        if generator.random() < 0.05:
            continue
        topics = generator.choice(n_topics, 120, p=mixture)
        numbers = topics * 20 + generator.integers(0, 20, 120)
        words = [spell(k, "x" if k % 10 == 0 else language) for k in numbers]
        yield {
            "concept": f"Q{concept}",
            "title": f"{language} {concept}",
            "text": " ".join(words),
        }


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    """A folder with {language}.jsonl.xz of a small aligned corpus."""
    folder = tmp_path_factory.mktemp("corpus")
    for language in LANGUAGES:
        write_jsonl(folder / f"{language}.jsonl.xz", articles(language))
    return folder


@pytest.fixture(scope="session")
def finished(corpus, tmp_path_factory, worker_id):
    """A complete run, made once: each of the processes that share the tests has a copy."""
    here = tmp_path_factory.getbasetemp()
    shared = (here if worker_id == "master" else here.parent) / "finished"
    with shared.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # another process waits until it is made
        if not shared.exists():
            part = here / "part" / "finished"
            part.mkdir(parents=True)
            Run(part, corpus)()
            part.rename(shared)
    subprocess.run(["cp", "-a", shared, here / "run"], check=True)  # with times, as snakemake reads
    return Run(here / "run")


@pytest.fixture(scope="session")
def everything_finished(tmp_path_factory, worker_id):
    """One run of everything small, made once: each process that shares the tests has a copy."""
    here = tmp_path_factory.getbasetemp()
    shared = (here if worker_id == "master" else here.parent) / "everything"
    with shared.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # another process waits until it is made
        if not shared.exists():
            part = here / "part" / "everything"
            part.mkdir(parents=True)
            kit_run.Run(part, kit_run.everything())()
            part.rename(shared)
    return kit_run.Run(shared).copied(here / "of_everything")
