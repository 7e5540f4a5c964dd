"""The page, opened from the disk in a real browser, beside the run."""

import itertools
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlencode

import pytest
from lxml import html

from cr5.explore import page, serve
from tests.kit.server import running

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
OPTIONS += ["--virtual-time-budget=10000", "--dump-dom"]


def browser():
    """The path of the first program that is there."""
    for name in PROGRAMS:
        path = shutil.which(name)
        if path:
            return path
    return None


@pytest.fixture(scope="session")
def shown(tmp_path_factory):
    """Return a function from a page's folder and address to what a browser makes of it."""
    program = browser()
    if program is None:
        pytest.skip(f"no browser is there to open the page: none of {', '.join(PROGRAMS)}")
    profile = tmp_path_factory.mktemp("browser")

    def opened(folder, at=None, **state):
        page_address = at or (folder / "index.html").as_uri()
        address = f"{page_address}#{urlencode(state)}"
        command = [program] + OPTIONS + [f"--user-data-dir={profile}", address]
        done = subprocess.run(command, capture_output=True, timeout=100, check=True)
        return html.document_fromstring(done.stdout.decode())

    return opened


def of_class(element, name):
    return element.xpath(f".//*[contains(concat(' ', @class, ' '), ' {name} ')]")


def text(element, name):
    """The text of the first element of a class."""
    return of_class(element, name)[0].text_content()


def main_text(document):
    """The text of the page without what stands around it."""
    return document.xpath("//main")[0].text_content()


@dataclass(frozen=True)
class Listed:
    """A document in a list of the page."""

    concept: str
    rank: int
    mark: str | None  # "true" for the counterpart


def hits(document, system):
    """The documents in a system's list of Vietnamese ones."""
    items = document.xpath(f"//*[@data-language='vi']//*[@data-system='{system}']//li")
    listed = []
    for item in items:
        concept = item.get("data-id")
        rank = int(item.get("value"))
        listed.append(Listed(concept, rank, item.get("class")))
    return listed


def concepts_of(listed):
    return [document.concept for document in listed]


@pytest.mark.parametrize("is_far", [False, True])
@pytest.mark.parametrize(("system", "measure"), [("cr5", "cosine"), ("other", "csls")])
def test_a_link_to_a_query_shows_what_the_evaluation_found(
    shown, written, evaluation, system, measure, is_far
):
    """A counterpart beyond the ten nearest stands below these."""
    table = evaluation(system, measure)
    query = table["rank"].idxmax() if is_far else table["rank"].idxmin()
    rank = table["rank"][query]
    assert (rank > 10) == is_far
    state = {"from": "en", "query": query, "system": system, "measure": measure}
    document = shown(written, **state)
    listed = hits(document, system)
    assert concepts_of(listed[:10]) == list(table["nearest"][query])
    [counterpart] = [hit for hit in listed if hit.mark == "true"]
    assert counterpart.concept == query
    assert counterpart.rank == rank
    assert len(listed) == (11 if is_far else 10)
    vietnamese = document.xpath("//*[@data-language='vi']")[0]
    assert f"True counterpart at rank {rank} of 50" in vietnamese.text_content()


def test_two_systems_side_by_side(shown, written, evaluation):
    state = {"from": "en", "query": "q03", "system": "worse", "beside": "cr5", "to": "vi"}
    document = shown(written, **state)
    for system in ("worse", "cr5"):
        nearest = evaluation(system)["nearest"]["q03"]
        assert concepts_of(hits(document, system)[:10]) == list(nearest)
    assert len(document.xpath("//*[@data-language]")) == 1


OF_CR5 = {"from": "en", "system": "cr5", "to": "vi", "measure": "cosine"}


def test_the_document_that_is_near_to_most_queries_is_the_first_hub(shown, written, evaluation):
    nearest = evaluation("cr5")["nearest"]
    [(hub, n_queries)] = Counter(itertools.chain.from_iterable(nearest)).most_common(1)
    first = shown(written, **OF_CR5, view="hubs").xpath("//li")[0]
    assert first.get("data-id") == hub
    assert text(first, "value") == str(n_queries)
    assert len(first.xpath(".//a")) == n_queries


def test_failing_queries_stand_by_falling_rank(shown, written, evaluation):
    rank = evaluation("cr5")["rank"]
    document = shown(written, **OF_CR5, view="failing")
    ranks = [int(element.text_content()) for element in of_class(document, "value")]
    assert ranks == sorted(rank[rank > 1], reverse=True)[:30]


ANSWER = {
    "found": {"vi": {"csls": {"nearest": ["new", "q03"], "scores": [0.9, 0.4]}}},
    "documents": {"vi": {"new": ("<b>", "one"), "q03": ("three", "two")}},
}


def test_typed_words_are_answered_where_the_page_is_served(shown, written):
    requests = []

    def answer(request):
        requests.append(request)
        return ANSWER

    request = {"from": "en", "to": "vi", "system": "cr5", "words": "two & <words>"}
    with running(serve.server(written, answer)) as address:
        document = shown(written, at=address, **request, view="typed", query="q03")
    assert requests == [request | {"measure": "cosine"}]
    # none is the counterpart
    assert hits(document, "cr5") == [Listed("new", 1, None), Listed("q03", 2, None)]
    titles = [element.text_content() for element in of_class(document, "title")]
    assert titles == ["<b>", "three"]


def test_a_page_from_the_disk_says_how_typed_words_are_answered(shown, written):
    document = shown(written, **OF_CR5, view="typed", words="two & <words>")
    assert "cr5 explore --serve" in main_text(document)


def check_page(document):
    """Raise unless the page has its own title, and lists."""
    assert document.findtext(".//title") == "Explore made up"
    assert document.xpath("//main//li")


def test_titles_and_texts_are_no_markup(shown, written):
    document = shown(written, **{"from": "en", "query": "q03", "system": "cr5"})
    printed = main_text(document)
    assert "<script>document.title = 'stolen'</script> & <b>bold</b>" in printed
    assert '<img src="x" onerror="document.title = 1">' in printed
    assert "</script>q03 text" in printed
    assert not document.xpath("//main//script | //main//img")
    check_page(document)


def test_the_address_is_no_markup(shown, written):
    typed = "<img src=x onerror=document.title=1>"
    document = shown(written, **{"from": "en", "query": typed, "to": "<b>", "view": "<i>"})
    assert not document.xpath("//img")
    check_page(document)


def test_nothing_comes_from_elsewhere():
    for path in page.STATIC.iterdir():
        content = path.read_text(encoding="utf-8")
        assert not re.search(r"https?://|//[a-z]+\.|\binnerHTML\b|\beval\(", content), path
