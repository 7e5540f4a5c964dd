"""The page, opened from the disk in a real browser, beside the run and beside plain numpy."""

import json
import re
import shutil
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import pytest

from cr5.explore import encoded, page
from cr5.explore.shelves import Limits
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.why import why
from cr5.search.word_matches import matches

HITS = """[...document.querySelectorAll('[data-language="%s"] [data-system="%s"] li[data-id]')].map(
    (x) => [x.dataset.id, +x.dataset.rank, x.className,
    +x.querySelector('.score').textContent.replace('\u2212', '-')])"""
TYPED = "enwaab enwaab enwaac enwabe nothing"


def address(**state):
    return urlencode(state)


def hits(browser, language, system):
    """Id, rank, class and score of each document in a list."""
    return browser.value(HITS % (language, system))


def evaluation(finished, system, similarity="cosine"):
    """Nearest and true rank of all queries from English to Vietnamese, by query."""
    folder = finished / "ranks" / "joint" / system / "1" / "documents"
    asked = "query_language == 'en' and target_language == 'vi' and similarity == @similarity"
    frames = [pd.read_parquet(folder / f"{x}.parquet") for x in ("queries", "answers")]
    found = [
        x.query(asked, local_dict={"similarity": similarity}).set_index("query") for x in frames
    ]
    return found[0]["nearest"], found[1]["rank"]


def vectors(model, counts, language):
    rows = model.embed(counts, language)
    parts = [rows.dense, rows.sparse] if hasattr(rows, "dense") else [rows]
    return np.hstack([x if isinstance(x, np.ndarray) else x.toarray() for x in parts])


@pytest.mark.parametrize(("system", "measure"), [("cr5", "cosine"), ("joined", "csls")])
def test_a_link_to_a_query_shows_what_the_evaluation_found(
    browser, written, finished, system, measure
):
    nearest, rank = evaluation(finished, system, measure)
    far = rank.idxmax()
    assert rank[far] > 10
    for query in (rank.idxmin(), far):
        browser.open(
            written,
            address(**{"from": "en", "query": query, "systems": system, "measure": measure}),
        )
        found = hits(browser, "vi", system)
        assert [x[0] for x in found[:10]] == list(nearest[query])
        true = [x for x in found if "true" in x[2]]
        assert [x[:2] for x in true] == [[query, rank[query]]]
        assert len(found) == (11 if rank[query] > 10 else 10)
        text = browser.value("document.querySelector('[data-language=vi] .found').textContent")
        assert text == f"True counterpart at rank {rank[query]} of 50"
    assert browser.mistakes == []


def test_two_systems_side_by_side(browser, written, finished):
    given = {"from": "en", "query": "q03", "systems": "towards,cr5", "to": "vi"}
    browser.open(written, address(**given))
    for system in ("towards", "cr5"):
        wanted = evaluation(finished, system)[0]["q03"]
        assert [x[0] for x in hits(browser, "vi", system)[:10]] == list(wanted)
    assert browser.value("document.querySelectorAll('[data-language]').length") == 1


def test_words_that_were_not_learned_find_nothing_and_are_not_found(browser, written):
    said = "document.querySelector('[data-language=vi]').textContent"
    for query in ({"text": "enwbbj"}, {"query": "q49"}):
        browser.open(written, address(**{"from": "en", "systems": "cr5", **query}))
        assert "None of these 1 words was in a training document." in browser.value(said)
    browser.open(written, address(**{"from": "en", "systems": "cr5", "text": "enwbbj enwaab"}))
    assert len(hits(browser, "vi", "cr5")) == 10
    without = "rowsOf(systemOf('cr5'), 'vi').then((rows) => rows.indexOf(null))"
    assert browser.value(without) == 49
    assert browser.mistakes == []


@pytest.mark.parametrize("system", ["cr5", "joined", "strings"])
def test_typed_words_find_what_the_unrounded_vectors_find(
    browser, written, made_models, made_bags, system
):
    model = made_models[system]
    counts = Embedder(model, {}, "").count([TYPED], "en").counts
    X = vectors(model, counts, "en")
    Y = vectors(model, made_bags["vi"].counts[:50], "vi")
    E = vectors(model, made_bags["en"].counts[:50], "en")
    cosines = X[0] @ Y.T
    hubness = np.sort(Y @ E.T, axis=1)[:, -10:].mean(axis=1)
    learned = np.arange(50) != 49
    csls = 2 * cosines - np.sort(cosines[learned])[-10:].mean() - hubness
    if model.rerank:
        texts = (counts, "en"), (made_bags["vi"].counts[:50], "vi")
        words = [model.matched(*each) for each in texts]
        gain = model.rerank * matches(*words, np.zeros(50, int), np.arange(50))
        cosines, csls = cosines + gain, csls + 2 * gain
    for measure, scores in (("cosine", cosines), ("csls", csls)):
        scores[~learned] = -np.inf
        given = {"from": "en", "text": TYPED, "systems": system, "measure": measure}
        browser.open(written, address(**given))
        found = hits(browser, "vi", system)
        places = [int(name[1:]) for name, *_ in found]
        assert len(set(places)) == 10
        shown = [score for *_, score in found]
        assert shown == pytest.approx(scores[places], abs=0.006)
        # nothing that is clearly nearer is left out
        assert scores[places].min() > np.sort(scores)[-10] - 0.012
        text = browser.value("document.querySelector('.query').textContent")
        assert "enwaab, enwaac, enwabe" in text
        assert "Not known: nothing" in text
    assert browser.mistakes == []


def test_a_document_that_is_no_query_is_searched_for_as_well(
    browser, written, made_models, made_bags
):
    model = made_models["cr5"]
    rows = {x: vectors(model, made_bags[x].counts[:50], x) for x in ("en", "vi")}
    scores = rows["en"][40] @ rows["vi"][:49].T
    browser.open(written, address(**{"from": "en", "query": "q40", "systems": "cr5"}))
    found = hits(browser, "vi", "cr5")
    assert [x[-1] for x in found[:10]] == pytest.approx(np.sort(scores)[:-11:-1], abs=0.006)
    rank = 1 + int((scores > scores[40]).sum())
    assert [x[:2] for x in found if "true" in x[2]] == [["q40", rank]]
    text = browser.value("document.querySelector('[data-language=vi] .found').textContent")
    assert "computed here from rounded vectors, as this is no test query" in text


@pytest.mark.parametrize("system", ["cr5", "joined", "strings"])
def test_parts_of_words_beside_those_of_the_package(
    browser, written, made_models, made_bags, system
):
    counts = {x: made_bags[x].counts for x in ("en", "vi")}
    words = {x: made_bags[x].words["word"] for x in counts}
    texts = {
        x: " ".join(np.repeat(words[x], counts[x][row].toarray()[0]))
        for x, row in (("en", 3), ("vi", 5))
    }
    wanted = why(Embedder(made_models[system], {}, ""), texts["en"], "en", texts["vi"], "vi", 8)
    browser.open(written, address(**{"from": "en", "query": "q03", "systems": system}))
    parts = json.loads(
        browser.value(
            f"why(systemOf('{system}'), 'vi', 5).then((made) => JSON.stringify([made.querySelector("
            "'.note').textContent, ...[...made.querySelectorAll('ol')].map((list) => [...list."
            "children].map((x) => [...x.children].map((y) => y.textContent)))]))"
        )
    )
    assert float(re.search(r"cosine, (−?[\d.]+),", parts[0])[1].replace("−", "-")) == pytest.approx(
        wanted.score, abs=0.006
    )
    pairs = [(f"{x} · {y}", value) for x, y, value in wanted.pairs]
    matched = [(f"{x} · {y}", value) for x, y, value in wanted.matches]
    every = [wanted.query, wanted.text, pairs, *([matched] if matched else [])]
    assert bool(matched) == (system == "joined")
    for shown, all_parts in zip(parts[1:], every, strict=True):
        values = [float(value.replace("−", "-")) for _, value in shown]
        assert values == pytest.approx([x for _, x in all_parts[:8]], abs=0.006)
        known = {name.replace("(in every text)", ""): value for name, value in all_parts}
        assert known[shown[0][0].replace("(in every text)", "")] == pytest.approx(
            values[0], abs=0.006
        )


def test_a_bounded_page_says_what_it_leaves_out(browser, finished, tmp_path):
    limits = Limits(queries=4, documents=10, words=50)
    out = page.write(finished, tmp_path / "page", ["cr5"], limits=limits).parent
    browser.open(out, address(**{"from": "en", "text": TYPED}))
    text = browser.value("document.querySelector('[data-language=vi] .found').textContent")
    assert text.startswith("Nearest of 10 that are on this page, of 50 candidates · computed here")
    assert "by the words that this page has" in browser.value(
        "why(systemOf('cr5'), 'vi', 0).then((made) => made.textContent)"
    )
    foot = browser.value("byId('footer').textContent")
    assert "English: 10 of 50 documents, 50 of 120 words" in foot
    assert "Of 144 test queries the page has 24" in foot
    assert "seed 7, configuration" in foot and "corpus ba9876543210" in foot
    assert browser.mistakes == []


def test_a_model_that_cannot_be_asked_says_why(browser, written):
    browser.open(written, address(**{"from": "en", "text": TYPED, "systems": "towards"}))
    text = browser.value("document.querySelector('[data-language=vi] .note').textContent")
    assert text.startswith("towards cannot be asked here: its vectors depend on the language")
    browser.open(written, address(**{"from": "en", "text": "never heard", "systems": "cr5"}))
    text = browser.value("document.querySelector('[data-language=vi] .note').textContent")
    assert text == "None of these words is known."


def test_a_system_without_the_measure_shows_what_was_found_by_its_own(
    browser, written, finished, read, tmp_path
):
    folder = shutil.copytree(written, tmp_path / "page")
    about = read("about")
    (towards,) = (x for x in about["systems"] if x["id"] == "towards")
    towards["measures"] = ["cosine"]
    encoded.write(folder / "data", "about", about)
    given = {"from": "en", "query": "q03", "systems": "cr5,towards", "measure": "csls", "to": "vi"}
    browser.open(folder, address(**given))
    nearest, rank = evaluation(finished, "towards")
    assert [x[0] for x in hits(browser, "vi", "towards")[:10]] == list(nearest["q03"])
    said = browser.value("document.querySelector('[data-system=towards] .found').textContent")
    assert said == f"True counterpart at rank {rank['q03']} of 50, by cosine"
    assert browser.mistakes == []


def test_hubs_and_failing_queries_lead_to_what_was_found(browser, written, finished):
    nearest, rank = evaluation(finished, "cr5")
    browser.open(written, address(**{"from": "en", "systems": "cr5", "to": "vi", "view": "hubs"}))
    first = browser.value(
        "(() => { const x = document.querySelector('li[data-id]'); x.firstChild.click(); "
        "return [x.dataset.id, +x.querySelector('.score').textContent]; })()"
    )
    browser.wait("document.querySelector('.links .link')")
    assert browser.value("document.querySelectorAll('.links .link').length") == first[1]
    assert sum(first[0] in row for row in nearest) == first[1]
    browser.value("byId('views').querySelector('[data-view=fails]').click()")
    browser.wait("document.querySelector('.explained')?.textContent.startsWith('Queries')")
    shown = browser.value("[...document.querySelectorAll('.score')].map((x) => +x.textContent)")
    assert shown == sorted(rank[rank > 1], reverse=True)[:30]
    browser.value("document.querySelector('.hit').click()")
    browser.wait(f"document.querySelector('.found b')?.textContent === '{rank.max()}'")
    assert browser.mistakes == []
