"""Real dump files, where they are: not part of the repository."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cr5.base.compressed import TruncatedError, open_stream
from cr5.base.errors import UserError
from cr5.corpora.wikimedia import concepts
from cr5.corpora.wikimedia.pages import siteinfo, xml_pages
from cr5.corpora.wikimedia.part import text_part
from cr5.corpora.wikimedia.selection import Selection

DUMPS = Path(__file__).parents[4] / "shared" / "data" / "dumps"
pytestmark = pytest.mark.skipif(not DUMPS.is_dir(), reason=f"no dump files in {DUMPS}")
SAMPLES = {  # pages
    "aawiki-20260101-pages-meta-current.xml.bz2": 507,  # export 0.11
    "enwiki-gensim-shortened.xml.bz2": 206,  # 0.10
    "itwiki-small-dump.xml.gz": 747,  # 0.8
    "tinywiki.xml.xz": 8,
    "minidumps/da.wiki.xml.bz2": 1,
}
TRUNCATED = "viwiki-truncated-100k.xml.xz"
BERLIN = {
    "ar": "برلين",
    "da": "Berlin",
    "de": "Berlin",
    "en": "Berlin",
    "es": "Berlín",
    "fr": "Berlin",
    "hi": "बर्लिन",
    "it": "Berlino",
    "ja": "ベルリン",
    "ru": "Берлин",
    "th": "เบอร์ลิน",
    "tr": "Berlin",
    "vi": "Berlin",
    "zh": "柏林",
}


def pages(name):
    with open_stream(DUMPS / name) as stream:
        return list(xml_pages(stream, name))


@pytest.mark.parametrize("name", SAMPLES)
def test_pages_namespaces_and_redirects(name):
    with open_stream(DUMPS / name) as stream:
        content = stream.read().decode()
    found = pages(name)
    assert len(found) == content.count("<page>") == SAMPLES[name]
    assert sum(page.namespace == 0 for page in found) == content.count("<ns>0</ns>")
    assert sum(page.is_redirect for page in found) == content.count("<redirect ")
    assert Counter(p.model for p in found) == Counter(re.findall("<model>(.*?)</model>", content))
    with open_stream(DUMPS / name) as stream:
        assert len(siteinfo(stream, name)) == len(re.findall("<namespace [^>]*[^/]>", content))


def test_the_truncated_one_says_how_far_it_got():
    message = r"ends after 15278627 bytes.*good for 970 pages \(the last one is 'Tiệp'\)"
    with pytest.raises(TruncatedError, match=message):
        pages(TRUNCATED)


def test_the_truncated_one_counts_if_allowed(tmp_path):
    identifiers = np.arange(1, 200_000)
    props = concepts.PageProps(identifiers, identifiers, identifiers[:0])
    concepts.write(tmp_path / "vi.parquet", props, "vi")
    arguments = DUMPS / TRUNCATED, "legacy", "vi", tmp_path / "vi.parquet", None, tmp_path / "part"
    counts = text_part(*arguments, Selection(allow_truncated=True))
    assert (counts.pages, len(counts.truncated)) == (970, 1)
    assert 0 < counts.documents < 970


def test_berlin_in_many_languages_is_one_concept(tmp_path):
    found = {}
    for language, title in BERLIN.items():
        path = DUMPS / "minidumps" / f"{language}.wiki.xml.bz2"
        (identifier,) = (page.id for page in pages(path) if page.title == title)
        props = concepts.PageProps(np.array([identifier]), np.array([64]), np.zeros(0, np.int64))
        concepts.write(tmp_path / "concepts.parquet", props, language)
        text_part(
            *(path, "content", language, tmp_path / "concepts.parquet"),
            *(tmp_path / f"{language}.parquet", tmp_path / language),
        )
        found[language] = pd.read_parquet(tmp_path / f"{language}.parquet")
    joined = pd.concat(found).groupby("concept")["title"].apply(list)
    assert joined.to_dict() == {"Q64": list(BERLIN.values())}
    assert all(found[language]["text"][0].count(BERLIN[language]) > 20 for language in found)


@pytest.mark.parametrize("table", ["categorylinks", "pagelinks"])
def test_another_table_than_page_props(table):
    path = DUMPS / f"aawiki-20260101-{table}.sql.gz"
    with (
        open_stream(path) as stream,
        pytest.raises(UserError, match=rf"this is the table '{table}'; expected page_props"),
    ):
        concepts.page_props(stream, str(path))
