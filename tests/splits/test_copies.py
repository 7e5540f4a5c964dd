"""Equal texts: what is told of them by hand-made numbers; none on both sides when kept together."""

import itertools
from collections import Counter, defaultdict

import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.splits import copies, counterparts
from cr5.splits.draw import Draw, draw
from cr5.splits.options import Sizes
from cr5.splits.training_documents import training
from tests.splits.conftest import table_of

# By language: the text of each concept. `t` is tested, `v` validates, the others do not.
TEXTS = {
    "da": {
        "t": "En kat sidder på en måtte",
        "a": " en KAT  sidder\tpå en måtte\n",
        "b": "En kat sidder på en måtte",
        "c": "En kat sidder på en måtte.",  # a full stop more is another text
        "v": "Se også",
        "d": "se også",
    },
    "en": {
        "t": "En kat sidder på en måtte",  # untranslated
        "v": "two dogs run down the road",
        "d": "Two dogs run down the road",
        "e": "se også",  # of another language's text there is no copy
    },
}
QUERIES = [("t", "test", "da", "en"), ("v", "validation", "da", "en")]


def folded(texts):
    """What the package makes of texts, and of their numbers of words."""
    tables = {}
    for language, text_of in texts.items():
        n_words = [len(text.split()) for text in text_of.values()]
        documents = pd.DataFrame({"concept": list(text_of), "n_tokens": n_words})
        tables[language] = copies.folded_texts(text_of.items(), documents)
    return tables


def drawn(queries, left_out=()):
    queries = pd.DataFrame(queries, columns=["concept", "role", "first", "second"])
    tests = (queries["role"] == "test").sum()
    pairs = pd.DataFrame([("da", "en", 9, tests, 1)])
    pairs.columns = ["first", "second", "concepts", "test", "validation"]
    none = pd.DataFrame({"concept": [], "language": []}, dtype=str)
    return Draw(queries, none, pairs, pd.Index(left_out, dtype=str))


def told(texts, *draws, trained=()):
    trained = [pd.DataFrame(trained, columns=["concept", "language"])] * len(draws)
    tables, queries = copies.find(folded(texts).items(), draws, trained)
    return copies.tell(draws, tables, queries)


def test_documents_with_the_text_of_a_query_are_told_with_their_number_and_the_first():
    """The heading of two words is counted apart; the other language's copy of `t` is `t` itself."""
    [warning] = told(TEXTS, drawn(QUERIES), trained=[("a", "da"), ("a", "en"), ("d", "en")])
    assert warning.startswith(
        "splits: documents with the text of a test or validation document of another concept: "
        "3 (da 2, en 1), such as 'a' with that of 't' in da; 2 may train (not counted: 1 of fewer "
        "than 5 words); "
    )


@pytest.mark.parametrize(
    ("queries", "left_out"),
    [(QUERIES, ["a", "b", "d"]), ([("c", "test", "da", "en")], []), ([], [])],
    ids=["what is kept together is left out", "no copies", "no queries"],
)
def test_nothing_is_told_where_no_other_document_has_the_text(queries, left_out):
    assert told(TEXTS, drawn(queries, left_out)) == []


@pytest.mark.parametrize(("changed", "is_refused"), [({}, True), ({"t": "Another text"}, False)])
def test_the_same_texts_of_two_languages_are_refused(changed, is_refused):
    """In whichever order, and whatever else is drawn."""
    texts = {"da": TEXTS["da"], "it": TEXTS["en"], "en": dict(reversed(TEXTS["da"].items()))}
    texts["en"] |= changed
    if is_refused:
        with pytest.raises(UserError, match="'da' and 'en' have the same texts"):
            told(texts, drawn(QUERIES))
    else:
        told(texts, drawn(QUERIES))


def test_of_several_repetitions_the_first_with_copies_is_told():
    second = drawn([("v", "validation", "da", "en")])
    [warning] = told(TEXTS, drawn([("c", "test", "da", "en")]), second, drawn(QUERIES))
    assert warning.startswith("splits, repetition 2: documents with the text of a test")
    assert "of another concept: 1 (en 1), such as 'd' with that of 'v' in en" in warning


def test_queries_with_the_text_of_another_query_are_counted_once():
    asked = [(concept, "test", "da", "en") for concept in "tabcd"]
    texts = {"da": TEXTS["da"], "en": dict.fromkeys("tb", "the cat sits on a mat") | {"d": "x y"}}
    [warning] = told(texts, drawn(asked))
    assert warning.startswith(
        "splits: test queries with the text of another query of their pair, so that intervals are "
        "too narrow: 3 of 5 (da-en 3), such as 't' with that of 'b' in da; "
    )


def test_groups_are_connected_over_languages_by_texts_of_five_words():
    danish = {"p": "a b c d e", "q": "A B C D  E", "r": "f g h i", "s": "f g h i"}
    english = {"q": "1 2 3 4 5 6", "s": "1 2 3 4 5 6", "u": "a b c d e", "w": "z z z z z"}
    tables = folded({"da": danish, "en": english})
    groups = copies.groups(tables.values())
    assert sorted(groups.index) == ["p", "q", "s"]
    assert len(set(groups)) == 1


LANGUAGES = ("da", "en", "it")
PAIRS = list(itertools.combinations(LANGUAGES, 2))
NUMBERS = range(120)  # of different texts


def three_times(language):
    """Texts of all concepts, each text three times, in other cases and spaces; and a heading."""
    texts = {}
    for number in NUMBERS:
        text = f"{language} word{number} stands here {number}"
        texts |= {f"a{number}": text, f"b{number}": text.upper()}
        texts[f"c{number}"] = text.replace(" ", "\n ")
        texts[f"short{number}"] = "See also"
    return texts


def number_of(concept):
    """The number of a concept's text, without the letter before it; of no heading."""
    return concept[1:]


def plain(text):
    """A text in lower case, with single spaces."""
    return " ".join(text.lower().split())


def on_both_sides(trained, drawn, raw):
    """Pairs of a held-out and a training concept with an equal text, from the texts themselves."""
    held_out = set(drawn.queries["concept"])
    pairs = set()
    for language, text_of in raw.items():
        in_language = trained["language"] == language
        training_concepts = defaultdict(set)  # by text
        for concept in trained.loc[in_language, "concept"]:
            text = plain(text_of[concept])
            training_concepts[text].add(concept)
        for query in held_out & text_of.keys():
            text = plain(text_of[query])
            if text.count(" ") >= 4:
                for concept in training_concepts[text] - {query}:
                    pairs.add((query, concept))
    return pairs


GIVEN = {"test": ["a1", "a2*", "short1*"], "validation": ["b2*", "short2*"]}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"candidates_reading": "code", "candidates": 50},
        {"held_out": "code"},
        {"candidates": 100},
        {"given": GIVEN},
    ],
    ids=str,
)
def test_kept_together_no_text_of_a_query_trains_under_another_concept(changes, tmp_path):
    raw = {language: three_times(language) for language in LANGUAGES}
    groups = copies.groups(folded(raw).values())
    documents = {}
    concepts = {}
    for language, text_of in raw.items():
        documents[language] = table_of(text_of, 5)
        concepts[language] = pd.Index(list(text_of))
    sizes = Sizes(test=20, validation=10, **changes)

    each_by_itself = draw(documents, PAIRS, sizes, 3)
    trained = training(concepts, each_by_itself, sizes, PAIRS)
    assert on_both_sides(trained, each_by_itself, raw)

    draw(documents, PAIRS, sizes, 3, groups).save(tmp_path / "draw")
    drawn = Draw.load(tmp_path / "draw")
    trained = training(concepts, drawn, sizes, PAIRS)
    assert on_both_sides(trained, drawn, raw) == set()
    # of each text one at most is asked for or searched, of headings as many as may be
    chosen = set(drawn.queries["concept"]).union(drawn.candidates["concept"])
    headings = {concept for concept in chosen if concept.startswith("short")}
    numbers = [number_of(concept) for concept in chosen - headings]
    assert len(numbers) > 10
    assert len(numbers) == len(set(numbers))
    assert len(headings) > 10
    # whole groups train: of three concepts each, and headings
    training_concepts = set(trained["concept"])
    n_of_number = Counter(number_of(concept) for concept in training_concepts)
    n_of_text = {n for number, n in n_of_number.items() if number.isdigit()}
    assert n_of_text == {3}
    # and what neither trains nor is drawn is a copy
    idle = raw["da"].keys() - chosen - training_concepts
    assert idle == set(drawn.copies)
    assert {number_of(concept) for concept in idle} <= set(numbers)


def test_a_given_test_document_stands_before_its_copies_that_validate_or_train():
    texts = {}
    for language in ("da", "en"):
        texts[language] = dict.fromkeys(["t", "v", "n"], f"{language} b c d e f") | {"m": "g"}
    frame = table_of("vntm", 5)
    documents = {"da": frame, "en": frame}
    split = {"test": ["t"], "validation": ["v", "m"]}
    groups = copies.groups(folded(texts).values())
    drawn = draw(documents, [("da", "en")], Sizes(given=split), 1, groups)
    assert list(drawn.queries["concept"]) == ["t", "m"]
    assert list(drawn.copies) == ["n", "v"]
    assert list(drawn.kept_from_training()) == ["m", "n", "t", "v"]


@pytest.mark.parametrize(
    ("concepts", "sentences"),
    [
        ({"en": ["Q1", "Q2"], "it": ["Q1", "q3"]}, []),
        ({"en": ["q1", "Q1"], "it": ["Q1", "q1"]}, []),  # both have their counterparts
        ({"en": ["100", "10"], "it": ["10"]}, []),
        (
            {"en": ["q1", "doc-007", "x"], "it": ["doc-7", "Q1", "y"], "da": ["Q1"]},
            ["no counterpart in any other language: 5 of 6; 3 of them", "'doc-007' beside 'doc-7'"],
        ),
        ({"en": ["7.0", "8.0"], "it": ["7", "8.05"]}, ["4 of 4; 2 of them", "'7' beside '7.0'"]),
        ({"en": ["a.md", "b.md"], "it": ["a.mdx"]}, ["3 of 3; 2 of them", "'a.md' beside 'a.mdx'"]),
        ({"en": ["a.po#1"], "it": ["a.po#2"]}, []),
    ],
)
def test_concepts_that_differ_in_case_zeros_or_endings_alone_are_told(concepts, sentences):
    told = "".join(counterparts.tell(concepts))
    assert bool(told) == bool(sentences)
    for sentence in sentences:
        assert sentence in told
