import io

import pytest

from cr5.base.compressed import TruncatedError
from cr5.base.errors import UserError
from cr5.corpora.wikimedia import pages
from cr5.corpora.wikimedia.pages import Page, siteinfo, xml_pages
from tests.kit.readers import dumps

# Of a module there are two revisions; ids of revisions and of people are not the page's.
MODULE = """<page><title>Modul:Kø</title><ns>828</ns><id>9</id>
  <revision><id>90</id><model>Scribunto</model><text>old</text></revision>
  <revision><id>91</id><origin>90</origin><contributor><username>A</username><id>700</id>
    </contributor><model>Scribunto</model><text>new</text></revision></page>
"""
END = "</mediawiki>\n"
XML = dumps.XML.decode().replace(END, MODULE + END)
EXPECTED = [
    Page(7, "Køge & omegn", 0, False, "wikitext", "'''Køge''' <br/> [[a|b]]"),
    Page(8, "Kjøge", 0, True, "wikitext", ""),
    Page(9, "Modul:Kø", 828, False, "Scribunto", "new"),
]
HEAD, FIRST, SECOND = XML.partition("  <page>")[0], *XML.split("</page>", 2)[:2]


def read(content, kind=xml_pages):
    content = content.encode() if isinstance(content, str) else content
    return list(kind(io.BytesIO(content), "x.xml"))


def until_error(content, kind=xml_pages):
    """Pages that came, and the error."""
    found = []
    with pytest.raises(UserError) as raised:
        found.extend(kind(io.BytesIO(content.encode()), "x.xml"))
    return found, raised.value


@pytest.mark.parametrize("version", ["0.6", "0.10", "0.11", "9.99"])
def test_any_version_of_the_export(version):
    assert read(XML.replace("0.11", version)) == EXPECTED


def test_without_a_namespace_of_the_schema_and_without_siteinfo():
    content = f"<mediawiki>{XML.removeprefix(HEAD)}"
    assert read(content) == EXPECTED
    assert siteinfo(io.BytesIO(content.encode()), "x") == {}


def test_siteinfo():
    found = siteinfo(io.BytesIO(XML.encode()), "x")
    assert found == {"Medie": -2}


def test_what_is_damaged_gives_the_pages_before_it():
    found, error = until_error(f"{FIRST}</page><page></wrong>{SECOND}</page>")
    assert found == EXPECTED[:1]
    assert not isinstance(error, TruncatedError)
    assert "x.xml: not well-formed XML within the first" in str(error)


@pytest.mark.parametrize("before", ["", "<?xml version='1.0'?>\n", f"<!-- {'x' * pages.READ} -->"])
@pytest.mark.parametrize("read_it", [xml_pages, siteinfo])
def test_entities_are_not_expanded(before, read_it):
    """Where an attribute names one, the parser would expand it whatever it is told."""
    bomb = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    content = f'{before}{bomb}<mediawiki xml:lang="&b;">{MODULE}{END}'
    with pytest.raises(UserError, match=r"x\.xml: "):
        list(read_it(io.BytesIO(content.encode()), "x.xml"))


def test_a_text_of_more_than_ten_million_characters():
    text = "ø" * 10_500_000
    content = XML.replace("'''Køge'''", text)
    assert read(content)[0].text == EXPECTED[0].text.replace("'''Køge'''", text)
