"""An encoder's rows as features: the regression by hand, and what validation chooses."""

from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from scipy import linalg

import cr5
from cr5.contracts.training import QueryRanks, Validation
from cr5.models.encoded_tables import EncodedTables
from cr5.models.encoders import opening
from cr5.models.encoders.contract import threads_of_job
from cr5.models.encoders.static import StaticEncoder
from cr5.models.word_tables import JoinedTables
from cr5.scores.ranking import rank_all
from cr5.systems.ridge import best, encoder_features, near_words, solutions
from cr5.systems.ridge.best import Best
from cr5.systems.ridge.encoder_features import SHARES
from cr5.systems.ridge.encoder_help import with_encoder, with_own_rows
from cr5.systems.ridge.spelling import spelt
from cr5.tasks.documents import Documents
from tests.kit import inside
from tests.kit.corpus import LANGUAGES
from tests.systems.ridge.conftest import (
    BETA,
    GAMMA,
    RANK,
    RIDGE,
    SHARE,
    SYSTEMS,
    centred_rows,
    documents,
    helped_tables,
    of_folder,
    prefers_encoder,
    training_documents,
    unit,
)


def written_out(training, vectors, share):
    """The cosines of all training documents, those of languages one after the other.

    The regression in the space of documents: with the kernel K, H = C K C and Y one concept a
    document, M = Y'C H A for A = (H + ridge I)^-1 C Y, and documents are K C A P diag(mu).
    """
    K = kernel(training, vectors, share)
    n = len(K)
    concepts = np.concatenate([training.concepts[language] for language in LANGUAGES])
    Y = np.eye(training.n_concepts)[concepts]
    C = np.eye(n) - 1 / n
    H = C @ K @ C
    B = H + RIDGE * np.eye(n)
    Yhat = C @ Y
    A = np.linalg.solve(B, Yhat)
    M = Yhat.T @ H @ A
    mu, P = np.linalg.eigh(M)
    scaled = P * mu
    leading = scaled[:, -RANK:]
    documents_of_A = K @ C @ A
    rows = unit(documents_of_A @ leading)
    return rows @ rows.T


def kernel(training, vectors, share):
    """(X X' + gamma X N N' X' + share U U') / (1 + gamma), for documents of all languages."""
    N = spelt(training.words)
    same_words = []
    spelling = []
    by_encoder = []
    for language in LANGUAGES:
        features = training.features[language]
        X = features.toarray()
        texts = training.texts[language]()
        same_words.append(X @ X.T)
        spelling.append(X @ N[language])
        by_encoder.append(centred_rows(vectors, texts))
    S = np.vstack(spelling)
    U = np.vstack(by_encoder)
    total = linalg.block_diag(*same_words)
    total += GAMMA * S @ S.T
    total += share * U @ U.T
    return total / (1 + GAMMA)


@pytest.mark.parametrize("weight", [0, 0.3])
@pytest.mark.parametrize("name", SYSTEMS)
def test_cosines_are_those_of_the_regression_written_out(starts, vectors, helped, name, weight):
    training = starts[name].training
    fitted = helped[name]
    assert fitted.report["encoder_share"] == SHARE
    model = replace(fitted.model, encoder_weight=weight)
    rows = []
    for language in LANGUAGES:
        counted_texts = training_documents(training, language)
        embedded = model.embed(counted_texts, language)
        parts = inside.dense(embedded)
        rows.append(np.hstack(parts))
    rows = np.vstack(rows)
    cosines = rows @ rows.T
    expected = written_out(training, vectors, SHARE)
    if name == "joined":
        strings = cosines_of_strings(training, fitted.model)
        total = expected + BETA * strings
        expected = total / (1 + BETA)
    total = expected + weight * cosines_of_encoder(training, vectors)
    expected = total / (1 + weight)
    np.testing.assert_allclose(cosines, expected, atol=1e-5)


def test_the_iteration_finds_the_same(start, encoder, vectors, fits, monkeypatch):
    def is_small(problem):
        return False

    monkeypatch.setattr(solutions, "is_small", is_small)
    monkeypatch.setattr(solutions.Iterative, "tolerance", 1e-4)
    monkeypatch.setattr(encoder_features, "SHARES", (SHARE,))
    training = replace(start.training, validate=prefers_encoder)
    fitted = helped_tables(training, fits, encoder)
    assert fitted.report["solver"] == "iterative"
    english = training_documents(training, "en")
    rows = fitted.model.embed(english, "en")
    n_danish = len(training.concepts["da"])
    of_english = slice(n_danish, n_danish + len(rows))
    cosines = written_out(training, vectors, SHARE)
    expected = cosines[of_english, of_english]
    np.testing.assert_allclose(rows @ rows.T, expected, atol=0.01)


def cosines_of_strings(training, model):
    rows = []
    for language in LANGUAGES:
        embedded = model._beside().embed(training.counts[language], language)
        rows.append(embedded.toarray())
    rows = np.vstack(rows)
    return rows @ rows.T


def cosines_of_encoder(training, vectors):
    rows = [centred_rows(vectors, training.texts[language]()) for language in LANGUAGES]
    rows = np.vstack(rows)
    return rows @ rows.T


def test_what_validates_best_is_kept_and_all_was_tried(start, encoder, fits):
    fitted = helped_tables(start.training, fits, encoder)
    report = fitted.report
    [refused, taken] = report["encoder_validation"]
    assert refused["encoder_share"] == 0
    assert taken["encoder_share"] == report["encoder_share"]
    validate = start.training.validate
    without_encoder = validate(fits["tables"].model)
    assert refused["mrr"] == without_encoder.score
    shares = set()
    scores = []
    for trial in report["validation"]:
        shares.add(trial["encoder_share"])
        scores.append(trial["mrr"])
    assert shares == set(SHARES)
    assert taken["mrr"] == max(scores)
    assert taken["mrr"] > refused["mrr"]
    with_rows = validate(fitted.model)
    assert with_rows.score == taken["mrr"]
    assert report["encoder"]["encoder"] == encoder
    assert report["encoder"]["sha256"] == opening.checksum(encoder)


def test_an_encoder_that_is_no_better_is_refused(start, encoder, fits):
    training = replace(start.training, validate=prefers_words)
    fitted = with_encoder(training, fits["joined"], encoder, SYSTEMS["joined"].fit)
    assert fitted.model is fits["joined"].model
    assert fitted.report["encoder_share"] == 0
    assert fitted.report["string_weight"] == BETA
    assert fitted.report["encoder"] == encoder


def prefers_words(model):
    return Validation(float(not isinstance(model, EncodedTables)))


def test_each_text_is_embedded_once_for_all_shares_and_directions(
    start, encoder, fits, tmp_path, monkeypatch
):
    encoded = []
    encode = StaticEncoder.encode

    def counting(self, texts, prefix):
        encoded.extend(texts)
        return encode(self, texts, prefix)

    monkeypatch.setattr(StaticEncoder, "encode", counting)
    training = replace(start.training, encoded=tmp_path / "encoded")
    fitted = helped_tables(training, fits, encoder)
    model = fitted.model.keeping_rows(tmp_path / "encoded")
    searches = Documents().searches(start.data, LANGUAGES, "test")
    rankings = list(rank_all(searches, model))
    assert len(rankings) == 6 * len(model.measures)  # directions
    texts_of_documents = [text for text in encoded if text != "a"]  # by which it is tried
    assert len(texts_of_documents) == len(set(texts_of_documents))


RANKS = {
    "of chance": {1.0: [1, 1, 2, 2], 0.3: [1, 1, 1, 2], 0.0: [1, 1, 1, 2]},
    "the middle": {1.0: [2, 2, 2, 2], 0.3: [1, 1, 1, 2], 0.0: [1, 1, 1, 1]},
    "none": {1.0: [4, 4, 4, 4], 0.3: [2, 2, 2, 2], 0.0: [1, 1, 1, 1]},
    "alike": {1.0: [1, 1, 1, 1], 0.3: [1, 1, 1, 1], 0.0: [1, 1, 1, 1]},
}


@pytest.mark.parametrize(
    ("case", "weight"), [("of chance", 1), ("the middle", 0.3), ("none", 0), ("alike", 1)]
)
def test_own_rows_count_as_much_as_validation_allows(start, helped, case, weight):
    ranks_of = {}
    for tried, ranks in RANKS[case].items():
        ranks_of[tried] = QueryRanks(np.arange(4), np.array(ranks, float))

    def validate(model):
        queries = ranks_of[model.encoder_weight]
        score = np.mean(1 / queries.ranks)
        return Validation(score, ranks=[queries])

    fitted = helped["joined"]
    weighed = with_own_rows(replace(start.training, validate=validate), fitted)
    report = weighed.report
    assert weighed.model == replace(fitted.model, encoder_weight=weight)
    assert weighed.chosen == fitted.chosen | {"encoder_weight": weight}
    assert report["encoder_weight"] == weight
    tried = [trial["encoder_weight"] for trial in report["encoder_weight_validation"]]
    assert tried == [1, 0.3, 0]
    row = weighed.model.embed(documents(start, "en"), "en").dense
    assert row.shape[1] == report.get("dimension", RANK)
    assert report["encoder_share"] == SHARE
    assert report["encoder_validation"] == fitted.report["encoder_validation"]


def test_what_has_no_encoder_gets_none_of_its_rows(start, fits):
    assert with_own_rows(start.training, fits["joined"]) is fits["joined"]


def let_it_know(encoder, languages, monkeypatch):
    opened = opening.opened(encoder, opening.checksum(encoder))
    monkeypatch.setattr(opened, "languages", languages, raising=False)


def test_a_language_that_the_encoder_does_not_know_is_compared_by_words(
    start, encoder, fits, monkeypatch
):
    let_it_know(encoder, ("en", "it"), monkeypatch)
    training = replace(start.training, validate=prefers_encoder)
    fitted = helped_tables(training, fits, encoder)
    [warning] = [text for text in fitted.report["warnings"] if "does not know" in text]
    assert "does not know da, which are compared by words alone" in warning
    for language, depends_on_text in (("da", False), ("en", True)):
        counted_texts = documents(start, language)
        backwards = counted_texts.texts[::-1]
        of_other_texts = replace(counted_texts, texts=backwards)
        rows = fitted.model.embed(counted_texts, language)
        other_rows = fitted.model.embed(of_other_texts, language)
        assert (rows != other_rows).any() == depends_on_text
        lengths = np.linalg.norm(rows, axis=1)
        np.testing.assert_allclose(lengths, 1, atol=1e-6)


def test_an_encoder_that_knows_no_language_is_told_and_left_out(start, encoder, fits, monkeypatch):
    let_it_know(encoder, ("ja",), monkeypatch)
    fitted = helped_tables(start.training, fits, encoder)
    assert fitted.model is fits["tables"].model
    assert "does not know da, en, it" in fitted.report["warnings"][-1]


@pytest.mark.parametrize(("name", "beta"), [("tables", 0), ("joined", BETA)])
def test_pairs_are_weighed_once_beside_the_encoder(start, encoder, monkeypatch, name, beta):
    with_pairs = []

    def prefers_both(model):
        weight = getattr(model, "beta", beta) - beta
        if weight > 0:
            with_pairs.append(model)
        return Validation(prefers_encoder(model).score + 0.25 * (weight == 1))

    monkeypatch.setattr(best, "CHOICES", SYSTEMS[name])
    training = of_folder(start.training, "encoder_path", encoder)
    training = replace(training, validate=prefers_both)
    fitted = Best(encoder_path=encoder, word_pairs=True).fit(training)
    assert isinstance(fitted.model, EncodedTables)
    assert fitted.report["word_pair_weight"] == 1
    assert fitted.model.beta == beta + 1
    assert all(isinstance(model, EncodedTables) for model in with_pairs)


def test_best_takes_an_encoder_of_a_folder(texts, encoder, monkeypatch):
    monkeypatch.setattr(best, "CHOICES", SYSTEMS["joined"])
    fitted = cr5.fit(texts, encoder_path=encoder)
    [refused, taken] = [trial["encoder_share"] for trial in fitted.report["encoder_validation"]]
    assert refused == 0
    assert fitted.report["encoder_share"] == taken
    assert isinstance(fitted.model, EncodedTables)
    assert fitted.report["encoder"]["encoder"] == encoder


def test_an_encoder_of_words_is_asked_once_and_by_no_search(start, encoder, tmp_path, monkeypatch):
    monkeypatch.setattr(best, "CHOICES", SYSTEMS["joined"])
    training = of_folder(start.training, "encoder_words_path", encoder)
    training = replace(training, encoded=tmp_path, validate=prefers_last())
    system = Best(encoder_words_path=encoder)
    assert system.needs == ("seeds",)
    fitted = system.fit(training)
    weights = [trial["encoder_words_weight"] for trial in fitted.report["validation"]]
    assert set(weights) == {0, *near_words.WEIGHTS}
    assert fitted.report["encoder_words_weight"] == near_words.WEIGHTS[-1]
    assert fitted.report["encoder_words"]["sha256"] == opening.checksum(encoder)
    assert type(fitted.model) is JoinedTables

    def refuse(self, texts, prefix):
        raise AssertionError(texts)

    monkeypatch.setattr(StaticEncoder, "encode", refuse)
    again = system.fit(training)
    np.testing.assert_array_equal(again.model.tables["en"], fitted.model.tables["en"])
    assert again.model.embed(documents(start, "en").counts, "en").shape[0]


def prefers_last():
    """Validate each model as better than those before."""
    scores = count()
    return lambda model: Validation(float(next(scores)))


def test_languages_whose_words_the_encoder_does_not_know_are_told(
    start, encoder, monkeypatch, tmp_path
):
    monkeypatch.setattr(best, "CHOICES", SYSTEMS["tables"])
    training = of_folder(start.training, "encoder_words_path", encoder)
    tried = {}
    for known in (("en", "it"), ("en",)):
        let_it_know(encoder, known, monkeypatch)
        report = Best(encoder_words_path=encoder).fit(training).report
        [warning] = [text for text in report["warnings"] if "does not know" in text]
        unknown, _, _ = warning.partition(", whose words")
        tried[unknown.rpartition(" know ")[2]] = "encoder_words_weight" in report
    assert tried == {"da": True, "da, it": False}


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
    with pytest.raises(cr5.UserError, match="encoder_words_path name two encoders"):
        cr5.fit(texts, encoder_words="e5_small", encoder_words_path=encoder)


def test_best_refuses_a_folder_that_holds_no_encoder(texts, tmp_path):
    with pytest.raises(cr5.UserError, match="not an encoder: expected"):
        cr5.fit(texts, encoder_path=str(tmp_path))
