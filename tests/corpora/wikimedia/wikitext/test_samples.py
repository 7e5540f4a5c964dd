"""Real articles against an independent parser; the whole comparison is a benchmark."""

import re
from collections import Counter
from pathlib import Path

import pytest

from cr5.base.compressed import open_stream
from cr5.corpora.wikimedia.pages import xml_pages
from cr5.corpora.wikimedia.wikitext.clean import clean
from cr5.corpora.wikimedia.wikitext.namespaces import Namespaces
from cr5.counts.tokens import tokenise

mwparserfromhell = pytest.importorskip("mwparserfromhell")
MINIDUMPS = Path(__file__).parents[5] / "shared" / "data" / "dumps" / "minidumps"
# What `strip_code` keeps and is no text.
NO_TEXT = re.compile(
    r"<ref[^<>]*/>|<ref.*?</ref>|\[\[(?:Category|Kategori|Categoria):.*?\]\]", re.S
)


@pytest.mark.skipif(not MINIDUMPS.is_dir(), reason=f"{MINIDUMPS}: real samples are not here")
@pytest.mark.parametrize("language", ["da", "it", "tr"])
def test_hardly_a_word_of_berlin_is_lost(language):
    with open_stream(MINIDUMPS / f"{language}.wiki.xml.bz2") as stream:
        text = next(p.text for p in xml_pages(stream, language) if p.namespace == 0)
    result = clean(text, Namespaces.from_siteinfo({}, language))
    parsed = mwparserfromhell.parse(NO_TEXT.sub("", text)).strip_code()
    expected = Counter(tokenise(parsed, language))
    lost = expected - Counter(tokenise(result.text, language))
    assert expected.total() > 2_000
    assert lost.total() < 0.02 * expected.total()  # options of images, addresses, joined cells
    assert not result.residual
