"""The page, opened from the disk in a real browser, beside the run."""

import shutil
from urllib.parse import urlencode

import pandas as pd
import pytest

from cr5.explore import encoded, page

HITS = """[...document.querySelectorAll('[data-language="%s"] [data-system="%s"] li[data-id]')].map(
    (x) => [x.dataset.id, +x.dataset.rank, x.className,
    +x.querySelector('.score').textContent.replace('\u2212', '-')])"""


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


def test_a_document_that_was_not_asked_for_says_so(browser, written):
    browser.open(written, address(**{"from": "en", "query": "q40", "systems": "cr5"}))
    text = browser.value("document.querySelector('[data-language=vi] .note').textContent")
    assert text == "Not asked here: it is no test query of this direction."
    assert browser.mistakes == []


def test_details_lead_on_from_queries_alone(browser, written, finished):
    nearest = evaluation(finished, "cr5")[0]["q03"]
    other = next(x for x in nearest if x > "q23")
    for document, leads in (("q03", True), (other, False)):
        given = {"from": "en", "query": "q03", "systems": "cr5", "why": f"cr5:vi:{document}"}
        browser.open(written, address(**given))
        assert "text" in browser.value("document.querySelector('.details').textContent")
        assert browser.value("document.querySelector('.details .plain') !== null") == leads


def test_a_bounded_page_says_what_it_leaves_out(browser, finished, tmp_path):
    browser.open(page.write(finished, tmp_path / "page", ["cr5"], most=4).parent)
    foot = browser.value("byId('footer').textContent")
    assert "Of 144 test queries the page has 24" in foot
    assert "seed 7, configuration" in foot and "corpus ba9876543210" in foot
    assert browser.mistakes == []


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
