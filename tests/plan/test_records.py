"""Notes of snakemake that cannot be read any more."""

import base64
import json

import pytest

from cr5.base.errors import UserError
from cr5.plan import records

LONG = "results/" + "a" * 300


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Notes on two results, named as snakemake names them."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / ".snakemake" / "metadata"
    folder.mkdir(parents=True)
    for result in ("results/draws/1", LONG):
        (parts := path_of(folder, result)).parent.mkdir(exist_ok=True)
        parts.write_text(json.dumps({"rule": "draw"}))
    return folder


def path_of(folder, result):
    name = base64.urlsafe_b64encode(result.encode()).decode()
    *folders, last = [name[i : i + 254] for i in range(0, len(name), 254)]
    return folder.joinpath(*(f"@{part}" for part in folders), last)


def test_whole_ones_are_let_pass(place):
    records.check()
    records.check("nowhere")


@pytest.mark.parametrize("content", [b"", b"\xf6noise", b'{"rule": "dr', b"3", b"\0" * 40])
def test_a_damaged_one_is_named_with_its_result(place, content):
    note = path_of(place, "results/draws/1")
    note.write_bytes(content)
    with pytest.raises(UserError) as raised:
        records.check()
    named = note.relative_to(place.parents[1])
    assert str(raised.value) == (
        f"Error: {named}: damaged, a note of snakemake's; remove {named}, results/draws/1 and run "
        "again"
    )


def test_the_name_of_a_long_path_is_put_together(place):
    path_of(place, LONG).write_bytes(b"\0")
    with pytest.raises(UserError, match=rf", {LONG} and run again$"):
        records.check()


def test_a_name_that_is_no_path(place):
    (place / "x").write_bytes(b"\0")
    with pytest.raises(UserError, match=r"metadata/x and run again$"):
        records.check()
