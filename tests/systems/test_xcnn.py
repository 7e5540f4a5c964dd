"""XCNN finds what was planted, and its stages are those of the paper."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.fitting.contract import Channel
from cr5.fitting.fit import fit
from cr5.systems.mono_xcnn import MonoXcnn
from cr5.systems.networks import monolingual
from cr5.systems.projections import linear
from cr5.systems.projections.solve import solve
from cr5.systems.s2net import S2Net
from cr5.systems.xcnn import Xcnn

SMALL = {"dimension": 32, "held_out": 0}


def test_the_table_is_between_minus_one_and_one_and_texts_add_up(planted):
    made = planted()
    model = fit(Xcnn(**SMALL, stage1_epochs=2, epochs=2), made.training).model
    counts = made.training.counts["es"][:3]
    assert np.abs(model.tables["es"]).max() < 1
    expected = unit_rows(counts.toarray().astype(float) @ model.tables["es"].astype(float))
    np.testing.assert_allclose(model.embed(counts, "es"), expected, atol=1e-6)


def test_stage_2_leaves_the_pivot_alone(planted):
    """The pivot's table is that of stage 1, whatever the other languages are."""
    two, three = planted(), planted(languages=("da", "en", "es"))
    few = Xcnn(**SMALL, stage1_epochs=3, epochs=2)
    model = fit(few, two.training).model
    chosen = monolingual.words_of(two.training, "en", few)
    alone, _ = monolingual.stage1(two.training, "en", chosen, few)
    np.testing.assert_array_equal(model.tables["en"], chosen.table("en", alone))
    assert set(fit(few, three.training).model.tables) == {"da", "en", "es"}


@pytest.mark.parametrize("judged", [False, True])
def test_stage_1_reads_the_channel(planted, judged):
    """Its judgements say what answers what; without any, texts that are alike do."""
    rows = planted().training.counts["en"][:9].toarray()
    documents = sparse.csr_matrix(rows[:3])
    queries, relevance = sparse.csr_matrix(rows[5:7]), sparse.csr_matrix([[0, 0, 2], [1, 0, 0]])
    channel = Channel(documents, *([queries, relevance] if judged else []))
    training = planted(channels={"en": channel}).training
    chosen = monolingual.words_of(training, "en", Xcnn())
    pairs = monolingual.monolingual(training, "en", chosen, Xcnn())
    expected = [queries, documents] if judged else [documents]
    X = chosen.rows("en", sparse.vstack(expected).tocsr())
    np.testing.assert_array_equal(pairs.X.toarray(), X.toarray())
    if judged:
        assert list(zip(pairs.queries, pairs.answers, strict=True)) == [(0, 2 + 2), (1, 2 + 0)]
    alone = monolingual.monolingual(training, "en", chosen, Xcnn(stage1="documents"))
    assert alone.X.shape[0] == training.counts["en"].shape[0]


def test_equal_texts_are_held_out_together_and_no_candidates_of_each_other(planted):
    counts = planted(n=60).training.counts["en"]
    doubled = planted(channels={"en": Channel(sparse.vstack([counts, counts]).tocsr())}).training
    chosen = monolingual.words_of(doubled, "en", Xcnn())
    pairs = monolingual.monolingual(doubled, "en", chosen, Xcnn())
    np.testing.assert_array_equal(pairs.groups, np.tile(pairs.groups[: len(pairs.groups) // 2], 2))
    np.testing.assert_array_equal(pairs.queries, pairs.groups)
    assert max(pairs.answers.max(), pairs.queries.max()) < counts.shape[0]


def test_documents_of_a_concept_are_of_one_group(planted, monkeypatch):
    """Two Spanish documents in turn are on a concept."""
    seen = []

    def noted(training, language, pairs, *_):
        seen.append(pairs)
        return np.zeros((pairs.X.shape[1], 4), np.float32), {}

    monkeypatch.setattr(monolingual, "trained", noted)
    n = planted(n=40).training.n_concepts
    concepts = {"en": np.arange(n), "es": np.arange(n) // 2}
    made = planted(n=40, concepts=concepts, n_concepts=n)
    fit(Xcnn(stage1="random", dimension=4), made.training)
    _, pairs = seen  # of both stages
    np.testing.assert_array_equal(pairs.groups, np.arange(n) // 2)
    np.testing.assert_array_equal(pairs.answers, np.arange(n) // 2)


def test_with_self_matches_no_pair_is_held_out(planted):
    """A text finds itself first, whatever the network: nothing to stop by."""
    published = Xcnn(self_matches=True, stage1_epochs=3, epochs=1, dimension=8)
    report = fit(published, planted().training).report
    assert report["stage1"]["held_out"] == 0
    assert report["stage1"]["best_epoch"] == 3
    assert report["es"]["held_out"] > 0


def test_judged_answers_are_held_out_with_self_matches_too(planted):
    made = planted()
    counts = made.training.counts["en"]
    judged = Channel(counts, counts, sparse.identity(counts.shape[0], format="csr"))
    training = planted(channels={"en": judged}).training
    published = Xcnn(self_matches=True, stage1_epochs=1, epochs=1, dimension=8)
    held_out = fit(published, training).report["stage1"]["held_out"]
    assert held_out == counts.shape[0] // 10


def test_a_random_table_is_as_it_was_drawn(planted):
    made = planted()
    drawing = Xcnn(**SMALL, stage1="random", epochs=1, pivot="es")
    fitted = fit(drawing, made.training)
    assert fitted.report["pivot"] == "es"
    assert len(fitted.report["stage1"]["epochs"]) == 1
    chosen = monolingual.words_of(made.training, "es", drawing)
    generator = np.random.default_rng([made.training.seed, *b"es"])
    drawn = 0.1 * generator.standard_normal((chosen.n, 32), np.float32)
    expected = chosen.table("es", np.tanh(drawn))
    np.testing.assert_allclose(fitted.model.tables["es"], expected, rtol=1e-6)


@pytest.mark.parametrize("dimension", [6, 80])
def test_an_autoencoder_is_the_nearest_to_the_texts_of_its_rank(planted, dimension):
    """Of 60 words there are at most 60 directions; further columns are drawn."""
    made = planted(n=200)
    starting = Xcnn(stage1="random", start="autoencoder", dimension=dimension, epochs=1)
    model = fit(starting, made.training).model
    chosen = monolingual.words_of(made.training, "en", starting)
    X = chosen.rows("en", made.training.counts["en"]).toarray()
    kept = np.argsort(chosen.numbers["en"])[-chosen.n :]
    W = np.arctanh(model.tables["en"][kept].astype(float))
    singular = np.linalg.svd(X, compute_uv=False)
    rank = min((singular > 1e-6).sum(), dimension)
    assert W[:, :rank].std() == pytest.approx(0.1, rel=1e-3)
    V = W[:, :rank] / np.linalg.norm(W[:, :rank], axis=0)
    np.testing.assert_allclose(V.T @ V, np.eye(rank), atol=1e-4)
    lost = np.square(X - X @ V @ V.T).sum()
    assert lost == pytest.approx(np.square(singular[rank:]).sum(), abs=1e-3 * np.square(X).sum())
    generator = np.random.default_rng([made.training.seed, *b"en"])
    drawn = 0.1 * generator.standard_normal((chosen.n, dimension), np.float32)
    np.testing.assert_allclose(W[:, rank:], drawn[:, rank:], rtol=1e-4)


def test_a_start_that_did_not_converge_is_reported(planted, monkeypatch):
    def unfinished(*given):
        return replace(solve(*given), facts={"converged": False, "unconverged": 3})

    monkeypatch.setattr(linear, "solve", unfinished)
    few = {"dimension": 4, "epochs": 1, "optimiser": "adam"}
    said = "3 of 4 eigenvectors have NOT CONVERGED: the start is inexact"
    for system, names in [
        (S2Net(**few), [""]),
        (Xcnn(**few, start="autoencoder", stage1_epochs=1), ["stage1: ", "es: "]),
        (MonoXcnn(dimension=4, start="autoencoder", stage1="random"), ["en: ", "es: "]),
    ]:
        warnings = fit(system, planted(n=60).training).report["warnings"]
        assert [each.partition(";")[0] for each in warnings] == [name + said for name in names]


def test_words_dropped_have_no_vector(planted):
    made = planted()
    few = Xcnn(**SMALL, skip_words=5, max_words=20, stage1_epochs=1, epochs=1)
    model = fit(few, made.training).model
    for x in ("en", "es"):
        frequency = made.training.counts[x].sum(axis=0).A1
        kept = np.flatnonzero(model.learned(x))
        assert len(kept) == 20
        assert frequency[kept].max() <= np.sort(frequency)[-6]


def test_mono_xcnn_is_stage_1_of_each_language(planted):
    """Within a language it finds texts of one leading topic; across languages nothing."""
    made = planted()
    options = SMALL | {"stage1_epochs": 5, "optimiser": "adam"}
    model = fit(MonoXcnn(**options), made.training).model
    pivot = fit(Xcnn(**options, epochs=1), made.training).model
    np.testing.assert_array_equal(model.tables["en"], pivot.tables["en"])
    for x in ("en", "es"):
        rows = model.embed(made.training.counts[x], x)
        cosines = rows @ rows.T
        np.fill_diagonal(cosines, -1)
        assert (
            made.topic[cosines.argmax(axis=1)] == made.topic
        ).mean() > 0.4  # by chance a twelfth
    assert made.translated(model) < 0.2
