"""The made-up Wikimedia itself: what the other tests and the benchmarks rely on."""

import bz2
import gzip
import http.client
import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from benchmarks.made_up.corpus import articles, words
from benchmarks.made_up.pages import CANONICAL, namespaces, pages
from benchmarks.made_up.server import Fault, serving
from benchmarks.made_up.sql import dump, quoted
from benchmarks.made_up.wikitext import marked
from benchmarks.mirror import main, q_ids
from cr5.corpora.reading import records
from cr5.corpora.sources import files
from cr5.corpora.wikimedia.wikitext.clean import clean
from cr5.corpora.wikimedia.wikitext.namespaces import Namespaces
from cr5.counts.tokens import tokenise

DATED = "other/mediawiki_content_current/eswiki/2026-10-01/xml/bzip2"
BIOGRAPHIES = Path(__file__).parents[4] / "shared/data/wikipedia_bios_en_es/es.jsonl.xz"
NASTY = """= not a heading =
* not a list, ''not italics'' and '''not bold'''
: [[not a link|a bar]] {{not a template}} {| not a table |}
<ref>not a reference</ref> <!-- not a remark --> &amp; &#65; __NOTOC__ ~~~~
see http://example.org/path or ISBN 123 and it's l'arte, R&D; 5 < 6 > 4"""


def xml_pages_of(folder):
    for path in sorted(folder.glob("*.xml.bz2")):
        root = ElementTree.fromstring(bz2.decompress(path.read_bytes()))
        yield from root.findall("{*}page")


def get(url, path, **headers):
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=5)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("text", [NASTY, "one two three four five six seven eight nine\n" * 6])
def test_markup_undone_gives_the_same_words(text, seed):
    wikitext = marked("It's [a] title", text, Random(seed), namespaces("es"))
    names = Namespaces.from_siteinfo({v: k for k, v in CANONICAL.items()}, "es")
    cleaned = clean(wikitext, names).text
    assert Counter(tokenise(cleaned, "es")) == Counter(tokenise(text, "es"))


@pytest.mark.skipif(not BIOGRAPHIES.is_file(), reason=f"needs {BIOGRAPHIES}, which is not here")
def test_markup_around_real_articles_undone_gives_the_same_words():
    names = Namespaces.from_siteinfo({v: k for k, v in namespaces("es").items()}, "es")
    for _, title, text in islice(records(files, BIOGRAPHIES, "es"), 40):
        cleaned = clean(marked(title, text, Random(title), namespaces("es")), names).text
        assert Counter(tokenise(cleaned, "es")) == Counter(tokenise(text, "es"))


def test_markup_hides_words_that_only_a_cleaner_removes():
    text = "\n".join(["some words that are here for all to see " * 4] * 60 + ["short"] * 3)
    wikitext = marked("Title", text, Random(0), CANONICAL)
    signs = "{{ [[ <ref {| ''' <!-- hidden [[Category: [[File:"
    for sign in [*signs.split(), "\n=="]:
        assert sign in wikitext


def test_a_wiki_has_all_kinds_of_pages_in_order_of_ids():
    made = list(pages("es", [(f"Q{k}", "Same title", "Text") for k in range(1, 101)]))
    assert [page.id for page in made] == sorted({page.id for page in made})
    assert len({page.title for page in made}) == len(made) == 100 + 10 + 1
    assert {page.namespace for page in made} == {0, 1, 8, 10, 14, 100}
    assert sum(page.redirect is not None for page in made) == 1
    assert sum(page.is_disambiguation for page in made) == 1
    assert [page.concept for page in made if page.concept == "Q1"] == ["Q1", "Q1"]
    assert {page.title.partition(":")[0] for page in made if page.namespace == 10} == {"Plantilla"}


def test_content_parts_are_whole_documents(mirror):
    found = list(xml_pages_of(mirror / DATED))
    ids = [int(page.findtext("{*}id")) for page in found]
    assert len(set(ids)) == len(ids)
    articles_there = {
        page.findtext("{*}title"): page
        for page in found
        if page.findtext("{*}ns") == "0" and page.find("{*}redirect") is None
    }
    source = {title for _, title, _ in records(files, mirror / "aligned/es.jsonl.gz", "es")}
    assert len(source) > 100 and source <= set(articles_there)
    for path in (mirror / DATED).glob("*.bz2"):
        first, last = map(int, re.search(r"p(\d+)p(\d+)", path.name).groups())
        assert {first, last} <= set(ids)


def test_cirrus_shards_have_text_and_concepts(mirror):
    lines = []
    for path in sorted(mirror.glob("other/cirrus_search_index/20261001/*eswiki*/*.bz2")):
        lines += [json.loads(line) for line in bz2.decompress(path.read_bytes()).splitlines()]
    heads, found = lines[::2], lines[1::2]
    assert [head["index"]["_id"] for head in heads] == [str(r["page_id"]) for r in found]
    by_title = {record["title"]: record for record in found}
    for concept, title, text in records(files, mirror / "aligned/es.jsonl.gz", "es"):
        assert (by_title[title]["wikibase_item"], by_title[title]["text"]) == (concept, text)


def test_both_syntaxes_of_sql_are_made(mirror):
    text = {
        wiki: gzip.decompress(path.read_bytes())
        for wiki in ("eswiki", "zh_yuewiki")
        for path in (mirror / wiki / "20261001").glob("*page_props.sql.gz")
    }
    one_line, row_a_line = text["eswiki"], text["zh_yuewiki"]
    assert one_line.startswith(b"/*M!999999\\- enable the sandbox mode */")
    assert b"INSERT INTO `page_props` VALUES (" in one_line
    assert b"INSERT INTO `page_props` VALUES\n(" in row_a_line
    assert one_line.count(b"),(") > 100 and row_a_line.count(b"),\n(") > 100
    assert all(b"\xff\xfe" in t and b"\n-- Dump completed" in t for t in text.values())


def test_sql_strings_are_escaped_as_by_mysql():
    assert quoted(b"a'b\"c\\d\n\x00\x1a\r\xff") == b"'a\\'b\\\"c\\\\d\\n\\0\\Z\\r\xff'"
    rows = [(1, b"wikibase_item", b"Q5", "NULL"), (2, b"x", b"", "1")]
    for row_a_line, gap in ((True, b"\n"), (False, b"")):
        text = b"".join(dump("eswiki", rows, row_a_line))
        assert b"(1,'wikibase_item','Q5',NULL)," + gap + b"(2,'x','',1);\n" in text


def test_concepts_that_are_no_q_ids_get_some():
    assert q_ids([[("b", "", ""), ("a", "", "")], [("c", "", "")]]) == {
        **{"a": "Q1", "b": "Q2", "c": "Q3"}
    }
    assert q_ids([[("Q7", "", "")]]) == {"Q7": "Q7"}


def test_a_made_up_corpus_is_aligned_and_the_same_each_time():
    here, there = (list(articles(language, 300)) for language in ("en", "da"))
    assert here == list(articles("en", 300)) != list(articles("en", 300, seed=1))
    assert 270 <= len(here) <= 299
    assert len({a["concept"] for a in here} & {a["concept"] for a in there}) > 250
    assert len(set(words("en")) & set(words("da"))) < 5000
    unique = [len(set(tokenise(a["text"], "en"))) for a in here]
    assert sorted(unique)[len(unique) // 2] > 50


def test_a_concept_is_about_the_same_in_all_languages():
    """Words of the same number in two languages mean the same: most similar is the counterpart."""
    bags = {}
    for language in ("en", "da"):
        number = {word: k for k, word in enumerate(words(language))}
        bags[language] = {
            a["concept"]: {number[w] for w in tokenise(a["text"], language)} - set(range(200))
            for a in articles(language, 60)
        }
    common = sorted(set(bags["en"]) & set(bags["da"]))
    found = [
        max(common, key=lambda d: len(bags["en"][c] & bags["da"][d]) / len(bags["da"][d]))
        for c in common
    ]
    assert sum(c == d for c, d in zip(common, found, strict=True)) > 0.9 * len(common)


def test_faults_are_read_from_the_command_line():
    assert Fault.parse("*.bz2=break:500000*3") == Fault("*.bz2", "break", 500_000, 3)
    assert Fault.parse("*/index_name=x*=404") == Fault("*/index_name=x*", "404")


def test_the_command_line(tmp_path, monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["mirror.py", *arguments])
        main()

    made, out = tmp_path / "made", tmp_path / "mirror"
    run("corpus", "--articles", "30", "--languages", "en", "da", "--out", str(made))
    source = str(made / "{language}.jsonl.gz")
    run("make", "--corpus", source, "--languages", "en", "da", "--parts", "1", "--out", str(out))
    printed = capsys.readouterr().out
    assert "da.jsonl.gz: 29 articles" in printed and "da: 29 articles, 32 pages" in printed
    sums = (out / "dawiki/20261001/dawiki-20261001-sha1sums.txt").read_text().splitlines()
    assert [line.split("  ")[1] for line in sums] == [
        "dawiki-20261001-page_props.sql.gz",
        "dawiki-20261001-pages-articles.xml.bz2",
    ]
    there = records(files, out / "aligned/da.jsonl.gz", "da")
    assert list(there) == list(records(files, made / "da.jsonl.gz", "da"))


def test_the_server_gives_ranges_only_of_the_version_that_is_asked_for(tmp_path):
    (tmp_path / "file").write_bytes(b"0123456789")
    with serving(tmp_path) as mirror:
        whole, body = get(mirror.url, "/file")
        assert (whole.status, body) == (200, b"0123456789")
        tag = whole.headers["ETag"]
        rest, body = get(mirror.url, "/file", **{"Range": "bytes=4-", "If-Range": tag})
        assert (rest.status, body) == (206, b"456789")
        assert rest.headers["Content-Range"] == "bytes 4-9/10"
        other, body = get(mirror.url, "/file", **{"Range": "bytes=4-", "If-Range": '"x"'})
        assert (other.status, body) == (200, b"0123456789")
        assert get(mirror.url, "/file", Range="bytes=10-")[0].status == 416
        assert get(mirror.url, "/nothing")[0].status == 404
