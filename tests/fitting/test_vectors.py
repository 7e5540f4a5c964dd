import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.fitting import vectors
from cr5.fitting.options import VectorOptions

TESTS = Path(__file__).parent
SMALL = VectorOptions(algorithm="word2vec", dimension=8, epochs=2, min_count=2, buckets=50)


def sentences():
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(40)]
    return [[words[i] for i in rng.zipf(1.5, 12) % 40] for _ in range(60)]


@pytest.mark.parametrize("algorithm", ["word2vec", "fasttext"])
def test_words_by_frequency_then_string(algorithm):
    text = [["b", "a", "c"], ["c", "a", "b"], ["c", "d"]]
    words, found = vectors.train(text, SMALL.model_copy(update={"algorithm": algorithm}), seed=0)
    assert words == ["c", "a", "b"]  # 3, 2, 2; d occurs once
    assert found.shape == (3, 8)
    assert found.dtype == np.float32


def test_each_word_keeps_its_own_vector():
    from gensim.models import Word2Vec

    words, found = vectors.train(sentences(), SMALL, seed=7)
    twin = Word2Vec(
        sentences(), vector_size=8, epochs=2, min_count=2, sg=1, seed=7, workers=1, sample=1e-4
    )
    assert words != twin.wv.index_to_key  # the order of ties differs
    for word, vector in zip(words, found, strict=True):
        np.testing.assert_array_equal(vector, twin.wv[word])


@pytest.mark.parametrize(
    ("algorithm", "rate", "power"), [("word2vec", 0.025, 0.75), ("fasttext", 0.05, 0.5)]
)
def test_rate_and_noise_are_those_of_the_authors_programs(algorithm, rate, power):
    model = vectors._untrained(SMALL.model_copy(update={"algorithm": algorithm, "min_count": 1}), 0)
    model.build_vocab([["a"] * 16 + ["b"] * 4 + ["c"]])
    shares = np.array([16, 4, 1]) ** power
    shares /= shares.sum()
    cumulated = model.cum_table / model.cum_table[-1]
    np.testing.assert_allclose(np.diff(cumulated, prepend=0), shares, atol=1e-8)
    assert model.alpha == rate


def test_words_of_the_same_contexts_become_neighbours():
    rng = np.random.default_rng(1)
    groups = [["cat", "dog", "purr", "bark", "paw"], ["rain", "snow", "cold", "wet", "sky"]]
    text = [list(rng.permutation(groups[i % 2])) for i in range(400)]
    options = SMALL.model_copy(update={"dimension": 10, "epochs": 10, "sample": 0})
    words, found = vectors.train(text, options, seed=1)
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    row = {word: unit[i] for i, word in enumerate(words)}
    assert row["cat"] @ row["dog"] > row["cat"] @ row["rain"] + 0.3


RUN = """
import sys; sys.path.insert(0, sys.argv[1])
from test_vectors import SMALL, sentences
from cr5.fitting import vectors
options = SMALL.model_copy(update={"algorithm": sys.argv[2]})
words, found = vectors.train(sentences(), options, int(sys.argv[3]))
vectors.save(sys.argv[4], words, found)
"""


@pytest.mark.parametrize("algorithm", ["word2vec", "fasttext"])
def test_same_seed_same_bytes_in_another_process(tmp_path, algorithm):
    options = SMALL.model_copy(update={"algorithm": algorithm})
    words, found = vectors.train(sentences(), options, seed=1)
    vectors.save(tmp_path / "here", words, found)
    there = tmp_path / "there"
    subprocess.run(
        [sys.executable, "-c", RUN, str(TESTS), algorithm, "1", str(there)],
        env=os.environ | {"PYTHONHASHSEED": "1", "OMP_NUM_THREADS": "2"},
        check=True,
    )
    for name in (vectors.FILE, "about.json"):
        assert (there / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
    other = vectors.train(sentences(), options, seed=2)[1]
    assert not np.array_equal(other, found)


def test_every_epoch_is_told(caplog):
    with caplog.at_level("INFO", logger="cr5"):
        vectors.train(sentences(), SMALL, seed=0)
    told = [record.getMessage() for record in caplog.records if record.name.startswith("cr5")]
    assert told[-2:] == ["epoch 1 of 2", "epoch 2 of 2"]


def test_more_threads_are_said_to_be_not_reproducible(caplog):
    words, found = vectors.train(sentences(), SMALL.model_copy(update={"threads": 2}), seed=0)
    assert words == vectors.train(sentences(), SMALL, seed=0)[0]
    assert np.isfinite(found).all()
    told = [x.getMessage() for x in caplog.records if x.name.startswith("cr5")]
    assert len([x for x in told if "no other run gives the same vectors" in x]) == 1


def test_threads_are_those_of_gensim():
    assert vectors._untrained(SMALL.model_copy(update={"threads": 3}), 0).workers == 3


def test_too_little_text():
    with pytest.raises(UserError, match="no word occurs 5 times in the text"):
        vectors.train([["a", "b"]], SMALL.model_copy(update={"min_count": 5}), seed=0)


def test_save_and_load(tmp_path):
    words, found = ["b", "ü", "a"], np.arange(6, dtype=np.float32).reshape(3, 2)
    vectors.save(tmp_path / "v", words, found)
    got_words, got = vectors.load(tmp_path / "v")
    assert got_words == words
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, found)
    frame = pd.read_parquet(tmp_path / "v" / vectors.FILE)  # an independent reader
    assert frame["word"].tolist() == words
    np.testing.assert_array_equal(np.stack(frame["vector"]), found)


def test_load_of_something_else(tmp_path):
    (tmp_path / "v").mkdir()
    for name in ("v", "none"):
        with pytest.raises(UserError, match=rf"{name}: "):
            vectors.load(tmp_path / name)


def test_align_puts_zeros_where_a_word_is_missing():
    found = np.array([[1, 2], [3, 4]], np.float64)
    out = vectors.align(["a", "b"], found, ["b", "x", "a"])
    assert out.dtype == np.float32
    assert out.tolist() == [[3, 4], [0, 0], [1, 2]]
    assert vectors.align(["a", "b"], found, ["x"]).tolist() == [[0, 0]]
