"""From wikitext to text; expected is what a reader of the German article sees."""

import time

import pytest

from cr5.texts.wikimedia.wikitext.clean import clean
from cr5.texts.wikimedia.wikitext.links import namespaces_of
from cr5.texts.wikimedia.wikitext.tags import DEEPEST

GERMAN = namespaces_of({"Datei": 6, "Kategorie": 14})
CASES = [
    ("", ""),
    # tables
    ('{| class="x"\n|+ The caption\n! A !! B\n|-\n| c || d\n|}', "The caption A B c d"),
    ('{|\n|- style="x"\n| align=left | a || width=1 | b\n| c\n|}', "a b c"),
    ("{|\n! scope=col | A\n! B || C\n|}", "A B C"),
    ("{|\n|\n{| border=1\n| inner\n|}\n| outer\n|}\nafter", "inner outer after"),
    (": {|\n| indented\n |}\nafter", "indented after"),
    ("{| never closed\n| a\ntext", "a text"),
    # apostrophes
    ("''a'' '''b''' '''''c'''''", "a b c"),
    ("l'''homme'' et {{'}}''Elle''", "l'homme et ’Elle"),  # after a letter: apostrophe, italics
    ("dell'''arte''", "dell'arte"),  # after a word
    ("word'''b c'''d''' e''", "wordb c'd e"),  # the letter wins over the word
    ("l''''arte'''", "l'arte"),  # four: apostrophe and bold
    ("'''''both'' bold'''", "both bold"),
    ("it's rock 'n' roll", "it's rock 'n' roll"),
    ("''one\nline'' each", "one line each"),
    # lines
    ("== A == <!-- b -->\ntext", "A text"),
    ("a = b\n== C", "a = b C"),
    ("----\na\n-----b", "a b"),
    ("* a\n*# b\n; c : d\n-e", "a b c : d -e"),
    # links
    ("[[Berlin]] [[Berlin|die Stadt]]s [[Berlin|]]", "Berlin die Stadts Berlin"),
    ("[[#Geschichte|oben]]", "oben"),
    ("[[Kategorie:Stadt|Berlin]][[fr:Berlin]]x", "x"),
    ("[[:Kategorie:Stadt]] [[:Kategorie:Stadt|Städte]]", "Kategorie:Stadt Städte"),
    ("[[:fr:Berlin|auf Französisch]]", "auf Französisch"),
    ("[[simple:A]] [[zh-min-nan:A]][[be-tarask:A|a]] [[arz:A]] [[nds-nl:A]]x", "x"),
    ("[[re:publica|Konferenz]] [[re:publica]] [[hdl:1/2|Akte]]", "Konferenz re:publica Akte"),
    ("[[wikt:Haus|Haus]] [[2001: Odyssee]]", "Haus 2001: Odyssee"),
    ("[[Media:a.ogg|hören]] [[]]", "hören"),
    ("[[a| ]] [[a|b|c]] [[a|b: c]]", "a b|c b: c"),
    ("[[[a|b]] [[a]]]", "b a]"),
    ("[[Kategorie:a|[[b|c]]]]e [[a [[b]] c]]", "e a b c"),
    ("[[a [[b|c]] d", "a c d"),
    ("[[a\n== B ==\nc]]", "a B c"),
    ("[http://a.org/b?c=d label here] [http://a.org] x", "label here x"),
    ("[//a.org label] [mailto:a@b.org Anna] x", "label Anna x"),
    ("see http://a.org/b_c, d HTTPS://a.org", "see d"),
    ("[http://a.org unclosed", "unclosed"),
    ("a//b [1] [a b] x://y", "a//b [1] [a b] x://y"),
    # images
    ("a[[Datei:a|mini|[[b|c]] d]]e", "a c d e"),
    ("[[Bild:x|thumb|250px|left|A view]]", "A view"),
    ("[[File:x|thumb|A view|250x300px|alt=Tree]]", "A view"),
    ("[[File:x|mini|hochkant=1.2|Blick auf Berlin]]", "Blick auf Berlin"),
    ("[[File:x|nhỏ|phải|Quang cảnh]][[File:x|サムネイル|右|景色]]", "Quang cảnh 景色"),
    ("[[File:x|thumb|E = mc2]]", "E = mc2"),  # no option of that name
    ("[[File:x|thumb|upright]][[File:x|x20px]][[File:x|]]", ""),
    # templates
    ("{{Infobox city\n| name = Berlin}}{{#if:x|y|z}}{{}}{{lang|de}}", ""),
    ("{{lang|de|Spree}} {{Lang | 1=de | 2=Spree}} {{lang-de|Spree|lit=x}}", "Spree Spree Spree"),
    ("{{nowrap|a b}} {{nowrap|1=a = b}}", "a b a = b"),
    ("{{quote|text=To be|author=Shakespeare}}", "To be"),
    ("{{Citazione|''La [[Bonne ville#x|buona città]]''|Autore}}", "La buona città"),
    ("{{convert|5|km|mi|abbr=on}} {{hlist|class=x|[[a|b]]|c}}", "5 km mi b c"),
    ("{{interlanguage_link|Foo|de|Bar}} {{formatnum:12345}}", "Foo 12345"),
    ("{{!}}{{ndash}}", "| –"),
    ("{{nowrap|a{{nowrap|b}}}}c}}d {{x{{nowrap|e}}", "abcd xe"),
    ("{{lang|en|a|}}}}b", "ab"),
    ("{{a{{b\n== H ==\ntext}} {{nowrap|c}}", "ab H text c"),
    # tags
    ("H<sub>2</sub>O", "H2O"),
    ("a<br/>b<BR>c<p class='x'>d", "a b c d"),
    ('<span style="a:b">c</span></ref>', "c"),
    ("a < b and c > d, x<y>z <br", "a < b and c > d, x<y>z <br"),
    ('a<ref name="x">{{cite}}</ref>b<ref name=x />c<REF>d</Ref >e', "abce"),
    ("a<ref>lost, kept text<ref>b</ref>c", "alost, kept textc"),
    ("a<ref>kept", "akept"),
    ("<math>x<y</math>a<syntaxhighlight lang=py>b</syntaxhighlight>", "a"),
    ("<math>x</ref> a", "x a"),
    # captions of galleries and image maps, not names of files
    ("<gallery>\nA.jpg|b\nDatei:B c.jpg\nFile:D.jpg|e|alt=f\n</gallery>g", "b e g"),
    ("<Gallery mode=packed caption='All'>\nA.jpg|[[a|b]] {{lang|en|c}}\n</gallery >", "All b c"),
    ("<gallery>\nA|alt=x|left\nB|120px|y<ref>z</ref>\n\nC|E = mc2\n</gallery>", "left y E = mc2"),
    ("{|\n| <gallery>\nA.jpg|''b''\n</gallery> || c\n|}", "b c"),
    ("<!--<gallery>\nA.jpg|b\n</gallery>--><nowiki><gallery></nowiki>", "<gallery>"),
    ("<imagemap>\n# x\nFile:A|thumb|alt=x|A map\nrect 1 2 3 4 [[B|b]]\n</imagemap>c", "A map c"),
    ("a<gallery>\nA.jpg|b", "a A.jpg|b"),
    # quoted values of attributes
    ('a<ref name="b>c">{{cite}}</ref>d<ref name="b>c" />e', "ade"),
    ("<span title='a > b' lang=en>c</span> <span title=\"it's >\">d</span>", "c d"),
    ('<div class="x" data-a="<b>">c</div>', "c"),
    ('a<nowiki x="b>c">[[d]]</nowiki>', "a[[d]]"),
    ('a<br clear="all>He said "hello" and<br>left', 'a He said "hello" and left'),
    ("a<ref name=\"b>c</ref>d's", "ad's"),
    ("a<refx>b</refx>", "a<refx>b</refx>"),
    ("a<!-- b -->c<!--d-->e<!-- b <!-- c -->f<!---->g<!-->b-->h", "acefgh"),
    ("a<!-- b", "a<!-- b"),
    ("a<!-- <ref> -->b<ref>c<!-- d --></ref>e", "abe"),
    ("<nowiki>[[a]] ''&amp;'' __X__ <ref><!--b--></nowiki>", "[[a]] ''&'' __X__ <ref><!--b-->"),
    # characters
    ("&lt;ref&gt; &amp;amp; &#228;&#xE4;&eacute; AT&T &notit;", "<ref> &amp; ääé AT&T &notit;"),
    ("a __b__ c_d __NOTOC__", "a __b__ c_d"),
    ("a__b__c __init__ __index__ a__TOC__b __NoToc____INDEX__", "a__b__c __init__ __index__ ab"),
    ("__KEIN_INHALTSVERZEICHNIS__ a__b__NOTOC__ __目次__ __ไม่มีสารบัญ__", "a__b"),
    ("-{zh-hans:A;zh-hant:B}- -{H|zh:C}- -{D}-", "A D"),
]  # fmt: skip


def whole(text):
    return clean(text, GERMAN)


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_what_is_left(text, expected):
    assert whole(text).split() == expected.split()


OPENING = "{{ {{Infobox| [[ [[a| <ref> <ref_name=x> <math> <nowiki> {| <!--"


@pytest.mark.parametrize("opening", OPENING.split())
def test_nothing_unclosed_swallows_the_article(opening):
    opening = opening.replace("_", " ")
    text = f"first {opening} words {{{{gone}}}} of the\n\n== Second ==\n article [[and|more]]"
    expected = ["first", "words", "of", "the", "Second", "article", "more"]
    assert [word for word in whole(text).split() if word in expected] == expected


def test_a_page_nested_too_deep_keeps_its_words():
    assert whole("{{nowrap|" * DEEPEST + "deep" + "}}" * DEEPEST) == "deep"


# The malformed inputs on which other extractors hang, and more; each is repeated.
BROKEN = """
<ref> <!-- [[File:a|b {| <nowiki> < {{ }} [[ ]] { [ | '' ''' = __ -{ }- :// http:// [// <br
{{a| [[a| {{lang|en| [http://a | !! & &# &nbsp; </ref> <ref/> <ref></nowiki> <nowiki><ref>
{{{!}} [[File:|a [[Category: '''''' [mailto: <ref>{{ [[{{ {{[[ {{[[}}]] {{nowrap|{{small| == ~ 😀
<math> <ref><!-- <a/x=" <ref/x=' =" <a/x="b> <gallery> <gallery/caption=" <imagemap> __TOC
"""
LINES = ("{|", "|-\n| a || ", "!", "==", "== ", "* ", " ", ";:", "'''", "|}\n{|\n")
UNITS = BROKEN.split() + [f"\n{line}" for line in LINES] + [" \t"]
CLOSED_BY = {
    "{{a|": "}}",
    "{{lang|en|x": "}}",
    "[[a|": "]]",
    "[[File:a|x": "]]",
    "\n{|\n|x": "\n|}",
    "{{nowrap|[[a|": "]]}}",
    "<ref>": "</ref>",
    "<div>": "</div>",
    "-{": "}-",
    "''": "''",
}
REPEATED = [unit * 50_000 for unit in UNITS]
NESTED = [f"{opening * 5_000}word{end * 5_000}" for opening, end in CLOSED_BY.items()]


@pytest.mark.parametrize("middle", REPEATED + NESTED, ids=lambda text: text[:8])
def test_malformed_and_deep_pages_cost_no_more_than_their_length(middle):
    text = f"before\n\n{middle}\n\nafter"
    begun = time.process_time()
    words = whole(text)
    assert time.process_time() - begun < 5  # a square of the length would take minutes
    assert len(words) <= len(text)
    assert words.startswith("before")


@pytest.mark.parametrize(
    ("file", "category"),
    [("Hình", "DING"), ("檔案", "分类"), ("Imagem", "Ding"), ("image", "Category")],
)
def test_aliases_and_those_of_the_dump_are_known(file, category):
    names = namespaces_of({"": 0, "Ding": 14})
    page = f"a[[{file}:x|thumb|b]][[ {category} :c]][[Ding:d]][[nds-nl:e]][[CSI:f]]"
    assert clean(page, names).split() == ["a", "b", "CSI:f"]
