import io
import json

import pytest

from cr5.base.compressed import TruncatedError
from cr5.base.errors import UserError
from cr5.corpora.wikimedia import pages
from cr5.corpora.wikimedia.pages import Page, Siteinfo, cirrus_pages, siteinfo, xml_pages

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
    assert siteinfo(io.BytesIO(content.encode()), "x") == Siteinfo()


@pytest.mark.parametrize("piece", [1, 3, 64, 1000])
def test_pieces_of_any_size(monkeypatch, piece):
    monkeypatch.setattr(pages, "READ", piece)
    assert read(XML) == EXPECTED


def test_siteinfo():
    found = siteinfo(io.BytesIO(XML.encode()), "x")
    assert found == Siteinfo("da", {"Medie": -2, "Fil": 6})


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


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"no <mediawiki> in it; .* delete x\.xml, and the next run"),
        ("<html><p>Service unavailable</p></html>", "no <mediawiki> in it"),
        ("<!DOCTYPE html><html><br></html>", "not well-formed XML"),
        ("not found", r"not well-formed XML .* delete x\.xml, and the next run"),
        (XML.replace("<ns>0</ns>", ""), r"page 'Køge & omegn' has <id> '7' and <ns> None; exp"),
        (XML.replace("<id>8</id>", "<id>x</id>"), "page 'Kjøge' has <id> 'x'"),
    ],
)
def test_what_is_no_export(content, message):
    with pytest.raises(UserError, match=rf"x\.xml: {message}"):
        read(content)


def test_entities_are_not_expanded():
    bomb = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    page = PAGES[0].replace("'''Køge'''", "&b;")
    assert "aaaa" not in read(f"{bomb}<mediawiki>{page}</mediawiki>")[0].text


def test_a_text_of_more_than_ten_million_characters():
    text = "ø" * 10_500_000
    content = HEAD + PAGES[0].replace("'''Køge'''", text) + "</mediawiki>"
    assert len(read(content)[0].text) == len(text) + 6


RECORD = {
    "page_id": 7,
    "title": "Køge",
    "namespace": 0,
    "text": "Køge er en by.",
    "wikibase_item": "Q21179",
    "redirect": [{"namespace": 0, "title": "Kjøge"}],
}


def cirrus(*records):
    lines = []
    for record in records:
        lines += [json.dumps({"index": {"_type": "page", "_id": "7"}}), json.dumps(record)]
    return "\n".join(lines) + "\n"


def test_cirrus_records():
    other = {"title": "Uden", "namespace": 1, "text": None, "content_model": "css"}
    assert read(cirrus(RECORD, other), cirrus_pages) == [
        Page(7, "Køge", 0, False, "wikitext", "Køge er en by.", "Q21179"),
        Page(7, "Uden", 1, False, "css", "", None),
    ]


def test_cirrus_keeps_what_can_be_stored():
    (page,) = read(
        cirrus(RECORD | {"text": "a\0b\ud800c", "wikibase_item": "Q1; DROP"}), cirrus_pages
    )
    assert (page.text, page.qid) == ("a\ufffdb\ufffdc", None)


def test_cirrus_cut_off():
    content = cirrus(RECORD, RECORD | {"title": "To"})
    whole = len(cirrus(RECORD))
    for end in (whole + 3, whole + 20, whole + 60, len(content) - 2):
        found, error = until_error(content[:end], cirrus_pages)
        assert [page.title for page in found] == ["Køge"]
        assert isinstance(error, TruncatedError)
        assert "It was good for 1 pages (the last one is 'Køge')" in str(error)
    assert len(read(content[:-1], cirrus_pages)) == 2  # only the last line's end is missing


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ": no record in it"),
        ("<html>\n</html>\n", r"line 1: not JSON .* delete x\.xml, and the next run"),
        ("{}\n[]\n", "line 2: not a record of a CirrusSearch index"),
        (cirrus({"title": "x"}), "line 2: not a record .*'namespace'"),
        ('{"index": {}}\n{"title": "x"}\n', "line 2: not a record .*'_id'"),
    ],
)
def test_what_is_no_index(content, message):
    with pytest.raises(UserError, match=rf"x\.xml.*{message}"):
        read(content, cirrus_pages)
