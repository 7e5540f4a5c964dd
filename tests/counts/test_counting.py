import pyarrow.parquet as pq

from cr5.counts.counting import count, counts_file, segments, words_file

RECORDS = [
    (7, "Q7", "Seven", "b a  b"),
    (9, "Q9", "Nine", ""),
    (11, "Q11", "Eleven", "c b ø"),
]


def test_counts_and_words_by_hand(tmp_path):
    assert count(tmp_path / "part", RECORDS) == 6
    (segment,) = segments([tmp_path / "part"])
    # b is the first word seen, then a, c, ø
    assert pq.read_table(counts_file(segment)).to_pylist() == [
        {"page_id": 7, "concept": "Q7", "title": "Seven", "n_tokens": 3, "n_unique": 2}
        | {"words": [0, 1], "counts": [2, 1]},
        {"page_id": 9, "concept": "Q9", "title": "Nine", "n_tokens": 0, "n_unique": 0}
        | {"words": [], "counts": []},
        {"page_id": 11, "concept": "Q11", "title": "Eleven", "n_tokens": 3, "n_unique": 3}
        | {"words": [2, 0, 3], "counts": [1, 1, 1]},
    ]
    assert pq.read_table(words_file(segment)).to_pydict() == {
        "word": ["a", "b", "c", "ø"],
        "number": [1, 0, 2, 3],
        "document_frequency": [1, 2, 1, 1],
        "collection_frequency": [1, 3, 1, 1],
    }


def test_a_segment_ends_when_it_knows_too_many_words(tmp_path):
    count(tmp_path / "part", RECORDS, most_words=2)
    first, second = segments([tmp_path / "part"])
    assert pq.read_table(counts_file(first))["page_id"].to_pylist() == [7]
    assert pq.read_table(counts_file(second))["page_id"].to_pylist() == [9, 11]
    assert pq.read_table(words_file(second))["word"].to_pylist() == ["b", "c", "ø"]


def test_parts_keep_the_order_given_and_bytes_repeat(tmp_path):
    for name in ("b", "a"):
        count(tmp_path / name, RECORDS, most_words=2)
    found = segments([tmp_path / "b", tmp_path / "a"])
    assert [path.parent.name for path in found] == ["b", "b", "a", "a"]
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


def test_no_document_is_a_part_without_segments(tmp_path):
    assert count(tmp_path / "part", []) == 0
    assert segments([tmp_path / "part"]) == []
