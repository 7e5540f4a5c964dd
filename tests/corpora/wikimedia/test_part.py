"""From a file of a dump to documents."""

import bz2

import numpy as np
import pandas as pd
import pytest

from cr5.base.compressed import TruncatedError
from cr5.corpora.wikimedia import concepts
from cr5.corpora.wikimedia.concepts import PageProps
from cr5.corpora.wikimedia.part import PartCounts, text_part

PAGE = """<page><title>{title}</title><ns>{namespace}</ns><id>{id}</id>{redirect}
<revision><model>{model}</model><text>{text}</text></revision></page>"""
DEFAULTS = {"namespace": 0, "redirect": "", "model": "wikitext"}
PAGES = [
    {"id": 1, "title": "Berlin", "text": "'''Berlin''' is a [[city]].", **DEFAULTS},
    {"id": 2, "title": "Talk:Berlin", "text": "no", **DEFAULTS, "namespace": 1},
    {"id": 3, "title": "Bärlin", "text": "no", **DEFAULTS, "redirect": '<redirect title="B"/>'},
    {"id": 4, "title": "Style", "text": "no", **DEFAULTS, "model": "css"},
    {"id": 5, "title": "New", "text": "no", **DEFAULTS},
    {"id": 6, "title": "Berlin (meanings)", "text": "many of them", **DEFAULTS},
    {"id": 7, "title": "List of cities", "text": "* Bonn\n* Paris", **DEFAULTS},
]
END = "</mediawiki>"


@pytest.fixture
def part(tmp_path):
    """Run text_part on pages; everything lies in one folder."""
    props = PageProps(np.array([1, 2, 3, 4, 6, 7]), np.array([64, 2, 3, 4, 6, 77]), np.array([6]))
    concepts.write(tmp_path / "concepts", props, "en")

    def run(pages=PAGES, end=END, name="part"):
        xml = "<mediawiki>" + "".join(PAGE.format(**page) for page in pages) + end
        (tmp_path / "dump").write_bytes(bz2.compress(xml.encode()))
        return text_part(
            *(tmp_path / "dump", "en", tmp_path / "concepts"),
            tmp_path / name,
        )

    return run


def documents(path):
    return pd.read_parquet(path / "documents.parquet").to_dict("records")


def test_articles_with_a_concept_are_documents(part, tmp_path):
    assert part() == PartCounts(
        pages=7,
        other_namespace=1,
        redirect=1,
        other_model=1,
        no_concept=1,
        disambiguation=1,
        documents=2,
    )
    found = documents(tmp_path / "part")
    assert [(row["concept"], row["title"]) for row in found] == [
        ("Q64", "Berlin"),
        ("Q77", "List of cities"),
    ]
    assert found[0]["text"].strip() == "Berlin is a city."


def test_a_truncated_file_is_an_error(part, tmp_path):
    with pytest.raises(TruncatedError, match="good for 2 pages"):
        part(PAGES[:2], end="<page>")
    assert not (tmp_path / "part").exists()


def test_a_part_may_have_no_document(part, tmp_path):
    assert part(PAGES[1:2]).documents == 0
    assert documents(tmp_path / "part") == []


def test_counts_are_saved_and_added_up(part, tmp_path):
    part(name="a")
    part(PAGES[:1], name="b")
    total = PartCounts.total([tmp_path / "a", tmp_path / "b"])
    assert (total.pages, total.documents) == (8, 3)
