"""What every class of models keeps, in each format that can hold it; a broken one fails."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import check_norm
from cr5.contracts.model import CountedTexts, Model, ModelError
from cr5.models import export, store
from cr5.models.bank import neighbours, with_bank
from cr5.models.encoded_tables import EncodedTables
from cr5.models.encoders.opening import checksum
from cr5.models.text_encoder import TextEncoder
from cr5.retrieval.embedder import Embedder
from cr5.search.measures import measure_named
from tests.kit.inside import dense
from tests.models.examples import ABOUT, MODELS, TABLES, WEIGHTS, WORDS
from tests.systems.example_network import TwoLayers
from tests.tiny_encoders import write_static

WITH_ENCODER = ["beside", "beside joined", "weighed", "weighed joined"]
NAMES = [*MODELS, "network", "encoder", "encoder of two sides", *WITH_ENCODER]
WHOLE = ("folder", "packed")  # formats that hold every model; the others hold a vector a word
HAVE_VECTORS = {"plain", "settings", "fallbacks", "odd", "float64", "offsets", "joined"}
HAVE_VECTORS |= set(WITH_ENCODER)
TEXTS = ["cat", "cat dog"] * 20
TEXTS[7] = "unknown"
MEANS = {"en": np.array([0.2, 0.7]), "da": np.array([0.5, 0.5])}  # not of the third language


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """One of each class, one of someone else's, and one that reads texts instead of counts."""
    folder = tmp_path_factory.mktemp("encoder")
    write_static(folder, {"cat": [3.0, 4], "dog": [0, 2]})
    sha256 = checksum(str(folder))
    encoder = TextEncoder({"en": ["cat"], "it": ["cat"]}, str(folder), sha256)
    sides = {"query_prefix": "dog ", "query_means": MEANS, "document_means": MEANS}
    generator = np.random.default_rng(4)
    B = generator.normal(size=(5, 3)).astype(np.float32)
    network = TwoLayers(WORDS, WEIGHTS, TABLES, B, "log")
    beside = {
        "encoder": str(folder),
        "sha256": sha256,
        "prefix": "dog ",
        "means": MEANS,
        "encoder_table": generator.normal(size=(2, 5)).astype(np.float32),
    }
    return {**MODELS, "network": network, "encoder": encoder} | {
        "encoder of two sides": replace(encoder, **sides),
        "beside": EncodedTables(**vars(MODELS["plain"]), **beside),
        "beside joined": EncodedTables(**vars(MODELS["joined"]), **beside),
        "weighed": EncodedTables(**vars(MODELS["plain"]), **beside, encoder_weight=0.3),
        "weighed joined": EncodedTables(**vars(MODELS["joined"]), **beside, encoder_weight=0.3),
    }


def directions(model):
    """Return the language of documents and of candidates; None where the latter do not matter."""
    targets = model.languages if model.directed else [None]
    return list(product(model.languages, targets))


def documents(model, language):
    """Return 40 documents as the model takes them; the eighth has no word that it knows."""
    if model.reads_texts:
        return TEXTS
    if model.reads_both:
        return CountedTexts(drawn_counts(model, language), TEXTS)
    return drawn_counts(model, language)


def some(given, rows):
    """Return some of the documents."""
    if isinstance(given, CountedTexts):
        return CountedTexts(given.counts[rows], given.texts[rows])
    return given[rows]


def drawn_counts(model, language):
    shape = 40, len(model.vocabulary(language))
    counts = np.random.default_rng(3).poisson(0.3, shape)
    counts[7] = 0
    return sparse.csr_matrix(counts)


def rows_of(model, counts, language, target):
    """Return what a model makes of documents: a matrix, or one for each kind of row."""
    rows = model.embed(counts, language, target)
    check_norm(rows, measure_named(model.measures[0]).norm or "none", "rows")
    return dense(rows)


def write(kind, path, model, about=ABOUT):
    if kind == "folder":
        store.save(path, model, about)
    else:
        export.write(kind, path, model, about, exact=True)


def assert_same(rows, expected, tolerance=0.0):
    """Compare rows of each kind, to the bit unless there is a tolerance."""
    for part, expected_part in zip(rows, expected, strict=True):
        assert part.dtype == expected_part.dtype == np.float32
        np.testing.assert_allclose(part, expected_part, rtol=0, atol=tolerance)


def place_of(folder, kind):
    return folder / ("model.cr5" if kind == "packed" else "model")


def contents(path):
    """Return the bytes of a file, or of every file below a folder, by name."""
    if path.is_file():
        return {"": path.read_bytes()}
    files = [place for place in path.rglob("*") if place.is_file()]
    return {str(file.relative_to(path)): file.read_bytes() for file in files}


@pytest.mark.parametrize("name", NAMES)
def test_documents_have_the_same_rows_again_and_whatever_others_there_are(models, name):
    model = models[name]
    model.check()
    assert model.languages == tuple(model.words)
    for language, target in directions(model):
        counts = documents(model, language)
        rows = rows_of(model, counts, language, target)
        assert len(rows[0]) == 40
        assert_same(rows_of(model, counts, language, target), rows)
        for number in (0, 7, 39):
            alone = slice(number, number + 1)
            row = rows_of(model, some(counts, alone), language, target)
            assert_same(row, [part[alone] for part in rows], 1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_a_text_of_unknown_words_is_a_row_of_zeros(models, name, caplog):
    embedder = Embedder(models[name], {}, "made_up")
    targets = embedder.languages if embedder.model.directed else [None]
    for target in targets:
        caplog.clear()
        rows = embedder.embed(["cat dog", " ", "cat"], "en", target)
        assert "1 of 3 texts have no word" in caplog.text
        assert "text 2" in caplog.text
        [numbers] = dense(rows)
        assert not numbers[1].any()
        [without] = dense(embedder.embed(["cat dog", "cat"], "en", target, unknown="raise"))
        np.testing.assert_allclose(without, numbers[[0, 2]], rtol=0, atol=1e-6)
        with pytest.raises(UserError, match="text 2"):
            embedder.embed(["cat", " "], "en", target, unknown="raise")


@pytest.mark.parametrize("name", NAMES)
def test_a_text_of_unknown_words_is_as_far_as_can_be(models, name):
    embedder = Embedder(models[name], {}, "made_up")
    lowest = {"cosine": 0, "dot": 0, "l1": -2}[embedder.measures[0]]
    scores = embedder.compare(["cat", " "], "en", [" ", "cat dog"], "en")
    assert scores[0, 1] > lowest
    assert scores[:, 0].tolist() == [lowest, lowest]
    assert scores[1].tolist() == [lowest, lowest]


@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("name", NAMES)
def test_every_model_is_written_as_the_same_bytes_twice_and_comes_back(
    models, name, kind, tmp_path
):
    model = models[name]
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        write(kind, place_of(folder, kind), model)
    place = place_of(tmp_path / "first", kind)
    assert contents(place) == contents(place_of(tmp_path / "second", kind))
    loaded = store.load(place, [type(model)])
    loaded.check()
    assert store.about(place) == ABOUT
    assert type(loaded) is type(model)
    assert {language: list(words) for language, words in loaded.words.items()} == dict(model.words)
    assert loaded.fallbacks == model.fallbacks
    assert list(loaded.measures) == list(model.measures)
    for language, target in directions(model):
        counts = documents(model, language)
        rows = rows_of(loaded, counts, language, target)
        assert_same(rows, rows_of(model, counts, language, target))


def test_every_class_is_put_through_it(models):
    assert {type(model) for model in models.values()} == set(store.OURS.values()) | {TwoLayers}


@dataclass(frozen=True)
class WithoutMeasures(Model):
    """A class that lacks a field which each has to declare."""

    words: Mapping[str, Sequence[str]]

    def embed(self, counts, language, target_language=None):
        return np.zeros((counts.shape[0], 1), np.float32)

    def check(self):
        pass


def test_a_class_that_lacks_a_field_of_every_model_is_refused():
    with pytest.raises(ModelError, match="class WithoutMeasures has no field `measures`"):
        WithoutMeasures(WORDS)


@pytest.mark.parametrize("kind", export.WRITERS)
@pytest.mark.parametrize("name", sorted(set(NAMES) - HAVE_VECTORS))
def test_a_format_refuses_what_it_cannot_hold(models, name, kind, tmp_path):
    with pytest.raises(UserError):
        write(kind, tmp_path / "model", models[name])
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("name", MODELS)
def test_training_documents_are_kept_to_eleven_bits(name, kind, tmp_path):
    model = MODELS[name]
    training = {language: documents(model, language)[:9] for language in model.words}
    with_documents = with_bank(model, training)
    if "cosine" not in model.measures:  # no measure corrects hubs
        assert with_documents is model
        return
    write(kind, place_of(tmp_path, kind), with_documents)
    loaded = store.load(place_of(tmp_path, kind))
    for language, target in product(model.words, model.words):
        towards = target if model.directed else None
        rows = dense(model.embed(training[language], language, towards))
        assert_to_eleven_bits(neighbours(with_documents, language, target), rows)
        assert_to_eleven_bits(neighbours(loaded, language, target), rows)


def assert_to_eleven_bits(rows, expected):
    for part, expected_part in zip(dense(rows), expected, strict=True):
        assert part.dtype == np.float32
        np.testing.assert_allclose(part, expected_part, rtol=2**-10, atol=1e-7)


@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("value", [[np.ones(2)], {1, 2}, object()])
def test_a_value_that_cannot_be_stored_is_named(models, tmp_path, kind, value):
    model = replace(models["network"], term_frequency=value)
    with pytest.raises(UserError, match="term_frequency: "):
        write(kind, place_of(tmp_path, kind), model, {})
    assert not any(tmp_path.iterdir())
