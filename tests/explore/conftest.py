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
from cr5.report.facts import FitFacts
from cr5.report.names import Systems
from cr5.scores import ranks
from cr5.scores.ranks import SEARCH
from cr5.search.ranking import Found

LANGUAGES = ("ar", "en", "vi")
SYSTEMS = ("cr5", "other", "worse")
CONCEPTS = np.array([f"q{number:02}" for number in range(50)])
QUERIES = CONCEPTS[:24]
NEAREST = 10
TITLES = {
    ("en", "q03"): "<script>document.title = 'stolen'</script> & <b>bold</b>",
    ("vi", "q03"): '<img src="x" onerror="document.title = 1">',
    ("vi", "q04"): "Chèn hàng vào bảng tính",
    ("ar", "q04"): "إدراج صفوف في الجدول",
    ("en", "q05"): "日本語の題名",
}


def search(query_language, target_language, measure, generator):
    """Candidates in some order, of which a few are often near."""
    n_concepts = len(CONCEPTS)
    scores = generator.random((len(QUERIES), n_concepts))
    scores *= np.linspace(0.5, 1, n_concepts)
    order = np.argsort(-scores, axis=1)
    scores = np.take_along_axis(scores, order, 1).astype(np.float32)
    row, place = np.nonzero(CONCEPTS[order] == QUERIES[:, None])
    answers = pd.DataFrame(
        {
            "query": QUERIES,
            "candidate": QUERIES,
            "grade": 1.0,
            "rank": 1 + place,
            "score": scores[row, place],
        }
    )
    queries = pd.DataFrame(
        {
            "query": QUERIES,
            "n_relevant": 1,
            "n_candidates": n_concepts,
            "depth": pd.NA,
            "nearest": CONCEPTS[order[:, :NEAREST]].tolist(),
            "scores": list(scores[:, :NEAREST]),
        }
    )
    return Found(query_language, target_language, measure, answers, queries)


def recorded(folder, systems=SYSTEMS, setting="joint", csls_neighbourhood="candidates"):
    """Write the record of the run to its folder, or to that of a first look."""
    config = {
        "seed": 7,
        "processor": "common",
        "corpus": {"name": "made_up"},
        "evaluation": {"csls_neighbourhood": csls_neighbourhood},
    }
    fits = [FitFacts(setting=setting, system=system, task="documents") for system in systems]
    fits.append(FitFacts(setting=setting, system="cr5", task="words"))
    facts = SimpleNamespace(configuration="cccccccccccc", systems=Systems({}), fits=fits)
    record = run.record(SimpleNamespace(facts=facts, notes={}), config)
    folder.mkdir(exist_ok=True)
    with NO_JOB.making(folder / "report", run.KIND, beside=[run.RECORD]):
        (folder / run.RECORD).write_text(json.dumps(record))
    return record


def write(folder, out, systems=(), setting=None):
    """Write the page as the command does."""
    setting, places = page.find(folder, page.ranked(folder), setting, systems)
    return page.write(folder, out, setting, places)


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The folder of the run."""
    folder = tmp_path_factory.mktemp("results") / "made_up"
    for language in LANGUAGES:
        documents = []
        for concept in CONCEPTS.tolist():
            title = TITLES.get((language, concept), f"{language} title {concept}")
            documents.append((concept, title, f"</script>{concept} " + "text " * 99))
        articles.write(folder / "documents" / language, documents, language)
    generator = np.random.default_rng(1)
    for system in SYSTEMS:
        place = folder / "ranks" / "joint" / system / "1" / "documents"
        keys = {"setting": "joint", "series": "joint", "kind": "joint"}
        keys |= {"system": system, "repetition": 1}
        searches = []
        for query_language, target_language in itertools.permutations(LANGUAGES, 2):
            for measure in ("cosine", "csls"):
                searches.append(search(query_language, target_language, measure, generator))
        assert len(list(ranks.write(place, keys, searches))) == 12
    recorded(folder)
    return folder


@pytest.fixture(scope="session")
def written(finished, tmp_path_factory):
    """The folder of the page of that run."""
    return write(finished, tmp_path_factory.mktemp("page") / "explore").parent


def content(folder, name):
    """What a file of data holds."""
    text = (folder / "data" / f"{name}.js").read_text(encoding="utf-8")
    begin = f'data["{name}"] = '
    end = ";\n"
    assert text.startswith(begin)
    assert text.endswith(end)
    return json.loads(text[len(begin) : -len(end)])


@pytest.fixture
def read(written):
    """A function from a name to what that file of the page's data holds."""

    def content_of(name, folder=written):
        return content(folder, name)

    return content_of


@pytest.fixture
def evaluation(finished):
    """A function: what the run found for queries of a direction, by query; from en to vi."""

    def ranks_of(system, similarity="cosine", query_language="en", target_language="vi"):
        folder = finished / "ranks" / "joint" / system / "1" / "documents"
        queries = pd.read_parquet(folder / "queries.parquet").set_index(SEARCH + ["query"])
        answers = pd.read_parquet(folder / "answers.parquet").set_index(SEARCH + ["query"])
        joined = queries.join(answers[["rank", "score"]])
        return joined.loc[query_language, target_language, similarity]

    return ranks_of
