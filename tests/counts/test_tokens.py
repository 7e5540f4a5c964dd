import importlib.util
import json
import sys
import unicodedata

import pytest

from cr5.base.errors import UserError
from cr5.counts import cutting, tokens
from cr5.counts.rules import Rules, tokens_of
from cr5.counts.tokens import Tokens, tokenise

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
        ("ශ්\u200dරී", "si", ["ශ්රී"]),
        ("अप्\u200dडेट", "hi", ["अप्डेट"]),
        ("to\u2060gether to\ufeffgether word\u200e", "en", ["together", "together", "word"]),
        ("a\u061cb one\u2028two", "ar", ["ab", "one", "two"]),
        ("\u2764\ufe0f 1\ufe0f\u20e3 \u2139\ufe0f", "en", []),  # emoji
        ("", "en", []),
    ],
)
def test_words_are_runs_of_letters_and_marks(text, language, expected):
    assert tokenise(text, language) == expected


@pytest.mark.parametrize("language", ["en", "tr"])
@pytest.mark.parametrize("word", ["{}", "{}Σ", "αΣ{}", "I{}"])  # at its end Σ becomes ς, not σ
def test_any_decomposed_letter_gives_the_same_tokens(word, language):
    letters = [chr(point) for point in range(0xAC00)]  # the rest is Hangul, or not composed
    composed = [letter for letter in letters if unicodedata.normalize("NFD", letter) != letter]
    words = [word.format(letter) for letter in composed]
    decomposed = [unicodedata.normalize("NFD", word) for word in words]
    assert tokenise("\n".join(decomposed), language) == tokenise("\n".join(words), language)


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
        ("Don't panic, 東京 ABC 123😀x", "ja", "don t panic 東京 abc x"),
    ],
)
def test_scripts_without_spaces_are_cut_by_a_dictionary(text, language, expected):
    assert tokenise(text, language) == expected.split()


@needs_icu
@pytest.mark.parametrize("variant", ["zh_cn", "zh-CN", "zh_hans", "zho", "zh_TW", "zh-Hant"])
def test_variants_have_the_words_of_their_language(variant):
    # the library / of / the city / every day / nine o'clock / opens its door
    text = "市图书馆每天上午九点开门，读者可以借阅书籍和报纸。這座橋建於十九世紀。"
    assert tokenise(text, variant) == tokenise(text, "zh")
    assert tokenise("DIYARBAKIR", "tr_TR") == tokenise("DIYARBAKIR", "tr") == ["dıyarbakır"]


@needs_icu
def test_latin_words_stay_whole_in_a_language_that_is_written_in_two_scripts():
    text = "Tâi-oân ê siú-to͘ sī Tâi-pak; in tiàm chhī-á bóe chhài."
    assert tokenise(text, "zh_min_nan") == tokenise(text, "en")
    assert tokenise("臺北是首都", "zh_min_nan") == tokenise("臺北是首都", "zh")


@needs_icu
@pytest.mark.parametrize("language", sorted(cutting.WITHOUT_SPACES))
def test_no_letter_is_lost_where_words_are_cut(language):
    text = "กรุงเทพ 東京都は 北京是 ភ្នំពេញ ວຽງຈັນ ရန်ကုန် Tiếng Việt"
    assert "".join(tokenise(text, language)) == text.lower().replace(" ", "")


@needs_icu
@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("東京都は日本の首都。", "jp", "東京 都 は 日本 の 首都"),
        ("北京是中国的首都", "cn", "北京 是 中国 的 首都"),
        ("He said 東京都は日本の首都, twice", "en", "he said 東京 都 は 日本 の 首都 twice"),
        ("ABC東京xyz 3月", "en", "abc 東京 xyz 月"),
        ("ｶﾀｶﾅは⽇本", "en", "カタカナ は 日本"),  # half width, and a radical
        # Shan: work / city / Shan, as far as a Burmese dictionary goes; Mon: language
        ("ၵၢၼ် ဘာသာမန်", "shn", "ၵၢၼ် ဘာသာ မန်"),
        # in Korean: Chinese letters in a word between spaces, and kana, which are not
        ("大韓民國의 漢字를 東京", "ko", "大韓民國의 漢字를 東京"),
        ("大韓民國 の", "ko", "大韓民國 の"),
    ],
)
def test_the_script_says_how_words_are_cut_not_the_language(text, language, expected):
    assert tokenise(text, language) == expected.split()


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("東京", True),
        ("かな", True),
        ("กรุง", True),
        ("x東", True),
        ("tiếng", False),
        ("한국", False),  # Korean has spaces
        ("ᨣᩤᩴ", False),  # which no dictionary knows
        ("", False),
    ],
)
def test_a_word_is_cut_if_it_has_a_letter_of_such_a_script(word, expected):
    assert cutting.is_cut(word) == expected


def test_a_script_that_no_dictionary_knows_is_told_once(caplog):
    cutting._tell_unknown.cache_clear()
    for _ in range(2):
        assert tokenise("ᨣᩤᩴᨾᩮᩬᩥᨦ ᨦ", "nod") == ["ᨣᩤᩴᨾᩮᩬᩥᨦ", "ᨦ"]
    [warning] = caplog.messages
    assert warning.startswith("'nod' has text in a script that is writt")


def test_a_foreign_word_does_not_need_what_is_not_installed(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "icu4py.breakers", None)
    cutting._icu.cache_clear()
    assert tokenise("the 東京都, and 首都", "en") == ["the", "東京都", "and", "首都"]
    [warning] = caplog.messages
    assert "cr5[icu]" in warning
    cutting._icu.cache_clear()


@pytest.mark.parametrize(
    ("module", "cache", "rules", "language", "sentence"),
    [
        ("icu4py.breakers", cutting._icu, {}, "th", r"words of 'th': needs .*'cr5\[icu\]'"),
        ("nltk.tokenize.destructive", tokens._treebank, {"tokens": "nltk"}, "en", "bags.tokens: "),
        ("snowballstemmer", tokens._stemmer, {"stemmer": "snowball"}, "en", "bags.stemmer: "),
    ],
)
def test_what_has_to_be_installed_is_named(monkeypatch, module, cache, rules, language, sentence):
    monkeypatch.setitem(sys.modules, module, None)
    cache.cache_clear()
    with pytest.raises(UserError, match=sentence):
        Tokens(**rules)("คำ word", language)
    cache.cache_clear()
    assert tokenise("Bangkok", "en") == ["bangkok"]


def test_words_are_the_same_however_they_are_searched():
    common = "Tiếng Việt, l'arte: 3½ m²\u2028x_y\u00a0\u0301z 京"
    rare = "".join(map(chr, range(0x2190, 0x2190 + tokens.FEW + 1)))  # arrows and operators
    for text in (common, f"{rare}a{rare}b{common}"):
        assert tokens._words(text) == tokens.WORD.findall(text)


def test_case_may_be_kept():
    keep = Tokens(case="keep")
    assert keep("DIYARBAKIR İstanbul", "tr") == ["DIYARBAKIR", "İstanbul"]
    assert keep("Cafe\u0301 and cafe", "en") == ["Café", "and", "cafe"]


@pytest.mark.parametrize(
    ("text", "language", "token"),
    [
        ("Rød", "da", "rød"),
        ("re\u0301sume\u0301", "en", "résumé"),
        ("co\u00adop", "en", "coop"),
        ("oﬃ\u200dce\ufeff", "en", "office"),
        ("IŞIK", "tr", "ışık"),
        ("don't", "en", "don't"),
        ("1990s", "en", "1990s"),
        ("utc+", "en", "utc+"),
        ("2018", "en", "2018"),
        ("-", "en", "-"),
        ("e\u2010mail", "en", "e\u2010mail"),
        ("中华人民共和国", "zh", "中华人民共和国"),
        ("ice cream", "en", ""),
        ("ice\u3000cream", "en", ""),
        ("", "en", ""),
        (" ", "en", ""),
    ],
)
def test_a_token_is_normalised_and_not_cut(text, language, token):
    assert tokenise.token(text, language) == token
    assert Tokens(case="keep").token("IŞIK", "tr") == "IŞIK"
    assert Tokens(tokens="words").token("E\u2010mail", "en") == "e-mail"


def test_words_may_have_digits_and_hyphens():
    text = "In 1990 COVID-19, -x- l'arte e\u2010mail 3½ snake_case"
    expected = "in 1990 covid-19 x l arte e-mail 3½ snake case"
    assert Tokens(tokens="words")(text, "en") == expected.split()


OF_NLTK = [
    (
        "I can't say \"it's 3,000.50 $ (maybe)...",
        ["I", "ca", "n't", "say", "``", "it", "'s", "3,000.50", "$", "(", "maybe", ")", "..."],
    ),
    # a space after a full stop is taken for the end of a sentence
    ("dell'arte: e.g. this.", ["dell'arte", ":", "e.g", ".", "this", "."]),
    ("Cannot we go?\nYes.", ["Can", "not", "we", "go", "?", "Yes", "."]),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), OF_NLTK)
def test_nltk_s_tokens_by_hand(text, expected):
    pytest.importorskip("nltk", reason="the extra nltk is not installed")
    assert Tokens(case="keep", tokens="nltk")(text, "en") == expected
    # as the authors have them
    assert Tokens(tokens="nltk")("The U.K.'s", "en") == ["the", "u.k.", "'s"]


def test_stems_are_snowball_s_where_it_has_the_language():
    pytest.importorskip("snowballstemmer", reason="the extra stemmer is not installed")
    stemmed = Tokens(stemmer="snowball")
    assert stemmed.token("Consistently", "en") == "consist"
    # Porter2's published sample vocabulary (snowballstem.org)
    assert stemmed("consistently knightly generously", "en") == ["consist", "knight", "generous"]
    assert stemmed("abbandonata abbandonate", "it") == ["abbandon", "abbandon"]
    assert stemmed("người nói", "vi") == ["người", "nói"]
    for code in ("eng", "eng_latn", "en_gb"):
        assert stemmed("consistently knightly", code) == ["consist", "knight"]
    assert stemmed("abbandonata", "ita") == ["abbandon"]


def test_languages_without_a_stemmer_are_named_where_stems_are_asked_for():
    languages = ["deu", "vi", "nob", "nn", "eng_latn", "yue"]
    assert Tokens(stemmer="snowball").without_stemmer(languages) == ["vi", "nn", "yue"]
    assert Tokens().without_stemmer(languages) == []


def test_codes_of_three_letters_have_the_rules_of_their_language():
    pytest.importorskip("icu4py", reason="the extra icu is not installed")
    assert tokenise("ISI", "tur") == tokenise("ISI", "aze_latn") == ["ısı"]
    assert (
        tokenise("北京是中国", "cmn_hans") == tokenise("北京是中国", "zh") == ["北京", "是", "中国"]
    )


def test_stop_words_are_those_of_the_language_s_file_cut_as_texts_are(tmp_path):
    (tmp_path / "en.txt").write_text("The\ndon't of\n\n")
    (tmp_path / "da.txt").write_text(
        "og|and\n  # list, word\n\n| months\n i \t| in\nfø\u00adr # x\n"
    )
    rules = Rules(stop_words=str(tmp_path / "{language}.txt"))
    of_both = tokens_of(rules, ["en", "da"])
    assert of_both("The end of the og, don't!", "en") == ["end", "og"]
    words = of_both("og the list word, months and x i før", "da")
    assert words == ["the", "list", "word", "months", "and", "x"]
    in_their_case = tokens_of(Rules(stop_words=rules.stop_words, case="keep"), ["en"])
    assert in_their_case("The End of", "en") == ["End"]
    with pytest.raises(UserError, match=r"it\.txt"):
        tokens_of(rules, ["it"])


@pytest.mark.parametrize("sign", [";", "//", "%", "!", " --", "#", "|"])
def test_lines_of_stop_words_that_begin_as_comments_do_are_none(tmp_path, sign):
    (tmp_path / "en.txt").write_text(f"the, of\n{sign} list of words\nand\n")
    with_stop_words = tokens_of(Rules(stop_words=str(tmp_path / "{language}.txt")), ["en"])
    assert with_stop_words("the list of words and more", "en") == ["list", "words", "more"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("the\n/* a\nlist */\n", "en.txt, line 2: a comment between"),
        ("<ul>\n<li>the\n", "en.txt, line 1: this is an HTML page"),
        ('<?xml version="1.0"?>\n<words>\n', "en.txt, line 1: this is XML"),
    ],
)
def test_stop_words_in_markup_are_refused(tmp_path, content, sentence):
    (tmp_path / "en.txt").write_text(content)
    with pytest.raises(UserError, match=sentence):
        tokens_of(Rules(stop_words=str(tmp_path / "{language}.txt")), ["en"])


def test_what_a_model_remembers_splits_alike(tmp_path):
    (tmp_path / "en.txt").write_text("the\n")
    rules = Rules(case="keep", tokens="words", stop_words=str(tmp_path / "{language}.txt"))
    tokens_of_model = tokens_of(rules, ["en"])
    remembered = Tokens.remembered(json.loads(json.dumps(tokens_of_model.as_json())))
    assert remembered == tokens_of_model
    assert remembered("The 3 Words", "en") == ["3", "Words"]
    assert Tokens.remembered(None) == tokenise


@pytest.mark.parametrize(
    "settings",
    ["nltk", {"tokens": "sentencepiece"}, {"stop_words": ["the"]}, {"case": []}, {"new": 1}],
)
def test_what_another_version_remembers_is_refused(settings):
    with pytest.raises(UserError, match="does not know how the model's texts became words"):
        Tokens.remembered(settings)
