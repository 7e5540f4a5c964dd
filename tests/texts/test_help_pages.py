"""LibreOffice's help: pages of packages, what is said on them, which language keeps it."""

import hashlib
from collections import Counter

import pytest

from cr5.base.errors import UserError
from cr5.texts import reading
from cr5.texts.sources.libreoffice_help import LibreofficeHelp, package, parse
from tests.kit.archives import deb
from tests.kit.layouts import HELP

FOUR = ["da", "en", "it", "vi"]


def page(body, title="A title"):
    return (
        "<!DOCTYPE html><html><head><base href='../'>"
        f"<meta charset='utf-8'><title>{title}</title><script>var not = 'read';</script></head>"
        "<body><header><p>Not read</p></header>"
        f'<div id="DisplayArea" itemscope="true">{body}</div><footer><p>Nor this</p></footer>'
        "</body></html>"
    ).encode()


def texts(body):
    return [text for _, text in parse(page(body), "page")[1]]


def make_deb(folder, language, pages):
    """A package with pages, {path: body}, named as in the real packages."""
    root = "./usr/share/libreoffice/help"
    files = {f"{root}/media/text/picture.html": b"", "./usr/x.html": b""}
    for name, body in pages.items():
        files[f"{root}/{language}/text/{name}.html"] = page(body)
    file = folder / f"libreoffice-help-{language.lower()}_1_all.deb"
    file.write_bytes(deb(files))
    return file


def test_title_and_paragraphs_with_ids_in_order():
    body = """
      <meta itemprop="keywords" content="unseen"><a name="bm1"></a>
      <h1 id="hd1"><a name="x"></a>Heading
        one</h1>
      <p id="par1" class="paragraph">Some <span class="emph">bold</span>&nbsp;&amp; <b>text</b>.</p>
      <p>without id</p><p id="empty"> </p>
      <div class="note"><div class="noteicon"><img alt="not read"></div>
        <div class="notetext"><p id="par2">A note</p></div></div>
      <pre><code>Sub Main
        End Sub</code></pre><p id="par3" class="code">=SUM(A1)</p>"""
    title, paragraphs = parse(page(body, "A\n title"), "page")
    assert title == "A title"
    assert paragraphs == [
        ("hd1", "Heading one"),
        ("par1", "Some bold & text."),
        (None, "without id"),
        ("par2", "A note"),
        (None, "Sub Main End Sub"),
        ("par3", "=SUM(A1)"),
    ]


NESTED = (
    "top <p>one</p> between <ul><li>two <p>three <i>four</i></p> five"
    "<ol><li>six</li></ol></li></ul><table><caption>seven</caption><tr><th>eight</th>"
    "<td>nine<br>ten<p>eleven</p></td></tr></table>tail"
)
# A key is said once; scripts and comments never are.
SWITCHES = """<p>Press <span class="switchinline">
    <span hidden="true" class="MAC"><span>Command+F9</span></span>
    <span hidden="true">Ctrl+F9</span></span>, then <span class="WIN">OK</span>.
    <!-- hidden --><script>run()</script><style>p {}</style><noscript>no</noscript>end</p>
    <span class="switch"><span class="MAC"><p>Mac</p></span><span><p>PC</p></span></span>"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (NESTED, "top|one|between|two|three four|five|six|seven|eight|nine ten|eleven|tail"),
        (SWITCHES, "Press Ctrl+F9, then OK. end|PC"),
        ("<p>one<br>two<sub>3</sub><br/>x</p>", "one two3 x"),
    ],
)
def test_each_text_of_a_page_is_a_paragraph_once(body, expected):
    assert "|".join(texts(body)) == expected


ENGLISH = {
    "b": '<h1 id="1">Print</h1><p id="2">Choose  File</p><p>A note</p><p id="3">Last</p>',
    "a/x": '<p id="1">Only English</p>',
    "only": '<p id="1">No twin</p>',
}
ITALIAN = {
    # 2 is left over though its white space differs; "Last" is under another id; the id-less
    # "Print" is none of the English page's id-less paragraphs; nor is "No twin" of this page
    "b": '<h1 id="1">Stampa</h1><p id="2">Choose\nFile</p><p>A note</p><p id="4">Last</p>'
    '<p>Print</p><p id="5">No twin</p>',
    "a/x": '<p id="1">Only English</p>',
    "c": '<p id="2">Choose File</p>',
}


def test_english_left_overs_are_dropped_and_nothing_from_english(tmp_path, read):
    make_deb(tmp_path, "it", ITALIAN)
    make_deb(tmp_path, "en-US", ENGLISH)
    documents, records = read(LibreofficeHelp, tmp_path, "it", paragraphs="all")
    assert documents == [
        ("b", "A title", "Stampa\nLast\nPrint\nNo twin"),
        ("c", "A title", "Choose File"),
    ]
    # pages, documents, paragraphs, kept, dropped, apart
    counts = list(records.notes["paragraphs"].values())
    assert counts == ["it", 3, 2, 8, 5, 3, 0]
    documents, records = read(LibreofficeHelp, tmp_path, "en-US", paragraphs="all")
    assert [concept for concept, _, _ in documents] == ["a/x", "b", "only"]
    assert documents[1][2] == "Print\nChoose File\nA note\nLast"
    counts = list(records.notes["paragraphs"].values())
    assert counts[4:6] == [6, 0]


@pytest.mark.parametrize(
    ("languages", "code"),
    [
        ("en en-US en_au EN", "en-us"),
        ("en_gb en-GB", "en-gb"),
        ("da da_DK", "da"),
        ("pt_br pt-BR", "pt-br"),
        ("pt pt_PT", "pt"),
        ("zh zh_cn zh-Hans", "zh-cn"),
        ("zh_tw zh-Hant zh_HK", "zh-tw"),
        ("nb nb_no", "nb"),
    ],
)
def test_names_of_packages(languages, code):
    packages = {package(language) for language in languages.split()}
    assert packages == {f"libreoffice-help-{code}"}


def test_what_cannot_be_told_apart_is_refused(tmp_path):
    for code in ("da", "de"):
        make_deb(tmp_path, code, {})
    for languages in (["da", "de"], ["da", "de", "de_at"]):
        assert reading.files(reading.Reading(LibreofficeHelp(), tmp_path, "da", languages))
    same = reading.Reading(LibreofficeHelp(), tmp_path, "de_at", ["da", "de", "de_at"])
    with pytest.raises(UserError, match="'de' and 'de_at' have the same texts"):
        reading.files(same)
    with pytest.raises(UserError, match="help pages in 'it'"):
        LibreofficeHelp().find(tmp_path, "it")
    (tmp_path / "libreoffice-help-da_2_all.deb").touch()
    with pytest.raises(UserError, match=r"da_1_all.deb, .*da_2_all.deb; keep one"):
        LibreofficeHelp().find(tmp_path, "da")


def _make_one_page(folder, language, texts):
    """A package of a page, of which two paragraphs have the same id and one has none."""
    tags = ['<p id="1">', '<p id="2">', '<p id="2">', "<p>", '<p id="5">']
    paragraphs = zip(tags, texts, strict=True)
    body = "".join(f"{tag}{text}</p>" for tag, text in paragraphs)
    code = HELP.get(language, language)
    make_deb(folder, code, {"p": body})


def test_paragraphs_in_parallel_and_as_documents_once_each(tmp_path, read):
    """Ids that a page has twice, or none, are given one that no other language has."""
    languages = ("da", "en")
    english = ["one", "two", "one", "four", "left"]
    danish = ["en", "to", "en", "fire"]
    _make_one_page(tmp_path, "en", english)
    _make_one_page(tmp_path, "da", danish + ["left"])
    ids = {}
    for language, expected in (("en", english), ("da", danish)):
        documents, records = read(LibreofficeHelp, tmp_path, language, languages)
        ids[language] = {(paragraph.concept, paragraph.id) for paragraph in records.paragraphs}
        texts_of_paragraphs = [paragraph.text for paragraph in records.paragraphs]
        assert texts_of_paragraphs == expected
        lines = set()
        for document in documents:
            lines.update(document.text.split("\n"))
        assert lines < set(expected)
        options = {"paragraphs": "documents"}
        documents, records = read(LibreofficeHelp, tmp_path, language, languages, **options)
        once_each = list(dict.fromkeys(expected))
        assert [text for _, _, text in documents] == once_each
        assert documents[0] == ("p#1", "A title", expected[0])
        paragraphs = [(concept, "", text) for concept, _, text in documents]
        assert records.paragraphs == paragraphs
    assert len(ids["en"]) == 5
    assert len(ids["da"]) == 4
    assert ids["en"] & ids["da"] == {("p", "1")}


KEYS = list(range(20)) + [7, "", ""]  # one id twice, and two paragraphs without one


def owner(page, key, languages):
    """The hash of page and id, modulo the languages."""
    number = int(hashlib.sha256(f"{page}\n{key}".encode()).hexdigest(), 16)
    return sorted(languages)[number % len(languages)]


@pytest.mark.parametrize("languages", [FOUR, ["it", "da"]])
def test_apart_each_paragraph_is_in_one_language_and_none_is_lost(tmp_path, languages, read):
    """Of pages whose texts say what they are translations of; in Italian in another order."""
    places = [(f"p{number}", str(key)) for number in range(12) for key in KEYS]
    for language in FOUR:
        keys = sorted(map(str, KEYS), reverse=language == "it")
        body = "".join(f'<p id="{key}">{language}-{key}</p>' for key in keys)
        body = body.replace(' id=""', "")
        code = HELP.get(language, language)
        pages = {f"p{number}": body for number in range(12)}
        make_deb(tmp_path, code, pages)
    for language in languages:
        documents, records = read(LibreofficeHelp, tmp_path, language, languages)
        lines = Counter()
        for document in documents:
            for line in document.text.split("\n"):
                lines[document.concept, line] += 1
        expected = Counter()
        for name, key in places:
            if owner(name, key, languages) == language:
                expected[name, f"{language}-{key}"] += 1
        assert lines == expected
        counts = records.notes["paragraphs"]
        n_paragraphs = 12 * 23
        assert counts["paragraphs"] == n_paragraphs
        assert counts["dropped"] == 0
        assert counts["kept"] == n_paragraphs - counts["apart"]
        assert counts["kept"] == expected.total()
