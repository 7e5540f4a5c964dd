"""An encoder beside what was learned: rows by hand, and what validation chooses."""

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

import cr5
from cr5.contracts.model import CountedTexts
from cr5.contracts.training import Validation
from cr5.counts.tokens import Tokens
from cr5.fitting.fit import fit
from cr5.models import store
from cr5.models.bank import with_bank
from cr5.models.encoded_tables import EncodedTables
from cr5.models.encoders import opening
from cr5.models.encoders.contract import threads_of_job
from cr5.models.encoders.static import StaticEncoder
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.index import Index
from cr5.scores.ranking import rank_all
from cr5.search.options import SearchOptions
from cr5.systems.encoders.beside import WEIGHTS, with_encoder
from cr5.systems.ridge.cr5 import Cr5
from cr5.systems.ridge.cr5_spelling import Cr5Spelling
from cr5.tasks.documents import Documents
from tests.kit import inside
from tests.kit.corpus import CORPUS, LANGUAGES, N_WORDS, give
from tests.tiny_encoders import write_static

SYSTEMS = {
    "tables": Cr5(rank=8, ridges=[0.1]),
    "joined": Cr5Spelling(ranks=[8], ridges=[0.1], string_weights=[0.5]),
}


@pytest.fixture(scope="module")
def starts(tmp_path_factory):
    """What each system starts from: validation keeps the words of the first model that it sees."""
    folder = give(tmp_path_factory.mktemp("corpus"))
    return {name: inside.given(folder, LANGUAGES) for name in SYSTEMS}


@pytest.fixture(scope="module")
def start(starts):
    return starts["tables"]


@pytest.fixture(scope="module")
def texts():
    return {language: CORPUS.documents[language] for language in ("da", "en")}


@pytest.fixture(scope="module")
def vectors():
    """Of a word in any language the vector of its number, and some noise of its own."""
    generator = np.random.default_rng(3)
    of_number = generator.normal(size=(N_WORDS, 30))
    of_words = {}
    for language in LANGUAGES:
        noise = generator.normal(size=of_number.shape) + 1  # each language lies elsewhere
        for word, row, error in zip(CORPUS.words[language], of_number, noise, strict=True):
            of_words[word] = row + 0.5 * error
    return of_words


@pytest.fixture(scope="module")
def encoder(tmp_path_factory, vectors):
    folder = tmp_path_factory.mktemp("encoder")
    write_static(folder, vectors)
    return str(folder)


@pytest.fixture(scope="module")
def learned(starts):
    return {name: fit(system, starts[name].training) for name, system in SYSTEMS.items()}


def documents(start, language):
    texts = list(CORPUS.documents[language].values())
    return CountedTexts(start.data.bags[language].counts, texts)


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def rows_of_texts(vectors, texts):
    return unit(np.array([mean_of_words(vectors, text) for text in texts]))


def mean_of_words(vectors, text):
    return np.mean([vectors[word] for word in text.split()], axis=0)


def at_weight(training, wanted):
    """A training set whose validation finds one weight best."""

    def validate(model):
        weight = getattr(model, "encoder_weight", 0.0)
        weight_of_learned = getattr(model, "learned_weight", 1.0)
        is_wanted = weight == wanted and weight_of_learned == 1.0
        return Validation(float(is_wanted))

    return replace(training, validate=validate)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("weight", [0.3, 2.0])
def test_a_cosine_is_the_weighted_mean_of_both(start, vectors, encoder, learned, name, weight):
    fitted = with_encoder(at_weight(start.training, weight), learned[name], encoder)
    assert fitted.report["encoder_weight"] == weight
    rows_of_words = {}
    rows_of_encoder = {}
    rows_of_both = {}
    for language in ("da", "en"):
        counted_texts = documents(start, language)
        by_words = learned[name].model.embed(counted_texts.counts, language)
        rows_of_words[language] = np.hstack(inside.dense(by_words))
        training_texts = start.training.texts[language]()
        mean = rows_of_texts(vectors, training_texts).mean(axis=0)
        centred = rows_of_texts(vectors, counted_texts.texts) - mean
        rows_of_encoder[language] = unit(centred)
        by_both = fitted.model.embed(counted_texts, language)
        rows_of_both[language] = np.hstack(inside.dense(by_both))
    cosines_of_words = danish_to_english(rows_of_words)
    cosines_of_encoder = danish_to_english(rows_of_encoder)
    expected = (cosines_of_words + weight * cosines_of_encoder) / (1 + weight)
    np.testing.assert_allclose(danish_to_english(rows_of_both), expected, atol=1e-5)


def danish_to_english(rows):
    return rows["da"] @ rows["en"].T


def test_what_validates_best_is_kept_and_all_was_tried(start, encoder, learned):
    fitted = with_encoder(start.training, learned["tables"], encoder)
    report = fitted.report
    trials = report["encoder_validation"]
    mrr_of_weight = {trial["encoder_weight"]: trial["mrr"] for trial in trials}
    assert list(mrr_of_weight) == list(WEIGHTS) + ["alone"]
    without_encoder = start.training.validate(learned["tables"].model)
    assert mrr_of_weight[0] == without_encoder.score
    best_mrr = max(mrr_of_weight.values())
    assert best_mrr > mrr_of_weight[0]
    assert mrr_of_weight[report["encoder_weight"]] == best_mrr
    assert start.training.validate(fitted.model).score == best_mrr
    assert report["encoder"]["encoder"] == encoder
    assert report["encoder"]["sha256"] == opening.checksum(encoder)
    assert report["ridge"] == learned["tables"].report["ridge"]


def test_an_encoder_that_tells_nothing_is_refused_and_not_asked_again(
    start, learned, tmp_path, monkeypatch
):
    drawn = np.random.default_rng(0).normal(size=(3 * N_WORDS, 5))
    words = chain.from_iterable(CORPUS.words[language] for language in LANGUAGES)
    write_static(tmp_path, dict(zip(words, drawn, strict=False)))
    fitted = with_encoder(at_weight(start.training, 0.0), learned["tables"], str(tmp_path))
    assert fitted.model is learned["tables"].model
    assert fitted.report["encoder_weight"] == 0


def test_the_encoder_alone_may_be_best(start, encoder, learned):
    def validate(model):
        return Validation(float(getattr(model, "learned_weight", 1.0) == 0.0))

    training = replace(start.training, validate=validate)
    fitted = with_encoder(training, learned["joined"], encoder)
    assert fitted.report["encoder_weight"] == "alone"
    counted_texts = documents(start, "en")
    embedded = fitted.model.embed(counted_texts, "en")
    rows, rows_of_strings = inside.dense(embedded)
    rows_of_encoder = fitted.model._encoder().embed(counted_texts.texts, "en")
    expected_cosines = rows_of_encoder @ rows_of_encoder.T
    np.testing.assert_allclose(rows @ rows.T, expected_cosines, atol=1e-5)
    assert not rows_of_strings.any()


def test_each_text_is_embedded_once_for_all_weights_and_directions(
    start, encoder, learned, tmp_path, monkeypatch
):
    encoded = []
    encode = StaticEncoder.encode

    def counting(self, texts, prefix):
        encoded.extend(texts)
        return encode(self, texts, prefix)

    monkeypatch.setattr(StaticEncoder, "encode", counting)
    training = replace(start.training, encoded=tmp_path / "encoded")
    fitted = with_encoder(training, learned["tables"], encoder)
    model = fitted.model.keeping_rows(tmp_path / "encoded")
    searches = Documents().searches(start.data, LANGUAGES, "test")
    rankings = list(rank_all(searches, model))
    n_directions = len(LANGUAGES) * (len(LANGUAGES) - 1)
    assert len(rankings) == n_directions * len(model.measures)
    texts_of_documents = [text for text in encoded if text != "a"]  # by which it is tried
    assert len(texts_of_documents) == len(set(texts_of_documents))


def test_a_language_that_the_encoder_does_not_know_is_compared_by_words(
    start, encoder, learned, monkeypatch
):
    opened = opening.opened(encoder, opening.checksum(encoder))
    monkeypatch.setattr(opened, "languages", ("en", "it"), raising=False)
    training = at_weight(start.training, 1.0)
    fitted = with_encoder(training, learned["tables"], encoder)
    [warning] = [text for text in fitted.report["warnings"] if "does not know" in text]
    assert "does not know da, which are compared by words alone" in warning
    danish = documents(start, "da")
    rows_of_words = learned["tables"].model.embed(danish.counts, "da")
    n_columns = rows_of_words.shape[1]
    rows = fitted.model.embed(danish, "da")
    np.testing.assert_allclose(rows[:, :n_columns], rows_of_words, atol=1e-6)
    of_encoder = rows[:, n_columns:]
    assert not of_encoder.any()


def test_the_share_of_the_encoder_is_one_line_of_why(start, encoder, learned, tmp_path):
    fitted = with_encoder(at_weight(start.training, 1.0), learned["joined"], encoder)
    store.save(tmp_path / "model", fitted.model, {})
    model = store.load(tmp_path / "model")
    assert isinstance(model, EncodedTables)
    embedder = Embedder(model, {}, tmp_path / "model")
    query = first_text("en")
    text = first_text("it")
    reason = embedder.why(query, "en", text, "it", n=10**6)
    similarity = embedder.compare(query, "en", text, "it").item()
    assert reason.score == pytest.approx(similarity, abs=1e-5)
    parts = [part for _, _, part in reason.pairs]
    total = sum(parts)
    assert total == pytest.approx(reason.score, abs=1e-6)
    model_encoder = model._encoder()
    [row_of_query] = model_encoder.embed([query], "en")
    [row_of_text] = model_encoder.embed([text], "it")
    parts_of_encoder = [part for first, second, part in reason.pairs if first == second == ""]
    expected = row_of_query @ row_of_text / 2
    assert parts_of_encoder[0] == pytest.approx(expected, abs=1e-5)


def first_text(language):
    return next(iter(CORPUS.documents[language].values()))


def test_an_index_scores_as_the_ranking_does(start, encoder, learned):
    fitted = with_encoder(at_weight(start.training, 1.0), learned["tables"], encoder)
    counted = {language: documents(start, language) for language in ("en", "it")}
    model = with_bank(fitted.model, counted)
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


def test_a_second_stage_matches_words_and_asks_no_encoder(start, encoder, learned):
    fitted = with_encoder(at_weight(start.training, 1.0), learned["tables"], encoder)
    counts = documents(start, "en").counts
    words = fitted.model.matched(counts, "en")
    words_without_encoder = learned["tables"].model.matched(counts, "en")
    assert (words.weights != words_without_encoder.weights).nnz == 0
    reranking = replace(fitted.model, rerank=0.5)
    index = Index(Embedder(reranking, {}, "made_up"))
    index.add(["a"], [first_text("it")], "it")
    [[hit]] = index.search(first_text("en"), "en", 1, "cosine", "it")
    assert hit.id == "a"


def test_best_takes_an_encoder_of_a_folder(texts, encoder):
    report = cr5.fit(texts, encoder_path=encoder).report
    weights = [trial["encoder_weight"] for trial in report["encoder_validation"]]
    assert weights == list(WEIGHTS) + ["alone"]
    assert report["encoder_weight"] == 0  # these words are learned without a mistake
    assert report["encoder"] == encoder


def test_encoders_take_the_threads_of_a_fit(texts, encoder, monkeypatch):
    taken = set()

    def encode(self, contents, prefix):
        taken.add(threads_of_job())
        return np.ones((len(contents), 2), np.float32)

    before = threads_of_job()
    monkeypatch.setattr(StaticEncoder, "encode", encode)
    cr5.fit(texts, "encoder", path=encoder, threads=before + 3)
    assert taken == {before + 3}
    assert threads_of_job() == before


def test_best_takes_one_encoder(texts, encoder):
    with pytest.raises(cr5.UserError, match="two encoders: leave one out"):
        cr5.fit(texts, encoder="e5_small", encoder_path=encoder)


def test_best_refuses_a_folder_that_holds_no_encoder(texts, tmp_path):
    with pytest.raises(cr5.UserError, match="not an encoder: expected"):
        cr5.fit(texts, encoder_path=str(tmp_path))
