"""What every class of models has to keep; a broken one fails."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from class_examples import MODELS, WORDS, dense, table
from scipy import sparse

from cr5.base import provenance
from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.base.rows import check_norm, parts_of
from cr5.models import kinds, store
from cr5.models.contract import Model
from cr5.models.formats import registry
from cr5.models.text_encoder import TextEncoder
from cr5.search.measures import measure
from tests.tiny_encoders import write_static

NETWORK = load_module(Path(__file__).parents[1] / "systems" / "example_network.py", "fit")


def network():
    B = np.random.default_rng(4).normal(size=(6, 3)).astype(np.float32)
    model = dense()
    return NETWORK.TwoLayers(WORDS, model.weights, model.tables, B, "log")


EVERY = {**MODELS, "network": network()}


def counts(language):
    generator = np.random.default_rng(3)
    found = generator.poisson(0.3, (40, len(WORDS[language])))
    found[7] = 0
    return sparse.csr_matrix(found)


TEXTS = ["cat", "cat dog"] * 20
TEXTS[7] = "unknown"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    """A model that reads texts instead of counts."""
    folder = tmp_path_factory.mktemp("encoder")
    write_static(folder, {"cat": [3.0, 4], "dog": [0, 2]})
    sha256 = provenance.folder(folder)["sha256"]
    return TextEncoder({"en": ["cat"], "it": ["cat"]}, str(folder), sha256, "model2vec")


def same(ours, theirs):
    """Compare rows to the byte."""
    for x, y in zip(parts_of(ours), parts_of(theirs), strict=True):
        assert sparse.issparse(x) == sparse.issparse(y)
        x, y = (each.toarray() if sparse.issparse(each) else each for each in (x, y))
        assert x.dtype == y.dtype == np.float32
        assert x.shape == y.shape
        assert x.tobytes() == y.tobytes()


def stored(model, folder):
    """Write a model in each form, twice, and read it back."""
    classes = [type(model)]
    for number in range(2):
        (folder / str(number)).mkdir()
        store.save(folder / f"{number}/folder", model, {"seed": 3})
        registry.write("safetensors", folder / f"{number}/safetensors", model, {})
        registry.write("packed", folder / f"{number}/packed.cr5", model, {})
    files = [path for path in (folder / "0").rglob("*") if path.is_file()]
    assert len(files) > 6
    for file in files:
        assert file.read_bytes() == (folder / "1" / file.relative_to(folder / "0")).read_bytes()
    yield store.load(folder / "0/folder", classes)
    yield registry.read(folder / "0/safetensors", classes)[0]
    yield registry.read(folder / "0/packed.cr5", classes)[0]


def check_contract(model, folder):
    kinds.check_storable(type(model))
    model.check()
    assert model.languages == tuple(model.words)
    norm = measure(model.measures[0]).unit
    again = list(stored(model, folder))
    for language in model.languages:
        for target in model.languages if model.directed else [None]:
            given = TEXTS if model.reads_texts else counts(language)
            rows = model.embed(given, language, target)
            assert rows.shape[0] == 40
            same(rows, model.embed(given, language, target))
            check_norm(rows, norm or "none", "rows")
            for start in (0, 7, 39):  # a document's row does not depend on others
                few = model.embed(given[start : start + 1], language, target)
                for x, y in zip(parts_of(few), parts_of(rows), strict=True):
                    part = y[start : start + 1]
                    x, part = (z.toarray() if sparse.issparse(z) else z for z in (x, part))
                    np.testing.assert_allclose(x, part, atol=1e-6)
            for each in again:
                assert type(each) is type(model)
                same(rows, each.embed(given, language, target))
    for each in again:
        each.check()
        assert {x: list(words) for x, words in each.words.items()} == dict(model.words)
        assert list(each.measures) == list(model.measures)


@pytest.mark.parametrize("name", EVERY)
def test_every_class_keeps_the_contract(tmp_path, name):
    check_contract(EVERY[name], tmp_path)


def test_what_reads_texts_keeps_it_too(tmp_path, encoder):
    check_contract(encoder, tmp_path)


def test_every_class_of_ours_is_among_them(encoder):
    every = [*MODELS.values(), encoder]
    assert {type(model) for model in every} == set(kinds.OURS.values())


@dataclass(frozen=True)
class Broken(Model):
    """Keeps the contract but for what `fault` says."""

    words: Mapping[str, Sequence[str]]
    tables: Mapping[str, np.ndarray]
    fault: str
    calls: Mapping[str, np.ndarray]
    measures: Sequence[str] = ("cosine",)

    def embed(self, counts, language, target_language=None):
        rows = counts @ self.tables[language].astype(np.float32)
        if self.fault == "depends on others":
            rows = rows - rows.mean(axis=0)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if self.fault != "not of length one":
            rows = rows / np.where(lengths > 0, lengths, 1)
        if self.fault == "not twice the same":
            self.calls["n"][0] += 1
            rows = rows[:, ::-1] if self.calls["n"][0] % 2 else rows
        if self.fault == "lost":  # its table is rounded where it is stored
            rows = rows * np.sign(self.calls["long"][0, 0] - 1)
        return rows.astype(np.float64 if self.fault == "float64" else np.float32)

    def check(self):
        if self.fault == "check fails":
            raise UserError("no")


def broken(fault):
    calls = {"n": np.zeros(1), "long": np.array([[1 + 1e-12]])}
    return Broken(WORDS, {x: table(x) for x in WORDS}, fault, calls)


def test_what_is_not_broken_passes(tmp_path):
    check_contract(broken("nothing"), tmp_path)


@pytest.mark.parametrize(
    "fault",
    [
        "not of length one",
        "depends on others",
        "not twice the same",
        "float64",
        "lost",
        "check fails",
    ],
)
def test_a_broken_class_fails(tmp_path, fault):
    with pytest.raises((AssertionError, UserError)):
        check_contract(broken(fault), tmp_path)


class NoDataclass(Model):
    words, measures = WORDS, ("cosine",)

    def embed(self, counts, language, target_language=None): ...

    def check(self): ...


@dataclass(frozen=True)
class Layers(NoDataclass):
    layers: list[np.ndarray]


@dataclass(frozen=True)
class Anything(NoDataclass):
    network: "np.random.Generator"


@dataclass(frozen=True)
class Fine(NoDataclass):
    table: np.ndarray | None
    by: Mapping[str, Mapping[str, sparse.csr_matrix]]
    names: tuple[str, ...]
    rate: float = 0.1


def test_a_class_that_cannot_be_stored_is_refused():
    @dataclass(frozen=True)
    class Within(Fine):
        pass

    for kind, reason in (
        (NoDataclass, "class NoDataclass: a model must be a dataclass"),
        (Within, "defined within a function"),
        (Layers, r"its field layers is of the type list\[.*\], which cannot be stored"),
        (Anything, "its field network is of the type"),
    ):
        with pytest.raises(UserError, match=reason):
            kinds.check_storable(kind)
    for kind in (Fine, *kinds.OURS.values(), NETWORK.TwoLayers):
        kinds.check_storable(kind)


@pytest.mark.parametrize("value", [[np.ones(2)], {1, 2}, object()])
def test_a_value_that_cannot_be_stored_is_named(tmp_path, value):
    model = replace(network(), term_frequency=value)
    with pytest.raises(UserError, match="term_frequency: "):
        store.save(tmp_path / "m", model, {})
    with pytest.raises(UserError, match="term_frequency: "):
        registry.write("packed", tmp_path / "m.cr5", model, {})
    assert not any(tmp_path.iterdir())
