"""Static models: the words, by the library tokenizers; the vectors, by model2vec."""

import json
import unicodedata

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.counts.tokens import tokenise
from cr5.models.formats import registry, static, static_tokenizer
from cr5.models.word_tables import WordTables

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


def words_of(text, language, vocabulary=()):
    tokenizers = pytest.importorskip("tokenizers", reason="the dev extra is missing")
    content = static_tokenizer.of(language, vocabulary)
    found = tokenizers.Tokenizer.from_str(json.dumps(content))
    normalized = found.normalizer.normalize_str(text)
    return [word for word, _ in found.pre_tokenizer.pre_tokenize_str(normalized)]


@pytest.mark.parametrize("language", TEXTS)
def test_the_library_finds_the_same_words(language):
    for text in (TEXTS[language], unicodedata.normalize("NFD", TEXTS[language])):
        found = words_of(text, language)
        assert len(found) > 3
        assert found == tokenise(text, language)


def test_the_library_finds_the_same_words_around_every_character():
    # 30,000 of them, those whose kind both versions of Unicode know
    known = [c for c in map(chr, range(0x30000)) if unicodedata.category(c) not in ("Cn", "Cs")]
    text = " ".join(f"a{c}B {c}" for c in known if c != "Σ")
    assert len(known) > 30000
    assert words_of(text, "en") == tokenise(text, "en")


@pytest.mark.parametrize("language", ["da", "el", "en"])
def test_model2vec_gives_our_rows(small, model, tmp_path, language):
    pytest.importorskip("safetensors")
    model2vec = pytest.importorskip("model2vec", reason="the dev extra is missing")
    registry.write("static", tmp_path / "m", model, small.about, "# card")
    counts = small.counts(language)
    words = np.array(small.words[language])
    texts = [", ".join([*np.repeat(words, row), "unheard"]).upper() for row in counts.toarray()]
    found = model2vec.StaticModel.from_pretrained(tmp_path / "m" / f"cr5_{language}")
    rows = found.encode(texts)
    np.testing.assert_allclose(rows, small.by_hand(language, counts), atol=1e-6)
    order = np.argsort(-(rows @ rows.T), axis=1, kind="stable")
    hand = small.by_hand(language, counts)
    np.testing.assert_array_equal(order, np.argsort(-(hand @ hand.T), axis=1, kind="stable"))


def test_long_texts_are_not_cut_off(small, model, tmp_path):
    pytest.importorskip("safetensors")
    model2vec = pytest.importorskip("model2vec", reason="the dev extra is missing")
    registry.write("static", tmp_path / "m", model, small.about)
    found = model2vec.StaticModel.from_pretrained(tmp_path / "m" / "cr5_en")
    rows = found.encode(["cat " * 300 + "dog " * 300, "cat dog"])
    np.testing.assert_allclose(rows[0], rows[1], atol=1e-4)
    np.testing.assert_array_equal(found.encode(["unheard of", ""]), np.zeros((2, 5)))


def test_what_is_lost_is_what_a_mean_of_vectors_lacks(with_offsets, joined, model):
    assert static.losses(model) == []
    assert len(static.losses(with_offsets)) == 2
    assert "ln(1 + count)" in static.losses(with_offsets)[0]
    assert "the sparse tables beside" in static.losses(joined)[0]


def test_words_without_spaces_and_tables_without_vectors(small, directed, tmp_path):
    one = {"th": np.ones((1, 2), np.float32)}
    thai = WordTables({"th": ["ก"]}, one, {"th": np.ones(1)})
    with pytest.raises(UserError, match="'th' is written without spaces"):
        registry.write("static", tmp_path / "m", thai, small.about)
    with pytest.raises(UserError, match="static holds one dense vector a word"):
        registry.write("static", tmp_path / "m", directed, small.about)
