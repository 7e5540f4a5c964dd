"""What other programs write is read as it was meant."""

import csv
import gzip
import io
import json
import string
import tarfile
import unicodedata
import xml.etree.ElementTree as ET
from contextlib import closing

import numpy as np
import pytest
import safetensors.numpy
import yaml
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from lxml import etree

from cr5.base.archives import regular_files
from cr5.corpora import dictionaries, translations
from cr5.corpora.formats.rows import labelled
from cr5.corpora.sources import matrix
from cr5.corpora.sources.files import Files
from cr5.corpora.wikimedia.concepts import page_props
from cr5.corpora.wikimedia.pages import Page, xml_pages
from cr5.fitting import given_vectors
from cr5.models.formats import packed, tensors
from cr5.plan import config_files
from tests.kit.sources import records
from tests.kit.streams import InPieces

ANY = st.text(max_size=20)
XML = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))
NAMES = st.text(string.ascii_letters + "é京'_-", min_size=1, max_size=8).map(
    lambda text: unicodedata.normalize("NFC", text)
)
FIELDS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff"))
FLOATS = arrays.arrays(
    np.float32, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=st.floats(-9, 9, width=32)
)


def kept(text):
    """JSON can write what UTF-8 cannot."""
    return "".join("\ufffd" if x == "\0" or 0xD800 <= ord(x) < 0xE000 else x for x in text)


PIECES = st.one_of(st.integers(1, 99), st.just(1 << 20))


@pytest.fixture
def file(tmp_path):
    return tmp_path / "file"


def test_json_lines(file):
    @given(
        st.dictionaries(NAMES, st.tuples(ANY, ANY), min_size=1),
        st.sampled_from(["\n", "\r\n", "\n \n"]),
        st.sampled_from([bytes, gzip.compress]),
    )
    def check(documents, end, pack):
        lines = [
            json.dumps({"text": text, "title": title, "concept": name})
            for name, (title, text) in documents.items()
        ]
        file.write_bytes(pack(end.join(lines).encode()))
        assert list(records(Files, file, "xx")) == [
            (name, kept(title) if kept(title).strip() else name, kept(text))
            for name, (title, text) in documents.items()
        ]

    check()


def test_columns(file):
    @given(st.dictionaries(NAMES, st.tuples(NAMES, FIELDS), min_size=1), st.sampled_from([0, 1]))
    def check(documents, quoting):
        with file.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, "excel-tab", quoting=quoting)
            writer.writerow(["text", "name", "label"])
            writer.writerows([text, name, label] for name, (label, text) in documents.items())
        found = list(labelled(file, "name", "label", "text"))
        assert found == [(name, text, label) for name, (label, text) in documents.items()]
        found = list(records(Files, file, "xx", concept="name"))
        assert found == [(name, name, text) for name, (_, text) in documents.items()]

    check()


def test_weighted_documents(file):
    weights = st.dictionaries(st.integers(0, 2**31 - 1), st.floats(1e-9, 1e9))

    @given(st.lists(st.tuples(NAMES, weights), min_size=1))
    def check(documents):
        lines = [" ".join([x, *(f"{i}:{w!r}" for i, w in of.items())]) for x, of in documents]
        file.write_text("\n".join(lines), encoding="utf-8")
        found = [x for _, x in matrix.documents(matrix.Place("", str(file), str(file)))]
        assert [(x.label, dict(x.weights)) for x in found] == documents

    check()


def test_dictionaries(file):
    @given(st.lists(st.tuples(NAMES, NAMES), min_size=1), st.sampled_from("\t "))
    def check(pairs, between):
        text = "\r\n".join(between.join(pair) for pair in pairs)
        file.with_suffix(".txt").write_bytes(text.encode())
        assert list(dictionaries.entries(file.with_suffix(".txt"))) == pairs

    check()


def test_descriptions(file):
    path = file.with_name("Translation-da")
    line = FIELDS.filter(lambda text: text.strip() == text != "")

    @given(st.lists(st.tuples(NAMES, line, st.lists(line)), min_size=1))
    def check(packages):
        stanzas = [
            "\n".join([f"Package: {name}", "Description-md5: x", f"Description-da: {summary}"])
            + "".join(f"\n {rest}" for rest in more)
            for name, summary, more in packages
        ]
        path.write_bytes(("\n\n".join(stanzas) + "\n").encode())
        found = [(x.package, x.summary, list(x.lines)) for x in translations.entries(path)]
        assert found == packages

    check()


def test_exports_of_mediawiki():
    model, ids = st.just("wikitext"), st.integers(0, 2**32 - 1)
    page = st.builds(Page, ids, XML, st.integers(-2, 999), st.booleans(), model, XML)

    @given(st.lists(page, min_size=1), st.sampled_from([etree, ET]), PIECES)
    def check(pages, writer, piece):
        root = writer.Element("mediawiki", version="0.11")
        for each in pages:
            element = writer.SubElement(root, "page")
            for tag, value in (("title", each.title), ("ns", each.namespace), ("id", each.id)):
                writer.SubElement(element, tag).text = str(value)
            if each.is_redirect:
                writer.SubElement(element, "redirect", title="x")
            revision = writer.SubElement(element, "revision")
            writer.SubElement(revision, "text").text = each.text
        data = writer.tostring(root, encoding="utf-8")
        assert list(xml_pages(InPieces(data, piece), "x")) == pages

    check()


def test_page_props():
    """Values that look like rows are none: quotes within them are escaped."""
    row = "(1,'wikibase_item','Q64',NULL)"
    values = st.one_of(ANY.map(kept), st.just(row), st.just(f"',{row}"), st.just("\\"))
    rows = st.tuples(
        st.integers(0, 2**32 - 1),
        st.one_of(
            st.tuples(st.just("wikibase_item"), st.integers(1, 2**32 - 1)),
            st.tuples(st.just("disambiguation"), st.just("")),
            st.tuples(st.just("defaultsort"), values),
        ),
    )

    @given(st.lists(rows), st.booleans(), PIECES)
    def check(rows, is_doubled, piece):
        rows = [*rows, (3, ("wikibase_item", 5))]
        told = [(i, name, f"Q{x}" if name == "wikibase_item" else x) for i, (name, x) in rows]
        text = ",".join(f"({i},'{name}','{_escaped(x, is_doubled)}',NULL)" for i, name, x in told)
        data = f"INSERT INTO `page_props` VALUES {text};\n-- Dump completed on 2026-01-01\n"
        found = page_props(InPieces(data.encode(), piece), "x")
        pairs = [(i, x) for i, (name, x) in rows if name == "wikibase_item"]
        assert list(zip(found.page_ids.tolist(), found.qids.tolist(), strict=True)) == pairs
        expected = [i for i, (name, _) in rows if name == "disambiguation"]
        assert found.disambiguation.tolist() == expected

    check()


def _escaped(text, is_doubled):
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return text.replace("'", "''" if is_doubled else "\\'")


@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tar_archives(kind):
    path = st.lists(NAMES, min_size=1, max_size=9).map("/".join)

    @given(st.dictionaries(path, st.binary(max_size=1200)))
    def check(files):
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=kind) as archive:
            for name, content in files.items():
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
        with closing(io.BytesIO(buffer.getvalue())) as stream:
            found = {x: file.read() for x, file in regular_files(stream)}
        assert found == files

    check()


@pytest.mark.parametrize("suffix", [".vec", ".bin"])
def test_word_vectors_of_gensim(tmp_path, suffix):
    path = tmp_path / f"x{suffix}"

    @given(FLOATS, st.data())
    def check(rows, data):
        words = data.draw(st.lists(NAMES, min_size=len(rows), max_size=len(rows), unique=True))
        vectors = KeyedVectors(rows.shape[1])
        vectors.add_vectors(words, rows)
        vectors.save_word2vec_format(str(path), binary=suffix == ".bin")
        found, table = given_vectors.read(path, 100)
        assert found == words
        np.testing.assert_allclose(table, rows, rtol=1e-6)

    check()


def test_arrays_of_numpy_and_safetensors(file):
    @given(FLOATS, st.sampled_from(["f2", "f4", "f8", "i8"]))
    def check(rows, kind):
        rows = rows.astype(kind)
        buffer = io.BytesIO()
        np.save(buffer, rows)
        np.testing.assert_array_equal(packed._array(buffer.getvalue()), rows)
        safetensors.numpy.save_file({"a": rows}, file, {"b": "c"})
        found, texts = tensors.read_file(file)
        np.testing.assert_array_equal(found["a"], rows)
        assert texts == {"b": "c"}

    check()


def test_configurations(file):
    scalars = st.one_of(FIELDS, st.integers(-(2**63) + 1, 2**63 - 1), st.booleans(), st.none())
    values = st.recursive(
        scalars,
        lambda x: st.one_of(st.lists(x, max_size=3), st.dictionaries(NAMES, x, max_size=3)),
        max_leaves=8,
    )

    @given(st.dictionaries(NAMES, values, min_size=1), st.booleans())
    def check(config, is_flow):
        path = file.with_suffix(".yaml")
        path.write_text(yaml.safe_dump(config, default_flow_style=is_flow), encoding="utf-8")
        assert config_files.read(path) == config
        path = file.with_suffix(".json")
        path.write_text(json.dumps(config, indent=is_flow or None), encoding="utf-8")
        assert config_files.read(path) == config

    check()
