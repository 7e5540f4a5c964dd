import lzma
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from cr5.counts.tokens import tokenise
from cr5.models.word_tables import WordTables
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.language import by_language

SENTENCES = Path(__file__).resolve().parents[3] / "shared" / "data" / "sentences"


def test_texts_by_language():
    found = {x: numbers.tolist() for x, numbers in by_language(["it", "en", "it"])}
    assert found == {"it": [0, 2], "en": [1]}


def test_the_language_is_guessed_by_the_words(embedder):
    texts = ["the cat", "gatto", "sea mare sea", "x", ""]
    assert embedder.guess(texts) == ["en", "it", "en", None, None]
    assert embedder.languages_of(texts) == ["en", "it", "en", "en", "en"]
    assert embedder.languages_of(["x", "gatto"], "it") == ["it", "it"]


def test_a_frequent_word_tells_more_than_a_rare_one():
    """`is` is Italian for "is" in place 0, a rare word of English; both know the other words."""
    words = {"en": ["a", "b", "c", "is"], "it": ["is", "a", "b", "c"]}
    tables = {x: np.eye(4, dtype=np.float32) for x in words}
    model = Embedder(WordTables(words, tables, dict.fromkeys(words, np.ones(4))), {}, "made_up")
    assert model.guess(["is", "a b", "is c"]) == ["it", "en", "it"]


def test_texts_without_a_language_are_embedded_in_the_guessed_one(embedder):
    texts = ["cat", "mare gatto", "sea", "gatto"]
    languages = ["en", "it", "en", "it"]
    expected = [embedder.embed(*each)[0] for each in zip(texts, languages, strict=True)]
    assert embedder.embed(texts).tolist() == np.array(expected).tolist()
    assert embedder.similarity(texts, None, texts, None)[0].tolist() == pytest.approx(
        [1, 3 / 10**0.5, 0, 1]
    )


def from_lines(lines_of):
    """A model of which only the vocabularies matter: words by falling frequency."""
    words = {}
    for language, lines in lines_of.items():
        tokens = [token for line in lines for token in tokenise(line, language)]
        names, counts = np.unique(tokens, return_counts=True)
        words[language] = names[np.argsort(-counts, kind="stable")].tolist()
    tables = {x: sparse.csr_matrix((len(each), 1), dtype=np.float32) for x, each in words.items()}
    return Embedder(
        WordTables(words, tables, {x: np.ones(len(y)) for x, y in words.items()}), {}, ""
    )


def lines(path):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


@pytest.mark.skipif(not SENTENCES.exists(), reason=f"FLORES and Tatoeba are not at {SENTENCES}")
def test_languages_of_flores_and_tatoeba():
    """Vocabularies of FLORES' dev sentences; Tatoeba's are short, of another domain."""
    codes = {"da": "dan", "de": "deu", "en": "eng", "es": "spa", "fr": "fra", "it": "ita"}
    scripts = {x: f"{code}_Latn" for x, code in codes.items()} | {
        "ru": "rus_Cyrl",
        "hi": "hin_Deva",
    }
    flores = SENTENCES / "flores200"
    model = from_lines({x: lines(flores / f"{name}.dev.xz") for x, name in scripts.items()})
    for language, name in scripts.items():
        guessed = model.guess(lines(flores / f"{name}.devtest.xz")[:300])
        assert guessed.count(language) >= 0.99 * len(guessed)
    for language, code in codes.items():
        path = SENTENCES / "tatoeba" / f"tatoeba.{code}-eng.{code}.xz"
        if path.exists():
            guessed = model.guess(lines(path)[:300])
            assert guessed.count(language) >= 0.9 * len(guessed), language
