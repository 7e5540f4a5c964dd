import numpy as np
import pytest
from scipy import sparse

from cr5.systems.projections.columns import columns
from cr5.systems.projections.documents import of_concepts, of_documents

WORDS = {"en": ["paris", "mill"], "es": ["molino", "paris"]}
COUNTS = {"en": [[3, 0], [1, 1], [0, 7]], "es": [[2, 1], [1, 0]]}
# paris is in 3 of 5 documents, mill in 2, molino in 2
BITS = {"paris": np.log2(5 / 3), "mill": np.log2(5 / 2), "molino": np.log2(5 / 2)}


@pytest.fixture
def training(training_of):
    counts = {x: sparse.csr_matrix(rows, dtype=np.int32) for x, rows in COUNTS.items()}
    concepts = {"en": np.array([5, 2, 0]), "es": np.array([2, 5])}  # 1, 3 and 4 do not train
    return training_of(WORDS, counts=counts, concepts=concepts, n_concepts=6)


def chosen(training, merged=True):
    return columns(training.words, training.counts, 0, 99, merged)


def test_rows_of_documents_are_equation_8(training):
    found = of_documents(training, chosen(training))
    # columns by frequency: mill 8, paris 5, molino 3
    mill, paris, molino = BITS["mill"], BITS["paris"], BITS["molino"]
    expected = [
        [0, np.log2(4) * paris, 0],
        [mill, paris, 0],
        [np.log2(8) * mill, 0, 0],
        [0, paris, np.log2(3) * molino],
        [0, 0, molino],
    ]
    np.testing.assert_allclose(found.Z.toarray(), expected)
    assert found.language.tolist() == [0, 0, 0, 1, 1]
    assert found.concept.tolist() == [2, 1, 0, 1, 2]
    assert found.n_concepts == 3 and found.sizes.tolist() == [3, 2]


def test_rows_of_concepts_are_equation_5_of_summed_counts(training):
    found = of_concepts(training, chosen(training))
    mill, paris, molino = BITS["mill"], BITS["paris"], BITS["molino"]
    expected = [
        [np.log2(8) * mill, 0, 0],
        [mill, np.log2(3) * paris, np.log2(3) * molino],  # paris once in each language
        [0, np.log2(4) * paris, molino],
    ]
    np.testing.assert_allclose(found.toarray(), expected)


@pytest.mark.parametrize("rows", [of_documents, of_concepts])
@pytest.mark.parametrize("merged", [True, False])
def test_rows_of_length_one(training, rows, merged):
    plain, found = (
        getattr(made, "Z", made).toarray()
        for made in (rows(training, chosen(training, merged), unit) for unit in (False, True))
    )
    np.testing.assert_allclose(found, plain / np.linalg.norm(plain, axis=1, keepdims=True))


def test_separate_columns_keep_languages_apart(training):
    Z = of_documents(training, chosen(training, merged=False)).Z.toarray()
    assert Z.shape == (5, 4)
    assert not Z[:3, 2:].any() and not Z[3:, :2].any()
