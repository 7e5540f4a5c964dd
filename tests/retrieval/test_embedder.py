"""Texts become rows, rows and texts are compared: beside numbers worked out by hand or by numpy."""

import pickle
import sys
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

import cr5
from cr5.base.errors import UserError
from cr5.models.encoded_tables import EncodedTables
from cr5.models.encoders.opening import checksum
from cr5.models.text_encoder import TextEncoder
from cr5.models.word_tables import WordTables
from cr5.retrieval.embedder import Embedder
from tests.retrieval import made_up
from tests.tiny_encoders import write_static

QUERIES = made_up.texts("en", 7).contents
CANDIDATES = made_up.texts("it", 5).contents


def test_texts_are_tokenised_weighted_and_scaled(embedder):
    """a counts for nothing, dog is [0, 2, 0], and sea weighs two."""
    rows = embedder.embed(["Cat, a CAT; dog!", "the sea"], "en")
    assert rows == pytest.approx(np.array([[2, 2, 0], [0, 0, 1]]) / [[8**0.5], [1]])
    assert rows.dtype == np.float32


def test_comparisons_are_cosines(embedder):
    scores = embedder.compare(["cat dog", "sea"], "en", ["cane", "gatto", "mare"], "it")
    expected = np.array([[2 / 5**0.5, 1 / 5**0.5, 0], [0, 0, 1]])
    assert scores == pytest.approx(expected, abs=1e-6)
    assert scores.dtype == np.float32


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
def test_rows_are_an_array_or_a_sparse_matrix_that_other_programs_take(kind):
    model = made_up.embedder(kind)
    texts = made_up.texts("it", 30).contents
    rows = model.embed(texts, "it")
    assert isinstance(rows, np.ndarray if kind == "dense" else sparse.csr_matrix)
    assert rows.dtype == np.float32
    queries = model.embed(texts[:3], "it")
    neighbours = NearestNeighbors(n_neighbors=1, metric="cosine").fit(rows)
    assert neighbours.kneighbors(queries, return_distance=False).ravel().tolist() == [0, 1, 2]


def test_the_dense_part_of_rows_is_that_of_the_model_without_strings():
    """Columns of strings stand to the right; what is left has length one again."""
    texts = CANDIDATES + [""]
    model = made_up.embedder("joined")
    whole = model.embed(texts, "it")
    dense = model.embed(texts, "it", dense=True)
    assert isinstance(dense, np.ndarray)
    expected = made_up.embedder("dense").embed(texts, "it")
    np.testing.assert_allclose(dense, expected, atol=1e-6)
    assert model.dimension == 8
    assert whole.shape == (6, 48)
    # e beside half of z, both of length one: e times 1 / sqrt(1 + 1/2)
    beside_strings = whole[:, :8].toarray()
    np.testing.assert_allclose(beside_strings, dense / 1.5**0.5, atol=1e-6)


def test_rows_of_strings_alone_have_no_dense_part():
    model = made_up.embedder("sparse")
    assert model.dimension == 40
    with pytest.raises(UserError, match="have no dense part"):
        model.embed("itaa", "it", dense=True)


DIMENSIONS = {"dense": 8, "dot": 8, "l1": 8, "directed": None}


@pytest.mark.parametrize("kind", DIMENSIONS)
def test_the_dimension_is_that_of_rows(kind):
    assert made_up.embedder(kind).dimension == DIMENSIONS[kind]


@pytest.mark.parametrize("kind", ["dense", "joined", "directed"])
def test_another_process_may_have_a_copy(kind):
    model = made_up.embedder(kind)
    model.compare(QUERIES, "en", CANDIDATES, "it")  # what is remembered of it does not matter
    copied = pickle.loads(pickle.dumps(model))  # noqa: S301 - of our own making
    assert copied.place == model.place
    expected = model.compare(QUERIES, "en", CANDIDATES, "it")
    np.testing.assert_array_equal(copied.compare(QUERIES, "en", CANDIDATES, "it"), expected)


@pytest.mark.parametrize(
    "as_given", [pa.array, np.array, tuple, iter], ids=["arrow", "numpy", "tuple", "iterator"]
)
def test_texts_come_in_whatever_holds_several_strings(embedder, as_given):
    expected = embedder.embed(QUERIES, "en")
    np.testing.assert_array_equal(embedder.embed(as_given(QUERIES), "en"), expected)
    pairs = embedder.align(QUERIES, "en", CANDIDATES, "it")
    assert embedder.align(as_given(QUERIES), "en", as_given(CANDIDATES), "it") == pairs


def test_an_array_without_dimensions_holds_not_several(embedder):
    with pytest.raises(UserError, match=r"^texts: expected several, such as a list"):
        embedder.embed(np.array("itaa"), "it")


def test_measures_are_asked_for_one_at_a_time(embedder):
    with pytest.raises(UserError, match=r"not compared by \['cosine'\]; its measures are cosine"):
        embedder.compare(QUERIES, "en", CANDIDATES, "it", ["cosine"])


MEASURES = {
    "dense": ("cosine", "csls"),
    "directed": ("cosine",),
    "dot": ("dot",),
    "l1": ("l1",),
}


@pytest.mark.parametrize("kind", MEASURES)
def test_measures_are_with_matches_where_there_is_a_second_stage(kind):
    measures = MEASURES[kind]
    assert made_up.embedder(kind).measures == measures
    with_matches = tuple(f"{measure}+matches" for measure in measures)
    reranking = made_up.embedder(kind, rerank=0.5)
    assert reranking.measures == measures + with_matches
    assert reranking.measure == with_matches[0]


def test_only_a_model_that_keeps_its_training_documents_takes_csls_by_default():
    assert made_up.embedder("dense", trained=True).measure == "csls"
    assert made_up.embedder("dense", trained=True, rerank=0.5).measure == "csls+matches"
    assert made_up.embedder("directed", trained=True).measure == "cosine"
    assert made_up.embedder("l1", trained=True).measure == "l1"
    assert made_up.embedder("dense").measure == "cosine"


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
def test_csls_of_two_texts_is_by_training_documents(kind):
    """As the formula has it, by plain numpy, from rows that are kept as float16 if dense."""
    model = made_up.embedder(kind, trained=True)
    texts = (QUERIES, "en", CANDIDATES, "it")
    cosines = made_up.embedder(kind).compare(*texts)
    np.testing.assert_array_equal(model.compare(*texts, "cosine"), cosines)
    r_x = mean_of_nearest(model, model.embed(QUERIES, "en"), "it")
    r_y = mean_of_nearest(model, model.embed(CANDIDATES, "it"), "en")
    expected = 2 * cosines - r_x[:, None] - r_y
    np.testing.assert_allclose(model.compare(*texts), expected, atol=1e-3)


def mean_of_nearest(model, rows, language):
    """Return the mean cosine of each row with its nearest training documents of a language."""
    trained = model.model.embed(made_up.TRAINING[language], language)
    cosines = made_up.full(rows) @ made_up.full(trained).T
    cosines.sort(axis=1)
    return cosines[:, -made_up.NEIGHBOURS :].mean(axis=1)


@pytest.mark.parametrize("measure", ["cosine", "csls"])
def test_a_second_stage_adds_to_every_comparison(measure):
    model = made_up.embedder("dense", trained=True, rerank=0.5)
    texts = (QUERIES, "en", CANDIDATES, "it")
    m = made_up.matched(model, *texts)
    weight = {"cosine": 0.5, "csls": 1.0}[measure]
    expected = model.compare(*texts, measure) + weight * m
    scores = model.compare(*texts, f"{measure}+matches")
    np.testing.assert_allclose(scores, expected, atol=1e-6)


@pytest.fixture
def with_script(small_model):
    """The small model, whose Italian is called it_latn."""
    codes = {"en": "en", "it": "it_latn"}

    def renamed(by_language):
        return {codes[language]: value for language, value in by_language.items()}

    model = replace(
        small_model,
        words=renamed(small_model.words),
        tables=renamed(small_model.tables),
        weights=renamed(small_model.weights),
    )
    return Embedder(model, {}, "made_up")


def test_codes_of_languages_have_no_case_and_no_hyphens(with_script):
    scores = with_script.compare("cat dog", "EN", ["cane", "gatto"], "it-Latn")
    expected = with_script.compare("cat dog", "en", ["cane", "gatto"], "it_latn")
    assert scores.tolist() == expected.tolist()
    [pair] = with_script.why("sea", "EN", "mare", "IT-latn", n=1).pairs
    assert pair[:2] == ("sea", "mare")
    [alignment] = with_script.align(["sea"], "EN", ["gatto", "mare"], "it-latn")
    assert (alignment.first, alignment.second) == (0, 1)


def test_an_index_has_no_case_and_no_hyphens_either(with_script):
    index = cr5.Index(with_script)
    index.add(["a", "b"], ["mare", "gatto"], "it-Latn")
    assert index.sizes == {"it_latn": 2}
    [[hit]] = index.search("sea", "En", 1, target_language=["IT_Latn"])
    assert (hit.id, hit.language) == ("a", "it_latn")
    index.remove(["a"], "IT-Latn")
    assert index.sizes == {"it_latn": 1}


OFFSETS = {"en": np.array([0, 3, 0.0]), "it": np.zeros(3)}


@pytest.mark.parametrize(("offsets", "row"), [(None, [1, 0, 0]), (OFFSETS, [1, 3, 0])])
def test_words_that_no_training_document_has_are_as_unknown_ones(small_model, offsets, row):
    """dog has a vector of zeros, a no weight; the is not in the vocabulary."""
    without_dog = small_model.tables["en"] * [[1], [1], [0], [1]]
    tables = {**small_model.tables, "en": without_dog}
    embedder = Embedder(replace(small_model, tables=tables, offsets=offsets), {}, "made_up")
    expected = np.array([row]) / np.linalg.norm(row)
    assert embedder.embed("the dog, the cat", "en") == pytest.approx(expected)
    with pytest.raises(UserError) as refused:
        embedder.embed(["cat", "The dog. A dog!", "dog"], "en", unknown="raise")
    assert str(refused.value).startswith("text 2, taken as 'en', cannot be compared")


def test_a_directed_model_needs_to_know_towards_what():
    here = np.eye(2, dtype=np.float32)
    there = np.array([[0, 1], [1, 0]], np.float32)
    tables = {"en": {"en": here, "it": there}, "it": {"en": there, "it": here}}
    words = {"en": ["cat", "dog"], "it": ["cane", "gatto"]}
    weights = dict.fromkeys(words, np.ones(2))
    embedder = Embedder(WordTables(words, tables, weights), {}, "directed")
    with pytest.raises(UserError, match=r"target language .* None, only en, it"):
        embedder.embed("cat", "en")
    assert embedder.embed("cat", "en", target_language="it").tolist() == [[0, 1]]
    assert embedder.compare("cat", "en", ["cane", "gatto"], "it").tolist() == [[0, 1]]
    with pytest.raises(UserError, match=r"does not know the target language .* 'fr'"):
        embedder.embed("cat", "en", target_language="fr")


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
def test_batches_change_nothing_and_are_shown(kind, capsys, caplog):
    pytest.importorskip("tqdm", reason="it shows the bar")
    model = made_up.embedder(kind)
    texts = [*made_up.texts("it", 9).contents, "unknown"]
    rows = model.embed(texts, "it")
    in_batches = model.embed(texts, "it", batch_size=4, show_progress_bar=True)
    np.testing.assert_array_equal(made_up.full(in_batches), made_up.full(rows))
    assert "10/10" in capsys.readouterr().err
    assert caplog.text.count("1 of 10 texts have no word") == 2
    assert caplog.text.count("the first is text 10") == 2


def test_a_bar_needs_a_package_that_shows_it(embedder, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)  # as where it is not installed
    with pytest.raises(UserError, match="pip install tqdm"):
        embedder.embed("cat", "en", show_progress_bar=True)


def test_it_says_what_it_is(embedder):
    expected = "system='made_up', languages=('en', 'it'), measures=('cosine', 'csls')"
    assert repr(embedder) == f"Embedder('made_up', {expected})"
    index = cr5.Index(embedder)
    index.add(["a", "b"], ["mare", "gatto"], "it")
    assert repr(index) == f"Index({{'it': 2}}, {embedder!r})"
    assert index.languages == ("it",)
    assert index.measures == ("cosine", "csls")
    assert index.dimension == 3


@pytest.mark.parametrize(("name", "is_file"), [("model.cr5", True), ("model", False)])
def test_a_saved_model_is_loaded_with_every_number(tmp_path, name, is_file):
    """Numbers that half precision would not keep."""
    place = tmp_path / name
    model = made_up.embedder("dense")
    expected = model.embed(QUERIES, "en")
    model.save(place)
    assert place.is_file() == is_file
    assert model.place == place
    rows = cr5.load(place).embed(QUERIES, "en")
    np.testing.assert_array_equal(rows, expected)


@pytest.fixture
def encoder(tmp_path):
    """An encoder that knows two words."""
    write_static(tmp_path, {"cat": [3.0, 4], "dog": [0, 2]})
    folder = str(tmp_path)
    means = {"en": np.zeros(2)}
    return TextEncoder({"en": ["sea"]}, folder, checksum(folder), query_means=means)


def with_words(encoder):
    """The same encoder beside words that were learned."""
    table = np.ones((1, 2), np.float32)
    weights = np.ones(1)
    of_words = WordTables(encoder.words, {"en": table}, {"en": weights})
    return EncodedTables.of_features(of_words, encoder, table.T @ table)


@pytest.mark.parametrize("has_words", [False, True])
def test_texts_of_which_an_encoder_knows_no_token_are_unknown(encoder, caplog, has_words):
    model = encoder
    if has_words:
        model = with_words(encoder)
    embedder = Embedder(model, {}, "made_up")
    texts = ["cat", "bird", " ", "dog bird"]
    rows = embedder.embed(texts, "en")
    has_row = rows.any(axis=1)
    assert has_row.tolist() == [True, False, False, True]
    assert "2 of 4 texts have no word that the model knows" in caplog.text
    with pytest.raises(UserError, match=r"^text 2, taken as 'en', cannot be compared"):
        embedder.embed(texts, "en", unknown="raise")
    index = cr5.Index(embedder)
    ids = ["c", "b", "e", "d"]
    assert index.add(ids, texts, "en") == ["b", "e"]
    [[first, second], none] = index.search(["dog", "bird"], "en", 4)
    found = {first.id, second.id}
    assert found == {"c", "d"}
    assert none == []
