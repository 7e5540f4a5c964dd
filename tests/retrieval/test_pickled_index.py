"""Indexes that other processes get as a copy."""

import pickle
import shutil

import pytest

import cr5
from cr5.base.errors import UserError
from tests.retrieval import made_up

QUERIES = made_up.texts("en", 25, seed=9).contents


def made_up_index(kind, sizes):
    index = cr5.Index(made_up.embedder(kind))
    for language, size in sizes.items():
        texts = made_up.texts(language, size)
        index.add(texts.ids, texts.contents, language, texts.titles)
    return index


@pytest.mark.parametrize("kind", ["dense", "joined", "directed"])
@pytest.mark.parametrize("is_saved", [False, True])
def test_another_process_may_have_a_copy(kind, is_saved, tmp_path):
    """Which has all in memory, and changes by itself."""
    index = made_up_index(kind, {"en": 9, "it": 12})
    index.remove(["it3"])
    expected = index.search(QUERIES, "en")
    if is_saved:
        index.save(tmp_path / "index")
        index = cr5.open_index(tmp_path / "index")
    content = pickle.dumps(index)
    if is_saved:
        shutil.rmtree(tmp_path / "index")
    copied = pickle.loads(content)  # noqa: S301 - of our own making
    assert copied.search(QUERIES, "en") == expected
    copied.add(["new"], ["itaa"], "it")
    assert copied.sizes == {"en": 9, "it": 12}
    assert index.sizes == {"en": 9, "it": 11}


def test_a_damaged_index_is_not_copied(tmp_path):
    made_up_index("dense", {"it": 9}).save(tmp_path / "index")
    index = cr5.open_index(tmp_path / "index")
    path = tmp_path / "index" / "it.vector.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"it\.vector\.npy"):
        pickle.dumps(index)
