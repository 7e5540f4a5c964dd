import pytest

from cr5.corpora.wikimedia.wikitext.clean import MOST_CHARACTERS, clean
from cr5.corpora.wikimedia.wikitext.namespaces import Namespaces

ENGLISH = Namespaces.from_siteinfo({}, "en")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("no markup at all", "no markup at all"),
        (
            "&lt;ref&gt; &amp;amp; &#228;&#xE4;&eacute; AT&T &notit; &copy",
            "<ref> &amp; ääé AT&T &notit; &copy",
        ),
        ("== A == <!-- b -->\ntext", "A\ntext"),
        ("a = b\n== C", "a = b\nC"),
        ("----\na\n-----b", "a\nb"),
        ("* a\n*# b\n; c : d\n-e", "a\nb\nc : d\n-e"),
        ("a __b__ c_d __NOTOC__", "a  c_d"),
        ("l'''homme'' et {{'}}''Elle''", "l'homme et ’Elle"),
        ("[[a [[b]] c]]", "a b c"),
        ("{{lang|en|a|}}}}b", "ab"),
        ("-{zh-hans:A;zh-hant:B}- -{H|zh:C}- -{D}-", "A  D"),
        ("<nowiki>[[no link]] &amp;</nowiki>", "[[no link]] &"),
    ],
)
def test_details(text, expected):
    assert clean(text, ENGLISH).text == expected


@pytest.mark.parametrize(
    "opening",
    ["{{", "{{Infobox|", "[[", "[[a|", "<ref>", "<ref name=x>", "<math>", "<nowiki>", "{|", "<!--"],
)
def test_nothing_unclosed_swallows_the_article(opening):
    text = f"first {opening} words {{{{gone}}}} of the\n\n== Second ==\n article [[and|more]]"
    words = clean(text, ENGLISH).text.split()
    assert [
        w for w in words if w in {"first", "words", "of", "the", "Second", "article", "more"}
    ] == (["first", "words", "of", "the", "Second", "article", "more"])


def test_a_page_that_is_too_long_keeps_its_words_and_says_so():
    result = clean("'''word''' [[link|label]] " * (MOST_CHARACTERS // 20), ENGLISH)
    assert result.fallback
    assert result.text.split()[:3] == ["word", "link", "label"]


def test_residual_markup_is_reported():
    assert clean("&#91;[a]&#93;", ENGLISH).residual is False
    assert clean("a {{{b}}} <div", ENGLISH).residual


# The malformed inputs on which other extractors hang, and more; each is repeated.
MARKUP = """
<ref> <!-- [[File:a|b {| <nowiki> < {{ }} [[ ]] { [ | '' ''' = __ -{ }- :// http:// [// <br
{{a| [[a| {{lang|en| [http://a | !! & &# &nbsp; </ref> <ref/> <ref></nowiki> <nowiki><ref>
{{{!}} [[File:|a [[Category: '''''' [mailto: <ref>{{ [[{{ {{[[ {{[[}}]] {{nowrap|{{small| == ~ 😀
<math> <ref><!--
"""
UNITS = MARKUP.split()
LINES = ("{|", "|-\n| a || ", "!", "==", "== ", "* ", " ", ";:", "'''", "|}\n{|\n")


@pytest.mark.parametrize("unit", [*UNITS, *(f"\n{x}" for x in LINES), " \t"])
def test_malformed_pages_cost_no_more_than_their_length(unit):
    steps = []
    for times in (25_000, 50_000):
        text = f"before {unit * times} after"
        result = clean(text, ENGLISH)
        assert len(result.text) <= len(text)
        assert result.text.startswith("before")
        steps.append(result.steps)
    assert steps[1] <= 2 * steps[0] + 2
    assert steps[1] <= len(text)


NESTED = [
    ("{{a|", "}}"),
    ("{{lang|en|x", "}}"),
    ("[[a|", "]]"),
    ("[[File:a|x", "]]"),
    ("\n{|\n|x", "\n|}"),
    ("{{nowrap|[[a|", "]]}}"),
    ("<ref>", "</ref>"),
    ("<div>", "</div>"),
    ("-{", "}-"),
    ("''", "''"),
]


@pytest.mark.parametrize(("opening", "closing"), NESTED)
def test_deep_nesting(opening, closing):
    steps = []
    for depth in (2_500, 5_000):
        text = f"before\n\n{opening * depth}word{closing * depth}\n\nafter"
        result = clean(text, ENGLISH)
        assert result.text.split()[0] == "before"
        assert result.text.split()[-1] == "after"
        assert len(result.text) <= len(text)
        steps.append(result.steps)
    assert steps[1] <= 2 * steps[0] + 2
