import gzip

import numpy as np
import pyarrow.parquet as pq
import pytest

from cr5.base.errors import UserError
from cr5.corpora.wikimedia.concepts import ConceptCounts, Concepts, PageProps, concepts, write

PROPS = PageProps(
    np.array([30, 12, 4, 31]), np.array([300, 120, 300, 31]), np.array([31, 31, 99, 12])
)


def test_table_by_page_id(tmp_path):
    counts = write(tmp_path / "da", PROPS)
    assert pq.read_table(tmp_path / "da" / "concepts.parquet").to_pylist() == [
        {"page_id": 4, "concept": "Q300", "is_disambiguation": False},
        {"page_id": 12, "concept": "Q120", "is_disambiguation": True},
        {"page_id": 30, "concept": "Q300", "is_disambiguation": False},
        {"page_id": 31, "concept": "Q31", "is_disambiguation": True},
    ]
    assert counts == ConceptCounts(
        pages=4, disambiguation=2, disambiguation_without_concept=1, repeated=1
    )


def test_lookup(tmp_path, monkeypatch):
    monkeypatch.setattr("cr5.corpora.wikimedia.concepts.ROWS", 3)  # in pieces
    write(tmp_path / "da", PROPS, "da")
    with pytest.raises(UserError, match="expected concepts by page of language 'en', found"):
        Concepts(tmp_path / "da", "en")
    table = Concepts(tmp_path / "da", "da")
    assert table.find(4) == ("Q300", False)
    assert table.find(12) == ("Q120", True)
    assert table.find(31) == ("Q31", True)
    assert [table.find(page_id) for page_id in (0, 5, 2**32 - 1)] == [None, None, None]


def test_from_a_dump(tmp_path):
    sql = tmp_path / "page_props.sql.gz"
    sql.write_bytes(
        gzip.compress(
            b"INSERT INTO `page_props` VALUES (7,'wikibase_item','Q64',NULL);\n-- Dump completed\n"
        )
    )
    assert concepts(sql, tmp_path / "a", "da").pages == 1
    assert Concepts(tmp_path / "a", "da").find(7) == ("Q64", False)
    concepts(sql, tmp_path / "b", "da")
    for name in ("concepts.parquet", "counts.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
