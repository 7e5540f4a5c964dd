"""Runs and qrels, as other programs read them; that they compute our figures is a promise."""

import ir_measures
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.models.word_tables import WordTables
from cr5.scores import ranks, runs
from cr5.scores.metrics import values
from cr5.search.options import SearchOptions
from cr5.tasks.base import Search, Texts
from cr5.tasks.ranking import rank_all

WORDS = list("abcd")
DIRECTIONS = [("da", "en"), ("en", "da")]


def texts(prefix, n, generator):
    """Few different texts, so that many tie; ids as others would not like them."""
    counts = sparse.csr_matrix(generator.integers(0, 2, (n, 4)))
    return Texts(pd.Index([f"{prefix} {i % 7}%{i}" for i in range(n)]), counts)


def searches(depth=None, seed=0):
    """30 queries with up to 5 graded documents of 80; the first one has none."""
    generator = np.random.default_rng(seed)
    for query, target in DIRECTIONS:
        grades = generator.integers(1, 4, (30, 80)) * (generator.random((30, 80)) < 0.03)
        grades[0] = 0
        texts_of = texts("q", 30, generator), texts("d", 80, generator)
        yield Search(query, target, *texts_of, sparse.csr_matrix(grades), depth=depth)


@pytest.fixture
def model():
    table = np.eye(4, dtype=np.float32)
    languages = ("da", "en")
    ones = dict.fromkeys(languages, np.ones(4))
    return WordTables(dict.fromkeys(languages, WORDS), dict.fromkeys(languages, table), ones)


@pytest.fixture
def written(tmp_path, keys, model):
    """A function: the ranks as read again, and the folder of their run files."""

    def make(run_depth, **options):
        place = tmp_path / "ranks"
        found = rank_all(searches(**options), model, how=SearchOptions(run_depth=run_depth))
        list(ranks.write(place, keys, found))
        runs.write(tmp_path / "runs", [place])
        return ranks.read(place)[1], tmp_path / "runs" / "joint_da-en" / "cr5" / "0" / "documents"

    return make


def lines(path):
    return [line.split() for line in path.read_text().splitlines()]


def test_other_programs_count_every_query_of_a_search_that_looks_at_the_nearest_alone(written):
    read, folder = written(10, depth=1)
    assert len(read) == 4
    for (query, target, measure), ranked in read.items():
        stem = folder / f"{query}-{target}"
        qrels = list(ir_measures.read_trec_qrels(f"{stem}.qrels"))
        run = ir_measures.read_trec_run(f"{stem}.{measure}.run")
        theirs = ir_measures.calc_aggregate([ir_measures.Success @ 1], qrels, run)
        expected = pytest.approx(values(ranked, "Success@1").mean())
        assert theirs == {ir_measures.Success @ 1: expected}
    assert {line[3] for path in folder.glob("*.run") for line in lines(path)} == {"1"}


def test_scores_fall_strictly_even_in_float32(written):
    _, folder = written(20)
    paths = sorted(folder.glob("*.run"))
    assert len(paths) == 2 * len(DIRECTIONS)  # cosine, csls
    for path in paths:
        found = pd.DataFrame(lines(path), columns=["query", "q0", "id", "rank", "score", "tag"])
        assert len(found) == 30 * 20
        assert set(found["tag"]) == {"cr5"}
        for _, of_query in found.groupby("query"):
            assert of_query["rank"].astype(int).tolist() == list(range(1, 21))
            assert (np.diff(of_query["score"].astype(np.float32)) < 0).all()


def test_ranks_without_runs_say_which_key_keeps_them(tmp_path, keys, found):
    list(ranks.write(tmp_path / "ranks", keys, [found("da", "en", [1])]))
    with pytest.raises(UserError, match=r"not kept; set evaluation\.run_depth"):
        runs.write(tmp_path / "runs", [tmp_path / "ranks"])
    assert not (tmp_path / "runs").exists()
