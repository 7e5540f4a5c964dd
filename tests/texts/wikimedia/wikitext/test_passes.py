"""The passes from wikitext to text; expected is what a reader of the article sees."""

import time

import pytest

from cr5.texts.wikimedia.wikitext.clean import MOST_CHARACTERS, cells, clean, lines
from cr5.texts.wikimedia.wikitext.links import caption, internal, resolved, without_urls
from cr5.texts.wikimedia.wikitext.namespaces import Namespaces
from cr5.texts.wikimedia.wikitext.tags import (
    BREAK,
    DEEPEST,
    MARKUP,
    resolve,
    restore,
    without_html,
    without_opaque,
)
from cr5.texts.wikimedia.wikitext.templates import render

GERMAN = Namespaces.from_siteinfo({}, "de")


def words_of_cells(text):
    return " ".join(cells("\n" + text).split())


def link(content):
    return internal(content, GERMAN)


def links(text):
    return resolved(text, GERMAN)


def image(options):
    return caption(options.split("|"))


def template(content):
    return render([content])


def angle(text):
    return resolve(text, "{{", "}}", lambda p: f"<{''.join(p)}>")


def whole(text):
    return clean(text, Namespaces.from_siteinfo({}, "en"))


CASES = {
    words_of_cells: [
        ('{| class="wikitable"\n|+ The caption\n! A !! B\n|-\n| c || d\n|}', "The caption A B c d"),
        ('{|\n|- style="x"\n| align=left | a || width=1 | b\n| c\n|}', "a b c"),
        ("{|\n! scope=col | A\n! B || C\n|}", "A B C"),
        ("{|\n|\n{| border=1\n| inner\n|}\n| outer\n|}\nafter", "inner outer after"),
        (": {|\n| indented\n |}\nafter", "indented after"),
        ("{| never closed\n| a\ntext", "a text"),
    ],
    lines: [
        ("''a'' '''b''' '''''c'''''", "a b c"),
        ("'''W'''orld '''H'''ealth", "World Health"),
        ("l'''homme''", "l'homme"),  # after one letter: apostrophe and italics
        ("dell'''arte''", "dell'arte"),  # after a word
        ("word'''b c'''d''' e''", "wordb c'd e"),  # the letter wins over the word
        ("l''''arte'''", "l'arte"),  # four: apostrophe and bold
        ("'''''both'' bold'''", "both bold"),
        ("it's rock 'n' roll", "it's rock 'n' roll"),
        ("''unclosed", "unclosed"),
        ("''one\nline'' each", "one\nline each"),
    ],
    link: [
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
    links: [
        ("[[a]], [[b|c]]s", "a, cs"),
        ("[[a| ]] [[a|b|c]] [[a|b: c]]", "a b|c b: c"),
        ("[[[a|b]] [[a]]]", "b a]"),
        ("[[Kategorie:a|[[b|c]]]][[fr:d]]e", "e"),
        ("[[Datei:a|mini|[[b|c]] d]]", f"{BREAK}c d{BREAK}"),
        ("[[a [[b|c]] d", "a c d"),
        ("[[a\n== B ==\nc]]", "a\n== B ==\nc"),
    ],
    without_urls: [
        ("[http://a.org/b?c=d label here] x", "label here x"),
        ("[http://a.org] x", " x"),
        ("[//a.org label] x", "label x"),
        ("[mailto:a@b.org Anna] x", "Anna x"),
        ("see http://a.org/b_c, d", "see  d"),
        ("see HTTPS://a.org", "see "),
        ("[http://a.org unclosed", " unclosed"),
        ("a//b [1] [a b] x://y", "a//b [1] [a b] x://y"),
    ],
    image: [
        ("thumb|250px|left|A view", "A view"),
        ("thumb|A view|250x300px|alt=Tree", "A view"),
        ("mini|hochkant=1.2|Blick auf Berlin", "Blick auf Berlin"),
        ("nhỏ|phải|Quang cảnh", "Quang cảnh"),
        ("мини|слева|Вид", "Вид"),
        ("サムネイル|右|景色", "景色"),
        ("thumb|E = mc2", "E = mc2"),  # no option of that name
        ("thumb|upright", ""),
        ("x20px", ""),
        ("", ""),
    ],
    template: [
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
    without_html: [
        ("H<sub>2</sub>O", "H2O"),
        ("a<br/>b<BR>c<p class='x'>d", f"a{BREAK}b{BREAK}c{BREAK}d"),
        ('<span style="a:b">c</span></ref>', "c"),
        ("a < b and c > d, x<y>z", "a < b and c > d, x<y>z"),
        ("a <br", "a <br"),
    ],
    without_opaque: [
        ('a<ref name="x">{{cite}}</ref>b<ref name=x />c<REF>d</Ref >e', "abce"),
        ("a<ref>lost, kept text<ref>b</ref>c", "alost, kept textc"),
        ("a<ref>kept", "akept"),
        ("<math>x<y</math>a<syntaxhighlight lang=py>b</syntaxhighlight>", "a"),
        ("<math>x</ref> a", "x</ref> a"),
        ("<gallery>\nA.jpg|b\n</gallery>c", "c"),
        ("<references />a<references>b</references>", "<references />a<references>b</references>"),
        ("a<refx>b</refx>", "a<refx>b</refx>"),
        ("a<!-- b -->c<!--d-->e", "ace"),
        ("a<!-- b <!-- c -->d", "ad"),
        ("a<!-- b", "a<!-- b"),
        ("a --> b", "a --> b"),
        ("<!---->a", "a"),
        ("a<!-->b-->c", "ac"),
        ("a<!-- <ref> -->b<ref>c<!-- d --></ref>e", "abe"),
    ],
    angle: [
        ("a{{b{{c}}d}}e{{f}}", "a<b<c>d>e<f>"),
        ("a}}b{{c{{d}}e", "abc<d>e"),
        ("{{a{{b\n== H ==\ntext}} {{c}}", "ab\n== H ==\ntext <c>"),
        ("{{" * (DEEPEST + 3) + "}}" * (DEEPEST + 3), "<" * DEEPEST + ">" * DEEPEST),
    ],
    whole: [
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
}


@pytest.mark.parametrize(
    ("read", "text", "expected"),
    [(read, *case) for read, cases in CASES.items() for case in cases],
)
def test_what_is_left(read, text, expected):
    assert read(text) == expected


def test_an_image_is_its_caption_apart_from_the_text():
    assert link("Datei:a.jpg|mini|Ein Bild").split() == ["Ein", "Bild"]
    assert not link("Bild:a.jpg|mini|Ein Bild")[0].isalnum()


def test_what_is_meant_literally_is_hidden_from_all_other_passes():
    hidden = without_opaque(f"<nowiki>{MARKUP}<ref><!--a--></nowiki>")
    assert not set(MARKUP) & set(hidden)
    assert restore(hidden) == f"{MARKUP}<ref><!--a-->"


OPENING = "{{ {{Infobox| [[ [[a| <ref> <ref_name=x> <math> <nowiki> {| <!--"


@pytest.mark.parametrize("opening", OPENING.split())
def test_nothing_unclosed_swallows_the_article(opening):
    opening = opening.replace("_", " ")
    text = f"first {opening} words {{{{gone}}}} of the\n\n== Second ==\n article [[and|more]]"
    kept = ["first", "words", "of", "the", "Second", "article", "more"]
    assert [w for w in whole(text).split() if w in kept] == kept


def test_a_page_that_is_too_long_keeps_its_words():
    found = whole("'''word''' [[link|label]] " * (MOST_CHARACTERS // 20))
    assert found.split()[:3] == ["word", "link", "label"]


# The malformed inputs on which other extractors hang, and more; each is repeated.
BROKEN = """
<ref> <!-- [[File:a|b {| <nowiki> < {{ }} [[ ]] { [ | '' ''' = __ -{ }- :// http:// [// <br
{{a| [[a| {{lang|en| [http://a | !! & &# &nbsp; </ref> <ref/> <ref></nowiki> <nowiki><ref>
{{{!}} [[File:|a [[Category: '''''' [mailto: <ref>{{ [[{{ {{[[ {{[[}}]] {{nowrap|{{small| == ~ 😀
<math> <ref><!--
"""
LINES = ("{|", "|-\n| a || ", "!", "==", "== ", "* ", " ", ";:", "'''", "|}\n{|\n")
NESTED = [
    *(("{{a|", "}}"), ("{{lang|en|x", "}}"), ("[[a|", "]]"), ("[[File:a|x", "]]")),
    *(("\n{|\n|x", "\n|}"), ("{{nowrap|[[a|", "]]}}"), ("<ref>", "</ref>")),
    *(("<div>", "</div>"), ("-{", "}-"), ("''", "''")),
]


@pytest.mark.parametrize(
    "middle",
    [
        *(unit * 50_000 for unit in (*BROKEN.split(), *(f"\n{x}" for x in LINES), " \t")),
        *(f"{opening * 5_000}word{closing * 5_000}" for opening, closing in NESTED),
    ],
    ids=lambda x: x[:8],
)
def test_malformed_and_deep_pages_cost_no_more_than_their_length(middle):
    text, begun = f"before\n\n{middle}\n\nafter", time.process_time()
    found = whole(text)
    assert time.process_time() - begun < 5  # a square of the length would take minutes
    assert len(found) <= len(text) and found.startswith("before")
