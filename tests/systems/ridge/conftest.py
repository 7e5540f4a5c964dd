"""What an encoder of made-up words makes of a made-up corpus, and what systems learn with it."""

from dataclasses import replace

import numpy as np
import pytest

from cr5.contracts.model import CountedTexts
from cr5.contracts.training import Validation
from cr5.fitting.fit import fit
from cr5.models.encoded_tables import EncodedTables
from cr5.systems.ridge import encoder_features
from cr5.systems.ridge.cr5_spelling import Cr5Spelling
from cr5.systems.ridge.encoder_help import with_encoder
from tests.kit import inside
from tests.kit.corpus import CORPUS, LANGUAGES, N_WORDS, give
from tests.tiny_encoders import write_static

RIDGE = 0.1
GAMMA = 1.0
RANK = 4
BETA = 0.5
SHARE = 2.4
N_ENCODED = 30  # numbers of a row of the encoder
ONE_FIT = {"ranks": [RANK], "ridges": [RIDGE]}
SYSTEMS = {
    "tables": Cr5Spelling(**ONE_FIT),
    "joined": Cr5Spelling(**ONE_FIT, string_weights=[BETA]),
}


@pytest.fixture(scope="session")
def starts(tmp_path_factory):
    """What each system starts from: validation keeps the words of the first model that it sees."""
    folder = give(tmp_path_factory.mktemp("corpus"))
    return {name: inside.given(folder, LANGUAGES) for name in SYSTEMS}


@pytest.fixture(scope="session")
def start(starts):
    return starts["tables"]


@pytest.fixture(scope="session")
def texts():
    return {language: CORPUS.documents[language] for language in ("da", "en")}


@pytest.fixture(scope="session")
def vectors():
    """Of a word in any language the vector of its number, and some noise of its own."""
    generator = np.random.default_rng(3)
    of_number = generator.normal(size=(N_WORDS, N_ENCODED))
    of_words = {}
    for language in LANGUAGES:
        noise = generator.normal(size=of_number.shape) + 1  # each language lies elsewhere
        for word, row, error in zip(CORPUS.words[language], of_number, noise, strict=True):
            of_words[word] = row + 0.5 * error
    return of_words


@pytest.fixture(scope="session")
def encoder(tmp_path_factory, vectors):
    folder = tmp_path_factory.mktemp("encoder")
    write_static(folder, vectors)
    return str(folder)


@pytest.fixture(scope="session")
def fits(starts):
    """What each system learns from words."""
    return {name: fit_of(SYSTEMS[name], starts[name].training) for name in SYSTEMS}


@pytest.fixture(scope="session")
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


def first_text(language):
    return next(iter(CORPUS.documents[language].values()))
