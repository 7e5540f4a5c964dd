from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
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
from cr5.splits.training_documents import paired
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


LANGUAGES = ("da", "en")
SIZES = {"test": 10, "validation": 10, "candidates": 30}


@pytest.fixture(scope="session")
def all_bags():
    """Bags of da and en: 200 documents of 12 words each, in an order of its own."""
    generator = np.random.default_rng(0)
    bags = {}
    for language in ("en", "da"):
        counts = sparse.csr_matrix(generator.poisson(0.5, (200, 12)).astype(np.int32))
        words = pd.DataFrame(
            {
                "word": [f"w{number}" for number in range(12)],
                "collection_frequency": range(12, 0, -1),
            }
        )
        concepts = generator.permutation([f"c{number:03}" for number in range(200)])
        bags[language] = Bags(counts, words, pd.DataFrame({"concept": concepts, "n_unique": 9}))
    return bags


def prepare(bags, **options):
    """Return bags, what is drawn of them, and who trains."""
    sizes = Sizes(**SIZES | options)
    documents = {language: bags[language].documents for language in bags}
    drawn = draw(documents, [LANGUAGES], sizes, 0)
    concepts = {language: pd.Index(documents[language]["concept"]) for language in bags}
    return bags, drawn, training_documents(concepts, drawn, sizes, [LANGUAGES])


@pytest.fixture(scope="session")
def prepared(all_bags):
    return prepare(all_bags)


def gathered(prepared, extras=NO_EXTRAS, needs_counts=False, threads=1, **options):
    bags, drawn, trained = prepared
    return training_set(
        TrainingOptions(**OPTIONS | options),
        bags.items(),
        drawn,
        trained,
        extras,
        needs_counts=needs_counts,
        threads=threads,
    )


def training_concepts(prepared, language):
    _, _, trained = prepared
    return sorted(trained.loc[trained["language"] == language, "concept"])


def training_counts(prepared, language):
    bags, _, _ = prepared
    return bags[language].counts[bags[language].rows(training_concepts(prepared, language))]


@pytest.mark.parametrize("language", ["da", "en"])
def test_training_set_holds_training_documents_alone(prepared, language):
    training = gathered(prepared, needs_counts=True)
    counts = training_counts(prepared, language)
    assert (training.counts[language] != counts).nnz == 0
    expected = TfidfTransformer(smooth_idf=False).fit(counts)
    features = training.features[language].toarray()
    assert_allclose(features, expected.transform(counts).toarray())
    assert_allclose(training.weights[language], expected.idf_)
    assert training.words[language] == [f"w{number}" for number in range(12)]
    assert training.frequencies[language].tolist() == list(range(12, 0, -1))


def test_a_concept_has_the_same_number_in_both_languages_and_numbers_are_of_their_order(prepared):
    training = gathered(prepared, seed=5, threads=3)
    danish = training_concepts(prepared, "da")
    english = training_concepts(prepared, "en")
    in_order = sorted(set(danish + english))
    assert training.languages == ("da", "en")
    assert training.n_concepts == len(in_order)
    assert training.concepts["da"].tolist() == [in_order.index(concept) for concept in danish]
    assert training.concepts["en"].tolist() == [in_order.index(concept) for concept in english]
    assert training.seed == 5
    assert training.threads == 3


@pytest.mark.parametrize("language", ["da", "en"])
def test_training_documents_choose_the_words(prepared, language):
    rules = Rules(vocabulary="training_df", max_words=5, min_documents=1)
    training = gathered(prepared, bags=rules)
    counts = training_counts(prepared, language)
    most_frequent = np.argsort(-counts.getnnz(axis=0), kind="stable")[:5]
    assert sorted(training.words[language]) == sorted(f"w{number}" for number in most_frequent)
    assert training.features[language].shape == (counts.shape[0], 5)


def test_documents_that_nothing_pairs_have_a_number_each(all_bags):
    some_unpaired = prepare(all_bags, unpaired=0.5)
    _, _, trained = some_unpaired
    found = gathered(some_unpaired)
    known = sorted(set(paired(trained)["concept"]))
    n_others = len(trained) - 2 * len(known)
    assert n_others > 20
    numbers_of_others = []
    for language in LANGUAGES:
        names = training_concepts(some_unpaired, language)
        for name, number in zip(names, found.concepts[language], strict=True):
            if name in known:
                assert number == known.index(name)
            else:
                numbers_of_others.append(number)
    assert sorted(numbers_of_others) == list(range(len(known), len(known) + n_others))
    assert found.n_concepts == len(known) + n_others


@pytest.mark.parametrize("options", [{}, {"unpaired": 0.5}])
def test_nothing_that_a_fit_is_given_depends_on_the_text_of_an_evaluation(all_bags, options):
    """Queries and candidates are given other words: all that a system learns from is the same."""
    _, drawn, trained = as_it_is = prepare(all_bags, **options)
    changed = {}
    for language, bags in all_bags.items():
        concepts = bags.documents["concept"]
        is_trained = concepts.isin(training_concepts(as_it_is, language)).to_numpy()
        assert not is_trained[concepts.isin(drawn.held_out())].any()
        counts = bags.counts.toarray()
        counts[~is_trained] = counts[~is_trained][:, ::-1] + 1
        changed[language] = replace(bags, counts=sparse.csr_matrix(counts))
    before = gathered(as_it_is, needs_counts=True)
    after = gathered((changed, drawn, trained), needs_counts=True)
    for language in LANGUAGES:
        assert (before.features[language] != after.features[language]).nnz == 0
        assert (before.counts[language] != after.counts[language]).nnz == 0
        assert_array_equal(before.concepts[language], after.concepts[language])
        assert_array_equal(before.weights[language], after.weights[language])
        assert before.words[language] == after.words[language]


@pytest.fixture
def channel(prepared, tmp_path):
    """Gives what a system gets of a channel with some of the files."""
    (tmp_path / "documents").write_text("d1\tkat og kat\nd2\tfugl, hund\n")
    (tmp_path / "queries").write_text("q1\thund\nq2\tukendt\n")
    (tmp_path / "qrels").write_text("q1 0 d2 2\nq2 0 d1 1\nq2 0 d2 0\nq9 0 d1 1\n")

    def get(*names, language="da"):
        records = AdHoc().records({name: tmp_path / name for name in names}, "da")
        words = ["hund", "kat", "fugl", *"abcdefghi"]
        texts.save(tmp_path / "da", texts.count(records, "da", words), language="da")
        bags, drawn, trained = prepared
        named = {}
        for of_language, unnamed in bags.items():
            named[of_language] = replace(unnamed, words=unnamed.words.assign(word=words))
        extras = Extras(channels={language: tmp_path / "da"}, judgements=tmp_path / "qrels")
        return gathered((named, drawn, trained), extras).channels[language]

    return get


def test_a_channel_of_text_alone(channel):
    of_text = channel("documents")
    assert of_text.documents.toarray()[:, :3].tolist() == [[0, 2, 0], [1, 0, 1]]
    assert of_text.queries is None
    assert of_text.relevance is None


def test_a_channel_with_queries(channel, caplog):
    caplog.set_level("INFO")
    with_queries = channel("documents", "queries")
    assert with_queries.queries.toarray()[:, :2].tolist() == [[1, 0], [0, 0]]
    assert with_queries.relevance.toarray().tolist() == [[0, 2], [1, 0]]  # not what has grade 0
    assert "2 of 3 relevant documents are of queries and documents in 'da'" in caplog.text  # q9


def test_mistakes_of_channels(channel, prepared, tmp_path):
    channel("documents", "queries")
    (tmp_path / "qrels").write_text("q9 0 d1 1\nq1 0 d9 1\n")
    with pytest.raises(UserError, match="qrels: no query in 'da' has a relevant document in 'da'"):
        channel("documents", "queries")
    with pytest.raises(UserError, match="'en'"):
        channel("documents", language="en")
    assert gathered(prepared).channels == {}


WORDS = {"da": ["hus", "kat", "og", "taxi"], "en": ["cat", "house", "taxi"]}


DANISH_ENGLISH = """ka\u00adt\tcat\t0.75
hus\thouse\t1
kat\thouse\t2.5e-1
hund\tdog\t1\r
hus\thome\t.5
"""


def test_word_translation_tables_by_hand(tmp_path, caplog):
    caplog.set_level("INFO")
    (tmp_path / "t").write_text(DANISH_ENGLISH)
    (tmp_path / "u").write_text("house\thus\t0.5\n")
    files = {("da", "en"): tmp_path / "t", ("en", "da"): tmp_path / "u"}
    tables = translation_tables.read(files, WORDS)
    expected = [[0, 1, 0], [0.75, 0.25, 0], [0, 0, 0], [0, 0, 0]]
    assert_array_equal(tables["da"]["en"].toarray(), expected)
    expected = [[0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0, 0, 0]]
    assert_array_equal(tables["en"]["da"].toarray(), expected)
    assert f"{tmp_path / 't'}: 3 of 5 entries are of the vocabularies" in caplog.text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Kat\tCat\t1\nchat\tcat\t1\n", "t: none of its 2 entries"),
        (
            "kat\tcat\t0.7\nhund\tdog\t1\nhund\tdog\t1\nka\u00adt\tcat\t0.6\n",
            "t, line 4: 'kat' and 'cat' are on line 1 too",
        ),
    ],
)
def test_mistakes_of_word_translation_tables(tmp_path, content, message):
    (tmp_path / "t").write_text(content)
    with pytest.raises(UserError, match=message):
        translation_tables.read({("da", "en"): tmp_path / "t"}, WORDS)


COLUMNS = ["query", "target", "word", "translation"]
HOUSE = [("en", "it", "house", "casa")]
DOGS = [("en", "it", "dog", "cane"), ("en", "it", "dog", "cagna")]
YEAR = [("en", "it", "year", "anno")]
CAT = [("it", "en", "gatto", "cat")]


def entries(rows):
    return pd.DataFrame(rows, columns=COLUMNS)


TESTED = [  # bags may keep case
    entries([("en", "it", "House", "abitazione")]),
    entries([("it", "en", "anno", "year")]),
]


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
    language, other_language = pair
    seeds = seeds_of(entries(dictionary), TESTED)
    expected_pairs = [(word, translation) for _, _, word, translation in expected]
    assert seeds.pairs_between(language, other_language, directed=directed) == expected_pairs


@pytest.mark.parametrize("directed", [False, True])
def test_without_a_dictionary_there_are_no_pairs(directed):
    assert seeds_of(None, []).pairs_between("en", "it", directed=directed) == []


def test_and_of_pairs_that_a_system_makes_itself():
    seeds = seeds_of(None, TESTED)
    same = [("House", "House"), ("anno", "anno"), ("radio", "radio")]
    assert seeds.allowed(same, "en", "it", directed=False) == same[2:]
    assert seeds.allowed(same, "it", "en", directed=True) == same[::2]


def test_to_a_pivot_what_any_test_asks_for_is_left_out():
    """Dog and cane that both meet hund would give the answer of a test between the two others."""
    seeds = seeds_of(None, [entries([("es", "it", "perro", "cane")])])
    pairs = [("perro", "hund"), ("gato", "katze")]
    assert seeds.allowed(pairs, "es", "de", directed=False) == pairs[1:]
    opposite = [("hund", "perro"), ("katze", "gato")]
    assert seeds.allowed(opposite, "de", "es", directed=False) == opposite[1:]
    assert seeds.allowed(pairs, "es", "de", directed=True) == pairs
