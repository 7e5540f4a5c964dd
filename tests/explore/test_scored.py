"""Scores of the nearest by a model with a second stage."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.counts.columns import untrained
from cr5.explore import scored
from cr5.explore.scored import Scorer, Space
from cr5.search import second_stage
from cr5.search.word_matches import matches
from cr5.tasks.base import Search, Texts, one_answer_each
from cr5.tasks.ranking import rank_all


@pytest.mark.parametrize("depth", [11, 100])
def test_the_scores_of_a_second_stage(made_bags, made_models, monkeypatch, depth):
    for module in (second_stage, scored):
        monkeypatch.setattr(module, "DEPTH", depth)  # some answers are beyond 11, none beyond 100
    model = replace(made_models["cr5"], rerank=0.5)
    ids = pd.Index(made_bags["en"].documents["concept"][:49])
    texts = {x: Texts.of_bags(made_bags[x], ids) for x in ("ar", "en")}
    relevance = one_answer_each(ids, ids)
    search = Search("ar", "en", texts["ar"], texts["en"], relevance)
    other = sparse.csr_matrix(np.ones((len(ids), 1), np.int32))  # a word that the model lacks
    spaces = {
        x: Space(
            ids,
            sparse.hstack([texts[x].counts, other], "csr"),
            [*model.words[x], untrained("unknown")],
        )
        for x in texts
    }
    rows = [model.embed(texts[x].counts, x).astype(float) for x in ("ar", "en")]
    words = [model.matched(texts[x].counts, x) for x in ("ar", "en")]
    n = len(ids)
    gain = 0.5 * matches(*words, *np.divmod(np.arange(n * n), n)).reshape(n, n)
    for found in rank_all([search], model, ["cosine", "csls"], csls_neighbourhood="queries"):
        key = "ar", "en", found.similarity
        ranks = found.queries.merge(found.answers, on="query")
        scorer = Scorer(model, spaces)
        scores = scorer.scores(key, ranks, found.queries["query"])
        assert (np.diff(scores) <= 1e-6).all()
        if found.similarity == "cosine":
            columns = ids.get_indexer(np.concatenate(ranks["nearest"].to_list())).reshape(n, -1)
            expected = np.take_along_axis(rows[0] @ rows[1].T + gain, columns, axis=1)
            np.testing.assert_allclose(scores, expected, atol=1e-6)
        assert (ranks["rank"] > depth).any() == (depth == 11)
        with pytest.raises(UserError, match="are of different runs"):
            Scorer(replace(model, rerank=0.4), spaces).scores(key, ranks, found.queries["query"])
