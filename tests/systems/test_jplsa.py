import numpy as np

from cr5.fitting import fit as fitting
from cr5.systems import jplsa
from cr5.tasks import documents
from cr5.tasks.base import Data
from cr5.tasks.ranking import rank_all

OPTIONS = {"dimensions": [10], "skip_words": 0, "check_every": 10, "max_iterations": 150}


def test_what_is_planted_is_found(made_up, prepare):
    """Three languages; each document is one of 10 topics for the most part."""
    drawn, training = prepare(made_up, with_counts=True)
    fit = fitting.fit(jplsa, training, OPTIONS)
    found = list(rank_all(documents.searches(Data(made_up, drawn), [*made_up], {}), fit.model))
    assert {each.similarity for each in found} == {"l1"}
    assert len(found) == 6
    for each in found:
        # of 20 queries among about 130 documents, 30 words each: by chance .04
        assert (1 / each.answers["rank"]).mean() > 0.25
    assert fit.report["validation"][fit.report["kept"]]["mrr"] > 0.25


def test_a_topic_is_words_of_all_languages(made_up, prepare):
    """Word i of Danish means what word i of English does."""
    _, training = prepare(made_up, with_counts=True)
    fit = fitting.fit(jplsa, training, OPTIONS)
    tables = {}
    for language in ("da", "en"):
        numbers = {word: i for i, word in enumerate(training.words[language])}
        frequent = [numbers[f"{language}{i}"] for i in range(50)]
        tables[language] = fit.model.tables[language][frequent]
    counts = np.asarray(training.counts["da"].sum(axis=0)).ravel()
    rows = [training.words["da"].index(f"da{i}") for i in range(50)]
    often = np.argsort(-counts[rows])[:30]
    apart = np.abs(tables["da"][often][:, None] - tables["en"][often][None]).sum(axis=-1)
    nearest = apart.argmin(axis=1) == np.arange(30)
    assert nearest.mean() > 0.5
