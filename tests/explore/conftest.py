"""A finished run of three made-up languages, whose ranks are drawn, and its page."""

import itertools
import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cr5.base.artefacts import NO_JOB
from cr5.counts import documents as articles
from cr5.explore import page
from cr5.report import run
from cr5.scores import ranks
from cr5.search.ranking import Found

LANGUAGES = ("ar", "en", "vi")
SYSTEMS = ("cr5", "other", "worse")
CONCEPTS = np.array([f"q{number:02}" for number in range(50)])
QUERIES = CONCEPTS[:24]
TITLES = {
    ("en", "q03"): "<script>document.title = 'stolen'</script> & <b>bold</b>",
    ("vi", "q03"): '<img src="x" onerror="document.title = 1">',
    ("vi", "q04"): "Chèn hàng vào bảng tính",
    ("ar", "q04"): "إدراج صفوف في الجدول",
    ("en", "q05"): "日本語の題名",
}


def found(query, target, measure, generator):
    """Candidates in some order, of which a few are often near."""
    scores = generator.random((len(QUERIES), len(CONCEPTS))) * np.linspace(0.5, 1, len(CONCEPTS))
    order = np.argsort(-scores, axis=1)
    scores = np.take_along_axis(scores, order, 1).astype(np.float32)
    own, place = np.nonzero(CONCEPTS[order] == QUERIES[:, None])
    answers = {"candidate": QUERIES, "grade": 1.0, "rank": 1 + place, "score": scores[own, place]}
    about = {"n_relevant": 1, "n_candidates": len(CONCEPTS), "depth": pd.NA}
    about |= {"nearest": CONCEPTS[order[:, :10]].tolist(), "scores": list(scores[:, :10])}
    frames = (pd.DataFrame({"query": QUERIES} | each) for each in (answers, about))
    return Found(query, target, measure, *frames)


def recorded(folder, systems=SYSTEMS, setting="joint", **config):
    """Write the record of the run to its folder, or to that of a first look."""
    config = {"seed": 7, "processor": "common", "corpus": {"name": "made_up"}} | config
    config.setdefault("evaluation", {"csls_neighbourhood": "candidates"})
    fits = [(setting, x, "documents") for x in systems] + [(setting, "cr5", "words")]
    facts = {"configuration": "cccccccccccc", "systems": {}, "fits": fits}
    about = run.record(SimpleNamespace(facts=facts, notes={}), config)
    folder.mkdir(exist_ok=True)
    with NO_JOB.making(folder / "report", run.KIND, beside=[run.RECORD]):
        (folder / run.RECORD).write_text(json.dumps(about))
    return about


def write(folder, out, systems=(), setting=None):
    """Write the page as the command does."""
    return page.write(folder, out, *page.find(folder, page.ranked(folder), setting, systems))


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The folder of the run."""
    folder = tmp_path_factory.mktemp("results") / "made_up"
    for language in LANGUAGES:
        titles = [TITLES.get((language, x), f"{language} title {x}") for x in CONCEPTS]
        texts = [f"</script>{x} " + "text " * 99 for x in CONCEPTS]
        rows = zip(CONCEPTS.tolist(), titles, texts, strict=True)
        articles.write(folder / "documents" / language, rows, language)
    generator = np.random.default_rng(1)
    directions = list(itertools.permutations(LANGUAGES, 2))
    for system in SYSTEMS:
        place = folder / "ranks" / "joint" / system / "1" / "documents"
        keys = dict.fromkeys(["setting", "series", "kind"], "joint")
        keys |= {"system": system, "repetition": 1}
        searches = itertools.product(directions, ("cosine", "csls"))
        every = (found(*pair, measure, generator) for pair, measure in searches)
        assert len(list(ranks.write(place, keys, every))) == 12
    recorded(folder)
    return folder


@pytest.fixture(scope="session")
def written(finished, tmp_path_factory):
    """The folder of the page of that run."""
    return write(finished, tmp_path_factory.mktemp("page") / "explore").parent


def content(folder, name):
    """What a file of data holds."""
    text = (folder / "data" / f"{name}.js").read_text(encoding="utf-8")
    begin, end = f'data["{name}"] = ', ";\n"
    assert text.startswith(begin) and text.endswith(end)
    return json.loads(text[len(begin) : -len(end)])


@pytest.fixture
def read(written):
    """A function from a name to what that file of the page's data holds."""
    return lambda name, folder=written: content(folder, name)


@pytest.fixture
def evaluation(finished):
    """A function: what the run found for queries of a direction, by query; from en to vi."""

    def found(system, similarity="cosine", query="en", target="vi"):
        folder = finished / "ranks" / "joint" / system / "1" / "documents"
        place = ["query_language", "target_language", "similarity"]
        queries, answers = (
            pd.read_parquet(folder / f"{name}.parquet").set_index([*place, "query"])
            for name in ("queries", "answers")
        )
        return queries.join(answers[["rank", "score"]]).loc[query, target, similarity]

    return found
