from dataclasses import replace

import numpy as np
import pytest

import cr5
from cr5.base.errors import UserError
from cr5.models.word_tables import WordTables
from cr5.retrieval.embedder import Embedder


def test_texts_are_tokenised_weighted_and_scaled(embedder):
    """a counts for nothing, dog is [0, 2, 0], and sea weighs two."""
    found = embedder.embed(["Cat, a CAT; dog!", "the sea"], "en")
    assert found == pytest.approx(np.array([[2, 2, 0], [0, 0, 1]]) / [[8**0.5], [1]])
    assert found.dtype == np.float32


def test_similarities_are_cosines(embedder):
    found = embedder.similarity(["cat dog", "sea"], "en", ["cane", "gatto", "mare"], "it")
    assert found == pytest.approx(np.array([[2 / 5**0.5, 1 / 5**0.5, 0], [0, 0, 1]]), abs=1e-6)


def test_codes_of_languages_have_no_case_and_no_hyphens(small_model):
    words, tables = small_model.words, small_model.tables
    named = {"en": "en", "it": "it_latn"}
    model = replace(
        small_model,
        words={named[x]: words[x] for x in words},
        tables={named[x]: tables[x] for x in tables},
        weights={named[x]: small_model.weights[x] for x in words},
    )
    embedder = Embedder(model, {}, "made_up")
    asked = embedder.similarity("cat dog", "EN", ["cane", "gatto"], "it-Latn")
    assert (
        asked.tolist()
        == embedder.similarity("cat dog", "en", ["cane", "gatto"], "it_latn").tolist()
    )
    assert cr5.why(embedder, "sea", "EN", "mare", "IT-latn").pairs[0][:2] == ("sea", "mare")
    index = cr5.Index(embedder)
    index.add(["a", "b"], ["mare", "gatto"], "it-Latn")
    assert index.sizes == {"it_latn": 2}
    [[hit]] = index.search("sea", "En", 1, to=["IT_Latn"])
    assert (hit.id, hit.language) == ("a", "it_latn")
    assert cr5.align(embedder, ["sea"], "EN", ["gatto", "mare"], "it-latn")[0][:2] == (0, 1)
    index.remove(["a"], "IT-Latn")
    assert index.sizes == {"it_latn": 1}


OFFSETS = {"en": np.array([0, 3, 0.0]), "it": np.zeros(3)}


@pytest.mark.parametrize(("offsets", "found"), [(None, [1, 0, 0]), (OFFSETS, [1, 3, 0])])
def test_words_that_no_training_document_has_are_as_unknown_ones(small_model, offsets, found):
    """dog has a vector of zeros, a no weight; the is not in the vocabulary."""
    tables = dict(small_model.tables) | {"en": small_model.tables["en"] * [[1], [1], [0], [1]]}
    embedder = Embedder(replace(small_model, tables=tables, offsets=offsets), {}, "made_up")
    expected = np.array([found]) / np.linalg.norm(found)
    assert embedder.embed("the dog, the cat", "en") == pytest.approx(expected)
    with pytest.raises(UserError) as refused:
        embedder.embed(["cat", "The dog. A dog!", "dog"], "en", unknown="raise")
    assert str(refused.value).startswith("text 2, taken as 'en', cannot be compared")


def test_a_directed_model_needs_to_know_towards_what():
    tables = {
        "en": {"en": np.eye(2, dtype=np.float32), "it": np.array([[0, 1], [1, 0]], np.float32)},
        "it": {"en": np.array([[0, 1], [1, 0]], np.float32), "it": np.eye(2, dtype=np.float32)},
    }
    words = {"en": ["cat", "dog"], "it": ["cane", "gatto"]}
    ones = {x: np.ones(2) for x in words}
    embedder = Embedder(WordTables(words, tables, ones), {}, "directed")
    with pytest.raises(UserError, match=r"target language .* None, only en, it"):
        embedder.embed("cat", "en")
    assert embedder.embed("cat", "en", target_language="it").tolist() == [[0, 1]]
    assert embedder.similarity("cat", "en", ["cane", "gatto"], "it").tolist() == [[0, 1]]
    with pytest.raises(UserError, match=r"does not know the target language .* 'fr'"):
        embedder.embed("cat", "en", target_language="fr")
