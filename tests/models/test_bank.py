"""Training documents that a model keeps; of every class and format: `test_every_model`."""

import numpy as np
import pytest
from safetensors.numpy import load_file
from scipy import sparse

from cr5.base.errors import UserError
from cr5.models import store
from cr5.models.bank import neighbours, with_bank
from tests.models.examples import WORDS, dense


def documents():
    generator = np.random.default_rng(8)
    return {
        x: sparse.csr_matrix(generator.poisson(0.8, (9, len(words)))) for x, words in WORDS.items()
    }


def test_dense_vectors_take_two_bytes_a_number(tmp_path):
    store.save(tmp_path / "model", with_bank(dense(), documents()), {})
    for language in WORDS:
        stored = load_file(tmp_path / "model" / f"{language}.safetensors")[f"bank.{language}.dense"]
        assert (stored.dtype, len(stored)) == (np.float16, 9)


def test_a_model_that_keeps_none():
    with pytest.raises(UserError, match=r"keeps no training documents: fit it with .*training"):
        neighbours(dense(), "en", "it")


def test_a_language_without_training_documents_corrects_no_hubs():
    """No mean over none of them, which would be nan and rank every answer first."""
    given = documents()
    first, *others = WORDS
    given[first] = given[first][:0]
    model = with_bank(dense(), given)
    assert list(model.bank) == others
    with pytest.raises(UserError, match=f"no training documents of '{first}', only of {others[0]}"):
        neighbours(model, first, others[0])
