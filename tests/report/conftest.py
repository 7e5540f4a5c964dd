"""A run's frames, small enough to read, of which every number is known."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cr5.report.names import Systems
from cr5.report.published import COLUMNS
from cr5.report.run import by_own_measure, mark


@pytest.fixture
def systems():
    return Systems(
        {
            "cr5": {"title": "Cr5", "colour": "#0072B2", "reference": "WSDM 2019"},
            "topics": {"title": "Topics"},
            "mapped": {"title": "Mapped", "maps_vectors": True},
        }
    )


def row(system, value, **changes):
    of = {"setting": "joint", "series": "joint", "kind": "joint", "label": "joint"}
    of |= {"task": "documents", "system": system, "similarity": "cosine", "metric": "Success@1"}
    of |= {"value": value, "ci_low": value - 0.05, "ci_high": value + 0.05, "n_queries": 400.0}
    of |= {"n_candidates": 1000.0, "directions": 2, "repetitions": 1, "query": "all"}
    return of | {"target": "all", **changes}


@pytest.fixture
def means():
    """Topics have `l1` alone."""
    rows = [("cr5", 0.25), ("topics", 0.125), ("mapped", 0.5)]
    return pd.DataFrame(
        [
            row(system, value + more, metric=metric, similarity="l1" if system == "topics" else x)
            for system, value in rows
            for x in (["cosine"] if system == "topics" else ["cosine", "csls"])
            for metric, more in (("Success@1", 0), ("Success@5", 0.25))
        ]
    )


@pytest.fixture
def scores(means):
    """Both directions, the second one a tenth higher."""
    found = [("da", "en", 0.0), ("en", "da", 0.1)]
    frames = [means.assign(query=x, target=y, value=means["value"] + z) for x, y, z in found]
    return pd.concat(frames, ignore_index=True)


@pytest.fixture
def tests(scores):
    """Mapped is better than Cr5, by CSLS not significantly; of own measures better than all."""
    rows = []
    for x, p in (("cosine", 0.01), ("csls", 0.2)):
        places = [("all", "all"), ("da", "en"), ("en", "da")]
        rows += [("mapped", "cr5", x, *place, p) for place in places]
    rows += [("mapped", y, "first", "all", "all", p) for y, p in (("cr5", 0.3), ("topics", 0.01))]
    columns = ["system", "other", "similarity", "query", "target", "p_holm"]
    found = pd.DataFrame(rows, columns=columns).assign(setting="joint", task="documents")
    return pd.concat([found.assign(metric=x) for x in ("Success@1", "Success@5")])


@pytest.fixture
def run(means, scores, tests, systems):
    """What tables and figures are made from; each test sets what it is about."""
    left_out = pd.DataFrame(columns=["setting", "system", "task", "reason", "repetition"])
    facts = {"corpus": "mine", "languages": ["da", "en"], "repetitions": 1, "seed": 7}
    facts |= {"measure": "cosine", "crowding": [], "points": []}
    return SimpleNamespace(
        **{"means": mark(means, tests).assign(published=np.nan), "systems": systems},
        scores=mark(scores, tests).assign(published=np.nan),
        own=by_own_measure(means, tests).assign(published=np.nan),
        **{"left_out": left_out, "main": "documents", "warnings": ["Cr5: rank <300> reduced"]},
        facts=facts,
        told=["1 of 3 <documents> are not there"],
        dimensions={},
        found_nothing={},
        compared=pd.DataFrame(columns=COLUMNS),
    )
