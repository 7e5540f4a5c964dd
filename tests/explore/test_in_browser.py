"""The page, opened from the disk in a real browser, beside the run."""

import itertools
import re
import shutil
import subprocess
from collections import Counter
from urllib.parse import urlencode

import pytest
from lxml import html

from cr5.explore import page, serve
from tests.kit.server import running

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")


@pytest.fixture(scope="session")
def shown(tmp_path_factory):
    """Return a function from a page's folder and address to what a browser makes of it."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip(f"no browser is there to open the page: none of {', '.join(PROGRAMS)}")
    own = f"--user-data-dir={tmp_path_factory.mktemp('browser')}"

    def made(folder, at=None, **state):
        address = f"{at or (folder / 'index.html').as_uri()}#{urlencode(state)}"
        command = [program, *OPTIONS, own, "--virtual-time-budget=10000", "--dump-dom", address]
        done = subprocess.run(command, capture_output=True, timeout=100, check=True)
        return html.document_fromstring(done.stdout.decode())

    return made


def of_class(found, name):
    return found.xpath(f".//*[contains(concat(' ', @class, ' '), ' {name} ')]")


def text(found, name):
    """The text of the first element of a class."""
    return of_class(found, name)[0].text_content()


def hits(found, system):
    """Id, rank and class of each document in the list of Vietnamese ones."""
    items = found.xpath(f"//*[@data-language='vi']//*[@data-system='{system}']//li")
    return [(x.get("data-id"), int(x.get("value")), x.get("class")) for x in items]


@pytest.mark.parametrize(("system", "measure"), [("cr5", "cosine"), ("other", "csls")])
def test_a_link_to_a_query_shows_what_the_evaluation_found(
    shown, written, evaluation, system, measure
):
    found = evaluation(system, measure)
    nearest, rank = found["nearest"], found["rank"]
    far = rank.idxmax()
    assert rank[far] > 10
    for query in (rank.idxmin(), far):
        given = {"from": "en", "query": query, "system": system, "measure": measure}
        page_shown = shown(written, **given)
        listed = hits(page_shown, system)
        assert [x[0] for x in listed[:10]] == list(nearest[query])
        assert [x[:2] for x in listed if x[2] == "true"] == [(query, rank[query])]
        assert len(listed) == (11 if rank[query] > 10 else 10)
        said = f"True counterpart at rank {rank[query]} of 50"
        assert said in page_shown.xpath("//*[@data-language='vi']")[0].text_content()


def test_two_systems_side_by_side(shown, written, evaluation):
    given = {"from": "en", "query": "q03", "system": "worse", "beside": "cr5", "to": "vi"}
    found = shown(written, **given)
    for system in ("worse", "cr5"):
        wanted = evaluation(system)["nearest"]["q03"]
        assert [x[0] for x in hits(found, system)[:10]] == list(wanted)
    assert len(found.xpath("//*[@data-language]")) == 1


def test_hubs_and_failing_queries(shown, written, evaluation):
    nearest, rank = (evaluation("cr5")[x] for x in ("nearest", "rank"))
    [(hub, n)] = Counter(itertools.chain(*nearest)).most_common(1)
    given = {"from": "en", "system": "cr5", "to": "vi", "measure": "cosine"}
    first = shown(written, **given, view="hubs").xpath("//li")[0]
    assert (first.get("data-id"), text(first, "value")) == (hub, str(n))
    assert len(first.xpath(".//a")) == n
    found = shown(written, **given, view="failing")
    ranks = [int(x.text_content()) for x in of_class(found, "value")]
    assert ranks == sorted(rank[rank > 1], reverse=True)[:30]


def test_typed_words_are_answered_where_the_page_is_served(shown, written):
    told = {
        "found": {"vi": {"csls": {"nearest": ["new", "q03"], "scores": [0.9, 0.4]}}},
        "documents": {"vi": {"new": ("<b>", "one"), "q03": ("three", "two")}},
    }
    asked = []
    given = {"from": "en", "to": "vi", "system": "cr5", "view": "typed", "words": "two & <words>"}
    with running(serve.server(written, lambda x: asked.append(x) or told)) as address:
        found = shown(written, at=address, **given, query="q03")
    assert asked == [{x: y for x, y in given.items() if x != "view"} | {"measure": "cosine"}]
    assert hits(found, "cr5") == [("new", 1, None), ("q03", 2, None)]  # none is the counterpart
    assert [x.text_content() for x in of_class(found, "title")] == ["<b>", "three"]
    assert "cr5 explore --serve" in shown(written, **given).xpath("//main")[0].text_content()


def test_titles_texts_and_the_address_are_no_markup(shown, written):
    found = shown(written, **{"from": "en", "query": "q03", "system": "cr5"})
    said = found.xpath("//main")[0].text_content()
    assert "<script>document.title = 'stolen'</script> & <b>bold</b>" in said
    assert '<img src="x" onerror="document.title = 1">' in said
    assert "</script>q03 text" in said
    assert not found.xpath("//main//script | //main//img")
    typed = "<img src=x onerror=document.title=1>"
    other = shown(written, **{"from": "en", "query": typed, "to": "<b>", "view": "<i>"})
    assert not other.xpath("//img")
    for each in (found, other):
        assert each.findtext(".//title") == "Explore made up"
        assert each.xpath("//main//li")


def test_nothing_comes_from_elsewhere():
    for path in page.STATIC.iterdir():
        content = path.read_text(encoding="utf-8")
        assert not re.search(r"https?://|//[a-z]+\.|\binnerHTML\b|\beval\(", content), path
