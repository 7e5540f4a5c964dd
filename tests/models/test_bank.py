"""Training documents that a model keeps, of every kind of rows."""

from dataclasses import dataclass, fields

import numpy as np
import pytest
from class_examples import MODELS, WORDS, dense
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import check_norm, parts_of
from cr5.models import store
from cr5.models.bank import neighbours, with_bank
from cr5.models.contract import Model
from cr5.models.formats import registry

CORRECTED = [name for name, model in MODELS.items() if "cosine" in model.measures]


def documents():
    generator = np.random.default_rng(8)
    return {
        x: sparse.csr_matrix(generator.poisson(0.8, (9, len(words)))) for x, words in WORDS.items()
    }


def numbers(rows):
    return np.hstack([x.toarray() if sparse.issparse(x) else x for x in parts_of(rows)])


@pytest.mark.parametrize("name", CORRECTED)
def test_the_documents_embedded_to_eleven_bits_in_memory_and_in_every_file(name, tmp_path):
    model = with_bank(MODELS[name], documents())
    store.save(tmp_path / "folder", model, {})
    registry.write("packed", tmp_path / "model.cr5", model, {}, half=True)
    registry.write("safetensors", tmp_path / "safetensors", model, {})
    read = [registry.read(tmp_path / x)[0] for x in ("model.cr5", "safetensors")]
    for language, given in documents().items():
        for target in WORDS:
            expected = model.embed(given, language, target if model.directed else None)
            found = neighbours(model, language, target)
            np.testing.assert_allclose(numbers(found), numbers(expected), rtol=2**-11, atol=1e-7)
            check_norm(found, "l2", "rows")
            for each in (store.load(tmp_path / "folder"), *read):
                again = neighbours(each, language, target)
                assert {part.dtype.name for part in parts_of(again)} == {"float32"}
                tolerance = 2**-10 if sparse.issparse(parts_of(again)[-1]) else 0
                np.testing.assert_allclose(
                    numbers(again), numbers(found), rtol=tolerance, atol=1e-7 * bool(tolerance)
                )


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


@pytest.mark.parametrize("name", sorted(set(MODELS).difference(CORRECTED)))
def test_nothing_is_kept_for_measures_that_correct_no_hubs(name):
    assert with_bank(MODELS[name], documents()) is MODELS[name]


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
