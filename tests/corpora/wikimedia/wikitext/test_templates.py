import pytest

from cr5.corpora.wikimedia.wikitext.templates import render


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Infobox city\n| name = Berlin", ""),
        ("lang|de|Spree", "Spree"),
        ("Lang | 1=de | 2=Spree", "Spree"),
        ("lang-de|Spree|lit=x", "Spree"),
        ("nowrap|a b", "a b"),
        ("nowrap|1=a = b", "a = b"),
        ("quote|text=To be|author=Shakespeare", "To be"),
        (
            "Citazione|''La [[Bonne ville#x|buona città]]''|Autore",
            "''La [[Bonne ville#x|buona città]]''",
        ),
        ("convert|5|km|mi|abbr=on", "5 km mi"),
        ("hlist|class=x|[[a|b]]|c", "[[a|b]] c"),
        ("interlanguage_link|Foo|de|Bar", "Foo"),
        ("formatnum:12345", "12345"),
        ("'", "’"),
        ("!", "|"),
        ("ndash", " – "),
        ("lang|de", ""),
        ("#if:x|y|z", ""),
        ("", ""),
    ],
)
def test_only_templates_with_words_of_the_text_leave_any(content, expected):
    assert render([content]) == expected


def test_pieces_are_one_content():
    assert render(["nowrap|a ", "b", " c"]) == "a b c"
