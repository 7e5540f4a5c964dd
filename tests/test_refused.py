"""What is refused: the kind of the error and the place that it names; no sentence is fixed here."""

import re

import pytest

from cr5.base.errors import UserError
from tests.kit.refused import cases, error

# After what was found, a message says what was expected or what to do.
REMEDY = re.compile(
    r"\b(expect(ed|ing)|must be|should|need(s|ed)?|one of|missing|known|only"
    r"|(is|are) from|(there|measures) (are|is)"
    r"|did you mean|would keep)\b|there: "
    r"|([:;,.(] |\b(or|and|to) )(add|ask|bring|build|choose|convert|correct|fetch|get|give|install"
    r"|keep|leave|look|lower|make|name|put|quote|raise|remove|rename|run|save|scale|search|see|set|shorten|take"
    r"|unpack|use|write)\b"
    r"|[;:] (has|is|are) .+\?",  # as where no more than the likely cause is known
    re.IGNORECASE,
)


@pytest.mark.parametrize(("place", "given"), cases("config"))
def test_a_configuration_is_refused_at_its_key(place, given):
    refusal = error("config", place, given)
    assert isinstance(refusal, UserError)
    assert re.search(rf"(?<![\w.]){re.escape(place)}: ", str(refusal)), refusal


@pytest.mark.parametrize(("reader", "line", "content"), cases("readers"))
def test_a_reader_names_file_and_line(reader, line, content):
    refusal = error("readers", reader, line, content)
    assert isinstance(refusal, UserError)
    within = f"line {line}" if line.isdigit() else line
    place = r"\S*" if line == "-" else rf"\S*, {within}\b"
    assert re.search(rf"/(x|ep-|Translation-){place}", str(refusal)), refusal


@pytest.mark.parametrize(("kind", "place", "call"), cases("api"))
def test_a_call_names_what_it_refuses(kind, place, call):
    refusal = error("api", kind, place, call)
    assert type(refusal).__name__ == kind, refusal
    assert re.search(rf"(?<!\w){re.escape(place)}(?!\w)", str(refusal)), refusal


def test_every_message_says_what_to_do():
    given = [(name, *case) for name in ("config", "readers", "api") for case in cases(name)]
    bare = [case for case in given if not REMEDY.search(str(error(*case)))]
    # What is wrong with a model is for who wrote its system; Python words the other.
    assert [case for case in bare if case[1] not in ("ModelError", "AttributeError")] == []
