import hashlib
import io
import itertools
import lzma
import shutil
import tarfile
from collections import Counter

import pytest

from cr5.base.errors import UserError
from cr5.corpora import debian, libreoffice_help
from cr5.corpora.libreoffice_help import Counts, find, owner, package, pages, parse, records


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


def make_deb(folder, language, version="1", **contents):
    """A package with the pages {path: body}; the tree is named as in the real packages."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path, body in contents.items():
            name = f"./usr/share/libreoffice/help/{language}/text/{path.replace('__', '/')}.html"
            content = body if isinstance(body, bytes) else page(body)
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for other in ("./usr/share/libreoffice/help/media/text/picture.html", "./usr/x.html"):
            archive.addfile(tarfile.TarInfo(other))
    data = lzma.compress(buffer.getvalue())
    header = f"{'data.tar.xz':<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n"
    file = folder / f"libreoffice-help-{language.lower()}_{version}_all.deb"
    file.write_bytes(b"!<arch>\n" + header.encode() + data)
    return file


def test_names_of_packages():
    names = [package(language) for language in ("en", "en-US", "da", "pt-BR")]
    assert names == [f"libreoffice-help-{code}" for code in ("en-us", "en-us", "da", "pt-br")]


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


def test_nested_blocks_neither_lose_nor_double_text():
    body = (
        "top <p>one</p> between <ul><li>two <p>three <i>four</i></p> five"
        "<ol><li>six</li></ol></li></ul><table><caption>seven</caption><tr><th>eight</th>"
        "<td>nine<br>ten<p>eleven</p></td></tr></table>tail"
    )
    expected = "top|one|between|two|three four|five|six|seven|eight|nine ten|eleven|tail"
    assert "|".join(texts(body)) == expected


def test_every_word_of_a_deep_page_comes_once_and_in_order():
    tags = ["h3", "em", "p", "li", "ul", "pre", "td", "tr", "table", "span", "blockquote", "div"]
    body, before, after = "middle", [], []
    for i, tag in enumerate(tags):
        body = f"a{i} <{tag}> b{i} {body} c{i} </{tag}> d{i}"
        before = [f"a{i}", f"b{i}", *before]
        after += [f"c{i}", f"d{i}"]
    assert " ".join(texts(body)).split() == [*before, "middle", *after]


def test_a_key_is_said_once_and_scripts_and_comments_never():
    body = """<p>Press <span class="switchinline">
        <span hidden="true" class="MAC"><span>Command+F9</span></span>
        <span hidden="true">Ctrl+F9</span></span>, then <span class="WIN">OK</span>.
        <!-- hidden --><script>run()</script><style>p {}</style><noscript>no</noscript>end</p>
        <span class="switch"><span class="MAC"><p>Mac</p></span><span><p>PC</p></span></span>"""
    assert texts(body) == ["Press Ctrl+F9, then OK. end", "PC"]


def test_breaks_separate_words_and_inline_elements_do_not():
    assert texts("<p>one<br>two<sub>3</sub><br/>x</p>") == ["one two3 x"]


@pytest.mark.parametrize("html", [b"", b"<html><body><p>x</p></body></html>", b"\x00\x01"])
def test_not_a_help_page(html):
    with pytest.raises(UserError, match=r'a\.deb, page x: not a help page .*id="DisplayArea"'):
        parse(html, "a.deb, page x")


def test_pages_of_a_package_and_of_its_tree_are_the_same(tmp_path):
    contents = {"swriter__guide__pagenumbers": "<p>Æ</p>", "scalc__main": "<p>ø</p>"}
    deb = make_deb(tmp_path, "pt-BR", **contents)
    from_deb = dict(pages(deb, "pt-BR"))
    assert from_deb == {
        "swriter/guide/pagenumbers": page("<p>Æ</p>"),
        "scalc/main": page("<p>ø</p>"),
    }
    tree = tmp_path / "unpacked" / "usr/share/libreoffice/help/pt-BR/text"
    for path, html in from_deb.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / f"{path}.html").write_bytes(html)
    deb.unlink()
    assert dict(pages(tree, "pt-BR")) == from_deb
    for folder in (tree.parents[1], tree.parents[5], tree.parents[6]):
        # as installed; the root of one unpacked package; a folder of unpacked packages
        assert folder.name in ("help", "unpacked", tmp_path.name)
        assert find(folder, "pt-BR") == tree


def test_the_newest_package_is_found(tmp_path):
    for version in ("4%3a7.4.7-1", "4%3a7.4.7-1+deb12u9", "4%3a7.4.7-1+deb12u14"):
        make_deb(tmp_path, "da", version)
    make_deb(tmp_path, "en-GB", "9%3a9")
    assert find(tmp_path, "da").name == "libreoffice-help-da_4%3a7.4.7-1+deb12u14_all.deb"


def test_what_is_there_is_listed_when_a_language_is_not(tmp_path):
    make_deb(tmp_path, "da")
    (tmp_path / "vi" / "text").mkdir(parents=True)
    message = (
        r"no help pages in 'it'; expected libreoffice-help-it_\*\.deb or .*/help/it/text\. "
        r"Available here: libreoffice-help-da_1_all\.deb, vi/text\."
    )
    with pytest.raises(UserError, match=message):
        find(tmp_path, "it")
    with pytest.raises(UserError, match="Available here: nothing"):
        find(tmp_path / "elsewhere", "it")


def test_two_trees_of_a_language_are_ambiguous(tmp_path):
    for name in ("old", "new"):
        (tmp_path / name / "usr/share/libreoffice/help/da/text").mkdir(parents=True)
    with pytest.raises(UserError, match=r"several folders with help pages in 'da': .*new.*old"):
        find(tmp_path, "da")


def test_a_package_of_another_language(tmp_path):
    deb = make_deb(tmp_path, "da", main="<p>x</p>")
    with pytest.raises(UserError, match="no help page in 'it'"):
        list(pages(deb, "it"))


ENGLISH = {
    "b": '<h1 id="1">Print</h1><p id="2">Choose  File</p><p>A note</p><p id="3">Last</p>',
    "a__x": '<p id="1">Only English</p>',
    "only": '<p id="1">No twin</p>',
}
ITALIAN = {
    # 2 is left over though its white space differs; "Last" is under another id; the id-less
    # "Print" is none of the English page's id-less paragraphs; nor is "No twin" of this page
    "b": '<h1 id="1">Stampa</h1><p id="2">Choose\nFile</p><p>A note</p><p id="4">Last</p>'
    '<p>Print</p><p id="5">No twin</p>',
    "a__x": '<p id="1">Only English</p>',
    "c": '<p id="2">Choose File</p>',
}


@pytest.fixture
def packages(tmp_path):
    return make_deb(tmp_path, "it", **ITALIAN), make_deb(tmp_path, "en-US", **ENGLISH)


def test_english_left_overs_are_dropped(packages):
    counts = Counts("it")
    assert list(records(packages[0], "it", packages[1], counts)) == [
        ("b", "A title", "Stampa\nLast\nPrint\nNo twin"),
        ("c", "A title", "Choose File"),
    ]
    assert counts == Counts("it", pages=3, documents=2, paragraphs=8, kept=5, dropped=3)


@pytest.mark.parametrize("language", ["en", "en-US"])
def test_nothing_is_dropped_from_english(packages, language):
    counts = Counts(language)
    documents = list(records(packages[1], language, packages[1], counts))
    assert [concept for concept, _, _ in documents] == ["a/x", "b", "only"]
    assert documents[1][2] == "Print\nChoose File\nA note\nLast"
    assert (counts.kept, counts.dropped) == (6, 0)


FOUR = ["da", "en", "it", "vi"]


def test_the_owner_is_the_hash_of_page_and_id_modulo_the_languages():
    for identity, text in (("par_id1", "par_id1"), (None, "")):
        number = int(hashlib.sha256(f"a/b\n{text}".encode()).hexdigest(), 16)
        assert owner("a/b", identity, FOUR) == FOUR[number % 4]


def test_owners_depend_on_no_order_and_each_has_its_share():
    drawn = Counter(owner(f"p{i % 9}", f"id{i}", FOUR) for i in range(4000))
    assert set(drawn) == set(FOUR)
    assert all(abs(n - 1000) < 5 * 27 for n in drawn.values())  # 27: the standard deviation
    for order in itertools.permutations(FOUR):
        assert all(owner("p", f"{i}", order) == owner("p", f"{i}", FOUR) for i in range(50))


def translated(language, n_pages=12):
    """Pages with the same ids everywhere: one id twice, and two paragraphs without id.

    Each text says what it is a translation of, and sections are in another order in Italian.
    """
    pages = {}
    for number in range(n_pages):
        keys = [*range(20), 7, "none", "none"]
        keys = sorted(keys, key=str, reverse=language == "it")
        tags = ["<p>" if key == "none" else f'<p id="{key}">' for key in keys]
        paragraphs = [f"{tag}{language} {key}</p>" for tag, key in zip(tags, keys, strict=True)]
        pages[f"p{number}"] = "".join(paragraphs)
    return pages


def read_apart(folder, languages):
    """Per language (page, key) of the paragraphs kept, and the counts."""
    english = find(folder, "en")
    kept, counts = {}, {x: Counts(x) for x in languages}
    for x in languages:
        documents = records(find(folder, x), x, english, counts[x], among=languages)
        lines = [(page, line) for page, _, text in documents for line in text.split("\n")]
        assert all(line.startswith(f"{x} ") for _, line in lines)
        kept[x] = Counter((page, line.removeprefix(f"{x} ")) for page, line in lines)
    return kept, counts


@pytest.mark.parametrize("languages", [FOUR, ["it", "da"]])
def test_apart_each_paragraph_is_in_one_language_and_none_is_lost(tmp_path, languages):
    for x in FOUR:
        make_deb(tmp_path, "en-US" if x == "en" else x, **translated(x))
    kept, counts = read_apart(tmp_path, languages)
    for a, b in itertools.combinations(languages, 2):
        assert not kept[a].keys() & kept[b].keys()
    together = sum(kept.values(), Counter())
    keys = [(f"p{i}", str(key)) for i in range(12) for key in [*range(20), 7, "none", "none"]]
    assert together == Counter(keys)
    for x in languages:
        assert kept[x].total() == counts[x].kept == 12 * 23 - counts[x].apart > 0
        assert (counts[x].paragraphs, counts[x].dropped) == (12 * 23, 0)


def test_apart_left_overs_are_dropped_first(packages):
    counts = Counts("it")
    found = list(records(packages[0], "it", packages[1], counts, ["it", "vi"]))
    documents = {page: text for page, _, text in found}
    assert {title for _, title, _ in found} == {"A title"}  # of the page, and no part of the text
    own = {  # ITALIAN without left-overs: page, id, text
        ("b", "1", "Stampa"),
        ("b", "4", "Last"),
        ("b", None, "Print"),
        ("b", "5", "No twin"),
        ("c", "2", "Choose File"),
    }
    kept = {(page, text) for page, i, text in own if owner(page, i, ["it", "vi"]) == "it"}
    assert {(p, line) for p, text in documents.items() for line in text.split("\n")} == kept
    assert 0 < len(kept) < 5
    assert counts == Counts("it", 3, len(documents), 8, len(kept), 3, 5 - len(kept))


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="apt-get is not installed")
def test_ids_of_the_real_pages_can_be_trusted(tmp_path):
    """What `owner` needs; Vietnamese is the language furthest from the English original."""
    try:
        files = debian.download([package("en"), package("vi")], tmp_path)
    except UserError as error:
        if "check the network" in str(error):
            pytest.skip(f"no network: {error}")
        raise
    english, other = (
        {path: Counter(i for i, _ in parse(html, path)[1]) for path, html in pages(file, x)}
        for file, x in zip(files, ("en", "vi"), strict=True)
    )
    shared = english.keys() & other.keys()
    assert len(shared) >= 0.99 * max(len(english), len(other))
    assert all(english[path][None] == other[path][None] for path in shared)
    ids = [(a, b) for path in shared for a, b in counts_of_ids(english[path], other[path])]
    assert sum(a != b for a, b in ids) <= 0.001 * len(ids)


def counts_of_ids(one, other):
    return [(one[i], other[i]) for i in one.keys() | other.keys()]


def test_a_page_without_title_has_its_path(tmp_path):
    deb = make_deb(tmp_path, "en-US", a__b=page("<p>x</p>", title=" "))
    assert list(records(deb, "en", deb)) == [("a/b", "a/b", "x")]


def test_a_broken_page_is_named(tmp_path):
    deb = make_deb(tmp_path, "en-US", a__b=b"<html></html>")
    with pytest.raises(UserError, match=r"libreoffice-help-en-us_1_all\.deb, page a/b: not a help"):
        list(records(deb, "en", deb))


def test_every_block_is_a_separate_paragraph():
    for tag in sorted(libreoffice_help.BLOCKS - {"table", "tbody", "tfoot", "thead", "tr"}):
        inner = f"<{tag}>in</{tag}>"
        if tag in ("td", "th", "caption"):
            inner = f"<table>{inner}</table>" if tag == "caption" else f"<table><tr>{inner}</table>"
        assert texts(f"before{inner}after") == ["before", "in", "after"], tag
