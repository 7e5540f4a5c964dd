import pytest

from cr5.corpora.wikimedia.wikitext.brackets import Tally
from cr5.corpora.wikimedia.wikitext.tags import (
    BREAK,
    MARKUP,
    restore,
    without_comments,
    without_html,
    without_opaque,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a<!-- b -->c<!--d-->e", "ace"),
        ("a<!-- b <!-- c -->d", "ad"),
        ("a<!-- b", "a<!-- b"),
        ("a --> b", "a --> b"),
        ("<!---->a", "a"),
        ("a<!-->b-->c", "ac"),
    ],
)
def test_comments(text, expected):
    assert without_comments(text) == expected


@pytest.mark.parametrize(
    ("text", "expected", "unclosed"),
    [
        ('a<ref name="x">{{cite}}</ref>b<ref name=x />c<REF>d</Ref >e', "abce", 0),
        ("a<ref>lost, kept text<ref>b</ref>c", "alost, kept textc", 1),
        ("a<ref>kept", "akept", 1),
        ("<math>x<y</math>a<syntaxhighlight lang=py>b</syntaxhighlight>", "a", 0),
        ("<math>x</ref> a", "x</ref> a", 1),
        ("<gallery>\nA.jpg|b\n</gallery>c", "c", 0),
        ("<references />a<references>b</references>", None, 0),
        ("a<refx>b</refx>", None, 0),
    ],
)
def test_tags_without_words_go_with_their_content(text, expected, unclosed):
    tally = Tally()
    assert without_opaque(text, tally) == (text if expected is None else expected)
    assert tally.unclosed == unclosed


def test_what_is_meant_literally_is_hidden_from_all_other_passes():
    tally = Tally()
    hidden = without_opaque(f"<nowiki>{MARKUP}<ref></nowiki>", tally)
    assert not set(MARKUP) & set(hidden)
    assert restore(hidden) == f"{MARKUP}<ref>"
    assert tally.protected == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("H<sub>2</sub>O", "H2O"),
        ("a<br/>b<BR>c<p class='x'>d", f"a{BREAK}b{BREAK}c{BREAK}d"),
        ('<span style="a:b">c</span></ref>', "c"),
        ("a < b and c > d, x<y>z", "a < b and c > d, x<y>z"),
        ("a <br", "a <br"),
    ],
)
def test_only_tags_that_mediawiki_knows_are_tags(text, expected):
    assert without_html(text) == expected
