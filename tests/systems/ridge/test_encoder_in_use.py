"""What is learned with an encoder, in use: why, vectors, indexes, a second stage."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.contracts.model import CountedTexts
from cr5.counts.tokens import Tokens
from cr5.models import store
from cr5.models.bank import with_bank
from cr5.models.encoded_tables import EncodedTables
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.index import Index
from cr5.scores.ranking import rank_all
from cr5.search.options import SearchOptions
from cr5.systems.ridge import best, encoder_help
from cr5.tasks.documents import Documents
from tests.kit import inside
from tests.kit.corpus import CORPUS
from tests.systems.ridge.conftest import (
    BETA,
    N_ENCODED,
    RANK,
    SYSTEMS,
    documents,
    first_text,
    unit,
)

WEIGHTS = (0, 0.3)  # of the encoder's own rows


def test_a_text_without_known_words_is_what_the_encoder_says_of_it(start, encoder, helped):
    model = helped["joined"].model
    n_words = len(start.training.words["en"])
    no_words = sparse.csr_matrix((1, n_words), dtype=np.int32)
    text = first_text("en")
    embedded = model.embed(CountedTexts(no_words, [text]), "en")
    row, strings = inside.dense(embedded)
    u = model._encoder().embed([text], "en")
    expected = unit(u @ model.encoder_table)
    np.testing.assert_allclose(row, expected, atol=1e-6)
    assert not strings.any()
    of_nothing = model.embed(CountedTexts(no_words, [" "]), "en")
    row, strings = inside.dense(of_nothing)
    assert not row.any()
    assert not strings.any()


@pytest.mark.parametrize("weight", WEIGHTS)
def test_the_share_of_the_encoder_is_one_line_of_why(helped, weight, tmp_path):
    weighed = replace(helped["joined"].model, encoder_weight=weight)
    store.save(tmp_path / "model", weighed, {})
    model = store.load(tmp_path / "model")
    assert isinstance(model, EncodedTables)
    embedder = Embedder(model, {}, tmp_path / "model")
    query = first_text("en")
    text = first_text("it")
    reason = embedder.why(query, "en", text, "it", n=10**6)
    similarity = embedder.compare(query, "en", text, "it").item()
    assert reason.score == pytest.approx(similarity, abs=1e-5)
    pairs = []
    of_encoder = []
    for word, other_word, part in reason.pairs:
        if word and other_word:
            pairs.append(part)
        else:
            of_encoder.append(part)
    [share] = [part for part in of_encoder if part]
    assert share + sum(pairs) == pytest.approx(reason.score, abs=1e-6)
    query_words, query_length = part_of_words(embedder, query, "en")
    text_words, text_length = part_of_words(embedder, text, "it")
    strings = model._beside()
    string_cosine = Embedder(strings, {}, "strings").compare(query, "en", text, "it").item()
    cosine = query_words @ text_words / (query_length * text_length)
    expected = (cosine + BETA * string_cosine) / (1 + BETA) / (1 + weight)
    assert sum(pairs) == pytest.approx(expected, abs=1e-5)


def part_of_words(embedder, text, language):
    """The sum of a text's word vectors, and the length of the sum of these and the encoder's."""
    model = embedder.model
    counted = embedder.count([text], language)
    by_words = model._weighted(counted.counts, language) @ model.tables[language]
    by_encoder = model._encoder().embed([text], language) @ model.encoder_table
    return by_words[0], np.linalg.norm(by_words + by_encoder)


@pytest.mark.parametrize(("weight", "dimension"), [(0, RANK), (0.3, RANK + N_ENCODED)])
def test_rows_for_vector_databases_are_dense_and_of_length_one(helped, weight, dimension):
    model = replace(helped["joined"].model, encoder_weight=weight)
    embedder = Embedder(model, {}, "made_up")
    assert embedder.dimension == dimension
    rows = embedder.embed([first_text("en"), first_text("en")[:50]], "en", dense=True)
    assert rows.shape == (2, dimension)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("weight", WEIGHTS)
def test_an_index_scores_as_the_ranking_does(start, helped, weight):
    counted = {language: documents(start, language) for language in ("en", "it")}
    model = with_bank(replace(helped["tables"].model, encoder_weight=weight), counted)
    tokens = Tokens(case="keep", tokens="words").as_json()
    embedder = Embedder(model, {"tokens": tokens}, "made_up")
    index = Index(embedder)
    index.add(list(CORPUS.documents["it"]), counted["it"].texts, "it")
    bags = {language: start.data.bags[language] for language in counted}
    searches = Documents().searches(replace(start.data, bags=bags), list(counted), "test")
    options = SearchOptions(measures=("csls",), csls_neighbourhood="training")
    [ranking, _] = rank_all(searches, model, options.measures, options)
    assert ranking.query_language == "en"
    for row in ranking.queries.itertuples():
        text = CORPUS.documents["en"][row.query]
        [hits] = index.search(text, "en", 10**4, "csls", "it")
        score_of_id = {hit.id: hit.score for hit in hits}
        scores = [score_of_id[candidate] for candidate in row.nearest[:5]]
        # hubness of a query, the same for all, is of other candidates
        expected_steps = np.diff(row.scores[:5])
        np.testing.assert_allclose(np.diff(scores), expected_steps, atol=1e-5)


def test_a_second_stage_matches_words_and_asks_no_encoder(start, fits, helped):
    model = helped["tables"].model
    without_encoder = fits["tables"].model
    counts = documents(start, "en").counts
    words = model.matched(counts, "en")
    expected = without_encoder.matched(counts, "en")
    difference = abs(words.weights - expected.weights)
    assert difference.max() < 1e-6
    reranking = replace(model, rerank=0.5)
    index = Index(Embedder(reranking, {}, "made_up"))
    index.add(["a"], [first_text("it")], "it")
    [[hit]] = index.search(first_text("en"), "en", 1, "cosine", "it")
    assert hit.id == "a"


def test_own_rows_stay_with_a_model_that_is_fitted_and_taken_away(
    texts, encoder, monkeypatch, tmp_path
):
    monkeypatch.setattr(best, "CHOICES", SYSTEMS["joined"])
    monkeypatch.setattr(encoder_help, "WEIGHTS", (0.3,))
    fitted = cr5.fit(texts, encoder_path=encoder)
    assert fitted.report["encoder_weight"] == 0.3
    n_learned = fitted.report["rank"]
    assert fitted.dimension == fitted.report["dimension"] == n_learned + N_ENCODED
    contents = list(texts["en"].values())[:3]
    rows = fitted.embed(contents, "en", dense=True)
    learned = rows[:, :n_learned]
    u = fitted.model._encoder().embed(contents, "en")
    columns_of_encoder = rows[:, n_learned:]
    np.testing.assert_allclose(unit(columns_of_encoder), u, atol=1e-6)
    ratio = np.linalg.norm(columns_of_encoder, axis=1) / np.linalg.norm(learned, axis=1)
    # of what was learned and strings, which were left out, the first has this length
    np.testing.assert_allclose(ratio, np.sqrt(0.3 * (1 + BETA)), atol=1e-6)
    for name in ("model", "model.cr5"):
        fitted.save(tmp_path / name)
        loaded = cr5.load(tmp_path / name)
        np.testing.assert_array_equal(loaded.embed(contents, "en", dense=True), rows)
        index = cr5.Index(loaded)
        index.add(["a", "b", "c"], contents, "en")
        [[hit]] = index.search(contents[1], "en", 1, "cosine", "en")
        assert (hit.id, round(hit.score, 5)) == ("b", 1)
