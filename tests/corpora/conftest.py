"""A made-up Wikimedia of two small languages, in all layouts, and a server for it."""

import importlib
import sys
from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.corpora.fetch import remote

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

LANGUAGES = ("es", "zh-yue")


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch):
    """No proxy stands between the tests and the server; none is asked for anything else."""
    monkeypatch.setenv("NO_PROXY", "*")


@pytest.fixture(scope="session")
def made_up():
    """The package of benchmarks/mirror.py."""
    return {name: importlib.import_module(f"made_up.{name}") for name in ("corpus", "server")}


@pytest.fixture(scope="session")
def mirror(tmp_path_factory):
    """A folder laid out like dumps.wikimedia.org: eswiki and zh_yuewiki in all layouts."""
    corpus, tool = importlib.import_module("made_up.corpus"), importlib.import_module("mirror")
    folder = tmp_path_factory.mktemp("mirror")
    for language in LANGUAGES:
        corpus.write(folder / f"{language}.jsonl.gz", language, 120)
    source = str(folder / "{language}.jsonl.gz")
    tool.make(source, LANGUAGES, ("content", "cirrus", "legacy"), folder / "dumps")
    return folder / "dumps"


@pytest.fixture
def server(mirror):
    """The mirror on the loopback address; set `faults` to make it misbehave."""
    from made_up.server import serving

    with serving(mirror) as running:
        yield running


@pytest.fixture
def waits(monkeypatch):
    """The seconds that would have been slept."""
    waited = []
    monkeypatch.setattr(remote.time, "sleep", waited.append)
    return waited


@pytest.fixture
def refused(tmp_path):
    """Expects that a reader of entries refuses a file of some content with a message."""

    def refused(entries, name, content, message):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(UserError, match=message):
            list(entries(path))

    return refused
