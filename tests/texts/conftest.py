"""A made-up Wikimedia of two small languages, and a server for it."""

import os
from pathlib import Path

import pytest

from cr5.texts import fetch
from cr5.texts.reading import Reading
from tests.kit import wikimedia

LANGUAGES = ("es", "zh-yue")


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch):
    """No proxy stands between the tests and the server; none is asked for anything else."""
    monkeypatch.setenv("NO_PROXY", "*")


@pytest.fixture(scope="session")
def mirror(tmp_path_factory):
    """A folder laid out like dumps.wikimedia.org: eswiki and zh_yuewiki."""
    folder = tmp_path_factory.mktemp("mirror") / "dumps"
    wikimedia.make(folder, LANGUAGES, 120)
    return folder


@pytest.fixture
def waits(monkeypatch):
    """The seconds that would have been slept."""
    waited: list[float] = []
    monkeypatch.setattr(fetch.time, "sleep", waited.append)
    return waited


@pytest.fixture
def read():
    """Reads the documents of a language from a source; returns them and the reading."""

    def read(source, path, language, languages=(), **options):
        reading = Reading(source(**options), Path(path), language, languages)
        return list(reading.source.records(reading)), reading

    return read


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Puts a script in the place of a program."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def install(name, script, interpreter="/bin/sh"):
        (folder / name).write_text(f"#!{interpreter}\n{script}\n")
        (folder / name).chmod(0o755)

    return install
