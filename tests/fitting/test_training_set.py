from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer

from cr5.base.errors import UserError
from cr5.counts.bags import Bags
from cr5.counts.rules import Rules
from cr5.fitting.gathering import Extras, training_set
from cr5.fitting.options import TrainingOptions, ValidationOptions
from cr5.fitting.seeds import seeds_of
from cr5.splits.draw import draw
from cr5.splits.options import Sizes
from cr5.splits.training_documents import training as training_documents
from cr5.tasks import texts
from cr5.tasks.ad_hoc import AdHoc
from cr5.texts import translation_tables

NO_EXTRAS = Extras()
OPTIONS = {
    "bags": Rules(vocabulary="text"),
    "idf": "corpus",
    "term_frequency": "raw",
    "validation": ValidationOptions(),
    "csls_neighbours": 0,
    "seed": 0,
}


@pytest.fixture(scope="session")
def prepared():
    """Bags, draw and training documents of da and en: 200 documents of 12 words each."""
    generator = np.random.default_rng(0)
    bags = {}
    for language in ("en", "da"):
        counts = sparse.csr_matrix(generator.poisson(0.5, (200, 12)).astype(np.int32))
        words = pd.DataFrame(
            {"word": [f"w{i}" for i in range(12)], "collection_frequency": range(12, 0, -1)}
        )
        concepts = generator.permutation([f"c{i:03}" for i in range(200)])
        bags[language] = Bags(counts, words, pd.DataFrame({"concept": concepts, "n_unique": 9}))
    sizes = Sizes(test=10, validation=10, candidates=30)
    drawn = draw({x: each.documents for x, each in bags.items()}, [("da", "en")], sizes, 0)
    documents = {x: pd.Index(each.documents["concept"]) for x, each in bags.items()}
    return bags, drawn, training_documents(documents, drawn, sizes, [("da", "en")])


def gathered(prepared, extras=NO_EXTRAS, needs_counts=False, threads=1, **options):
    bags, drawn, trained = prepared
    made_by = TrainingOptions(**OPTIONS | options)
    given = {"needs_counts": needs_counts, "threads": threads}
    return training_set(made_by, bags.items(), drawn, trained, extras, **given)


def train_of(prepared, language):
    trained = prepared[2]
    return sorted(trained.loc[trained["language"] == language, "concept"])


def test_training_set_holds_training_documents_alone_aligned_by_concept(prepared):
    bags = prepared[0]
    training = gathered(prepared, seed=5, needs_counts=True, threads=3)
    rows = {x: train_of(prepared, x) for x in bags}
    assert training.languages == ("da", "en")
    assert training.n_concepts == len(set(rows["da"]) | set(rows["en"]))
    for x in bags:
        counts = bags[x].counts[bags[x].rows(rows[x])]
        assert (training.counts[x] != counts).nnz == 0
        expected = TfidfTransformer(smooth_idf=False).fit(counts)
        np.testing.assert_allclose(
            training.features[x].toarray(), expected.transform(counts).toarray()
        )
        np.testing.assert_allclose(training.weights[x], expected.idf_)
        assert training.words[x] == [f"w{i}" for i in range(12)]
        assert training.frequencies[x].tolist() == list(range(12, 0, -1))
    # the same concept has the same number in both languages, and numbers are of their order
    every = sorted(set(rows["da"]) | set(rows["en"]))
    for x in bags:
        assert training.concepts[x].tolist() == [every.index(concept) for concept in rows[x]]
    assert (training.seed, training.threads) == (5, 3)


def test_training_documents_choose_the_words(prepared):
    bags = prepared[0]
    rules = {"vocabulary": "training_df", "max_words": 5, "min_documents": 1}
    training = gathered(prepared, bags=Rules(**rules))
    for x in bags:
        counts = bags[x].counts[bags[x].rows(train_of(prepared, x))]
        often = np.argsort(-counts.getnnz(axis=0), kind="stable")
        assert sorted(training.words[x]) == sorted(f"w{i}" for i in often[:5])
        assert training.features[x].shape == (counts.shape[0], 5)


@pytest.fixture
def channel(prepared, tmp_path):
    """A function: what a system gets of a channel with some of the files."""
    (tmp_path / "documents").write_text("d1\tkat og kat\nd2\tfugl, hund\n")
    (tmp_path / "queries").write_text("q1\thund\nq2\tukendt\n")
    (tmp_path / "qrels").write_text("q1 0 d2 2\nq2 0 d1 1\nq2 0 d2 0\nq9 0 d1 1\n")

    def get(*names, language="da"):
        found = AdHoc().records({name: tmp_path / name for name in names}, "da")
        words = ["hund", "kat", "fugl", *"abcdefghi"]
        texts.save(tmp_path / "da", texts.count(found, "da", words), language="da")
        bags, *others = prepared
        named = {x: replace(y, words=y.words.assign(word=words)) for x, y in bags.items()}
        extras = Extras(channels={language: tmp_path / "da"}, judgements=tmp_path / "qrels")
        return gathered((named, *others), extras).channels[language]

    return get


def test_a_channel_of_text_alone_and_with_queries(channel, prepared, tmp_path, caplog):
    caplog.set_level("INFO")
    found = channel("documents")
    assert found.documents.toarray()[:, :3].tolist() == [[0, 2, 0], [1, 0, 1]]
    assert (found.queries, found.relevance) == (None, None)
    found = channel("documents", "queries")
    assert found.queries.toarray()[:, :2].tolist() == [[1, 0], [0, 0]]
    assert found.relevance.toarray().tolist() == [[0, 2], [1, 0]]  # not what has grade 0
    assert "2 of 3 relevant documents are of queries and documents in 'da'" in caplog.text  # q9
    (tmp_path / "qrels").write_text("q9 0 d1 1\nq1 0 d9 1\n")
    with pytest.raises(UserError, match="qrels: no query in 'da' has a relevant document in 'da'"):
        channel("documents", "queries")
    with pytest.raises(UserError, match="'en'"):
        channel("documents", language="en")
    assert gathered(prepared).channels == {}


WORDS = {"da": ["hus", "kat", "og", "taxi"], "en": ["cat", "house", "taxi"]}


def test_word_translation_tables_by_hand(tmp_path, caplog):
    caplog.set_level("INFO")
    text = (
        "ka\u00adt\tcat\t0.75\nhus\thouse\t1\nkat\thouse\t2.5e-1\nhund\tdog\t1\r\nhus\thome\t.5\n"
    )
    (tmp_path / "t").write_text(text)
    (tmp_path / "u").write_text("house\thus\t0.5\n")
    tables = translation_tables.read(
        {("da", "en"): tmp_path / "t", ("en", "da"): tmp_path / "u"}, WORDS
    )
    expected = [[0, 1, 0], [0.75, 0.25, 0], [0, 0, 0], [0, 0, 0]]
    np.testing.assert_array_equal(tables["da"]["en"].toarray(), expected)
    assert tables["en"]["da"].toarray().tolist() == [[0] * 4, [0.5, 0, 0, 0], [0] * 4]
    assert f"{tmp_path / 't'}: 3 of 5 entries are of the vocabularies" in caplog.text
    (tmp_path / "t").write_text("Kat\tCat\t1\nchat\tcat\t1\n")
    with pytest.raises(UserError, match="t: none of its 2 entries"):
        translation_tables.read({("da", "en"): tmp_path / "t"}, WORDS)
    (tmp_path / "t").write_text("kat\tcat\t0.7\nhund\tdog\t1\nhund\tdog\t1\nka\u00adt\tcat\t0.6\n")
    with pytest.raises(UserError, match="t, line 4: 'kat' and 'cat' are on line 1 too"):
        translation_tables.read({("da", "en"): tmp_path / "t"}, WORDS)


COLUMNS = ["query", "target", "word", "translation"]
HOUSE = [("en", "it", "house", "casa")]
DOGS = [("en", "it", "dog", "cane"), ("en", "it", "dog", "cagna")]
YEAR, CAT = [("en", "it", "year", "anno")], [("it", "en", "gatto", "cat")]
ASKED = [("en", "it", "House", "abitazione")], [("it", "en", "anno", "year")]  # bags may keep case


def entries(rows):
    return pd.DataFrame(rows, columns=COLUMNS)


@pytest.mark.parametrize(
    ("dictionary", "pair", "directed", "expected"),
    [
        (HOUSE + DOGS + YEAR, ("en", "it"), False, DOGS),
        # what the other direction asks for is no secret to a map that serves this one alone
        (HOUSE + DOGS + YEAR, ("en", "it"), True, DOGS + YEAR),
        (HOUSE + CAT, ("it", "en"), True, CAT),
        (CAT, ("en", "it"), False, [("en", "it", "cat", "gatto")]),  # turned
        (CAT, ("en", "it"), True, []),
        ([], ("en", "it"), False, []),
    ],
)
def test_what_a_test_asks_for_is_left_out_of_a_dictionary(dictionary, pair, directed, expected):
    seeds = seeds_of(entries(dictionary), map(entries, ASKED))
    assert seeds.given(*pair, directed=directed) == [x[2:] for x in expected]
    assert seeds_of(None, []).given(*pair, directed=directed) == []


def test_and_of_pairs_that_a_system_makes_itself():
    seeds = seeds_of(None, map(entries, ASKED))
    same = [("House", "House"), ("anno", "anno"), ("radio", "radio")]
    assert seeds.allowed(same, "en", "it", directed=False) == same[2:]
    assert seeds.allowed(same, "it", "en", directed=True) == same[::2]


def test_to_a_pivot_what_any_test_asks_for_is_left_out():
    """Dog and cane that both meet hund would give the answer of a test between the two others."""
    seeds = seeds_of(None, [entries([("es", "it", "perro", "cane")])])
    pairs = [("perro", "hund"), ("gato", "katze")]
    assert seeds.allowed(pairs, "es", "de", directed=False) == pairs[1:]
    assert seeds.allowed([x[::-1] for x in pairs], "de", "es", directed=False) == [pairs[1][::-1]]
    assert seeds.allowed(pairs, "es", "de", directed=True) == pairs
