"""What tests of formats share: small models of plain words."""

from types import SimpleNamespace

import pytest

from tests.models import examples


@pytest.fixture
def model():
    return examples.MODELS["plain"]


@pytest.fixture
def with_offsets():
    return examples.MODELS["settings"]


@pytest.fixture
def joined():
    return examples.MODELS["joined"]


@pytest.fixture
def directed():
    return examples.MODELS["directed"]


@pytest.fixture
def small():
    """Their numbers, and their rows by the formula."""
    return SimpleNamespace(
        about=examples.ABOUT,
        words=examples.PLAIN_WORDS,
        counts=examples.counts_of,
        drawn=examples.drawn,
        by_hand=examples.by_hand,
    )
