import pytest

from cr5.corpora.wikimedia.wikitext.links import internal, without_urls
from cr5.corpora.wikimedia.wikitext.namespaces import Namespaces

GERMAN = Namespaces.from_siteinfo({}, "de")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Berlin", "Berlin"),
        ("Berlin|die Stadt", "die Stadt"),
        ("Berlin|", "Berlin"),
        ("#Geschichte|oben", "oben"),
        ("Kategorie:Stadt|Berlin", ""),
        (":Kategorie:Stadt", "Kategorie:Stadt"),
        (":Kategorie:Stadt|Städte", "Städte"),
        ("fr:Berlin", ""),
        (":fr:Berlin|auf Französisch", "auf Französisch"),
        ("wikt:Haus|Haus", "Haus"),
        ("2001: Odyssee", "2001: Odyssee"),
        ("Media:a.ogg|hören", "hören"),
        ("", ""),
    ],
)
def test_what_a_link_shows(content, expected):
    assert internal(content, GERMAN) == expected


def test_an_image_is_its_caption_apart_from_the_text():
    assert internal("Datei:a.jpg|mini|Ein Bild", GERMAN).split() == ["Ein", "Bild"]
    assert not internal("Bild:a.jpg|mini|Ein Bild", GERMAN)[0].isalnum()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[http://a.org/b?c=d label here] x", "label here x"),
        ("[http://a.org] x", " x"),
        ("[//a.org label] x", "label x"),
        ("[mailto:a@b.org Anna] x", "Anna x"),
        ("see http://a.org/b_c, d", "see  d"),
        ("see HTTPS://a.org", "see "),
        ("[http://a.org unclosed", " unclosed"),
        ("a//b [1] [a b] x://y", "a//b [1] [a b] x://y"),
    ],
)
def test_of_links_to_the_web_the_labels_stay(text, expected):
    assert without_urls(text) == expected
