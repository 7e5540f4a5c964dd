import importlib.util
import sys
import unicodedata

import pytest

from cr5.base.errors import UserError
from cr5.counts import tokens
from cr5.counts.tokens import tokenise

needs_icu = pytest.mark.skipif(
    importlib.util.find_spec("icu4py") is None, reason="the extra icu is not installed"
)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Don't panic: 42 times!", "en", ["don", "t", "panic", "times"]),
        ("l'arte dell'Uomo", "it", ["l", "arte", "dell", "uomo"]),
        ("Tiếng Việt", "vi", ["tiếng", "việt"]),
        ("Hyper\u00adlink", "en", ["hyperlink"]),
        ("DIYARBAKIR İstanbul", "tr", ["dıyarbakır", "istanbul"]),
        ("ISTANBUL", "en", ["istanbul"]),
        ("AZƏRBAYCAN, İlham, IŞIQ", "az", ["azərbaycan", "ilham", "ışıq"]),
        ("ΟΔΟΣ Σοφοκλέους", "el", ["οδος", "σοφοκλέους"]),
        ("Наказ № 5-й", "uk", ["наказ", "й"]),
        ("हिन्दी में", "hi", ["हिन्दी", "में"]),
        ("a_b-c/d", "en", ["a", "b", "c", "d"]),
        ("", "en", []),
    ],
)
def test_words_are_runs_of_letters_and_marks(text, language, expected):
    assert tokenise(text, language) == expected


def test_decomposed_text_gives_the_same_tokens():
    text = "Tiếng Việt, Æblegrød, però"
    assert tokenise(unicodedata.normalize("NFD", text), "vi") == tokenise(text, "vi")


def test_tokens_are_composed_even_where_lower_case_decomposes():
    assert all(unicodedata.is_normalized("NFC", t) for t in tokenise("İİ Å", "en"))


@needs_icu
@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        # Bangkok is capital of country-Thailand
        ("กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย", "th", "กรุงเทพมหานคร เป็น เมือง หลวง ของ ประเทศไทย"),
        # Tokyo [city] [topic] Japan [of] capital
        ("東京都は日本の首都。", "ja", "東京 都 は 日本 の 首都"),
        # Beijing is China [of] capital
        ("北京是中国的首都", "zh", "北京 是 中国 的 首都"),
        # Phnom Penh is capital of country Cambodia
        ("ភ្នំពេញជារាជធានីនៃប្រទេសកម្ពុជា", "km", "ភ្នំពេញ ជា រាជធានី នៃ ប្រទេស កម្ពុជា"),
        # Vientiane is capital of Laos
        ("ວຽງຈັນເປັນນະຄອນຫຼວງຂອງລາວ", "lo", "ວຽງຈັນ ເປັນ ນະຄອນຫຼວງ ຂອງ ລາວ"),
        # Myanmar, one word with its marks
        ("မြန်မာနိုင်ငံ", "my", "မြန်မာနိုင်ငံ"),
    ],
)
def test_scripts_without_spaces_are_cut_by_a_dictionary(text, language, expected):
    assert tokenise(text, language) == expected.split()


CHINESE = {
    "zh_cn zh-CN zh_hans zho cmn": [
        # the library / of / the city / every day / nine o'clock / opens its door
        "市图书馆每天上午九点开门，读者可以借阅书籍和报纸。",
        "她在大学里学习数学，周末常常去河边散步。",
    ],
    "zh_TW zh_hk zh-Hant": ["這座橋建於十九世紀，連接兩個古老的城鎮。", "火車晚點了三十分鐘。"],
}


@needs_icu
@pytest.mark.parametrize(
    ("variant", "texts"), [(x, texts) for xs, texts in CHINESE.items() for x in xs.split()]
)
def test_variants_have_the_words_of_their_language(variant, texts):
    for text in texts:
        found = tokenise(text, variant)
        assert found == tokenise(text, "zh")
        assert sum(map(len, found)) < 2.5 * len(found)
    assert tokenise(texts[0], variant) != tokenise(texts[0], "en")


def test_variants_have_the_lower_case_of_their_language():
    assert tokenise("DIYARBAKIR", "tr_TR") == tokenise("DIYARBAKIR", "tr") == ["dıyarbakır"]


@needs_icu
def test_latin_words_stay_whole_in_a_language_that_is_written_in_two_scripts():
    text = "Tâi-oân ê siú-to͘ sī Tâi-pak; in tiàm chhī-á bóe chhài."
    assert tokenise(text, "zh_min_nan") == tokenise(text, "en")
    assert tokenise("臺北是首都", "zh_min_nan") == tokenise("臺北是首都", "zh")


@needs_icu
def test_other_scripts_in_between_keep_the_rule_of_letters_and_marks():
    assert tokenise("Don't panic, 東京 ABC 123😀x", "ja") == [
        "don",
        "t",
        "panic",
        "東京",
        "abc",
        "x",
    ]


@needs_icu
@pytest.mark.parametrize("language", sorted(tokens.WITHOUT_SPACES))
def test_no_letter_is_lost_where_words_are_cut(language):
    text = "กรุงเทพ 東京都は 北京是 ភ្នំពេញ ວຽງຈັນ ရန်ကုန် Tiếng Việt"
    assert "".join(tokenise(text, language)) == "".join(tokenise(text, "en"))


def test_without_icu_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "icu4py.breakers", None)
    tokens._icu.cache_clear()
    with pytest.raises(UserError, match=r"'th' is written without spaces.*extra `icu`"):
        tokenise("กรุงเทพ", "th")
    assert tokenise("Bangkok", "en") == ["bangkok"]


def test_words_are_the_same_however_they_are_searched():
    common = "Tiếng Việt, l'arte: 3½ m²\u2028x_y\u00a0\u0301z 京"
    rare = "".join(map(chr, range(0x2190, 0x2190 + tokens.FEW + 1)))  # arrows and operators
    for text in (common, f"{rare}a{rare}b{common}"):
        assert tokens._words(text) == tokens.WORD.findall(text)
