"""What every class of models keeps, in each format that can hold it; a broken one fails."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from cr5.base import provenance
from cr5.models.bank import neighbours, with_bank
from cr5.models.contract import Model
from cr5.models.text_encoder import TextEncoder
from tests.kit import inside, parts
from tests.models.examples import (
    ABOUT,
    MODELS,
    PLAIN_WORDS,
    WORDS,
    by_hand,
    counts_of,
    dense,
    table,
)
from tests.tiny_encoders import write_static

NETWORK = inspect.getmodule(
    inside.system(Path(__file__).parents[1] / "systems" / "example_network.py")
)
NAMES = [*MODELS, "network", "encoder"]
VECTORS = sorted(parts.FORMATS - set(parts.WHOLE))  # formats that hold a vector a word
TEXTS = ["cat", "cat dog"] * 20
TEXTS[7] = "unknown"


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """One of each class, one of someone else's, and one that reads texts instead of counts."""
    folder = tmp_path_factory.mktemp("encoder")
    write_static(folder, {"cat": [3.0, 4], "dog": [0, 2]})
    sha256 = provenance.folder(folder)["sha256"]
    encoder = TextEncoder({"en": ["cat"], "it": ["cat"]}, str(folder), sha256)
    B = np.random.default_rng(4).normal(size=(6, 3)).astype(np.float32)
    network = NETWORK.TwoLayers(WORDS, dense().weights, dense().tables, B, "log")
    return {**MODELS, "network": network, "encoder": encoder}


def directions(model):
    targets = model.languages if model.directed else [None]
    return [(x, y) for x in model.languages for y in targets]


def documents(model, language):
    if model.reads_texts:
        return TEXTS
    shape = 40, len(model.words[language])
    found = np.random.default_rng(3).poisson(0.3, shape)
    found[7] = 0
    return sparse.csr_matrix(found)


def same(ours, theirs, apart=0.0):
    """Compare rows, to the byte if nothing is said."""
    for x, y in zip(ours, theirs, strict=True):
        assert x.dtype == y.dtype == np.float32
        np.testing.assert_allclose(x, y, rtol=0, atol=apart)


def check_rows(model):
    """Raise unless documents have the same rows again, and whatever others there are."""
    model.check()
    assert model.languages == tuple(model.words)
    for language, target in directions(model):
        given = documents(model, language)
        rows = parts.rows_of(model, given, language, target)
        assert len(rows[0]) == 40
        same(rows, parts.rows_of(model, given, language, target))
        for i in (0, 7, 39):
            few = parts.rows_of(model, given[i : i + 1], language, target)
            same(few, [part[i : i + 1] for part in rows], 1e-6)


def place(folder, kind):
    return folder / ("model.cr5" if kind == "packed" else "model")


def contents(path):
    """Every file below a folder, or a file, with its bytes."""
    files = sorted(x for x in path.rglob("*") if x.is_file()) if path.is_dir() else [path]
    return {str(x.relative_to(path)): x.read_bytes() for x in files}


def check_format(model, kind, folder):
    """Raise unless a model is written as the same bytes twice, and comes back."""
    paths = [place(folder / str(number), kind) for number in range(2)]
    for path in paths:
        path.parent.mkdir()
        parts.write_model(kind, path, model, ABOUT, "the card")
    files = contents(paths[0])
    assert files == contents(paths[1])
    again, about = parts.read_model(paths[0], type(model))
    again.check()
    assert about == ABOUT
    assert type(again) is type(model)
    assert {x: list(words) for x, words in again.words.items()} == dict(model.words)
    assert list(again.measures) == list(model.measures)
    for language, target in directions(model):
        given = documents(model, language)
        rows = [parts.rows_of(x, given, language, target) for x in (model, again)]
        same(*rows)
    return again


@pytest.mark.parametrize("name", NAMES)
def test_every_model_embeds(models, name):
    check_rows(models[name])


@pytest.mark.parametrize("kind", parts.WHOLE)
@pytest.mark.parametrize("name", NAMES)
def test_every_model_comes_back(models, name, kind, tmp_path):
    check_format(models[name], kind, tmp_path)


def test_every_class_is_put_through_it(models):
    assert {type(model) for model in models.values()} == parts.CLASSES | {NETWORK.TwoLayers}


@pytest.mark.parametrize("kind", parts.WHOLE)
@pytest.mark.parametrize("name", ["plain", "settings"])
def test_one_vector_a_word_comes_back(name, kind, tmp_path):
    """And ranks as the formula does."""
    again = check_format(MODELS[name], kind, tmp_path)
    how = {"frequency": np.log1p, "inner": True, "offset": True} if name == "settings" else {}
    for language in PLAIN_WORDS:
        counts = counts_of(language)
        [rows] = parts.rows_of(again, counts, language, None)
        expected = by_hand(language, counts, **how)
        np.testing.assert_allclose(rows, expected, atol=1e-6)
        orders = [np.argsort(-(x @ x.T), axis=1, kind="stable") for x in (rows, expected)]
        np.testing.assert_array_equal(*orders)


@pytest.mark.parametrize("kind", VECTORS)
@pytest.mark.parametrize("name", sorted(set(NAMES) - {"plain", "settings"}))
def test_a_format_refuses_what_it_cannot_hold(models, name, kind, tmp_path):
    with pytest.raises(inside.REFUSED):
        parts.write_model(kind, tmp_path / "model", models[name], ABOUT)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("kind", parts.WHOLE)
@pytest.mark.parametrize("name", MODELS)
def test_training_documents_are_kept_to_eleven_bits(name, kind, tmp_path):
    model = MODELS[name]
    given = {x: documents(model, x)[:9] for x in model.words}
    kept = with_bank(model, given)
    if "cosine" not in model.measures:  # no measure corrects hubs
        assert kept is model
        return
    parts.write_model(kind, place(tmp_path, kind), kept, ABOUT)
    again, _ = parts.read_model(place(tmp_path, kind))
    for language, target in [(x, y) for x in model.words for y in model.words]:
        rows = model.embed(given[language], language, target if model.directed else None)
        expected = parts.dense(rows)
        for each in (kept, again):
            for x, y in zip(parts.dense(neighbours(each, language, target)), expected, strict=True):
                assert x.dtype == np.float32
                np.testing.assert_allclose(x, y, rtol=2**-10, atol=1e-7)


@pytest.mark.parametrize("kind", parts.WHOLE)
@pytest.mark.parametrize("left", [0, 5, -10])
def test_a_file_that_is_cut_off_is_refused(kind, left, tmp_path):
    path = place(tmp_path, kind)
    parts.write_model(kind, path, MODELS["plain"], ABOUT)
    file = path if path.is_file() else path / "en.safetensors"
    file.write_bytes(file.read_bytes()[:left])
    with pytest.raises(inside.REFUSED, match=f"{file.name}: "):
        parts.read_model(path)


@dataclass(frozen=True)
class Broken(Model):
    """Its rows depend on one another, and on digits that no format keeps."""

    words: Mapping[str, Sequence[str]]
    tables: Mapping[str, np.ndarray]
    measures: Sequence[str] = ("dot",)

    def embed(self, counts, language, target_language=None):
        lost = self.tables[language] - self.tables[language].astype(np.float32)
        rows = 1e9 * counts @ lost.astype(float)
        return (rows - rows.mean(axis=0)).astype(np.float32)

    def check(self): ...


def test_a_broken_class_fails_it(tmp_path):
    broken = Broken(WORDS, {x: table(x).astype(float) / 3 for x in WORDS})
    with pytest.raises(AssertionError):
        check_rows(broken)
    with pytest.raises(AssertionError):
        check_format(broken, "folder", tmp_path)


@pytest.mark.parametrize("value", [[np.ones(2)], {1, 2}, object()])
def test_a_value_that_cannot_be_stored_is_named(models, tmp_path, value):
    model = replace(models["network"], term_frequency=value)
    for kind in ("folder", "packed"):
        with pytest.raises(inside.REFUSED, match="term_frequency: "):
            parts.write_model(kind, place(tmp_path, kind), model, {})
    assert not any(tmp_path.iterdir())
