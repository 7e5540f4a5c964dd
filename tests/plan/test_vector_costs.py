from dataclasses import asdict

import pytest

from cr5.fitting.vector_options import VectorOptions
from cr5.plan.costs import of_vectors


def cost(words, **options):
    return of_vectors(words, asdict(VectorOptions(**options)))


def test_what_was_measured():
    """1.5 million words, one epoch, d = 300: seconds of training on one thread and on two."""
    assert cost(1.5e6, epochs=1).seconds == pytest.approx(19.9, rel=0.05)
    assert cost(1.5e6, epochs=1, threads=2).seconds == pytest.approx(11.4, rel=0.05)
    assert cost(1.5e6, epochs=1, algorithm="word2vec").seconds == pytest.approx(7.8, rel=0.05)


def test_memory_is_that_of_the_words_and_the_n_grams():
    """2,520,000 words, d = 300, in 5.3 copies of 1200 bytes and 1000 of strings; 2.4 GB."""
    assert cost(2.4e9).bytes == pytest.approx(2.52e6 * (5.3 * 1200 + 1000) + 2.4e9)
    assert cost(2.4e9, algorithm="word2vec").bytes < cost(2.4e9).bytes - 2.4e9


def test_time_grows_with_text_and_epochs_memory_more_slowly():
    small, large = cost(1e8), cost(2e8)
    assert large.seconds == 2 * small.seconds == cost(1e8, epochs=10).seconds
    assert small.bytes < large.bytes < 2 * small.bytes


def test_more_than_eight_threads_wait_for_the_text():
    assert cost(1e9, threads=64) == cost(1e9, threads=8)
