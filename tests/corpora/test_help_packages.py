import pytest

from cr5.base.errors import UserError
from cr5.corpora.help_packages import check_distinct, package


@pytest.mark.parametrize(
    ("languages", "code"),
    [
        ("en en-US en_au EN", "en-us"),
        ("en_gb en-GB", "en-gb"),
        ("da da_DK", "da"),
        ("pt_br pt-BR", "pt-br"),
        ("pt pt_PT", "pt"),
        ("zh zh_cn zh-Hans", "zh-cn"),
        ("zh_tw zh-Hant zh_HK", "zh-tw"),
        ("nb nb_no", "nb"),
    ],
)
def test_names_of_packages(languages, code):
    assert {package(x) for x in languages.split()} == {f"libreoffice-help-{code}"}


def test_two_languages_with_the_same_pages_are_refused():
    check_distinct(["en", "en_gb", "pt", "pt_br", "zh_cn", "zh_tw"])
    with pytest.raises(UserError, match=r"'de' and 'de_at' have the same .*libreoffice-help-de; l"):
        check_distinct(["da", "de", "de_at"])
