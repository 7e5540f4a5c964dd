"""Packages and descriptions: what apt-get is asked for, what is read, the documents made of it."""

import gzip
import lzma

import pyarrow as pa
import pytest

from cr5.base.errors import UserError
from cr5.texts import debian
from cr5.texts.sources.debian_documentation import DebianDocumentation, of_html, of_man_page
from tests.kit import archives

FILES = {"usr/share/a.html": b"<p>a</p>", "usr/share/empty": b"", "usr/b.bin": b"\x00\xff" * 999}


def zstd(data):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


COMPRESSORS = {
    "data.tar": bytes,
    "data.tar.xz": lzma.compress,
    "data.tar.zst": zstd,
}


@pytest.mark.parametrize("name", COMPRESSORS)
def test_unpack_gives_the_regular_files_in_order(tmp_path, name):
    path = tmp_path / "a_1_all.deb"
    files = {f"./{file}": content for file, content in FILES.items()}
    path.write_bytes(archives.deb(files, name=name, pack=COMPRESSORS[name]))
    assert list(debian.unpack(path)) == list(FILES.items())
    content = path.read_bytes()
    for bad in (content[: len(content) // 2], content[:100], b"PK\3\4"):
        path.write_bytes(bad)
        with pytest.raises(UserError, match=str(path)):
            list(debian.unpack(path))


@pytest.fixture
def fake_apt(tmp_path, program):
    """Puts shell scripts in the place of apt's programs; what apt was told lies beside."""

    def install(update="true", download="true"):
        program(
            "apt-get", f'cp "$2" ../../conf; case "$3" in update) {update};; *) {download};; esac'
        )
        program("apt-cache", "echo a-help; echo b-help-da")

    return install


FETCH = "shift 3; for p; do printf $p >${p}_1%3a2_all.deb; done; echo x >junk"
LISTS = "for x in pt_BR en; do echo $x >lists/h_i18n_Translation-$x; done"


def test_what_is_fetched_lies_in_the_folder_and_nothing_else_does(tmp_path, fake_apt):
    fake_apt(update=LISTS, download=FETCH)
    folder = tmp_path / "debs"
    files = debian.download(["b-help-da", "a-help"], folder, descriptions=["pt_br"])
    assert files == [folder / "b-help-da_1%3a2_all.deb", folder / "a-help_1%3a2_all.deb"]
    assert [file.read_text() for file in files] == ["b-help-da", "a-help"]
    assert sorted(folder.iterdir()) == sorted([*files, folder / "h_i18n_Translation-pt_BR"])
    settings = (tmp_path / "conf").read_text()
    for key in ("Dir::State", "Dir::State::lists", "Dir::State::status", "Dir::Cache"):
        assert f'{key} "{folder}/.apt.' in settings
    assert "#clear APT::Update::Post-Invoke;" in settings and "Dir::Etc" not in settings
    assert 'Acquire::Languages { "pt_BR"; };' in settings
    available = debian.download(["a-help", "c-help"], tmp_path / "new", if_there=True)
    assert [file.name for file in available] == ["a-help_1%3a2_all.deb"]


FAILED = 'echo "W: Failed to fetch x" >&2'


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ({"download": 'echo "E: disk full" >&2; exit 100'}, r"a-help .*\(E: disk full\)"),
        ({"update": FAILED, "download": FETCH}, r"no descriptions in da .*Failed to fetch"),
    ],
)
def test_failures_of_apt(tmp_path, fake_apt, script, message):
    fake_apt(**script)
    with pytest.raises(UserError, match=message):
        debian.download(["a-help"], tmp_path / "debs", descriptions=["da"])
    assert list((tmp_path / "debs").iterdir()) == []


DANISH = """\
Package: hello
Description-md5: 0123
Description-da: En hilsen: kort
 Siger hej. Og
 farvel!
{}
  * på én linje
 Ny linje: ikke et felt.

Package: tom
Description-md5: 4567
Description-da: Intet mere
"""
HELLO = ["En hilsen: kort", "Siger hej.", "Og farvel!", "på én linje Ny linje: ikke et felt."]


@pytest.mark.parametrize("between", [" .", " \u00a0 "])  # as some French ones have
def test_descriptions(tmp_path, between):
    for code in ("da", "pt_BR"):
        content = f"\n\n{DANISH.format(between)}".replace("-da:", f"-{code}:")
        (tmp_path / f"h_Translation-{code}.xz").write_bytes(lzma.compress(content.encode()))
    (tmp_path / "Translation-pt.part").touch()
    for language in ("da", "pt_br"):
        [path] = debian.descriptions_in(tmp_path, language)
        assert list(debian.descriptions(path)) == [("0123", HELLO), ("4567", ["Intet mere"])]
    with pytest.raises(UserError, match="Translation-pt,"):
        debian.descriptions_in(tmp_path, "pt")


SENTENCES = [
    (["One sentence. Another", "one! A third?", "yes."],
     "One sentence.|Another one!|A third? yes."),
    (["Version 1.2 of foo.el, e.g. this (in short.) Next"],
     "Version 1.2 of foo.el, e.g. this (in short.)|Next"),
    (["First paragraph", ".", "second, of", "two lines"], "First paragraph|second, of two lines"),
    (["It has:", " * one thing", "   and more", " - another. Two", ".", "End"],
     "It has:|one thing and more|another.|Two|End"),
    (["it can do a -", "b and e-mail"], "it can do a - b and e-mail"),
    (["これは文です。次の文です。"], "これは文です。|次の文です。"),
    (["यह है। और यह"], "यह है।|और यह"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "expected"), SENTENCES)
def test_sentences(tmp_path, lines, expected):
    path = tmp_path / "Translation-da"
    content = "".join(f" {line}\n" for line in lines)
    path.write_text(f"Description-md5: 1\nDescription-da: x\n{content}")
    [(_, sentences)] = debian.descriptions(path)
    assert sentences == ["x", *expected.split("|")]


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


@pytest.fixture
def folder(tmp_path):
    """What `fetch` gets for Danish and Italian, and a package of another language."""

    def packed(name, files):
        (tmp_path / f"{name}_1_all.deb").write_bytes(archives.deb(files))

    def help_page(language, text):
        page = HELP.format(text).encode()
        return {f"./usr/share/libreoffice/help/{language}/text/p.html": page}

    for language in ("da", "it"):
        packed(f"libreoffice-help-{language}", help_page(language, language))
        (tmp_path / f"Translation-{language}").write_text(DESCRIPTION.format(language))
        page = {f"./usr/share/man/{language}/man1/x.1.gz": gzip.compress(MAN.encode())}
        packed(f"manpages-{language}", page)
    packed("libreoffice-help-en-us", help_page("en-US", "en"))
    packed("debian-faq-de", {"./doc/x.html": HTML})
    packed("debian-faq-da", {"./doc/x.html": HTML, "./doc/y.html": HTML})
    books = {BOOK.format(x, x.upper()): f"<p>a handbook in {x}</p>".encode() for x in ("da", "fr")}
    packed("debian-handbook", books)
    return tmp_path


def test_documents_by_hand(folder, read):
    """Paragraphs of four words and more, once; the handbook's own language."""
    documents, _ = read(DebianDocumentation, folder, "da", **PARALLEL)
    book = BOOK.format("da", "DA")[2:]
    man = "manpages-da/usr/share/man/da/man1/x.1.gz"
    assert documents == [
        ("p", "T", "da text"),
        ("da/debian-faq-da/doc/x.html", "debian-faq-da/doc/x.html", "a block of five words"),
        (f"da/{man}", man, "A NAME OF IT not too-short at all and on"),
        (f"da/debian-handbook/{book}", f"debian-handbook/{book}", "a handbook in da"),
        ("da/Translation-da/1", "Translation-da/1", "One two three four."),
    ]
    italian, _ = read(DebianDocumentation, folder, "it", **PARALLEL)
    concepts = {document.concept for document in documents}
    assert concepts & {document.concept for document in italian} == {"p"}
    # the one paragraph that is shared is kept in one of the languages
    first_concepts = []
    for language in ("da", "it"):
        apart, _ = read(DebianDocumentation, folder, language, ["da", "it"])
        first_concepts.append(apart[0].concept)
    assert first_concepts.count("p") == 1


@pytest.mark.parametrize(
    ("roff", "text"),
    [
        (r"\fIa\fR \(aqb\(aq \f[B]c\f[] \s-1d\s0", "a b c d"),
        (".BR ls (1)\nlists\n", "ls (1) lists"),
        ("one\n.TP\n.B two\n.\nthree", "one|two|three"),
    ],
)
def test_text_of_roff_and_of_the_innermost_blocks_of_html(roff, text):
    html = "<ul><li>lost <p>kept æ</p></li><li>one</li></ul><pre>code</pre>".encode()
    assert list(of_html(html, "x")) == ["kept æ", "one"]
    assert "|".join(filter(None, of_man_page(roff))) == text
