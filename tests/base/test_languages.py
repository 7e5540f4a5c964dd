import pytest

from cr5.base.languages import base_language, by_code, code_of, halves, names_of, path_of


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ("zh zh_cn zh-CN zh_TW ZH zh-Hans zh-hant-hk zho zho_hans cmn_Hant chi", "zh"),
        ("pt pt_BR pt-br", "pt"),
        ("en en-GB en_us simple", "en"),
        ("sr sr-Latn sr_latn", "sr"),
        ("be be-tarask be_x_old", "be"),
        ("nan zh-min-nan zh_min_nan", "nan"),
        ("yue zh-yue zh_yue", "yue"),
        ("lzh zh_classical", "lzh"),
        ("als gsw", "gsw"),
        ("tr tr_TR tur", "tr"),
        ("nb nb_NO", "nb"),
        ("da dan DAN-Latn", "da"),
        ("nn nno", "nn"),
        ("de deu ger deu_Latn", "de"),
        ("sq sqi alb", "sq"),
        ("ar ara arb arb_Arab", "ar"),
        ("arz arz_Arab", "arz"),
        ("fa fas per pes", "fa"),
        ("ms msa may zsm", "ms"),
        ("xx", "xx"),
    ],
)
def test_the_language_of_a_code(codes, expected):
    assert {base_language(code) for code in codes.split()} == {expected}


MACROLANGUAGES = "sw swh, et ekk, lv lvs, mn khk, ne npi, or ory, uz uzn, mg plt, az azj, nb nob"
BIBLIOGRAPHIC = (
    "hy arm, eu baq, cs cze, ka geo, is ice, mk mac, zh chi, mi mao, bo tib, cy wel, nl dut, "
    "fr fre, el gre, ro rum, sk slo, my bur"
)
TERMINOLOGIC = (
    "hy hye, eu eus, cs ces, ka kat, is isl, mk mkd, zh zho, mi mri, bo bod, cy cym, nl nld, "
    "fr fra, el ell, ro ron, sk slk, my mya, it ita, es spa, pt por, hr hrv, yi yid, zu zul"
)


@pytest.mark.parametrize("table", [MACROLANGUAGES, BIBLIOGRAPHIC, TERMINOLOGIC])
def test_codes_of_three_letters(table):
    pairs = [entry.split() for entry in table.split(", ")]
    assert [base_language(long) for _, long in pairs] == [short for short, _ in pairs]


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("pt-BR", "pt_br"),
        ("zh-Hant-TW", "zh_hant_tw"),
        ("eng_Latn", "eng_latn"),
        (" EN", "en"),
        ("es-419", "es_419"),
        ("simple", "simple"),
        ("bat-smg", "bat_smg"),
    ],
)
def test_a_code_has_no_case_and_no_hyphens(written, code):
    assert code_of(written) == code_of(code) == code
    assert by_code({written: 1}) == {code: 1}


@pytest.mark.parametrize("written", ["", "x", "english", "english!", "pt-", "-BR", "e n", "日本"])
def test_what_is_no_code_is_refused(written):
    with pytest.raises(ValueError, match="a language's code such as en, pt_br"):
        code_of(written)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("en-it", ["en", "it"]),
        ("EN-IT", ["en", "it"]),
        ("pt-BR-en", ["pt_br", "en"]),
        ("en-pt-BR", ["en", "pt_br"]),
        ("pt_BR-zh-Hant-TW", ["pt_br", "zh_hant_tw"]),
        ("pt-pt-BR", ["pt", "pt_br"]),
        ("en-xx", ["en", "xx"]),  # which nobody has asked for, and is refused elsewhere
        ("en", ["en"]),
    ],
)
def test_the_hyphen_between_two_languages(pair, expected):
    assert halves(pair, ["en", "it", "pt", "pt_br", "zh_hant_tw"]) == expected


FILES = ["pt-BR.txt", "both/zh-TW.txt", "both/zh_tw.txt", "sr_latn.txt.xz", "en-pt-BR", "pt_br-en"]


@pytest.mark.parametrize(
    ("pattern", "languages", "expected"),
    [
        ("{language}.txt", {"language": "pt-BR"}, "pt-BR.txt"),
        ("{language}.txt", {"language": "sr-Latn"}, "sr_latn.txt.xz"),
        ("both/{language}.txt", {"language": "zh-TW"}, "both/zh-TW.txt"),
        ("both/{language}.txt", {"language": "zh_tw"}, "both/zh_tw.txt"),
        ("{language}.txt", {"language": "zh-HK"}, "zh-HK.txt"),  # nothing is there
        ("http://h/{language}", {"language": "pt-BR"}, "http://h/pt-BR"),
        ("{source}-{target}", {"source": "en", "target": "pt-BR"}, "en-pt-BR"),
        ("{source}-{target}", {"source": "pt-BR", "target": "en"}, "pt_br-en"),
    ],
)
def test_files_are_named_by_codes_as_written_or_folded(
    tmp_path, monkeypatch, pattern, languages, expected
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "both").mkdir()
    for name in FILES:
        (tmp_path / name).touch()
    written = {code_of(language): language for language in languages.values()}
    names = {key: names_of(code_of(language), written) for key, language in languages.items()}
    assert path_of(pattern, **names) == expected


def test_what_a_key_calls_a_language_is_all_that_files_may_call_it(tmp_path):
    (tmp_path / "pt-BR").touch()
    names = names_of("pt_br", {"pt_br": "pt-BR"}, {"pt_br": "br"})
    assert path_of(f"{tmp_path}/{{language}}", language=names) == f"{tmp_path}/br"
