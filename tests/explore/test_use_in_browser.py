"""The page in use: keyboard, phone, light and dark, and titles that are not to be trusted."""

import re
import shutil
from urllib.parse import urlencode

import numpy as np
import pytest

from cr5.explore import page

OPTIONS = "document.querySelectorAll('[role=option]').length"
SCROLLS = "document.documentElement.scrollWidth"


def address(**state):
    return urlencode(state)


def type_into(browser, name, text, until):
    browser.value(f"byId('{name}').focus()")
    browser.type(text)
    browser.wait(until)


def test_titles_and_texts_are_no_markup(browser, written):
    given = {"from": "en", "query": "q03", "systems": "cr5", "why": "cr5:vi:q03"}
    browser.open(written, address(**given))
    shown = browser.value("document.querySelector('main').textContent")
    assert "<script>document.title = 'stolen'</script> & <b>bold</b>" in shown
    assert '<img src="x" onerror="document.title = 1">' in shown
    assert "</script>q03 text" in shown
    assert browser.value("document.querySelectorAll('main script, main img, main b').length") == (
        browser.value("document.querySelectorAll('main .found b').length")
    )
    type_into(
        browser, "search", "script", "document.querySelectorAll('[role=option]').length === 1"
    )
    assert browser.value("document.title") == "Explore made up"
    assert browser.mistakes == []


def test_words_of_the_address_are_no_markup(browser, written):
    typed = "<img src=x onerror=document.title=1>"
    browser.open(written, address(**{"from": "en", "query": typed, "to": "vi,<b>", "why": "<i>"}))
    assert browser.value("document.title") == "Explore made up"
    assert browser.value("document.images.length") == 0


def test_by_keyboard_alone(browser, written):
    browser.open(written)
    browser.key("/")
    assert browser.value("document.activeElement.id") == "search"
    browser.type("q1 title EN")
    browser.wait(f"{OPTIONS} === 10")
    browser.key("ArrowDown")
    browser.wait("document.querySelector('[aria-selected=true]')?.dataset.id === 'q10'")
    browser.key("ArrowDown")
    chosen = browser.value(
        "document.getElementById(byId('search').getAttribute('aria-activedescendant')).dataset.id"
    )
    assert chosen == "q11"
    browser.key("Enter", "\r")
    browser.wait("document.querySelector('h2').textContent === 'en title q11'")
    assert "query=q11" in browser.value("location.hash")
    browser.value("document.querySelector('[data-language=vi] .hit').focus()")
    browser.key("ArrowDown")
    assert browser.value("document.activeElement.querySelector('.rank').textContent") == "2"
    browser.key("Enter", "\r")
    browser.wait("document.querySelector('.details') && document.activeElement.ariaExpanded")
    assert browser.value("document.activeElement.querySelector('.rank').textContent") == "2"
    browser.key("Escape")
    browser.wait("!document.querySelector('.details')")
    browser.key("/")
    browser.type("q")
    browser.wait("!byId('options').hidden")
    browser.key("Escape")
    assert browser.value("byId('options').hidden && byId('search').value") == ""
    assert browser.mistakes == []


def test_the_way_back(browser, written):
    browser.open(written, address(**{"from": "en", "query": "q03", "systems": "cr5"}))
    browser.value("byId('views').querySelector('[data-view=hubs]').click()")
    browser.wait("document.querySelector('.explained')")
    browser.value("history.back()")
    browser.wait("document.querySelector('h2')?.textContent.includes('stolen')")


@pytest.mark.parametrize("view", ["near", "hubs", "fails"])
def test_a_phone_does_not_scroll_sideways(browser, written, view):
    given = {"from": "en", "query": "q03", "systems": "cr5,joined", "view": view}
    browser.open(written, address(**given, why="cr5:vi:q03"), width=360)
    assert browser.value(SCROLLS) == 360
    browser.open(written, address(**given), width=320)
    assert browser.value(SCROLLS) == 320


COLOURS = """(() => { const style = getComputedStyle(document.documentElement);
    return Object.fromEntries(['ground', 'card', 'ink', 'soft', 'accent', 'accent-soft', 'good',
    'good-soft', 'bar'].map((x) => [x, style.getPropertyValue('--' + x).trim()])); })()"""
PAIRS = [(x, y) for x in ("ink", "soft") for y in ("ground", "card", "good-soft", "accent-soft")]
PAIRS += [("ink", "bar"), ("accent", "card"), ("accent", "ground"), ("accent", "accent-soft")]
PAIRS += [("good", "good-soft"), ("good", "card")]


def luminance(colour):
    """Of #rgb or #rrggbb, by WCAG 2."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * x for x in colour[1:])
    values = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in values]
    return np.dot(linear, [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark_are_readable(browser, written, dark):
    browser.open(written, dark=dark)
    colours = browser.value(COLOURS)
    assert (luminance(colours["ground"]) < 0.1) == dark
    for one, other in PAIRS:
        low, high = sorted(luminance(colours[x]) for x in (one, other))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (one, other)
    browser.value("byId('theme').click()")
    assert (luminance(browser.value(COLOURS)["ground"]) < 0.1) != dark
    browser.value("localStorage.removeItem('cr5-theme')")
    browser.open(written, "theme=dark", dark=not dark)
    assert luminance(browser.value(COLOURS)["ground"]) < 0.1


def test_everything_that_can_be_used_has_a_name(browser, written):
    browser.open(written, address(**{"from": "en", "query": "q03", "why": "cr5:vi:q03"}))
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    used = {"button", "combobox", "textbox", "checkbox", "radio", "link", "searchbox", "listbox"}
    named = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"] and node["role"]["value"] in used
    ]
    assert len(named) > 30
    assert [each for each in named if not each[1].strip()] == []


def test_a_text_has_its_language_and_direction(browser, written):
    browser.open(written, address(**{"from": "en", "query": "q04", "systems": "cr5"}))
    found = browser.value(
        "[...document.querySelectorAll('[data-language=ar] .true .title span[lang]')].map((x) => "
        "[x.lang, getComputedStyle(x).direction, x.textContent])"
    )
    assert found == [["ar", "rtl", "إدراج صفوف في الجدول"]]


def test_a_file_that_is_missing_is_named(browser, written, tmp_path):
    folder = shutil.copytree(written, tmp_path / "page")
    (folder / "data" / "ranks-cr5-en.js").unlink()
    browser.open(folder, address(**{"from": "en", "query": "q03", "systems": "cr5"}))
    assert "data/ranks-cr5-en.js cannot be read" in browser.value(
        "document.querySelector('[role=alert]').textContent"
    )


def test_nothing_comes_from_elsewhere():
    for path in page.STATIC.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"https?://|//[a-z]+\.|\binnerHTML\b|\beval\(", text), path
        assert len(text.splitlines()) <= 283
