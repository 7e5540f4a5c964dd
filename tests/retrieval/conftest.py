import pytest

from cr5.retrieval.embedder import Embedder


@pytest.fixture
def embedder(small_model):
    return Embedder(small_model, {"system": "made_up"}, "made_up")
