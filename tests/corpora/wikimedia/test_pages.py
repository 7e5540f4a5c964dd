import io

import pytest

from cr5.base.compressed import TruncatedError
from cr5.base.errors import UserError
from cr5.corpora.wikimedia import pages
from cr5.corpora.wikimedia.pages import Page, siteinfo, xml_pages

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="da">
  <siteinfo>
    <dbname>dawiki</dbname>
    <namespaces>
      <namespace key="-2" case="first-letter">Medie</namespace>
      <namespace key="0" case="first-letter" />
      <namespace key="6" case="first-letter">Fil</namespace>
    </namespaces>
  </siteinfo>
"""
PAGES = [
    """  <page>
    <title>Køge &amp; omegn</title>
    <ns>0</ns>
    <id>7</id>
    <revision>
      <id>70</id>
      <origin>69</origin>
      <contributor><username>A</username><id>700</id></contributor>
      <model>wikitext</model>
      <text bytes="14" sha1="x" xml:space="preserve">'''Køge''' &lt;br/&gt;</text>
    </revision>
  </page>
""",
    """  <page>
    <title>Kjøge</title>
    <ns>0</ns>
    <id>8</id>
    <redirect title="Køge" />
    <revision><id>80</id><text bytes="0" deleted="deleted" /></revision>
  </page>
""",
    """  <page>
    <title>Modul:Kø</title>
    <ns>828</ns>
    <id>9</id>
    <revision><id>90</id><model>Scribunto</model><text>old</text></revision>
    <revision><id>91</id><model>Scribunto</model><text>new</text></revision>
  </page>
""",
]
EXPECTED = [
    Page(7, "Køge & omegn", 0, False, "wikitext", "'''Køge''' <br/>"),
    Page(8, "Kjøge", 0, True, "wikitext", ""),
    Page(9, "Modul:Kø", 828, False, "Scribunto", "new"),
]
XML = HEAD + "".join(PAGES) + "</mediawiki>\n"


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
    content = "<mediawiki>" + "".join(PAGES) + "</mediawiki>"
    assert read(content) == EXPECTED
    assert siteinfo(io.BytesIO(content.encode()), "x") == {}


@pytest.mark.parametrize("piece", [1, 3, 64, 1000])
def test_pieces_of_any_size(monkeypatch, piece):
    monkeypatch.setattr(pages, "READ", piece)
    assert read(XML) == EXPECTED


def test_siteinfo():
    found = siteinfo(io.BytesIO(XML.encode()), "x")
    assert found == {"Medie": -2, "Fil": 6}


def test_truncated_after_each_page(monkeypatch):
    monkeypatch.setattr(pages, "READ", 50)
    for number in range(4):
        content = HEAD + "".join(PAGES[:number]) + "  <page>\n    <title>Cut"
        found, error = until_error(content)
        assert found == EXPECTED[:number]
        assert isinstance(error, TruncatedError)
        assert f"x.xml: the XML ends after {len(content.encode())} bytes" in str(error)
        assert f"It was good for {number} pages" in str(error)
    assert "the last one is 'Modul:Kø'" in str(error)


def test_what_is_damaged_gives_the_pages_before_it():
    found, error = until_error(HEAD + PAGES[0] + "<page></wrong>" + PAGES[1])
    assert found == EXPECTED[:1]
    assert not isinstance(error, TruncatedError)
    assert "x.xml: not well-formed XML within the first" in str(error)


@pytest.mark.parametrize("before", ["", "<?xml version='1.0'?>\n", f"<!-- {'x' * pages.READ} -->"])
@pytest.mark.parametrize("read_it", [xml_pages, siteinfo])
def test_entities_are_not_expanded(before, read_it):
    """Where an attribute names one, the parser would expand it whatever it is told."""
    bomb = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    content = f'{before}{bomb}<mediawiki xml:lang="&b;">{PAGES[0]}</mediawiki>'
    with pytest.raises(UserError, match=r"x\.xml: "):
        list(read_it(io.BytesIO(content.encode()), "x.xml"))


def test_a_text_of_more_than_ten_million_characters():
    text = "ø" * 10_500_000
    content = HEAD + PAGES[0].replace("'''Køge'''", text) + "</mediawiki>"
    assert len(read(content)[0].text) == len(text) + 6
