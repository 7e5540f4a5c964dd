"""An encoder's rows as features: the regression by hand, and what validation chooses."""

from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from scipy import linalg, sparse

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
from cr5.models.word_tables import JoinedTables
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.index import Index
from cr5.scores.ranking import rank_all
from cr5.search.options import SearchOptions
from cr5.systems.ridge import best, encoder_features, near_words, solutions
from cr5.systems.ridge.best import Best
from cr5.systems.ridge.cr5_spelling import Cr5Spelling
from cr5.systems.ridge.encoder_features import SHARES
from cr5.systems.ridge.encoder_help import with_encoder
from cr5.systems.ridge.spelling import spelt
from cr5.tasks.documents import Documents
from tests.kit import inside
from tests.kit.corpus import CORPUS, LANGUAGES, N_WORDS, give
from tests.tiny_encoders import write_static

RIDGE = 0.1
GAMMA = 1.0
RANK = 4
BETA = 0.5
SHARE = 2.4
ONE_FIT = {"ranks": [RANK], "ridges": [RIDGE]}
SYSTEMS = {
    "tables": Cr5Spelling(**ONE_FIT),
    "joined": Cr5Spelling(**ONE_FIT, string_weights=[BETA]),
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
def fits(starts):
    """What each system learns from words."""
    return {name: fit_of(SYSTEMS[name], starts[name].training) for name in SYSTEMS}


@pytest.fixture(scope="module")
def helped(starts, fits, encoder):
    """What each system learns with an encoder of one share, if validation prefers that."""
    by_name = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoder_features, "SHARES", (SHARE,))
        for name, system in SYSTEMS.items():
            training = replace(starts[name].training, validate=prefers_encoder)
            by_name[name] = with_encoder(training, fits[name], encoder, system.fit)
    return by_name


def of_folder(training, key, folder):
    """A training set with the folder of an encoder."""
    files = {language: {key: folder} for language in LANGUAGES}
    return replace(training, files=files)


def fit_of(system, training):
    """Fit a system without the means of languages."""
    return fit(system, replace(training, validate=prefers_encoder))


def helped_tables(training, fits, encoder):
    """What an encoder makes of the fit that has nothing beside the dense tables."""
    return with_encoder(training, fits["tables"], encoder, SYSTEMS["tables"].fit)


def prefers_encoder(model):
    """Validate models with an encoder, and without means, as the better ones."""
    has_encoder = isinstance(model, EncodedTables)
    has_means = model.offsets is not None
    return Validation(has_encoder - 0.5 * has_means)


def documents(start, language):
    texts = list(CORPUS.documents[language].values())
    return CountedTexts(start.data.bags[language].counts, texts)


def training_documents(training, language):
    return CountedTexts(training.counts[language], training.texts[language]())


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def rows_of_texts(vectors, texts):
    return unit(np.array([mean_of_words(vectors, text) for text in texts]))


def mean_of_words(vectors, text):
    return np.mean([vectors[word] for word in text.split()], axis=0)


def centred_rows(vectors, texts):
    rows = rows_of_texts(vectors, texts)
    return unit(rows - rows.mean(axis=0))


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


@pytest.mark.parametrize("name", SYSTEMS)
def test_cosines_are_those_of_the_regression_written_out(starts, vectors, helped, name):
    training = starts[name].training
    fitted = helped[name]
    assert fitted.report["encoder_share"] == SHARE
    rows = []
    for language in LANGUAGES:
        counted_texts = training_documents(training, language)
        embedded = fitted.model.embed(counted_texts, language)
        parts = inside.dense(embedded)
        rows.append(np.hstack(parts))
    rows = np.vstack(rows)
    cosines = rows @ rows.T
    expected = written_out(training, vectors, SHARE)
    if name == "joined":
        strings = cosines_of_strings(training, fitted.model)
        total = expected + BETA * strings
        expected = total / (1 + BETA)
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


def test_the_share_of_the_encoder_is_one_line_of_why(helped, tmp_path):
    store.save(tmp_path / "model", helped["joined"].model, {})
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
    expected = (cosine + BETA * string_cosine) / (1 + BETA)
    assert sum(pairs) == pytest.approx(expected, abs=1e-5)


def part_of_words(embedder, text, language):
    """The sum of a text's word vectors, and the length of the sum of these and the encoder's."""
    model = embedder.model
    counted = embedder.count([text], language)
    by_words = model._weighted(counted.counts, language) @ model.tables[language]
    by_encoder = model._encoder().embed([text], language) @ model.encoder_table
    return by_words[0], np.linalg.norm(by_words + by_encoder)


def first_text(language):
    return next(iter(CORPUS.documents[language].values()))


def test_rows_for_vector_databases_are_dense_and_of_length_one(helped):
    embedder = Embedder(helped["joined"].model, {}, "made_up")
    rows = embedder.embed([first_text("en"), first_text("en")[:50]], "en", dense=True)
    assert rows.shape == (2, RANK)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


def test_an_index_scores_as_the_ranking_does(start, helped):
    counted = {language: documents(start, language) for language in ("en", "it")}
    model = with_bank(helped["tables"].model, counted)
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


def test_pairs_of_words_and_the_encoder_go_together(start, encoder, monkeypatch):
    def prefers_both(model):
        has_pairs = getattr(model, "beta", 0.0) == BETA + 1
        return Validation(prefers_encoder(model).score + 0.25 * has_pairs)

    monkeypatch.setattr(best, "CHOICES", SYSTEMS["joined"])
    training = of_folder(start.training, "encoder_path", encoder)
    training = replace(training, validate=prefers_both)
    fitted = Best(encoder_path=encoder, word_pairs=True).fit(training)
    assert isinstance(fitted.model, EncodedTables)
    assert fitted.report["word_pair_weight"] == 1
    assert fitted.model.beta == BETA + 1


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
