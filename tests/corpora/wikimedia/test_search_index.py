import io
import json

import pytest

from cr5.base.compressed import TruncatedError
from cr5.base.errors import UserError
from cr5.corpora.wikimedia.pages import Page
from cr5.corpora.wikimedia.search_index import cirrus_pages


def read(content):
    return list(cirrus_pages(io.BytesIO(content.encode()), "x.json"))


def until_error(content):
    """Pages that came, and the error."""
    found = []
    with pytest.raises(UserError) as raised:
        found.extend(cirrus_pages(io.BytesIO(content.encode()), "x.json"))
    return found, raised.value


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
    assert read(cirrus(RECORD, other)) == [
        Page(7, "Køge", 0, False, "wikitext", "Køge er en by.", "Q21179"),
        Page(7, "Uden", 1, False, "css", "", None),
    ]


def test_cirrus_keeps_what_can_be_stored():
    (page,) = read(cirrus(RECORD | {"text": "a\0b\ud800c", "wikibase_item": "Q1; DROP"}))
    assert (page.text, page.qid) == ("a\ufffdb\ufffdc", None)


def test_cirrus_cut_off():
    content = cirrus(RECORD, RECORD | {"title": "To"})
    whole = len(cirrus(RECORD))
    for end in (whole + 3, whole + 20, whole + 60, len(content) - 2):
        found, error = until_error(content[:end])
        assert [page.title for page in found] == ["Køge"]
        assert isinstance(error, TruncatedError)
        assert "It was good for 1 pages (the last one is 'Køge')" in str(error)
    assert len(read(content[:-1])) == 2  # only the last line's end is missing
