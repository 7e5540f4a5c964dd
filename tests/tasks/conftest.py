"""Bags of three made-up languages, and a model that needs no fit."""

import pytest

from tests.kit.concepts import made_bags, made_draw, made_model


@pytest.fixture(scope="session")
def bags():
    return made_bags()


@pytest.fixture(scope="session")
def drawn(bags):
    return made_draw(bags)


@pytest.fixture
def model_of_words():
    return made_model()
