import pandas as pd
import pytest
from scipy import sparse

from cr5.corpora import eflomal, word_translations
from cr5.corpora import paragraphs as paragraph_files
from cr5.fitting.contract import alignment_entries

TRAINED = pd.DataFrame({"concept": ["a", "b", "a", "c"], "language": ["da", "da", "en", "en"]})


def paragraphs(tmp_path, language, rows):
    paragraph_files.write(tmp_path / language, rows, language)
    return tmp_path / language


def test_paragraphs_are_those_of_documents_that_train_in_both_languages(tmp_path):
    files = {
        "da": paragraphs(
            tmp_path,
            "da",
            [("a", "1", "Hus"), ("a", "2", "hus!"), ("a", "3", "kat"), ("b", "1", "to"),
             ("c", "1", "tre"), ("d", "1", "fire")],
        ),
        "en": paragraphs(
            tmp_path,
            "en",
            [("a", "1", "House"), ("a", "2", "a house"), ("b", "1", "two"), ("c", "1", "three"),
             ("d", "1", "four")],
        ),
    }  # fmt: skip
    table, counts = word_translations.of_paragraphs(files, TRAINED)
    both = table.dropna(subset=["da", "en"])
    assert both[["id", "da", "en"]].to_numpy().tolist() == [["a#1", "Hus", "House"]]
    assert set(table["concept"]) == {"a"}
    assert counts[0]["double"] == 1  # the same word as before, in another spelling


def test_links_of_both_directions_are_counted():
    pairs = [([0, 1], [2, 0]), ([1, 1], [0])]
    forward, reverse = [[(0, 0), (1, 1)], [(0, 0)]], [[(0, 0)], [(1, 0)]]
    counts = word_translations.counted(pairs, (forward, reverse), (3, 3))
    assert counts.toarray().tolist() == [[0, 0, 2], [3, 0, 0], [0, 0, 0]]
    nothing = word_translations.counted([], ([], []), (0, 0))
    assert nothing.shape == (0, 0)


def test_entries_are_the_twenty_most_probable_of_a_hundredth_or_more():
    targets = [f"t{i:02}" for i in range(25)]
    rare, many = [1, 199, 2, *[0] * 22], [1] * 24 + [6]
    found = word_translations.entries(
        sparse.csr_matrix([rare, [0] * 25, many]), ["x", "y", "z"], targets
    )
    assert found.to_numpy().tolist() == [
        *(["x", "t01", 199 / 202],),
        *(["z", name, n / 30] for name, n in [("t24", 6), *((x, 1) for x in targets[:19])]),
    ]


def test_a_hundredth_is_enough():
    found = word_translations.entries(sparse.csr_matrix([[1, 99]]), ["x"], ["a", "b"])
    assert found["probability"].tolist() == [0.99, 0.01]


def test_what_is_written_is_a_table(tmp_path):
    table = pd.DataFrame({"source": ["é"], "target": ["b"], "probability": [1 / 3]})
    word_translations.write(tmp_path / "t.tsv", table)
    assert list(alignment_entries(tmp_path / "t.tsv")) == [("é", "b", 0.333333)]


def test_without_sentences_tables_are_empty(tmp_path):
    sentences = pd.DataFrame({"da": ["hus", None], "en": [None, "cat"]})
    forward, reverse = word_translations.tables(sentences, ("da", "en"), 1, tmp_path / "x")
    assert len(forward) == len(reverse) == 0


@pytest.mark.skipif(eflomal.program() is None, reason="eflomal is not installed")
def test_the_right_table_of_a_tiny_text(tmp_path):
    words = {"da": ["hus", "kat", "bil", "sol", "by"], "en": ["house", "cat", "car", "sun", "town"]}
    order = [(i, (i + k) % 5, (i * k + 2) % 5) for i in range(5) for k in range(1, 5)] * 3
    texts = {x: [f"{y[a]} {y[b].title()}, {y[c]}." for a, b, c in order] for x, y in words.items()}
    tables = word_translations.tables(pd.DataFrame(texts), ("da", "en"), 1, tmp_path / "x")
    for table, source, target in zip(tables, ("da", "en"), ("en", "da"), strict=True):
        first = table.drop_duplicates("source").set_index("source")
        assert first["target"].to_dict() == dict(zip(words[source], words[target], strict=True))
        assert (first["probability"] > 0.8).all()
