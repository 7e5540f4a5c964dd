"""A run's frames, small enough to read, of which every number is known."""

import numpy as np
import pandas as pd
import pytest

from cr5.report.facts import RunFacts
from cr5.report.fits import Fits
from cr5.report.names import Systems
from cr5.report.published import COLUMNS
from cr5.report.run import Run, by_own_measure, mark

METRICS = {"Success@1": 0, "Success@5": 0.25}  # how much higher than the first
FACTS = {
    "configuration": "cccccccccccc",
    "corpus": "mine",
    "seed": 7,
    "repetitions": 1,
    "languages": ["da", "en"],
    "main_task": "documents",
    "tasks": ["documents"],
    "fits": [],
    "measure": "cosine",
    "examples": {},
    "published": [],
    "unique_words": [5, 1000],
    "points": [],
    "crowding": [],
}


@pytest.fixture
def systems():
    return Systems(
        {
            "cr5": {"title": "Cr5", "colour": "#0072B2", "reference": "WSDM 2019"},
            "topics": {"title": "Topics"},
            "mapped": {"title": "Mapped", "maps_vectors": True},
        }
    )


def mean_row(system, similarity, metric, value):
    """A mean over all directions."""
    return {
        "setting": "joint",
        "series": "joint",
        "kind": "joint",
        "label": "joint",
        "task": "documents",
        "system": system,
        "similarity": similarity,
        "metric": metric,
        "value": value,
        "ci_low": value - 0.05,
        "ci_high": value + 0.05,
        "n_queries": 400.0,
        "n_candidates": 1000.0,
        "directions": 2,
        "repetitions": 1,
        "query_language": "all",
        "target_language": "all",
    }


@pytest.fixture
def means():
    """Topics have `l1` alone."""
    rows = []
    for system, at_one in {"cr5": 0.25, "topics": 0.125, "mapped": 0.5}.items():
        for similarity in ["l1"] if system == "topics" else ["cosine", "csls"]:
            for metric, more in METRICS.items():
                rows.append(mean_row(system, similarity, metric, at_one + more))
    return pd.DataFrame(rows)


@pytest.fixture
def scores(means):
    """Both directions, the second one a tenth higher."""
    forth = means.assign(query_language="da", target_language="en")
    back = means.assign(query_language="en", target_language="da", value=means["value"] + 0.1)
    return pd.concat([forth, back], ignore_index=True)


@pytest.fixture
def tests(scores):
    """Mapped is better than Cr5, by CSLS not significantly; of own measures better than all."""
    rows = [
        ("mapped", "cr5", "first", "all", "all", 0.3),
        ("mapped", "topics", "first", "all", "all", 0.01),
    ]
    for direction in [("all", "all"), ("da", "en"), ("en", "da")]:
        rows.append(("mapped", "cr5", "cosine", *direction, 0.01))
        rows.append(("mapped", "cr5", "csls", *direction, 0.2))
    columns = ["system", "other", "similarity", "query_language", "target_language", "p_holm"]
    table = pd.DataFrame(rows, columns=columns).assign(setting="joint", task="documents")
    return pd.concat([table.assign(metric=metric) for metric in METRICS])


@pytest.fixture
def run(means, scores, tests, systems):
    """What tables and figures are made from; each test replaces what it is about."""
    nothing = pd.DataFrame()
    left_out = pd.DataFrame(columns=["setting", "system", "task", "reason", "repetition"])
    return Run(
        facts=RunFacts(**FACTS, systems=systems),
        scores=mark(scores, tests).assign(published=np.nan),
        means=mark(means, tests).assign(published=np.nan),
        first_means=by_own_measure(means, tests).assign(published=np.nan),
        curves=nothing,
        compared=pd.DataFrame(columns=COLUMNS),
        left_out=left_out,
        told=["1 of 3 <documents> are not there"],
        pairs=nothing,
        trained={},
        titles={},
        statistics=nothing,
        notes={},
        nearest=nothing,
        file_counts={},
        fits=Fits(nothing, {}, {}, ["Cr5: rank <300> reduced"]),
    )


def with_facts(run, **changes):
    """The same run, of which the configuration says something else."""
    facts = run.facts.model_dump(mode="json") | changes
    return with_frames(run, facts=RunFacts.model_validate(facts))


def with_frames(run, **changes):
    """The same run with other frames."""
    return Run(**{**vars(run), **changes})


def with_fits(run, **changes):
    """The same run, whose fits say something else."""
    return with_frames(run, fits=Fits(**{**vars(run.fits), **changes}))
