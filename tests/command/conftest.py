"""The command, called as from a shell."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from cr5 import cli_texts
from cr5.base.artefacts import making
from cr5.cli import main
from cr5.counts import bags
from cr5.counts import documents as text_files
from tests.conftest import WORDS

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
    call("index", small_folder, path, "--language", "it", "--file", documents)
    return path


def _recount(run, language, rows):
    """Count the small model's words in the first documents of a run, and keep their texts."""
    ids = ["d", "c", "s"][: len(rows)]
    texts = [" ".join(WORDS[language][x] for x in np.repeat(range(len(y)), y)) for y in rows]
    table = pa.table({"concept": ids, "title": [x.upper() for x in ids], "text": texts})
    with making(run / "bags" / language, bags.KIND, language=language) as folder:
        for name in bags.ARRAYS:
            np.save(folder / f"{name}.npy", getattr(sparse.csr_matrix(rows), name))
        pq.write_table(table, folder / "documents.parquet")
        pq.write_table(pa.table({"word": WORDS[language]}), folder / "words.parquet")
    texts = zip(ids, [x.upper() for x in ids], texts, strict=True)
    text_files.write(run / "documents" / language, texts, language, may_be_empty=True)


@pytest.fixture
def run_folder(small_folder):
    """A run with the same documents in its bags."""
    run = small_folder.parents[3]
    _recount(run, "it", [[1, 0, 0], [1, 2, 0], [0, 0, 1]])
    _recount(run, "en", [[0, 1, 0, 0]])
    return run


@pytest.fixture
def recount():
    """Writes the bags of a language of a run anew."""
    return _recount


@pytest.fixture
def rows_of(call):
    """Gives the rows that it prints, and the reason for which it stops."""

    def rows_of(*arguments):
        out, _, stopped = call(*arguments)
        return [json.loads(line) for line in out.splitlines()], stopped

    return rows_of
