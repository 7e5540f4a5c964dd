import pytest

from cr5.corpora.licences import LICENCES, UNKNOWN, licence_of
from cr5.plan.corpus import SOURCES


def test_every_source_of_texts_has_one():
    assert set(LICENCES) == set(SOURCES)


@pytest.mark.parametrize("about", [{}, {"corpus": None}, {"corpus": {"name": "x"}}])
def test_a_model_that_does_not_say_it(about):
    assert licence_of(about) is UNKNOWN


def test_by_the_source():
    assert licence_of({"corpus": {"source": "wikipedia"}}).id == "cc-by-sa-4.0"
    assert "Mozilla" in licence_of({"corpus": {"source": "libreoffice_help"}}).text
