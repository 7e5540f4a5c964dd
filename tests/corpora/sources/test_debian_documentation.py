import gzip

import pytest

from cr5.corpora import debian, translations
from cr5.corpora.sources.debian_documentation import DebianDocumentation, of_html, of_man_page
from cr5.corpora.sources.libreoffice_help import LibreofficeHelp
from tests.kit.readers.archives import deb

MAN = r""".TH X 1
.SH "A NAME OF IT"
not \fBtoo\-short\fR at all
.B and on
.PP
next
"""
HTML = b"<body><ul><li><p>a block <b>of five</b> words</p></li></ul><p>short</p></body>"
HELP = '<title>T</title><div id="DisplayArea"><p id="1">{} text</p></div>'
DESCRIPTION = "Package: x\nDescription-md5: 1\nDescription-{}: a\n One two three four. Five.\n"
PARALLEL = {"languages": ["da", "it"], "paragraphs": "all"}
BOOK = "./usr/share/doc/debian-handbook/html/{}-{}/a.html"


def help_page(language, text):
    return {f"./usr/share/libreoffice/help/{language}/text/p.html": HELP.format(text).encode()}


def packed(folder, name, files, version="1"):
    (folder / f"{name}_{version}_all.deb").write_bytes(deb(files))


@pytest.fixture
def folder(tmp_path):
    """What `fetch` gets for Danish and Italian, and a package of another language."""
    for language in ("da", "it"):
        packed(tmp_path, f"libreoffice-help-{language}", help_page(language, language))
        (tmp_path / f"Translation-{language}").write_text(DESCRIPTION.format(language))
        page = {f"./usr/share/man/{language}/man1/x.1.gz": gzip.compress(MAN.encode())}
        packed(tmp_path, f"manpages-{language}", page)
    packed(tmp_path, "libreoffice-help-en-us", help_page("en-US", "en"))
    packed(tmp_path, "debian-faq-de", {"./doc/x.html": HTML})
    packed(tmp_path, "debian-faq-da", {"./old.html": b"<p>an old version of it</p>"})
    packed(tmp_path, "debian-faq-da", {"./doc/x.html": HTML, "./doc/y.html": HTML}, "2")
    books = {BOOK.format(x, x.upper()): f"<p>a handbook in {x}</p>".encode() for x in ("da", "fr")}
    packed(tmp_path, "debian-handbook", books)
    return tmp_path


def test_documents_by_hand(folder, read):
    """The newest package; paragraphs of four words and more, once; the handbook's own language."""
    found, _ = read(DebianDocumentation, folder, "da", **PARALLEL)
    assert found == [
        ("p", "T", "da text"),
        ("da/debian-faq-da/doc/x.html", "debian-faq-da/doc/x.html", "a block of five words"),
        (
            "da/manpages-da/usr/share/man/da/man1/x.1.gz",
            "manpages-da/usr/share/man/da/man1/x.1.gz",
            "A NAME OF IT not too-short at all and on",
        ),
        (
            f"da/debian-handbook/{BOOK.format('da', 'DA')[2:]}",
            f"debian-handbook/{BOOK.format('da', 'DA')[2:]}",
            "a handbook in da",
        ),
        ("da/Translation-da/1", "Translation-da/1", "One two three four."),
    ]


def test_only_help_pages_are_shared(folder, read):
    da, it = (
        {concept for concept, _, _ in read(DebianDocumentation, folder, x, **PARALLEL)[0]}
        for x in ("da", "it")
    )
    assert da & it == {"p"} and len(it) == 3


def test_help_pages_are_made_comparable(folder, read):
    """The one paragraph is kept in one of the languages."""
    found = [
        read(DebianDocumentation, folder, x, ["da", "it"])[0][0][0] == "p" for x in ("da", "it")
    ]
    assert sorted(found) == [False, True]


def test_everything_is_fetched(monkeypatch, tmp_path):
    asked = []
    help_pages = lambda _, x, folder: asked.append(("help", x))  # noqa: E731
    monkeypatch.setattr(LibreofficeHelp, "fetch", help_pages)
    monkeypatch.setattr(translations, "fetch", lambda x, folder: asked.append(("texts", x)))
    monkeypatch.setattr(debian, "download", lambda x, folder, if_there: asked.extend(x))
    DebianDocumentation().fetch(["pt_br"], tmp_path)
    assert asked[:2] == [("help", ["pt_br"]), ("texts", ["pt_br"])]
    assert {"manpages-pt-br", "manpages-pt-br-dev", "debian-handbook"} <= {*asked[2:]}
    assert "libreoffice-help-pt-br" not in asked[2:]


def test_innermost_blocks_of_a_page():
    html = "<ul><li>lost <p>kept æ</p></li><li>one</li></ul><pre>code</pre>".encode()
    assert list(of_html(html, "x")) == ["kept æ", "one"]


@pytest.mark.parametrize(
    ("roff", "text"),
    [
        (r"\fIa\fR \(aqb\(aq \f[B]c\f[] \s-1d\s0", "a b c d"),
        (".BR ls (1)\nlists\n", "ls (1) lists"),
        ("one\n.TP\n.B two\n.\nthree", "one|two|three"),
    ],
)
def test_roff_without_its_markup(roff, text):
    assert "|".join(filter(None, of_man_page(roff))) == text
