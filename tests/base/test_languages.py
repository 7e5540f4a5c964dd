import pytest

from cr5.base.languages import base_language


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
        ("da", "da"),
    ],
)
def test_the_language_of_a_code(codes, expected):
    assert {base_language(code) for code in codes.split()} == {expected}
