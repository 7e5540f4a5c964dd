import pytest

from cr5.corpora.wikimedia.wikitext.tags import (
    DEEPEST,
    MARKUP,
    Tally,
    resolve,
    restore,
    without_opaque,
)


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
        ("a<!-- b -->c<!--d-->e", "ace", 0),
        ("a<!-- b <!-- c -->d", "ad", 0),
        ("a<!-- b", None, 0),
        ("a --> b", None, 0),
        ("<!---->a", "a", 0),
        ("a<!-->b-->c", "ac", 0),
        ("a<!-- <ref> -->b<ref>c<!-- d --></ref>e", "abe", 0),
    ],
)
def test_tags_without_words_go_with_their_content(text, expected, unclosed):
    tally = Tally()
    assert without_opaque(text, tally) == (text if expected is None else expected)
    assert tally.unclosed == unclosed


def test_what_is_meant_literally_is_hidden_from_all_other_passes():
    tally = Tally()
    hidden = without_opaque(f"<nowiki>{MARKUP}<ref><!--a--></nowiki>", tally)
    assert not set(MARKUP) & set(hidden)
    assert restore(hidden) == f"{MARKUP}<ref><!--a-->"
    assert tally.protected == 1


def angle(text, tally=None):
    return resolve(text, "{{", "}}", lambda p: f"<{''.join(p)}>", tally or Tally())


def test_innermost_first():
    assert angle("a{{b{{c}}d}}e{{f}}") == "a<b<c>d>e<f>"


def test_what_lacks_its_other_half_stays_as_text_and_is_counted():
    tally = Tally()
    assert angle("a}}b{{c{{d}}e", tally) == "abc<d>e"
    assert tally.unclosed == 2


def test_a_heading_ends_what_is_open():
    tally = Tally()
    assert angle("{{a{{b\n== H ==\ntext}} {{c}}", tally) == "ab\n== H ==\ntext <c>"
    assert tally.unclosed == 3


def test_beyond_the_deepest_only_the_brackets_go():
    depth = DEEPEST + 3
    assert angle("{{" * depth + "x" + "}}" * depth) == "<" * DEEPEST + "x" + ">" * DEEPEST
