"""Damaged notes of snakemake's on results."""

import base64
import json

import pytest

from cr5.base.errors import UserError
from cr5.plan import before

LONG = "results/" + "a" * 300


@pytest.fixture
def notes(tmp_path, monkeypatch):
    """Notes on two results, named as snakemake names them."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / ".snakemake" / "metadata"
    folder.mkdir(parents=True)
    for result in ("results/draws/1", LONG):
        (parts := note_of(folder, result)).parent.mkdir(exist_ok=True)
        parts.write_text(json.dumps({"rule": "draw"}))
    return folder


def note_of(folder, result):
    name = base64.urlsafe_b64encode(result.encode()).decode()
    *folders, last = [name[i : i + 254] for i in range(0, len(name), 254)]
    return folder.joinpath(*(f"@{part}" for part in folders), last)


@pytest.mark.parametrize("content", [b"", b"\xf6noise", b'{"rule": "dr', b"3", b"\0" * 40])
@pytest.mark.parametrize("result", ["results/draws/1", LONG])
def test_a_damaged_note_is_named_with_its_result(notes, content, result):
    before.check_notes()
    before.check_notes("nowhere")
    note = note_of(notes, result)
    note.write_bytes(content)
    with pytest.raises(UserError) as raised:
        before.check_notes()
    named = note.relative_to(notes.parents[1])
    assert str(raised.value) == (
        f"Error: {named}: a damaged note of snakemake's; remove {named}, {result} and run again"
    )


def test_a_note_whose_name_is_no_path(notes):
    (notes / "x").write_bytes(b"\0")
    with pytest.raises(UserError, match=r"metadata/x and run again$"):
        before.check_notes()
