"""An index against plain numpy: all scores, sorted."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.base.errors import UserError
from cr5.base.rows import HybridRows
from cr5.models.bank import with_bank
from cr5.retrieval import adding, chunks, searching
from cr5.retrieval.embedder import Embedder
from cr5.search import second_stage
from cr5.search.word_matches import matches
from tests.retrieval import made_up

MODELS = dict(made_up.models())
QUERIES = made_up.texts("en", 25, seed=9)[1]


def full(rows):
    if isinstance(rows, HybridRows):
        return np.hstack([rows.dense, rows.sparse.toarray()]).astype(float)
    return (rows.toarray() if sparse.issparse(rows) else rows).astype(float)


def index_of(kind, sizes=None):
    index = cr5.Index(Embedder(MODELS[kind], {}, kind))
    for language, n in (sizes or {"en": 70, "it": 90, "vi": 50}).items():
        ids, texts, titles = made_up.texts(language, n)
        index.add(ids, texts, language, titles)
    return index


def scores_by_numpy(model, measure, target, n=90, n_own=70):
    target_language = target if model.model.directed else None
    queries = full(model.embed(QUERIES, "en", target_language))
    keys = full(model.embed(made_up.texts(target, n)[1], target, target_language))
    if measure == "l1":
        return -np.abs(queries[:, None] - keys[None]).sum(axis=2)
    scores = queries @ keys.T
    if measure == "csls":
        own = full(model.embed(made_up.texts("en", n_own)[1], "en"))
        hubs = np.sort(keys @ own.T, axis=1)[:, -10:].mean(axis=1)
        scores = 2 * scores - np.sort(scores, axis=1)[:, -10:].mean(axis=1)[:, None] - hubs
    return scores


def reranked_by_numpy(model, measure, target, scores, depth):
    """The scores with what the words' matches add to the best of them, and the order of texts."""
    words = [
        model.model.matched(model.count(texts, x).counts, x)
        for texts, x in ((QUERIES, "en"), (made_up.texts(target, 90)[1], target))
    ]
    n, m = scores.shape
    pairs = np.divmod(np.arange(n * m), m)
    gain = model.model.rerank * matches(*words, *pairs).reshape(n, m)
    first = np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    added = np.zeros_like(scores)
    np.put_along_axis(added, first, np.take_along_axis(gain, first, 1), axis=1)
    return scores + (2 if measure == "csls" else 1) * added


@pytest.mark.parametrize(
    ("kind", "measure"), [("dense", "cosine"), ("dense", "csls"), ("joined", "cosine")]
)
def test_a_second_stage_reorders_the_best(kind, measure, monkeypatch, tmp_path):
    for module in (second_stage, searching):
        monkeypatch.setattr(module, "DEPTH", 8)
    model = Embedder(replace(MODELS[kind], rerank=0.5), {}, tmp_path / "model")
    model.save(tmp_path / "model")
    memory, folder = cr5.Index(model), cr5.Index(model, tmp_path / "index")
    for index in (memory, folder):
        for language, n in (("en", 70), ("it", 95)):
            ids, texts, titles = made_up.texts(language, n)
            index.add(ids[:40], texts[:40], language, titles[:40])
            index.add(ids[40:], texts[40:], language, titles[40:])
        index.remove([f"it{i}" for i in range(90, 95)], "it")
    plain = scores_by_numpy(model, measure, "it")
    expected = reranked_by_numpy(model, measure, "it", plain, 8)
    for k in (3, 20):
        found = memory.search(QUERIES, "en", k, measure, "it", threads=1)
        assert cr5.open_index(folder.path).search(QUERIES, "en", k, measure, "it", 3) == found
        for scores, hits in zip(expected, found, strict=True):
            order = np.argsort(-scores, kind="stable")[:k]
            assert [hit.id for hit in hits] == [f"it{i}" for i in order]
            assert [hit.score for hit in hits] == pytest.approx(scores[order], abs=1e-6)
    assert (np.argsort(-expected)[:, :8] != np.argsort(-plain)[:, :8]).any()


CASES = [
    *((kind, measure) for kind in ("dense", "sparse", "joined") for measure in ("cosine", "csls")),
    ("dot", "dot"),
    ("l1", "l1"),
    ("directed", "cosine"),
]


@pytest.mark.parametrize(("kind", "measure"), CASES)
def test_hits_are_those_of_a_full_sort(kind, measure):
    index = index_of(kind)
    expected = scores_by_numpy(index.model, measure, "it")
    found = index.search(QUERIES, "en", 7, measure, "it")
    for scores, hits in zip(expected, found, strict=True):
        order = np.argsort(-scores, kind="stable")[:7]
        assert [hit.id for hit in hits] == [f"it{i}" for i in order]
        assert [hit.title for hit in hits] == [f"Title {i}" for i in order]
        assert [hit.score for hit in hits] == pytest.approx(scores[order], abs=1e-6)
        assert {hit.language for hit in hits} == {"it"}


@pytest.mark.parametrize("measure", ["cosine", "csls"])
def test_several_languages_are_merged_by_score(measure):
    index = index_of("dense")
    found = index.search(QUERIES, "en", 9, measure)  # all but the queries' own
    scores = [scores_by_numpy(index.model, measure, x, n) for x, n in (("it", 90), ("vi", 50))]
    names = [f"it{i}" for i in range(90)] + [f"vi{i}" for i in range(50)]
    for row, hits in zip(np.hstack(scores), found, strict=True):
        assert [hit.id for hit in hits] == [names[i] for i in np.argsort(-row)[:9]]


def with_training(kind):
    counts = {
        x: sparse.csr_matrix(np.random.default_rng(3).poisson(0.3, (25, made_up.N)))
        for x in made_up.WORDS
    }
    return Embedder(with_bank(MODELS[kind], counts), {}, kind), counts["en"]


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
def test_hubs_by_training_documents_are_corrected_without_texts_of_the_queries_language(
    monkeypatch, tmp_path, kind
):
    """By default, and the same however texts were added, removed and stored."""
    model, trained = with_training(kind)
    index = cr5.Index(model)
    ids, texts, titles = made_up.texts("it", 90)
    index.add(ids, texts, "it", titles)
    queries, keys = (full(model.embed(x, y)) for x, y in ((QUERIES, "en"), (texts, "it")))
    bank = full(model.embed_counts(trained, "en"))
    bank = bank if kind == "sparse" else bank.astype(np.float16).astype(float)
    scores = queries @ keys.T
    expected = 2 * scores - np.sort(scores)[:, -10:].mean(1)[:, None]
    expected -= np.sort(keys @ bank.T)[:, -10:].mean(1)
    found = index.search(QUERIES, "en", 7)
    for row, hits in zip(expected, found, strict=True):
        order = np.argsort(-row, kind="stable")[:7]
        assert [hit.id for hit in hits] == [f"it{i}" for i in order]
        assert [hit.score for hit in hits] == pytest.approx(row[order], abs=1e-4)
    assert index.search(QUERIES, "en", 7, "csls") == found
    assert index.search(QUERIES, "en", 7, "cosine") != found
    monkeypatch.setattr(adding, "BATCH", 7)
    monkeypatch.setattr(chunks, "SIZE", 14)
    parts = cr5.Index(model)
    for start in range(0, 90, 9):
        part = slice(start, start + 9)
        parts.add(ids[part], texts[part], "it", titles[part])
    parts.add(["x"], texts[:1], "it")
    parts.remove(["x"])
    assert parts.search(QUERIES, "en", 7, threads=2) == found
    assert [index.search(x, "en", 7)[0] for x in QUERIES] == found
    model.save(tmp_path / "model")
    model = cr5.load(tmp_path / "model")
    stored = cr5.Index(model, tmp_path / "index")
    stored.add(ids, texts, "it", titles)
    assert cr5.open_index(tmp_path / "index").search(QUERIES, "en", 7) == found


def test_only_a_model_whose_index_is_searched_by_csls_takes_it_by_default():
    assert with_training("dense")[0].measure == "csls"
    assert with_training("directed")[0].measure == "cosine"
    assert with_training("l1")[0].measure == "l1"
    assert Embedder(MODELS["dense"], {}, "dense").measure == "cosine"


def test_the_only_language_is_searched_even_if_it_is_that_of_the_queries():
    index = index_of("dense", {"en": 30})
    ids, texts, _ = made_up.texts("en", 30)
    assert [hits[0].id for hits in index.search(texts, "en", 1)] == ids


@pytest.mark.parametrize("measure", ["cosine", "csls"])
def test_more_than_there_are_takes_no_more_memory(measure):
    index = index_of("dense", {"en": 20, "it": 9, "vi": 5})
    found = index.search(QUERIES, "en", 10**12, measure)  # would be terabytes
    assert found == index.search(QUERIES, "en", 14, measure)
    assert {len(hits) for hits in found} == {14}


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
@pytest.mark.parametrize("measure", ["cosine", "csls"])
def test_neither_threads_nor_batches_nor_chunks_change_anything(monkeypatch, kind, measure):
    index = index_of(kind)
    expected = index.search(QUERIES, "en", 10, measure, threads=1)
    assert index.search(QUERIES, "en", 10, measure, threads=2) == expected
    assert [index.search(x, "en", 10, measure)[0] for x in QUERIES] == expected
    monkeypatch.setattr(adding, "BATCH", 7)
    monkeypatch.setattr(chunks, "SIZE", 14)
    assert index_of(kind).search(QUERIES, "en", 10, measure, threads=2) == expected


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
def test_after_adding_and_removing_it_is_as_if_built_anew(kind):
    index = index_of(kind, {"en": 40, "it": 90})
    ids, texts, titles = made_up.texts("en", 70)
    index.search(QUERIES, "en", 5, "csls")  # what is kept of this must not be used again
    index.add(ids[40:], texts[40:], "en", titles[40:])
    index.remove([f"it{i}" for i in range(0, 90, 2)] + ["en3"])
    anew = cr5.Index(index.model)
    for language, n, step in (("en", 70, 1), ("it", 90, 2)):
        kept = [x[step - 1 :: step] for x in made_up.texts(language, n)]
        kept = [x[:3] + x[4:] for x in kept] if language == "en" else kept
        anew.add(*kept[:2], language, kept[2])
    assert index.sizes == anew.sizes == {"en": 69, "it": 45}
    for measure in ("cosine", "csls"):
        assert index.search(QUERIES, "en", 8, measure) == anew.search(QUERIES, "en", 8, measure)


def test_a_removed_text_may_come_back():
    index = index_of("dense", {"it": 5})
    text = made_up.texts("it", 5)[1][3]
    assert index.remove(["it3"], "it") == 1
    assert len(index.search(QUERIES[0], "en", 10)[0]) == len(index) == 4
    index.add(["it3"], [text], "it")
    assert {hit.id for hit in index.search(QUERIES[0], "en")[0]} == {f"it{i}" for i in range(5)}


def test_texts_without_known_words_are_told_and_never_found():
    index = cr5.Index(Embedder(MODELS["dense"], {}, "dense"))
    added = index.add(list("abcd"), ["", made_up.WORDS["it"][0], "xyz", " \n"], "it")
    assert (added.texts, added.unknown, added.first) == (4, 3, ["a", "c", "d"])
    assert [hit.id for hit in index.search(QUERIES[0], "en")[0]] == ["b"]
    assert index.remove(["a"]) == 1
    with pytest.raises(UserError, match="'a' is given twice"):
        index.add(["a", "a"], ["", ""], "it")


def test_texts_of_words_that_were_not_learned_are_told_and_never_found():
    """Their rows are zeros: found by cosine 0, they would precede texts of a negative cosine."""
    tables = {x: table.copy() for x, table in MODELS["dense"].tables.items()}
    tables["it"][:2] = tables["en"][:2] = 0
    index = cr5.Index(Embedder(replace(MODELS["dense"], tables=tables), {}, "dense"))
    first, second, third = made_up.WORDS["it"][:3]
    added = index.add(list("abc"), [first, f"{first} {second}", f"{second} {third}"], "it")
    assert (added.texts, added.unknown, added.first) == (3, 2, ["a", "b"])
    opposite = made_up.WORDS["en"][int(np.argmin(tables["en"] @ tables["it"][2]))]
    (hits,) = index.search(opposite, "en")
    assert [hit.id for hit in hits] == ["c"]
    assert hits[0].score < 0
    assert index.summary() == [{"language": "it", "texts": 3, "unknown": 2}]
    with pytest.raises(UserError, match="none of these 1 words was in a training document: enaa"):
        index.search("enaa", "en")


def test_a_directed_query_finds_nothing_in_a_language_that_it_has_no_vector_towards():
    tables = {x: dict(of) for x, of in MODELS["directed"].tables.items()}
    tables["en"]["it"] = tables["en"]["it"] * (np.arange(made_up.N) > 0)[:, None]
    index = cr5.Index(Embedder(replace(MODELS["directed"], tables=tables), {}, "directed"))
    for language in ("it", "vi"):
        index.add(["a", "b"], made_up.WORDS[language][:2], language)
    found = index.search(["enaa", "enab"], "en")
    assert [sorted(x.language for x in hits) for hits in found] == [
        ["vi"] * 2,
        [*["it"] * 2, *["vi"] * 2],
    ]
    assert index.search("enaa", "en", to="it") == [[]]


def test_an_id_is_found_as_it_was_given():
    index = index_of("dense", {"it": 2})
    index.add([7, "8", np.int64(9)], ["itaa", "itab", "itac"], "it")
    found = {hit.id for hit in index.search(QUERIES[0], "en")[0]}
    assert found == {"it0", "it1", 7, "8", 9}
    assert {type(x) for x in found} == {str, int}
    with pytest.raises(UserError, match="the text '7' exists already"):
        index.add(["7"], ["itaa"], "it")
    assert index.remove(["7", 8]) == 2
