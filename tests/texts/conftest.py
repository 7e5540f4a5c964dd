"""Sources are read, programs replaced; servers are on the loopback address."""

import os
from pathlib import Path

import pytest

from cr5.contracts.source import Reading
from cr5.texts.reading import Records


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch):
    """No proxy stands between the tests and the server; none is asked for anything else."""
    monkeypatch.setenv("NO_PROXY", "*")


@pytest.fixture
def read():
    """Reads the documents of a language from a source; returns them and what else it yielded."""

    def read(source, path, language, languages=(), **options):
        source_of_path = source(path=str(path), **options)
        reading = Reading(source_of_path, Path(path), language, languages)
        records = Records(source.name)
        documents = list(records.documents(source_of_path.records(reading)))
        return documents, records

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
