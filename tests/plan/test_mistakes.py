import pytest
import yaml

from cr5.plan.mistakes import MistakesError, number_hint, raise_any, unexpected, unknown


@pytest.mark.parametrize("text", ["1e-6", "1e6", "1.5e3", "10", "2.5", "-3", "3e-2"])
def test_the_number_to_write_is_one_that_yaml_reads(text):
    hint = number_hint(text)
    assert hint.startswith(("; YAML takes that for text, write ", "; quoted, or given by --config"))
    read = yaml.safe_load(hint.rsplit(" ", 1)[-1])
    assert isinstance(read, int | float)
    assert read == float(text)


@pytest.mark.parametrize("value", ["paper", "nan", "inf", "", None, 3, 2.5, [1], True])
def test_what_is_no_number_in_text_gets_no_hint(value):
    assert number_hint(value) == ""


def test_an_unknown_key_gets_the_nearest_or_all():
    assert unknown("a.", "rnak", ["rank", "seed"]) == "a.rnak: unknown key; did you mean 'rank'?"
    assert unknown("", "x", ["rank", "seed"]) == "x: unknown key; known keys: rank, seed"


def test_what_was_expected_and_found():
    assert unexpected("seed", "an integer", "x") == "seed: expected an integer, found 'x'"


def test_several_mistakes_are_raised_at_once_and_none_not_at_all():
    raise_any([])
    with pytest.raises(MistakesError) as caught:
        raise_any(x for x in ("one", "two"))
    assert caught.value.sentences == ["one", "two"]
