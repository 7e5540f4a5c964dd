import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.fitting import fit as fitting
from cr5.systems.cplsa import Cplsa
from cr5.systems.jplsa import Jplsa
from cr5.systems.pltm import Pltm
from cr5.systems.topics import training as fits

T, N, P = 40, 300, 1500


@pytest.fixture
def training(training_of):
    generator = np.random.default_rng(0)
    languages = ("da", "en")
    counts = {
        x: sparse.random_array((N, P), density=0.05, rng=generator, format="csr") for x in languages
    }
    for each in counts.values():
        each.data = 1 + generator.poisson(1, each.nnz)
    return training_of(
        {x: [f"{x}{i}" for i in range(P)] for x in languages},
        counts={x: sparse.csr_matrix(each) for x, each in counts.items()},
        concepts={x: np.arange(N) for x in languages},
        n_concepts=N,
    )


@pytest.mark.parametrize("kind", [Jplsa, Cplsa, Pltm])
def test_the_estimate_is_what_a_fit_takes(training, kind, monkeypatch):
    told, scores = [], iter([0.1, 0.3, 0.2, 0.4])
    monkeypatch.setattr(
        fits, "check_memory", lambda em, *n: told.append((em.corpus, em.bytes_needed(*n)))
    )
    monkeypatch.setattr(fits, "CHECK_EVERY", 1)
    more = {"burn_in": 0} if kind is Pltm else {}
    system = kind(dimensions=[T], max_iterations=4, skip_words=0, **more)
    given = replace(training, validate=lambda model: next(scores))
    once = replace(training, validate=lambda model: 0.5)
    fitting.fit(system, once)  # the compiler takes more
    told.clear()
    tracemalloc.start()
    fitting.fit(system, given)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    corpus, estimated = told[0]
    held = (corpus.counts, corpus.by_word)
    beside = sum(x.data.nbytes + x.indices.nbytes + x.indptr.nbytes for x in held)
    assert 0.7 * estimated < peak - beside < 1.4 * estimated


def test_what_does_not_fit_is_refused(training, monkeypatch):
    monkeypatch.setattr("cr5.base.memory.available_bytes", lambda: 10**5)
    with pytest.raises(UserError, match=r"40 topics: about .* of memory are needed"):
        fitting.fit(Jplsa(dimensions=[20, T], skip_words=0), training)
