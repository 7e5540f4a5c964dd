"""What a run costs: how it grows, and what is said of it."""

from dataclasses import asdict
from pathlib import Path

import pytest
import yaml

from cr5.fitting.vector_options import VectorOptions
from cr5.plan.config import validated
from cr5.plan.costs import download_bytes, of_vectors, of_wikipedia, sizes


def cost(words, **options):
    return of_vectors(words, asdict(VectorOptions(**options)))


def test_memory_is_that_of_the_words_and_the_n_grams():
    """2,520,000 words, d = 300, in 5.3 copies of 1200 bytes and 1000 of strings; 2.4 GB."""
    assert cost(2.4e9).bytes == pytest.approx(2.52e6 * (5.3 * 1200 + 1000) + 2.4e9)
    assert cost(2.4e9, algorithm="word2vec").bytes < cost(2.4e9).bytes - 2.4e9


def test_time_grows_with_text_and_epochs_memory_more_slowly():
    small, large = cost(1e8), cost(2e8)
    assert large.seconds == 2 * small.seconds == cost(1e8, epochs=10).seconds
    assert small.bytes < large.bytes < 2 * small.bytes


def test_each_thread_adds_the_same_speed():
    one, two, three = (1 / cost(1e9, threads=n).seconds for n in (1, 2, 3))
    assert three - two == pytest.approx(two - one)
    assert one < two < 2 * one


def test_more_than_eight_threads_wait_for_the_text():
    assert cost(1e9, threads=64) == cost(1e9, threads=8)


ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "config" / "papers"


def config(name="wikipedia", **changes):
    return validated(yaml.safe_load((CONFIG / f"{name}.yaml").read_text()) | changes)


def test_sizes_of_the_paper_s_languages_are_known():
    assert set(config("wikipedia28")["languages"]) <= set(sizes())
    assert sizes()["da"].dump == 425e6  # 404.99 MiB
    assert sizes()["ru"].words == pytest.approx(9.52 * 2**30 / 12, rel=0.01)  # two bytes a letter


def test_english_has_what_is_reported_of_2026():
    both = {"languages": ["en", "da"], "settings": {"joint": {}}}
    cirrus = {"name": "w", "source": "wikipedia", "product": "cirrus"}
    assert download_bytes(config(**both)) / 1e9 == pytest.approx(45.8, rel=0.02)
    assert download_bytes(config(corpus=cirrus, **both)) / 1e9 == pytest.approx(39.7, rel=0.02)


def test_a_few_lines_say_what_is_to_come():
    said = list(of_wikipedia(config(), needs_vectors=True))
    assert said[0].startswith("4 languages of Wikipedia; these are estimates")
    assert said[1] == (
        "download: 55 GB, 1.5 h at 10 MB a second; kept on disk, with the text: 66 GB"
    )
    assert said[2] == "dumps to bags: 5.8 h on one core; one job a file"
    assert "on 1 thread (vectors.threads): en 65.7 h, it 14.8 h, vi 4.9 h, da 1.7 h" in said[3]
    assert len(list(of_wikipedia(config(), needs_vectors=False))) == 3


def test_languages_whose_size_is_not_known_are_named():
    first = next(of_wikipedia(config(languages=["da", "als"], settings={"joint": {}}), False))
    assert first.endswith("without als, whose size is not known here")
