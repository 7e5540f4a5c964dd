"""The command, called as from a shell."""

import json

import pandas as pd
import pytest

from cr5 import cli_texts
from cr5.base.artefacts import NO_JOB
from cr5.cli import main
from cr5.counts import bags
from cr5.counts import documents as text_files

DOCUMENTS = [
    {"id": "d", "text": "il cane", "title": "Dog"},
    {"id": "c", "text": "gatto gatto cane", "title": "Cat"},
    {"id": "s", "text": "mare", "title": "Sea"},
    {"id": "x", "text": "altro", "title": "Unknown"},
]


@pytest.fixture
def call(capsys):
    """Gives output, messages, and the reason for which it stops; None where it does not."""

    def call(*arguments):
        stopped = None
        try:
            main([str(x) for x in arguments])
        except SystemExit as stop:
            stopped = stop.code
        captured = capsys.readouterr()
        return captured.out, captured.err, stopped

    return call


@pytest.fixture
def terminal(monkeypatch):
    """Lets standard output pass for a terminal."""
    monkeypatch.setattr(cli_texts, "wants_table", lambda: True)


@pytest.fixture
def documents(tmp_path):
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in DOCUMENTS))
    return path


@pytest.fixture
def built(call, small_folder, documents, tmp_path):
    path = tmp_path / "built"
    call("index", small_folder, path, "--to", "it", "--file", documents)
    return path


@pytest.fixture
def run_folder(small_folder):
    """A run with documents of the words that its model knows."""
    run = small_folder.parents[3]
    for language, texts in {"it": ["cane", "cane gatto gatto", "mare"], "en": ["dog"]}.items():
        rows = list(zip("dcs", "DCS", texts, strict=False))
        text_files.write(run / "documents" / language, rows, language)
        frame = pd.DataFrame(rows, columns=["concept", "title", "text"])
        with NO_JOB.making(run / "bags" / language, bags.KIND, language=language) as folder:
            frame.to_parquet(folder / "documents.parquet")
    return run


@pytest.fixture
def rows_of(call):
    """Gives the rows that it prints, and the reason for which it stops."""

    def rows_of(*arguments):
        out, _, stopped = call(*arguments)
        return [json.loads(line) for line in out.splitlines()], stopped

    return rows_of
