from functools import partial

import pytest


@pytest.fixture
def make_training_set(training_of):
    """A training set of da and en, of one empty document; twelve words each."""
    words = [f"w{number}" for number in range(12)]
    return partial(training_of, dict.fromkeys(("da", "en"), words), validate=pytest.fail)
