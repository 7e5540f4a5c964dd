import pytest

from cr5.corpora.wikimedia.wikitext.clean import MOST_CHARACTERS, clean
from cr5.corpora.wikimedia.wikitext.namespaces import Namespaces

ENGLISH = Namespaces.from_siteinfo({}, "en")

ARTICLE = """{{Short description|Capital}}{{Infobox city
| name = Berlin
| motto = {{lang|de|Wie ''geht'' es}}
}}
[[File:View.jpg|thumb|250px|View of the [[Spree (river)|Spree]], {{small|1900}}]]
'''Berlin''' ({{IPA|x}}) is the [[capital city|capital]] of&nbsp;[[Germany]].<ref name="a">{{cite
| title=No [[words]]}}</ref> It's {{nowrap|3.7 million}} <!-- no --> strong.<ref name="a" />

== History ==
=== Early <small>years</small> ===
* In [[1237]]: ''first'' mention
*# nested {{Quote|text=Ich bin [[Berliner|ein Berliner]]|source=JFK}}
; Term : definition
{| class="wikitable"
! Year !! People
|-
| 1900 || style="x" | 2&nbsp;million
|}
H<sub>2</sub>O, x<br/>y, <nowiki>[[no link]] &amp;</nowiki>, <math>a<b</math>
[http://www.berlin.de Official site] https://berlin.de/x __NOTOC__
-{zh-hans:A;zh-hant:B}- -{H|zh:C}-

[[Category:Cities]]
[[de:Berlin]]
"""
EXPECTED = """View of the Spree, 1900

Berlin () is the capital of Germany. It's 3.7 million  strong.

History
Early years
In 1237: first mention
nested Ich bin ein Berliner
Term : definition

 Year
 People
 1900
 2 million

H2O, x
y, [[no link]] &,
Official site
A"""


def test_an_article_line_by_line():
    result = clean(ARTICLE, ENGLISH)
    lines = [" ".join(line.split()) for line in result.text.split("\n")]
    expected = [" ".join(line.split()) for line in EXPECTED.split("\n")]
    assert [line for line in lines if line] == [line for line in expected if line]
    assert (result.residual, result.unclosed, result.fallback) == (False, 0, False)


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
        ("a __b__ c_d __NOTOC__", "a  c_d"),
        ("l'''homme'' et {{'}}''Elle''", "l'homme et ’Elle"),
        ("[[a [[b]] c]]", "a b c"),
        ("{{lang|en|a|}}}}b", "ab"),
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
LINES = [
    "\n{|",
    "\n|-\n| a || ",
    "\n!",
    "\n==",
    "\n== ",
    "\n* ",
    "\n ",
    " \t",
    "\n;:",
    "\n'''",
    "\n|}\n{|\n",
]


@pytest.mark.parametrize("unit", [*UNITS, *LINES])
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
