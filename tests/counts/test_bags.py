import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from cr5.base.errors import UserError
from cr5.counts import bags, documents, filtering
from cr5.counts.counting import Pieces
from cr5.counts.tokens import tokenise

RECORDS = [
    ("q1", "One", "a a a b c"),
    ("q2", "Two", "a b b d"),
    ("q3", "Three", "a b c d e f"),
    ("q4", "Four", "e"),
]


def rules(**changes):
    return bags.Rules(**{"min_documents": 2, "unique_words": (1, 99), **changes})


def test_counts_vocabulary_and_documents_by_hand():
    built, summary = bags.counted(RECORDS, rules(), "en")
    # a: 5 in 3 documents; b: 4 in 3; c, d, e: 2 in 2; f: 1 in 1, dropped
    assert built.words["word"].tolist() == ["a", "b", "c", "d", "e"]
    assert built.words["document_frequency"].tolist() == [3, 3, 2, 2, 2]
    assert built.words["collection_frequency"].tolist() == [5, 4, 2, 2, 2]
    assert built.counts.toarray().tolist() == [
        [3, 1, 1, 0, 0],
        [1, 2, 0, 1, 0],
        [1, 1, 1, 1, 1],
        [0, 0, 0, 0, 1],
    ]
    assert built.documents.to_dict("list") == {
        "concept": ["q1", "q2", "q3", "q4"],
        "title": ["One", "Two", "Three", "Four"],
        "n_tokens": [5, 4, 6, 1],
        "n_unique": [3, 3, 6, 1],
    }
    assert summary == {
        "language": "en",
        "documents": 4,
        "kept_documents": 4,
        "distinct_words": 6,
        "words": 5,
        "tokens": 16,
        "mean_unique_words": 13 / 4,
        "nonzeros": 12,
        "suggested_unique_words": [1, 6],
    }


def test_most_frequent_words_are_kept_and_ties_go_by_string():
    built, _ = bags.counted(RECORDS, rules(max_words=4, vocabulary="text"), "en")
    assert built.words["word"].tolist() == ["a", "b", "c", "d"]


@pytest.mark.parametrize("vocabulary", ["training", "training_df"])
def test_all_words_above_the_floor_are_there_where_training_documents_choose_later(vocabulary):
    chosen = rules(max_words=3, vocabulary=vocabulary, unique_words=(3, 5))
    built, _ = bags.counted(RECORDS, chosen, "en")
    assert built.words["word"].tolist() == ["a", "b", "c", "d", "e"]
    in_vocabulary = chosen.model_copy(
        update={"unique_words_in": "vocabulary"}
    )  # of the three most frequent
    assert bags.counted(RECORDS, in_vocabulary, "en")[0].documents["concept"].tolist() == [
        "q1",
        "q3",
    ]


def test_document_filter_includes_both_ends():
    built, summary = bags.counted(RECORDS, rules(unique_words=(3, 5)), "en")
    assert built.documents["concept"].tolist() == ["q1", "q2"]
    assert built.counts.shape == (2, 5)
    assert (summary["documents"], summary["kept_documents"]) == (4, 2)


def test_filter_may_count_words_of_the_vocabulary_only():
    built, _ = bags.counted(RECORDS, rules(unique_words=(1, 5), unique_words_in="vocabulary"), "en")
    assert "q3" in built.documents["concept"].tolist()  # six unique words, five of them kept


def test_equals_scikit_learn():
    generator = np.random.default_rng(1)
    texts = [" ".join(generator.choice(list("abcdefghijklm"), 30)) for _ in range(50)]
    built, _ = bags.counted(
        ((str(i), "", text) for i, text in enumerate(texts)), rules(min_documents=1), "en"
    )
    vocabulary = built.words["word"].tolist()
    expected = CountVectorizer(vocabulary=vocabulary, token_pattern=r"\w+").transform(texts)
    assert (built.counts != expected).nnz == 0


def test_a_filter_that_drops_most_documents_is_pointed_out(caplog):
    bags.counted(RECORDS, rules(unique_words=(5, 10)), "en")
    assert [record.getMessage() for record in caplog.records] == [
        "Language 'en': only 1 of 4 documents have 5 to 10 unique words; "
        "bags.unique_words: [1, 6] would keep 100 % of them."
    ]


def test_a_filter_that_keeps_half_is_not(caplog):
    bags.counted(RECORDS, rules(unique_words=(3, 5)), "en")
    assert not caplog.records


def test_suggestion_and_its_share_by_hand(caplog):
    # of 441 documents, 22 are left out at each end: 1 .. 22 and 420 .. 441 of 7 .. 3087
    unique = np.random.default_rng(0).permutation(np.arange(1, 442) * 7)
    # the 23rd is 161, the 419th is 2933; 160 // 7 = 22 are below 160, 3000 // 7 = 428 up to 3000
    assert filtering.suggestion(unique) == (160, 3000)
    kept = filtering.keep(unique, rules(unique_words=(1, 100)), "es")
    assert sorted(unique[kept]) == list(range(7, 101, 7))
    assert caplog.messages == [
        "Language 'es': only 14 of 441 documents have 1 to 100 unique words; "
        f"bags.unique_words: [160, 3000] would keep {100 * (428 - 22) // 441} % of them."
    ]


@pytest.mark.parametrize(
    ("unique", "expected"),
    [([1], (1, 1)), ([99], (99, 99)), ([100], (100, 100)), ([101], (100, 110)), ([], (1, 1))],
)
def test_suggestion_for_few_documents(unique, expected):
    assert filtering.suggestion(np.array(unique, int)) == expected


@pytest.mark.parametrize("most", [1, 9, 150, 20_000])
@pytest.mark.parametrize("number", [1, 2, 19, 20, 21, 22, 41, 500])
def test_the_suggestion_keeps_nine_tenths_and_has_two_digits(number, most):
    generator = np.random.default_rng([number, most])
    for unique in (
        generator.integers(1, most + 1, number),
        np.ceil(most ** generator.random(number)).astype(int),
    ):
        least, greatest = filtering.suggestion(unique)
        kept = (unique >= least) & (unique <= greatest)
        assert 10 * kept.sum() >= 9 * number
        assert 1 <= least <= np.percentile(unique, 5)
        assert np.percentile(unique, 95) <= greatest
        for end in (least, greatest):
            assert set(str(end)[2:]) <= {"0"}


def test_documents_without_words_have_no_say_in_the_suggestion():
    unique = np.array([0] * 30 + [*range(10, 30)])
    assert filtering.suggestion(unique) == filtering.suggestion(unique[30:]) == (10, 29)
    with pytest.raises(UserError, match=r"none of 50 documents .*: \[10, 29\] would keep 40 % of"):
        filtering.keep(unique, rules(unique_words=(50, 60)), "en")


def test_rows_by_concept():
    built, _ = bags.counted(RECORDS, rules(), "en")
    assert built.rows(["q3", "q1"]).tolist() == [2, 0]
    with pytest.raises(KeyError, match="q9"):
        built.rows(["q1", "q9"])


def test_saved_and_loaded_and_the_same_bytes(tmp_path):
    built, summary = bags.counted(RECORDS, rules(), "en")
    for name in ("a", "b"):
        bags.save(tmp_path / name, built, summary)
    loaded = bags.load(tmp_path / "a", "en")
    assert (loaded.counts != built.counts).nnz == 0
    assert loaded.words.equals(built.words)
    assert loaded.documents.equals(built.documents)
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


@pytest.mark.parametrize("name", ["indices.npy", "words.parquet", "documents.parquet"])
def test_half_a_file_is_named_with_a_remedy(tmp_path, name):
    bags.save(tmp_path / "bags", *bags.counted(RECORDS, rules(), "en"))
    file = tmp_path / "bags" / name
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(UserError, match=r"remove .*bags and run again") as error:
        bags.load(tmp_path / "bags", "en")
    assert str(error.value).startswith(f"{file}: not what was written")


def test_a_given_vocabulary_is_kept_as_it_is():
    built, summary = bags.counted(RECORDS, rules(), "en", ["f", "new_york", "b", "a"])
    assert built.words["word"].tolist() == ["f", "new_york", "b", "a"]
    assert built.words["document_frequency"].tolist() == [1, 0, 3, 3]
    assert built.words["collection_frequency"].tolist() == [1, 0, 4, 5]
    assert built.counts.toarray().tolist() == [
        [0, 0, 1, 3],
        [0, 0, 2, 1],
        [1, 0, 1, 1],
        [0, 0, 0, 0],
    ]
    assert (summary["words"], summary["distinct_words"]) == (4, 6)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("within", ["text", "vocabulary"])
def test_in_pieces_and_by_threads_the_same_as_in_one(tmp_path, monkeypatch, threads, within):
    monkeypatch.setattr(documents, "GROUP_ROWS", 3)
    monkeypatch.setattr(bags, "TOGETHER", 2)
    generator = np.random.default_rng(3)
    texts = [" ".join(generator.choice(list("abcdefghijklm"), n)) for n in range(30)]
    records = [(str(i), f"Title {i}", text) for i, text in enumerate(texts)]
    documents.write(tmp_path / "en", records, "en")
    chosen_by = rules(max_words=9, unique_words=(3, 8), unique_words_in=within)
    expected, summary = bags.counted(records, chosen_by, "en")

    pieces = Pieces(tmp_path / "en" / documents.FILE, "en", tokenise, tmp_path, threads)
    chosen = bags.choose(pieces, chosen_by, "en")
    names = documents.names(tmp_path / "en")
    with bags.making(tmp_path / "bags", "en") as (folder, add):
        built = bags.build(pieces, names, chosen, chosen_by, "en", folder)
        add(*built)
    loaded = bags.load(tmp_path / "bags", "en")
    assert (loaded.counts != expected.counts).nnz == 0
    assert loaded.words.equals(expected.words)
    assert loaded.documents.equals(expected.documents)
    assert built[1] == summary
