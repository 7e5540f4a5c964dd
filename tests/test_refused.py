"""What is refused: the kind of the error and the place that it names; no sentence is fixed here."""

import re

import pytest

from cr5.base.errors import UserError
from tests.kit.refused import HERE, cases, error, sentences


@pytest.mark.parametrize(("place", "given"), cases("config"))
def test_a_configuration_is_refused_at_its_key(place, given):
    refusal = error("config", place, given)
    assert isinstance(refusal, UserError)
    assert re.search(rf"(?<![\w.]){re.escape(place)}: ", str(refusal)), refusal


def test_the_sentences_are_those_that_were_read():
    """`python -m tests.kit.refused` writes them anew."""
    assert sentences() == (HERE / "sentences.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("reader", "line", "content"), cases("readers"))
def test_a_reader_names_file_and_line(reader, line, content):
    refusal = error("readers", reader, line, content)
    assert isinstance(refusal, UserError)
    place = r"\S*"
    if line.isdigit():
        place = rf"\S*, line {line}\b"
    elif line != "-":
        place = rf"\S*, {line}\b"
    assert re.search(rf"/(x|ep-|Translation-){place}", str(refusal)), refusal


@pytest.mark.parametrize(("kind", "place", "call"), cases("api"))
def test_a_call_names_what_it_refuses(kind, place, call):
    refusal = error("api", kind, place, call)
    assert type(refusal).__name__ == kind, refusal
    assert re.search(rf"(?<!\w){re.escape(place)}(?!\w)", str(refusal)), refusal
