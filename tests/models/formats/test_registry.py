"""What is refused of any format; that each gives a model back: `test_every_model`."""

import json
import re
from dataclasses import replace

import pytest

import cr5
from cr5.base.errors import UserError
from cr5.models.formats import registry
from cr5.models.formats.registry import FORMATS


@pytest.fixture
def place(tmp_path, request):
    return tmp_path / ("model.cr5" if request.node.callspec.params["kind"] == "packed" else "model")


def test_nothing_is_overwritten(small, model, tmp_path):
    (tmp_path / "mine").mkdir()
    with pytest.raises(UserError, match="mine is there already"):
        registry.write("word2vec", tmp_path / "mine", model, small.about)


def test_a_part_of_an_export_is_no_model(small, model, tmp_path, monkeypatch):
    place = tmp_path / "model"
    registry.write("word2vec", place, model, small.about)
    monkeypatch.chdir(place)
    name = next(x for x in place.iterdir() if x.name.startswith("cr5_da") and x.suffix != ".tsv")
    for part in (name, name.relative_to(place)):
        with pytest.raises(UserError, match=f"{part} is a part of .*: name the folder, "):
            registry.read_as("word2vec", part, 5)


@pytest.mark.parametrize("kind", FORMATS)
def test_the_dimension_that_is_asked_for_is_that_of_the_vectors(small, model, place, kind):
    registry.write(kind, place, model, small.about)
    assert registry.read_as(kind, place, 5)[0].tables["da"].shape[1] == 5
    with pytest.raises(UserError, match=r"vectors of .* have 5 numbers, and 7 are asked for"):
        registry.read_as(kind, place, 7)


def test_directed_tables_have_no_dimension(small, directed, tmp_path):
    registry.write("packed", tmp_path / "m.cr5", directed, small.about)
    with pytest.raises(UserError, match="have no one dimension, and 5 are asked for"):
        registry.read_as("packed", tmp_path / "m.cr5", 5)


@pytest.mark.parametrize(
    "change",
    [
        {"format": 99},
        {"kind": "other"},
        {"dimension": 4},
        {"dimension": "5"},
        {"settings": {"norm": "l9"}},
        {"settings": {"nrom": "l2"}},
        {"more": 1},
        {"languages": None},
        {"offsets": [1]},
    ],
)
def test_a_description_that_does_not_fit(small, model, tmp_path, change):
    registry.write("word2vec", tmp_path / "m", model, small.about)
    path = tmp_path / "m" / "cr5.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(UserError, match=str(tmp_path / "m")):
        cr5.load(tmp_path / "m")


@pytest.mark.parametrize(
    ("line", "text"), [(1, "hus\n"), (4, "hus\tx\n"), (4, "hus\tnan\n"), (1, "\n"), (10, "")]
)
def test_weights_that_do_not_fit(small, model, tmp_path, line, text):
    registry.write("word2vec", tmp_path / "m", model, small.about)
    path = tmp_path / "m" / "cr5_da.weights.tsv"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[: line - 1], text, *lines[line:]]))
    with pytest.raises(UserError, match=path.name if line == 10 else f"{path.name}, line {line}"):
        cr5.load(tmp_path / "m")


def test_a_language_without_its_file(small, model, tmp_path):
    registry.write("word2vec", tmp_path / "m", model, small.about)
    (tmp_path / "m" / "cr5_el.vec").unlink()
    with pytest.raises(UserError, match=r"cr5_el\.vec: "):
        cr5.load(tmp_path / "m")


@pytest.mark.parametrize("word", ["et\0hus", "et hus", "\ufeffa"])
def test_words_that_a_file_cannot_hold(small, model, tmp_path, word):
    """Between fields or at the beginning of a file they would be read as something else."""
    words = {**small.words, "da": [word, *small.words["da"][1:]]}
    with pytest.raises(UserError, match=re.escape(repr(word))):
        registry.write("word2vec", tmp_path / "m", replace(model, words=words), small.about)
