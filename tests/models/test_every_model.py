"""What every class of models keeps, in each format that can hold it; a broken one fails."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import check_norm
from cr5.models import export, store
from cr5.models.bank import neighbours, with_bank
from cr5.models.contract import CountedTexts
from cr5.models.encoded_tables import EncodedTables
from cr5.models.encoders.opening import checksum
from cr5.models.text_encoder import TextEncoder
from cr5.retrieval.embedder import Embedder
from cr5.search.measures import measure
from tests.kit.inside import dense
from tests.models.examples import ABOUT, MODELS, TABLES, WEIGHTS, WORDS
from tests.systems.example_network import TwoLayers
from tests.tiny_encoders import write_static

NAMES = [*MODELS, "network", "encoder", "encoder of two sides", "beside", "beside joined"]
WHOLE = ("folder", "packed")  # formats that hold every model; the others hold a vector a word
HAVE_VECTORS = {"plain", "settings", "odd", "float64", "offsets", "joined"}
HAVE_VECTORS |= {"beside", "beside joined"}
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
    beside = {
        "encoder": str(folder),
        "sha256": sha256,
        "prefix": "dog ",
        "means": MEANS,
        "encoder_weight": 0.5,
    }
    B = np.random.default_rng(4).normal(size=(5, 3)).astype(np.float32)
    network = TwoLayers(WORDS, WEIGHTS, TABLES, B, "log")
    return {**MODELS, "network": network, "encoder": encoder} | {
        "encoder of two sides": replace(encoder, **sides),
        "beside": EncodedTables(**vars(MODELS["plain"]), **beside),
        "beside joined": EncodedTables(**vars(MODELS["joined"]), **beside),
    }


def directions(model):
    targets = model.languages if model.directed else [None]
    return [(x, y) for x in model.languages for y in targets]


def documents(model, language):
    if model.reads_texts:
        return TEXTS
    if model.reads_both:
        return CountedTexts(drawn_counts(model, language), TEXTS)
    return drawn_counts(model, language)


def some(given, rows):
    if isinstance(given, CountedTexts):
        return CountedTexts(given.counts[rows], given.texts[rows])
    return given[rows]


def drawn_counts(model, language):
    shape = 40, len(model.words[language])
    found = np.random.default_rng(3).poisson(0.3, shape)
    found[7] = 0
    return sparse.csr_matrix(found)


def rows_of(model, given, language, target):
    """What a model makes of documents: a matrix, or one for each kind of row."""
    rows = model.embed(given, language, target)
    check_norm(rows, measure(model.measures[0]).unit or "none", "rows")
    return dense(rows)


def write(kind, path, model, about=ABOUT):
    if kind == "folder":
        store.save(path, model, about)
    else:
        export.write(kind, path, model, about, exact=True)


def same(ours, theirs, apart=0.0):
    """Compare rows, to the byte if nothing is said."""
    for x, y in zip(ours, theirs, strict=True):
        assert x.dtype == y.dtype == np.float32
        np.testing.assert_allclose(x, y, rtol=0, atol=apart)


def place(folder, kind):
    return folder / ("model.cr5" if kind == "packed" else "model")


def contents(path):
    """Every file below a folder, or a file, with its bytes."""
    files = sorted(x for x in path.rglob("*") if x.is_file()) if path.is_dir() else [path]
    return {str(x.relative_to(path)): x.read_bytes() for x in files}


@pytest.mark.parametrize("name", NAMES)
def test_documents_have_the_same_rows_again_and_whatever_others_there_are(models, name):
    model = models[name]
    model.check()
    assert model.languages == tuple(model.words)
    for language, target in directions(model):
        given = documents(model, language)
        rows = rows_of(model, given, language, target)
        assert len(rows[0]) == 40
        same(rows, rows_of(model, given, language, target))
        for i in (0, 7, 39):
            few = rows_of(model, some(given, slice(i, i + 1)), language, target)
            same(few, [part[i : i + 1] for part in rows], 1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_a_text_of_unknown_words_is_zeros_and_as_far_as_can_be(models, name, caplog):
    model, nothing = Embedder(models[name], {}, "made_up"), " "
    for target in model.languages if models[name].directed else [None]:
        caplog.clear()
        found = dense(model.embed(["cat dog", nothing, "cat"], "en", target))
        assert "1 of 3 texts have no word" in caplog.text and "text 2" in caplog.text
        assert not any(part[1].any() for part in found)
        others = dense(model.embed(["cat dog", "cat"], "en", target, "raise"))
        same(others, [part[[0, 2]] for part in found], 1e-6)
        with pytest.raises(UserError, match="text 2"):
            model.embed(["cat", nothing], "en", target, unknown="raise")
    lowest = {"cosine": 0, "dot": 0, "l1": -2}[model.measures[0]]
    similar = model.similarity(["cat", nothing], "en", [nothing, "cat dog"], "en")
    assert similar[0, 1] > lowest
    assert similar[[0, 1, 1], [0, 0, 1]].tolist() == [lowest] * 3


@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("name", NAMES)
def test_every_model_is_written_as_the_same_bytes_twice_and_comes_back(
    models, name, kind, tmp_path
):
    model = models[name]
    paths = [place(tmp_path / str(number), kind) for number in range(2)]
    for path in paths:
        path.parent.mkdir()
        write(kind, path, model)
    files = contents(paths[0])
    assert files == contents(paths[1])
    again = store.load(paths[0], [type(model)])
    again.check()
    assert store.about(paths[0]) == ABOUT
    assert type(again) is type(model)
    assert {x: list(words) for x, words in again.words.items()} == dict(model.words)
    assert list(again.measures) == list(model.measures)
    for language, target in directions(model):
        given = documents(model, language)
        rows = [rows_of(x, given, language, target) for x in (model, again)]
        same(*rows)


def test_every_class_is_put_through_it(models):
    assert {type(model) for model in models.values()} == set(store.OURS.values()) | {TwoLayers}


@pytest.mark.parametrize("kind", export.WRITERS)
@pytest.mark.parametrize("name", sorted({*NAMES} - HAVE_VECTORS))
def test_a_format_refuses_what_it_cannot_hold(models, name, kind, tmp_path):
    with pytest.raises(UserError):
        write(kind, tmp_path / "model", models[name])
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("name", MODELS)
def test_training_documents_are_kept_to_eleven_bits(name, kind, tmp_path):
    model = MODELS[name]
    given = {x: documents(model, x)[:9] for x in model.words}
    kept = with_bank(model, given)
    if "cosine" not in model.measures:  # no measure corrects hubs
        assert kept is model
        return
    write(kind, place(tmp_path, kind), kept)
    again = store.load(place(tmp_path, kind))
    for language, target in [(x, y) for x in model.words for y in model.words]:
        rows = model.embed(given[language], language, target if model.directed else None)
        expected = dense(rows)
        for each in (kept, again):
            for x, y in zip(dense(neighbours(each, language, target)), expected, strict=True):
                assert x.dtype == np.float32
                np.testing.assert_allclose(x, y, rtol=2**-10, atol=1e-7)


@pytest.mark.parametrize("value", [[np.ones(2)], {1, 2}, object()])
def test_a_value_that_cannot_be_stored_is_named(models, tmp_path, value):
    model = replace(models["network"], term_frequency=value)
    for kind in ("folder", "packed"):
        with pytest.raises(UserError, match="term_frequency: "):
            write(kind, place(tmp_path, kind), model, {})
    assert not any(tmp_path.iterdir())
