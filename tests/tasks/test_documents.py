import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.counts import bags
from cr5.counts.bags import Bags
from cr5.fitting.validation import validation
from cr5.splits import draw as splits
from cr5.tasks import documents as retrieval


@pytest.fixture
def planted():
    """Three languages in which a concept's bag is the same, but for a little noise."""
    generator = np.random.default_rng(0)
    shared = generator.poisson(1.0, (400, 30))
    built = {}
    for language in ("da", "en", "vi"):
        counts = sparse.csr_matrix(shared + generator.poisson(0.05, shared.shape)).astype(np.int32)
        documents = pd.DataFrame({"concept": [f"c{i:03}" for i in range(400)], "n_unique": 9})
        built[language] = Bags(counts, pd.DataFrame({"word": range(30)}), documents)
    documents = {x: b.documents for x, b in built.items()}
    pairs = list(itertools.combinations(built, 2))
    drawn = splits.draw(documents, pairs, splits.Sizes(30, 20, 100), 0)
    return built, splits.split(drawn, list(built))


def identity(counts, language):
    return unit_rows(counts.toarray().astype(np.float32))


def test_every_directed_pair_is_ranked_and_each_query_once(planted):
    built, split = planted
    found = dict(retrieval.rank_all(built, split, identity))
    assert set(found) == set(itertools.permutations(built, 2))
    for (query, target), frame in found.items():
        pair = "-".join(sorted((query, target)))
        for _, group in frame.groupby("similarity"):
            assert group["concept"].tolist() == list(splits.concepts(split, "test", query, pair))
        assert set(frame["n_candidates"]) == {len(splits.concepts(split, "candidate", target))}
        assert (frame["rank"] == 1).mean() > 0.95


def test_a_pair_without_queries_is_left_out(planted):
    built, split = planted
    split = split[split["pair"] != "da-vi"]
    found = dict(retrieval.rank_all(built, split, identity))
    assert set(found) == {("da", "en"), ("en", "da"), ("en", "vi"), ("vi", "en")}


def test_pairs_keep_the_order_of_the_languages_given(planted):
    built, split = planted
    split = split.assign(pair=split["pair"].replace({"da-en": "en-da"}))
    turned = {x: built[x] for x in ("en", "da", "vi")}
    assert len(dict(retrieval.rank_all(turned, split, identity))) == 6


def test_neighbourhood_of_queries_only_changes_csls_alone(planted):
    built, split = planted
    one, other = (
        pd.concat(f for _, f in retrieval.rank_all(built, split, identity, csls_neighbourhood=kind))
        for kind in ("candidates", "queries")
    )
    is_cosine = one["similarity"] == "cosine"
    assert one[is_cosine].equals(other[is_cosine])
    assert not np.allclose(one.loc[~is_cosine, "score"], other.loc[~is_cosine, "score"])


def test_validation_criterion_is_the_mean_reciprocal_rank_over_directed_pairs(planted):
    built, split = planted
    weights = dict.fromkeys(built, np.ones(30))
    tables = dict.fromkeys(built, np.eye(30, dtype=np.float32))
    expected = []
    for query, target in itertools.permutations(built, 2):
        pair = "-".join(sorted((query, target)))
        queries = splits.concepts(split, "validation", query, pair)
        space = splits.search_space(split, target, "validation")
        Q, C = (
            unit_rows(built[x].counts[built[x].rows(c)].toarray().astype(float))
            for x, c in ((query, queries), (target, space))
        )
        cosines = Q @ C.T
        own = cosines[np.arange(len(queries)), space.get_indexer(queries)]
        expected.append((1 / (cosines >= own[:, None] - 1e-6).sum(axis=1)).mean())
    score = validation(built, split, weights, "raw")
    assert score(tables) == pytest.approx(np.mean(expected))
    assert score(tables) > 0.9
    shuffled = np.random.default_rng(0).permutation(np.eye(30, dtype=np.float32))
    assert score({**tables, "vi": shuffled}) < score(tables)


def test_ranks_are_read_back_with_their_names(planted, tmp_path):
    built, split = planted
    (query, target), frame = next(retrieval.rank_all(built, split, identity))
    frame.to_parquet(tmp_path / f"{query}-{target}.parquet")
    [(names, read)] = retrieval.load_ranks([tmp_path], [("joint", "toy")])
    assert names == {"setting": "joint", "system": "toy", "query": "da", "target": "en"}
    assert read["rank"].tolist() == frame["rank"].tolist()
    assert list(read["nearest"].iloc[0]) == frame["nearest"].iloc[0]


def test_summary_of_a_pair():
    frame = pd.DataFrame({"similarity": ["cosine"] * 4 + ["csls"], "rank": [1, 2, 1, 1, 7]})
    assert retrieval.summary(frame) == "cosine 0.750, csls 0.000"


def test_a_split_that_does_not_fit_the_bags(planted):
    built, split = planted
    fewer = bags.Bags(built["da"].counts[:10], built["da"].words, built["da"].documents.iloc[:10])
    with pytest.raises(KeyError):
        dict(retrieval.rank_all({**built, "da": fewer}, split, identity))
