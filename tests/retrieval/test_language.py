import numpy as np
import pytest

from cr5.counts.tokens import tokenise
from cr5.models.word_tables import WordTables
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.language import by_language


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


# Written for this test: what a model has seen, and other sentences of the language.
SEEN = {
    "da": "det er en gammel bro og den er af sten . han har ikke set den , men hun har . de går på",
    "de": "es ist eine alte brücke und sie ist aus stein . er hat sie nicht gesehen , wir sind auf",
    "en": "it is an old bridge and it is of stone . he has not seen the bridge , but they are on",
    "es": "es un puente viejo y es de piedra . él no ha visto el puente , pero ella está en la",
    "it": "è un ponte vecchio ed è di pietra . lui non ha visto il ponte , ma lei è sulla",
}
OTHERS = {
    "da": ["den gamle mand er ikke på broen", "hun har en hund og han har en kat"],
    "de": ["der alte mann ist nicht auf der brücke", "sie hat eine katze und er ist aus bonn"],
    "en": ["the old man is not on the bridge", "they have a cat and it is of no use"],
    "es": ["el hombre viejo no está en el puente", "ella ha visto un gato en la piedra"],
    "it": ["il vecchio non è sul ponte", "lei ha un gatto ma lui non ha visto il cane"],
}


def test_sentences_are_told_by_their_frequent_words():
    words = {x: sorted(set(tokenise(text, x))) for x, text in SEEN.items()}
    tables = {x: np.eye(len(own), dtype=np.float32) for x, own in words.items()}
    weights = {x: np.ones(len(own)) for x, own in words.items()}
    model = Embedder(WordTables(words, tables, weights), {}, "made_up")
    for language, sentences in OTHERS.items():
        assert model.guess(sentences) == [language] * len(sentences)
