"""The bags of counted parts against those of `cr5.counts.bags.build`, byte by byte."""

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.counts import bags
from cr5.counts.assembly import assemble
from cr5.counts.counting import count, segments

ALPHABET = list("abcdefghijklmnopqrstuvwxyzæøåđếстал")


def made_up(number=60, seed=3):
    """(page id, concept, title, tokens) of documents, by page id; short words, often repeated."""
    generator = np.random.default_rng(seed)
    page_ids = np.sort(generator.choice(1000, number, replace=False)).tolist()
    qids = generator.choice(10_000, number, replace=False).tolist()
    return [
        (
            page_id,
            f"Q{qid}",
            f"Title {page_id}",
            [
                "".join(generator.choice(ALPHABET, generator.integers(1, 3)))
                for _ in range(generator.integers(0, 40))
            ],
        )
        for page_id, qid in zip(page_ids, qids, strict=True)
    ]


def rules(**changes):
    return bags.Rules(
        **{"min_documents": 2, "max_words": 90, "unique_words": (5, 30), "vocabulary": "text"}
        | changes
    )


def built(folder, records, chosen):
    """Files of the bags of `cr5.counts.bags`, of documents by page id."""
    bags.save(folder, *bags.build((record[1:] for record in sorted(records)), chosen, "vi"))
    return contents(folder)


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def counted(folder, parts, most_words=1_000_000):
    folders = [folder / f"part{number}" for number in range(len(parts))]
    for name, records in zip(folders, parts, strict=True):
        texts = ((*record, " ".join(words)) for *record, words in records)
        count(name, texts, most_words, "vi")
    return folders


@pytest.mark.parametrize("unique_words_in", ["text", "vocabulary"])
@pytest.mark.parametrize(("vocabulary", "most"), [("text", 90), ("training", None)])
@pytest.mark.parametrize("n_parts", [1, 7])
def test_any_number_of_parts_gives_the_bytes_of_bags(
    tmp_path, n_parts, vocabulary, most, unique_words_in
):
    records, chosen = made_up(), rules(vocabulary=vocabulary, unique_words_in=unique_words_in)
    expected = built(tmp_path / "expected", records, chosen)
    ends = np.linspace(0, len(records), n_parts + 1).astype(int)
    parts = [records[a:b] for a, b in pairwise(ends)]
    summary = assemble(counted(tmp_path, parts), tmp_path / "bags", chosen, "vi")
    assert contents(tmp_path / "bags") == expected
    assert summary["documents"] == len(records) > summary["kept_documents"]
    in_documents = Counter(word for *_, tokens in records for word in set(tokens))
    frequent = [word for word, n in in_documents.items() if n >= 2]
    assert summary["distinct_words"] > summary["words"] == len(frequent[:most])


def test_segments_and_the_order_of_documents_change_nothing(tmp_path):
    records = made_up()
    expected = built(tmp_path / "expected", records, rules())
    shuffled = [records[i] for i in np.random.default_rng(1).permutation(len(records))]
    folders = counted(tmp_path, [shuffled[:25], [], shuffled[25:]], most_words=20)
    assert len(segments(folders)) > 6
    assert segments(folders[1:2]) == []
    assemble(folders, tmp_path / "bags", rules(), "vi")
    assert contents(tmp_path / "bags") == expected


@pytest.mark.parametrize("piece", [1, 7])
def test_what_is_held_at_a_time_changes_nothing(tmp_path, monkeypatch, piece):
    monkeypatch.setattr("cr5.counts.counting.GROUP", 50 * piece)
    monkeypatch.setattr("cr5.counts.merging.BATCH", piece)
    monkeypatch.setattr("cr5.counts.merging.DOCUMENTS", piece)
    records = made_up(40)
    expected = built(tmp_path / "expected", records, rules(max_words=5, unique_words=(0, 99)))
    folders = counted(tmp_path, [records[:11], records[11:]], most_words=60)
    assemble(folders, tmp_path / "bags", rules(max_words=5, unique_words=(0, 99)), "vi")
    assert contents(tmp_path / "bags") == expected


def test_a_given_vocabulary_gives_the_bytes_of_bags(tmp_path):
    records, given = made_up(), ["b", "new_york", "a", "ab", "ø"]
    expected = tmp_path / "expected"
    bags.save(expected, *bags.build((record[1:] for record in records), rules(), "vi", given))
    folders = counted(tmp_path, [records[:25], records[25:]], most_words=20)
    assemble(folders, tmp_path / "bags", rules(), "vi", given)
    assert contents(tmp_path / "bags") == contents(expected)
    with pytest.raises(UserError, match="none of the 1 words of the given vectors"):
        assemble(folders, tmp_path / "none", rules(), "vi", ["new_york"])


def test_of_articles_with_one_concept_the_lowest_page_id_is_kept(tmp_path, caplog):
    records = made_up()
    concept = records[30][1]
    others = [(2000, concept, "Later", ["only", "here"] * 3), (3000, concept, "Last", ["a"] * 50)]
    expected = built(tmp_path / "expected", records, rules(min_documents=1, max_words=999))
    parts = [[others[0], *records[40:]], [*records[:40], others[1]]]
    folders = counted(tmp_path, parts)
    summary = assemble(folders, tmp_path / "bags", rules(min_documents=1, max_words=999), "vi")
    assert summary.pop("repeated_concepts") == 2
    assert "2 articles share a concept" in caplog.text
    found = contents(tmp_path / "bags")
    assert json.loads(found.pop("summary.json")) == {**summary, "repeated_concepts": 2}
    assert json.loads(expected.pop("summary.json")) == summary
    del found["contents.json"], expected["contents.json"]  # they tell of it
    assert found == expected


def test_no_document_is_the_error_of_bags(tmp_path):
    with pytest.raises(UserError, match="'vi': "):
        assemble(counted(tmp_path, [[]]), tmp_path / "bags", rules(), "vi")
    assert not (tmp_path / "bags").exists()


def test_an_unfinished_part_is_not_there(tmp_path):
    def broken():
        yield 1, "Q1", "One", "a"
        raise UserError("broken")

    with pytest.raises(UserError, match="broken"):
        count(tmp_path / "part", broken())
    assert not list(tmp_path.iterdir())
