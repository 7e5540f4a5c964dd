"""Signs of what texts have lost, and texts that only look so."""

import pytest

from cr5.base.losses import Losses

MISREAD = "characters such as U+0093"
MARKUP = "tags or entities of HTML"
SIGNS = [
    ("a\ufffdb", "U+FFFD"),
    ("“so”".encode("cp1252").decode("latin-1"), MISREAD),
    ("ça été à l’œuvre".encode().decode("cp1252"), MISREAD),
    ("Größe".encode().decode("cp1252"), MISREAD),
    ("señal, ¿no?".encode().decode("latin-1"), MISREAD),
    ("città nuova".encode().decode("cp1252"), MISREAD),
    ("при".encode().decode("latin-1"), MISREAD),
    ("5 €".encode().decode("cp1252", "ignore"), MISREAD),
    ("<p>a</p>", MARKUP),
    ("a<br/>b", MARKUP),
    ("R&amp;D", MARKUP),
    ("it &apos;s", MARKUP),
    ("caff&egrave;", MARKUP),
    ("stra&szlig;e", MARKUP),
    ("&laquo;", MARKUP),
    ("&#8217;", MARKUP),
    ("&#xA0;", MARKUP),
]
ORDINARY = [
    "Größe, été, señal, ¿no?",
    "«MANHû, ROMÂ NÃO, ÑANDÚ",
    "Ð is ¶",
    "AMANHÃ\xa0MANHÃ\xa0",
    "AT&T, ?a=1&lt=2, Q&A;",
    "if a < b and c > d; <b",
    "name@host.org <name@host.org>",
    "",
]


@pytest.mark.parametrize(("text", "sign"), SIGNS)
def test_a_sign_of_a_loss_is_told_once_with_the_first_place(text, sign, caplog):
    losses = Losses()
    for number, content in enumerate(["good", text, text]):
        losses.count(content, f"x, line {number}")
    losses.tell("x")
    [message] = caplog.messages
    assert message.startswith("x: 2 of 3 texts have ")
    assert sign in message
    assert message.endswith("; the first: x, line 1")


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_texts_are_not_told(text, caplog):
    losses = Losses()
    losses.count(text, "x")
    losses.tell("x")
    assert caplog.messages == []


def test_missing_texts_are_told_with_their_fate(caplog):
    losses = Losses()
    for number, content in enumerate(["good", None, None]):
        losses.count(content, f"x, line {number}")
    losses.tell("x", "never found")
    assert losses.missing == 2
    assert caplog.messages == ["x: 2 of 3 texts are missing, and never found; the first: x, line 1"]
