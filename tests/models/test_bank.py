"""Training documents that a model keeps; of every class and format: `test_every_model`."""

from dataclasses import dataclass, fields

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.models import store
from cr5.models.bank import neighbours, with_bank
from cr5.models.contract import Model
from tests.models.examples import WORDS, dense


def documents():
    generator = np.random.default_rng(8)
    return {
        x: sparse.csr_matrix(generator.poisson(0.8, (9, len(words)))) for x, words in WORDS.items()
    }


def test_dense_vectors_take_two_bytes_a_number(tmp_path):
    store.save(tmp_path / "model", with_bank(dense(), documents()), {})
    for language in WORDS:
        stored = np.load(tmp_path / "model" / "bank" / language / "dense.npy")
        assert (stored.dtype, len(stored)) == (np.float16, 9)


def test_without_documents_a_model_is_stored_as_before(tmp_path):
    store.save(tmp_path / "model", dense(), {})
    assert "bank" not in (tmp_path / "model" / "model.json").read_text()
    assert not (tmp_path / "model" / "bank").exists()
    with pytest.raises(UserError, match=r"keeps no training documents: fit it with .*training"):
        neighbours(store.load(tmp_path / "model"), "en", "it")


def test_a_language_without_training_documents_corrects_no_hubs():
    """No mean over none of them, which would be nan and rank every answer first."""
    given = documents()
    first, *others = WORDS
    given[first] = given[first][:0]
    model = with_bank(dense(), given)
    assert list(model.bank) == others
    with pytest.raises(UserError, match=f"no training documents of '{first}', only of {others[0]}"):
        neighbours(model, first, others[0])


def test_a_class_that_cannot_keep_them():
    @dataclass(frozen=True)
    class Bare(Model):
        words: dict
        measures: tuple = ("cosine",)

        def embed(self, counts, language, target_language=None):
            raise AssertionError

        def check(self):
            pass

    assert "bank" not in {x.name for x in fields(Bare)}
    with pytest.raises(UserError, match=r"class Bare cannot keep training documents: declare"):
        with_bank(Bare(WORDS), documents())
