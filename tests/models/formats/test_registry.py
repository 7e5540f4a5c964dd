"""Every format gives a model back that ranks as the formula does, number by number the same."""

import json

import numpy as np
import pytest

import cr5
from cr5.base.errors import UserError
from cr5.models.formats import registry

EXACT = ["word2vec", "word2vec-binary", "released", "safetensors", "packed"]


@pytest.fixture
def place(tmp_path, request):
    kind = request.node.callspec.params["kind"]
    if kind in ("safetensors", "static"):
        pytest.importorskip("safetensors")
    return tmp_path / ("model.cr5" if kind == "packed" else "model")


@pytest.mark.parametrize("kind", EXACT)
def test_the_same_model_comes_back(small, model, place, kind):
    registry.write(kind, place, model, small.about)
    embedder = cr5.load(place)
    assert embedder.about == small.about
    small.check_same_fields(embedder.model, model)
    small.check_ranks(embedder.model)
    assert embedder.embed("Katten: HUS and blå blå", "da").shape == (1, 5)


@pytest.mark.parametrize("kind", [*EXACT, "static"])
def test_offsets_and_settings_come_back(small, with_offsets, place, kind):
    registry.write(kind, place, with_offsets, small.about)
    found = cr5.load(place).model
    for name in ("term_frequency", "input_norm", "norm"):
        assert getattr(found, name) == getattr(with_offsets, name)
    small.check_ranks(found, frequency=np.log1p, inner=True, offset=True)


@pytest.mark.parametrize("kind", [*EXACT, "static"])
def test_the_same_model_gives_the_same_bytes(small, model, place, kind):
    other = place.with_name(f"again{place.suffix}")
    for path in (place, other):
        registry.write(kind, path, model, small.about, "the card")
    first, second = small.contents(place), small.contents(other)
    assert list(first) == list(second)
    assert first == second
    if kind != "packed":
        assert first["README.md"] == b"the card"


@pytest.mark.parametrize("kind", ["word2vec", "word2vec-binary", "released"])
def test_what_a_format_cannot_hold(small, joined, directed, place, kind):
    for other in (joined, directed):
        with pytest.raises(UserError, match=f"{kind} holds one dense .* safetensors or packed"):
            registry.write(kind, place, other, small.about)
    assert not place.exists()


def test_nothing_is_overwritten(small, model, tmp_path):
    (tmp_path / "mine").mkdir()
    with pytest.raises(UserError, match="mine is there already"):
        registry.write("word2vec", tmp_path / "mine", model, small.about)


@pytest.mark.parametrize("kind", ["word2vec", "word2vec-binary", "released"])
def test_a_part_of_an_export_is_no_model(small, model, place, kind, monkeypatch):
    registry.write(kind, place, model, small.about)
    monkeypatch.chdir(place)
    name = next(x for x in place.iterdir() if x.name.startswith("cr5_da") and x.suffix != ".tsv")
    for part in (name, name.relative_to(place)):
        with pytest.raises(UserError, match=f"{part} is a part of .*: name the folder, "):
            registry.read_as(kind, part, 5)


@pytest.mark.parametrize("kind", [*EXACT, "static"])
def test_the_dimension_that_is_asked_for_is_that_of_the_vectors(small, model, place, kind):
    registry.write(kind, place, model, small.about)
    assert registry.read_as(kind, place, 5)[0].tables["da"].shape[1] == 5
    with pytest.raises(UserError, match=r"vectors of .* have 5 numbers, and 7 are asked for"):
        registry.read_as(kind, place, 7)


def test_directed_tables_have_no_dimension(small, directed, tmp_path):
    registry.write("packed", tmp_path / "m.cr5", directed, small.about)
    with pytest.raises(UserError, match="have no one dimension, and 5 are asked for"):
        registry.read_as("packed", tmp_path / "m.cr5", 5)


def test_mistakes_in_what_lies_beside(small, model, tmp_path):
    folder = tmp_path / "m"
    registry.write("word2vec", folder, model, small.about)
    beside = folder / "cr5_da.weights.tsv"
    lines = beside.read_text().splitlines(keepends=True)
    for text, place in (
        ("".join(lines[:-1]), beside.name),
        ("".join([lines[1], lines[0], *lines[2:]]), f"{beside.name}, line 1"),
        ("".join([*lines[:3], "hus\tx\n", *lines[4:]]), f"{beside.name}, line 4"),
        ("".join([*lines[:3], "hus\tnan\n", *lines[4:]]), f"{beside.name}, line 4"),
        ("hus\n", f"{beside.name}, line 1"),
    ):
        beside.write_text(text)
        with pytest.raises(UserError, match=place):
            cr5.load(folder)
    beside.write_text("".join(lines))
    mark = folder / "cr5.json"
    content = json.loads(mark.read_text())
    for change in (
        {"format": 99},
        {"kind": "other"},
        {"dimension": 4},
        {"settings": {"norm": "l9"}},
        {"more": 1},
        {"dimension": "5"},
        {"settings": {"nrom": "l2"}},
        {"languages": None},
        {"offsets": [1]},
    ):
        mark.write_text(json.dumps(content | change))
        with pytest.raises(UserError, match=str(folder)):
            cr5.load(folder)
    mark.write_text("{")
    with pytest.raises(UserError, match=r"cr5\.json: "):
        cr5.load(folder)
    mark.write_text(json.dumps(content))
    (folder / "cr5_el.vec").unlink()
    with pytest.raises(UserError, match=r"cr5_el\.vec: "):
        cr5.load(folder)
