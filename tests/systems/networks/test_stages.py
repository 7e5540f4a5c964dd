"""What each stage of XCNN and S2Net learns from, and what it leaves as it was."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import normalize

from cr5.contracts.training import Channel
from cr5.fitting.fit import fit
from cr5.systems.networks import trained, training
from cr5.systems.networks.mono_xcnn import MonoXcnn
from cr5.systems.networks.s2net import S2net
from cr5.systems.networks.xcnn import Xcnn
from cr5.systems.projections import pencils
from cr5.systems.projections.opca import Opca


def counts_with_doubles():
    """Sixty texts; some are equal, two are empty but for a word of its own in one of these."""
    counts = np.random.default_rng(0).poisson(0.15, (60, 25))
    counts[7] = counts[2]
    counts[30] = counts[2]
    counts[[11, 12]] = 0
    counts[:, 24] = 0
    counts[12, 24] = 1
    return counts


@pytest.mark.parametrize("block", [7, 1024])
def test_answers_are_the_nearest_texts_with_other_counts(monkeypatch, block):
    """All cosines written out; of equal texts, which answer no other, the first stands for all."""
    monkeypatch.setattr(trained, "BLOCK", block)
    counts = counts_with_doubles()
    known = np.flatnonzero(counts.any(axis=1))
    n_having = (counts[known] > 0).sum(axis=0)
    idf = np.log(len(known) / np.maximum(n_having, 1)) + 1
    rows = normalize(counts * idf)
    queries = []
    answers = []
    for text in known:
        is_equal = (counts == counts[text]).all(axis=1)
        cosines = np.where(is_equal, 0, rows @ rows[text])
        nearest = np.flatnonzero(cosines > cosines.max() - 1e-6)[0]
        if cosines[nearest] > 0:
            queries.append(np.flatnonzero(is_equal)[0])
            answers.append(nearest)
    matrix = sparse.csr_matrix(counts)
    relevant = trained.most_relevant(matrix, self_matches=False)
    np.testing.assert_array_equal(relevant, [queries, answers])
    matches = trained.most_relevant(matrix, self_matches=True)
    np.testing.assert_array_equal(matches, [known, known])


def test_stage_1_reads_documents_and_judgements_of_a_channel(planted):
    """The first query is answered by document 2, the second by document 0, behind both queries."""
    counts = planted().counts["en"]
    documents = counts[:3]
    queries = counts[5:7]
    relevance = sparse.csr_matrix([[0, 0, 2], [1, 0, 0]])
    training_set = planted(channels={"en": Channel(documents, queries, relevance)})
    chosen = trained.columns_by_language(training_set, Xcnn())["en"]
    pairs = trained.monolingual(training_set, "en", chosen, Xcnn())
    texts = sparse.vstack([queries, documents]).tocsr()
    np.testing.assert_array_equal(pairs.X.toarray(), chosen.rows("en", texts).toarray())
    assert pairs.queries.tolist() == [0, 1]
    assert pairs.answers.tolist() == [2 + 2, 2 + 0]


def test_without_judgements_stage_1_reads_the_documents_of_a_channel(planted):
    documents = planted().counts["en"][:3]
    training_set = planted(channels={"en": Channel(documents)})
    chosen = trained.columns_by_language(training_set, Xcnn())["en"]
    pairs = trained.monolingual(training_set, "en", chosen, Xcnn())
    np.testing.assert_array_equal(pairs.X.toarray(), chosen.rows("en", documents).toarray())


@pytest.mark.parametrize("relevance", [None, sparse.csr_matrix([[0, 0, 2], [1, 0, 0]])])
def test_stage_1_may_read_training_documents_alone(planted, relevance):
    counts = planted().counts["en"]
    channel = Channel(counts[:3])
    if relevance is not None:
        channel = Channel(counts[:3], counts[5:7], relevance)
    training_set = planted(channels={"en": channel})
    chosen = trained.columns_by_language(training_set, Xcnn())["en"]
    pairs = trained.monolingual(training_set, "en", chosen, Xcnn(stage1="documents"))
    assert pairs.X.shape[0] == counts.shape[0]


def test_a_pivot_that_is_only_drawn(planted):
    """A word passes through its layers: the table is tanh of what was drawn, layer by layer."""
    training_set = planted()
    options = {"dimension": 8, "held_out": 0, "stage1": "random", "epochs": 1, "pivot": "es"}
    chosen = trained.columns_by_language(training_set, Xcnn())["es"]
    generator = np.random.default_rng([training_set.seed, *b"es"])
    W = 0.1 * generator.standard_normal((chosen.n, 8), np.float32)
    V = 0.1 * generator.standard_normal((8, 8), np.float32)
    first_layer = np.tanh(W)
    second_layer = np.tanh(first_layer @ V)
    of_one_layer = fit(Xcnn(**options), training_set)
    assert of_one_layer.report["pivot"] == "es"
    table = chosen.table("es", first_layer)
    np.testing.assert_allclose(of_one_layer.model.tables["es"], table, rtol=1e-6)
    of_two_layers = fit(Xcnn(**options, layers=2), training_set)
    table = chosen.table("es", second_layer)
    np.testing.assert_allclose(of_two_layers.model.tables["es"], table, rtol=1e-5)


def test_a_pivot_is_trained_alone_and_stays(planted):
    training_set = planted()
    options = {"dimension": 8, "held_out": 0, "stage1_epochs": 2}
    alone = fit(MonoXcnn(**options), training_set).model
    pivot = fit(Xcnn(**options, epochs=1), training_set).model
    np.testing.assert_array_equal(alone.tables["en"], pivot.tables["en"])


def test_with_self_matches_no_pair_is_held_out_unless_judged(planted):
    """A text finds itself first, whatever the network: nothing to stop by."""
    published = Xcnn(self_matches=True, stage1_epochs=3, epochs=1, dimension=8)
    training_set = planted()
    report = fit(published, training_set).report
    assert report["stage1"]["held_out"] == 0
    assert report["stage1"]["best_epoch"] == 3
    assert report["es"]["held_out"] > 0
    counts = training_set.counts["en"]
    n_documents = counts.shape[0]
    judged = Channel(counts, counts, sparse.identity(n_documents, format="csr"))
    report_of_judged = fit(published, planted(channels={"en": judged})).report
    assert report_of_judged["stage1"]["held_out"] == n_documents // 10


def test_before_the_first_epoch_s2net_is_opca(planted, monkeypatch):
    training_set = planted(n=200)
    monkeypatch.setattr(training, "train", lambda *_: {})
    s2net = fit(S2net(dimension=20, held_out=0), training_set).model
    opca = fit(Opca(dimensions=[20], skip_words=0), training_set).model
    for language, counts in training_set.counts.items():
        learned = s2net.tables[language][s2net.learned(language)]
        assert np.std(learned) == pytest.approx(0.1, rel=0.01)
        rows = s2net.embed(counts, language)
        rows_of_opca = opca.embed(counts, language)
        expected_cosines = rows_of_opca @ rows_of_opca.T
        np.testing.assert_allclose(rows @ rows.T, expected_cosines, atol=1e-4)


def test_opca_does_not_see_what_s2net_holds_out(planted, monkeypatch):
    """All pairs of a concept, in both directions, are held out together."""
    parts = []
    seen_by_opca = []
    opca = pencils.opca

    def train(parameters, held_out, training_pairs, *_):
        parts.extend([held_out, training_pairs])
        return {}

    def watched(documents, gamma):
        seen_by_opca.append(documents)
        return opca(documents, gamma)

    monkeypatch.setattr(training, "train", train)
    monkeypatch.setattr(pencils, "opca", watched)
    training_set = planted(n=300, languages=("da", "en", "es"))
    fit(S2net(dimension=5), training_set)
    held_out, training_pairs = parts
    [documents] = seen_by_opca
    n_concepts = training_set.n_concepts
    n_held_out = n_concepts // 10
    n_directions = 3 * 2
    assert len(held_out.queries) == n_directions * n_held_out
    assert len(training_pairs.queries) == n_directions * (n_concepts - n_held_out)
    trained_concepts = np.setdiff1d(np.arange(n_concepts), held_out.groups)
    concepts_of_documents = np.tile(np.arange(len(trained_concepts)), 3)
    np.testing.assert_array_equal(documents.concept, concepts_of_documents)
    rows = [n_concepts * language + trained_concepts for language in range(3)]
    expected = held_out.X[np.concatenate(rows)]
    np.testing.assert_allclose(documents.Z.toarray(), expected.toarray(), rtol=1e-6)
