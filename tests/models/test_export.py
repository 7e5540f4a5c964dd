"""Exports, opened by the programs that they are for: model2vec, tokenizers, gensim."""

import json
import re
import unicodedata
from dataclasses import replace

import numpy as np
import pytest
import regex
from safetensors import safe_open
from safetensors.numpy import load_file

from cr5.base.characters import plain_word
from cr5.base.errors import UserError
from cr5.counts.cutting import is_cut
from cr5.counts.tokens import tokenise
from cr5.models import export
from cr5.models.word_tables import WordTables
from tests.models.examples import ABOUT, MODELS, TABLES, WEIGHTS, WORDS, by_hand, counts_of

TEXTS = {
    "da": "Æblet: »Et HUS, et hus og en KØ«… i 2024; c/o Å! re\u00adde\u0301 A\u030ar x²y ǅ",
    "en": "Don't e-mail the CO-OP, naïve Ångström's ﬁne 3D model\u200bs. It's “ok” – U.S.A.",
    "it": "L'ALTRA città è più in là: perché no? È vero, PERCHE\u0301 sì.",
    "vi": "Tiếng Việt, TIẾNG VIÊ\u0323T: mở tệp đã lưu (Ctrl+Đ); ĐƯỜNG \u0110\u01af\u1edcNG",
    "el": "ΟΔΌΣ, ΟΔΟΣ. Σ ΣΑΣ ΑΣ1Β «ΌΣ» Ὀδυσσεύς ΟΣ\u0301 A.Σ. Β.Σ.Γ ΑΣ'Β ΆΣ-ΣΆ",
    "tr": "ISPARTA'da IŞIK, İstanbul'da İŞ; ılık I\u0307 i",
    "ru": "Съешь же ещё ЭТИХ мягких французских булок, йод Й И\u0306",
    "ar": "العربيّة لُغَةٌ ــ كتابٌ ١٢٣",
    "hi": "हिन्दी में क्‍या लिखें? ज़रूर।",
    "de": "STRASSE, Straße, ẞ; Maß-Einheit",
}

# Danish words of the model with fallbacks that are not beginnings of words.
IN_ONE_FILE = list(WORDS["da"][:6]) + ["and", "ko"]
# Letters that NFKC writes in another way: raised ones, Hangul's single ones, a few more.
KEPT = regex.compile(
    r"(?V1)[[\p{L}&&[\p{Decomposition_Type=Super}\p{Decomposition_Type=Sub}]]--[ªº]]"
    r"|[\u3131-\u318e\uffa1-\uffdcŀĿͺϲϹ\ufc5e-\ufc63\ufdfa\ufdfb\ufe70-\ufe7f]"
)


def words_of(text, language, vocabulary=()):
    tokenizers = pytest.importorskip("tokenizers", reason="the dev extra is missing")
    content = export.tokenizer(language, vocabulary)
    tokenizer = tokenizers.Tokenizer.from_str(json.dumps(content))
    normalized = tokenizer.normalizer.normalize_str(text)
    return [word for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(normalized)]


@pytest.mark.parametrize("language", TEXTS)
def test_the_library_finds_the_same_words(language):
    for text in (TEXTS[language], unicodedata.normalize("NFD", TEXTS[language])):
        words = words_of(text, language)
        assert len(words) > 3
        assert words == tokenise(text, language)


@pytest.mark.slow
def test_the_library_finds_the_same_words_around_every_character():
    # 30,000 of them, those whose kind both versions of Unicode know
    characters = [chr(point) for point in range(0x30000)]
    known = [sign for sign in characters if unicodedata.category(sign) not in ("Cn", "Cs")]
    alike = [sign for sign in known if not is_cut(plain_word(sign)) and not KEPT.fullmatch(sign)]
    text = " ".join(f"a{sign}B {sign}" for sign in alike if sign != "Σ")
    assert len(alike) > 30000
    assert words_of(text, "en") == tokenise(text, "en")


@pytest.mark.parametrize("language", ["da", "el", "en"])
def test_model2vec_gives_our_rows(tmp_path, language):
    model2vec = pytest.importorskip("model2vec", reason="the dev extra is missing")
    export.write("static", tmp_path / "m", MODELS["plain"], ABOUT)
    counts = counts_of(language)
    words = np.array(WORDS[language])
    texts = []
    for row in counts.toarray():
        words_of_text = list(np.repeat(words, row)) + ["unheard"]
        texts.append(", ".join(words_of_text).upper())
    folder = tmp_path / "m" / f"cr5_{language}"
    model = model2vec.StaticModel.from_pretrained(folder)
    rows = model.encode(texts)
    expected = by_hand(language, counts)
    np.testing.assert_allclose(rows, expected, atol=1e-6)
    np.testing.assert_array_equal(nearest_first(rows), nearest_first(expected))
    first = f"{words[0]} "
    third = f"{words[2]} "
    long = first * 600 + third * 600
    whole, short, unknown = model.encode([long, first + words[2], "unheard of"])
    np.testing.assert_allclose(whole, short, atol=1e-4)  # it is not cut off
    assert not unknown.any()


def nearest_first(rows):
    """Return the numbers of all rows for each row, by descending product."""
    return np.argsort(-(rows @ rows.T), axis=1, kind="stable")


@pytest.mark.parametrize(("language", "word"), [("th", "ก"), ("jp", "東京")])
def test_words_without_spaces(tmp_path, language, word):
    one = {language: np.ones((1, 2), np.float32)}
    without = WordTables({language: [word]}, one, {language: np.ones(1)})
    with pytest.raises(UserError, match=f"'{language}' is written without spaces"):
        export.write("static", tmp_path / "m", without, ABOUT)


def test_other_forms_of_letters_find_their_words():
    tokenizers = pytest.importorskip("tokenizers", reason="the dev extra is missing")
    content = export.tokenizer("en", ["file", "siaⁿ", "sian", "word"])
    tokenizer = tokenizers.Tokenizer.from_str(json.dumps(content))
    assert tokenizer.encode("ﬁle, fi\u200dle; Ｗｏｒｄ siaⁿ").ids == [1, 1, 4, 2]


def test_gensim_opens_what_we_write(tmp_path):
    from gensim.models import KeyedVectors

    export.write("word2vec", tmp_path / "m", MODELS["plain"], ABOUT)
    for language, words in WORDS.items():
        vectors = KeyedVectors.load_word2vec_format(str(tmp_path / "m" / f"cr5_{language}.vec"))
        assert vectors.index_to_key == words
        np.testing.assert_array_equal(vectors.vectors, TABLES[language])
        weights = weights_of(tmp_path / "m" / f"cr5_{language}.weights.tsv")
        assert list(weights) == words
        assert list(weights.values()) == WEIGHTS[language].tolist()


def weights_of(path):
    """Return the weight of each word in a file."""
    lines = [line.split("\t") for line in lines_of(path)]
    return {word: float(weight) for word, weight in lines}


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines()


def first_fields(lines):
    """Return the first field of each line."""
    return [line.split()[0] for line in lines]


def test_beginnings_of_words_have_a_file_of_their_own(tmp_path):
    folder = tmp_path / "m"
    export.write("word2vec", folder, MODELS["fallbacks"], ABOUT)
    words = lines_of(folder / "cr5_da.vec")
    assert first_fields(words) == ["8"] + IN_ONE_FILE
    beginnings = lines_of(folder / "cr5_da.beginnings.vec")
    assert first_fields(beginnings) == ["2", "hund", "byer"]
    rows = [line.split()[1:] for line in beginnings[1:]]
    numbers = np.array(rows, np.float32)
    np.testing.assert_array_equal(numbers, TABLES["da"][8:])
    weights = weights_of(folder / "cr5_da.beginnings.weights.tsv")
    expected_weights = WEIGHTS["da"][8:]
    assert list(weights.values()) == expected_weights.tolist()
    assert not (folder / "cr5_en.beginnings.vec").exists()


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("word2vec", "it has 2, in the files `.beginnings.vec`"),
        ("static", "Left out are 2 beginnings of words"),
        ("packed", "that the model has: it has 2."),
    ],
)
def test_the_card_says_what_stands_for_words_that_a_model_does_not_have(tmp_path, kind, sentence):
    place = tmp_path / "m.cr5"
    export.write(kind, place, MODELS["fallbacks"], ABOUT)
    card = card_of(place)
    assert sentence in card
    assert "| da | 8 |" in card
    other = tmp_path / "other.cr5"
    export.write(kind, other, MODELS["plain"], ABOUT)
    assert "beginning" not in card_of(other)


def card_of(place):
    if place.is_dir():
        return (place / "README.md").read_text(encoding="utf-8")
    with safe_open(place, framework="numpy") as file:
        return json.loads(file.metadata()["cr5"])["readme"]


def test_words_of_a_dictionary_are_tokens_of_a_static_model(tmp_path):
    export.write("static", tmp_path / "m", MODELS["fallbacks"], ABOUT)
    folder = tmp_path / "m" / "cr5_da"
    text = (folder / "tokenizer.json").read_text("utf-8")
    vocabulary = json.loads(text)["model"]["vocab"]
    assert list(vocabulary) == ["[UNK]"] + IN_ONE_FILE
    arrays = load_file(folder / "model.safetensors")
    vectors = TABLES["da"][:8].astype(float)
    weights = WEIGHTS["da"][:8, None]
    np.testing.assert_allclose(arrays["embeddings"][1:], weights * vectors, rtol=1e-6)


@pytest.mark.parametrize("word", ["et\0hus", "et hus", "\ufeffa"])
def test_words_that_a_file_cannot_hold(tmp_path, word):
    """Between fields or at the beginning of a file they would be read as something else."""
    words = {**WORDS, "da": [word, *WORDS["da"][1:]]}
    with pytest.raises(UserError, match=re.escape(repr(word))):
        export.write("word2vec", tmp_path / "m", replace(MODELS["plain"], words=words), ABOUT)
