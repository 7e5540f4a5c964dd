"""An index against plain numpy: all scores, sorted."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.base.errors import UserError
from cr5.models.bank import with_bank
from cr5.retrieval import hits as module
from cr5.retrieval import texts as files
from cr5.retrieval.embedder import Embedder
from cr5.search import word_matches
from cr5.search.word_matches import matches
from tests.kit.inside import dense
from tests.retrieval import made_up

MODELS = dict(made_up.models())
QUERIES = made_up.texts("en", 25, seed=9)[1]
SIZES = {"en": 70, "it": 90, "vi": 50}


def full(rows):
    return np.hstack(dense(rows)).astype(float)


def index_of(kind, sizes=SIZES, **changes):
    index = cr5.Index(Embedder(replace(MODELS[kind], **changes), {}, kind))
    for language, n in sizes.items():
        ids, texts, titles = made_up.texts(language, n)
        index.add(ids, texts, language, titles)
    return index


def scores_by_numpy(model, measure, target, bank=None, k=10):
    """Of all texts of a language; r(y) of CSLS is by those of the queries' own, or by a bank."""
    towards = target if model.model.directed else None
    texts = {x: made_up.texts(x, n)[1] for x, n in SIZES.items()}
    queries, keys = (
        full(model.embed(*x, towards)) for x in ((QUERIES, "en"), (texts[target], target))
    )
    if measure == "l1":
        return -np.abs(queries[:, None] - keys[None]).sum(axis=2)
    scores = queries @ keys.T
    if measure == "csls":
        own = full(model.embed(texts["en"], "en")) if bank is None else bank
        hubs = np.sort(keys @ own.T, axis=1)[:, -k:].mean(axis=1)
        scores = 2 * scores - np.sort(scores, axis=1)[:, -k:].mean(axis=1)[:, None] - hubs
    return scores


def reranked_by_numpy(model, measure, target, scores, depth):
    """The scores with what the words' matches add to the best of them."""
    texts = made_up.texts(target, SIZES[target])[1]
    sides = (QUERIES, "en"), (texts, target)
    words = [model.model.matched(model.count(*side), side[1]) for side in sides]
    n, m = scores.shape
    pairs = np.divmod(np.arange(n * m), m)
    gain = model.model.rerank * matches(*words, *pairs).reshape(n, m)
    first = np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    added = np.zeros_like(scores)
    np.put_along_axis(added, first, np.take_along_axis(gain, first, 1), axis=1)
    return scores + (2 if measure == "csls" else 1) * added


def check(found, scores, names, k, atol=1e-6):
    """Raise unless hits are the first k by their scores, queries x names."""
    for row, hits in zip(scores, found, strict=True):
        order = np.argsort(-row, kind="stable")[:k]
        assert [hit.id for hit in hits] == [names[i] for i in order]
        assert [hit.title for hit in hits] == [f"Title {names[i][2:]}" for i in order]
        assert [hit.language for hit in hits] == [names[i][:2] for i in order]
        assert [hit.score for hit in hits] == pytest.approx(row[order], abs=atol)


@pytest.mark.parametrize(
    ("kind", "measure"), [("dense", "cosine"), ("dense", "csls"), ("joined", "cosine")]
)
def test_a_second_stage_reorders_the_best(kind, measure, monkeypatch, tmp_path):
    for each in (word_matches, module):
        monkeypatch.setattr(each, "DEPTH", 8)
    index = index_of(kind, rerank=0.5)
    index.save(tmp_path / "index")
    plain = scores_by_numpy(index.model, measure, "it")
    expected = reranked_by_numpy(index.model, measure, "it", plain, 8)
    for k in (3, 20):
        found = index.search(QUERIES, "en", k, measure, "it")
        assert cr5.open_index(tmp_path / "index").search(QUERIES, "en", k, measure, "it") == found
        check(found, expected, made_up.texts("it", 90)[0], k)
    assert (np.argsort(-expected)[:, :8] != np.argsort(-plain)[:, :8]).any()


CASES = [
    *((kind, measure) for kind in ("dense", "sparse", "joined") for measure in ("cosine", "csls")),
    ("dot", "dot"),
    ("l1", "l1"),
    ("directed", "cosine"),
]


@pytest.mark.parametrize(("kind", "measure"), CASES)
def test_hits_are_those_of_a_full_sort(kind, measure):
    """Of one language, and of all but the queries' own, merged by score."""
    index = index_of(kind)
    scores = [scores_by_numpy(index.model, measure, x) for x in ("it", "vi")]
    names = [made_up.texts(x, SIZES[x])[0] for x in ("it", "vi")]
    check(index.search(QUERIES, "en", 7, measure, "it"), scores[0], names[0], 7)
    check(index.search(QUERIES, "en", 9, measure), np.hstack(scores), [*names[0], *names[1]], 9)


def with_training(kind):
    counts = {
        x: sparse.csr_matrix(np.random.default_rng(3).poisson(0.3, (25, made_up.N)))
        for x in made_up.WORDS
    }
    return Embedder(with_bank(MODELS[kind], counts), {"csls_neighbours": 4}, kind), counts["en"]


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
def test_hubs_by_training_documents_are_corrected_by_default(tmp_path, kind):
    """The same after texts were added, removed and stored."""
    model, trained = with_training(kind)
    index = cr5.Index(model)
    ids, texts, titles = made_up.texts("it", 90)
    index.add([*ids, "x"], [*texts, texts[0]], "it", [*titles, ""])
    index.remove(["x"])
    bank = full(model.model.embed(trained, "en"))
    bank = bank if kind == "sparse" else bank.astype(np.float16).astype(float)
    found = index.search(QUERIES, "en", 7)
    check(found, scores_by_numpy(model, "csls", "it", bank, 4), ids, 7, 1e-4)
    assert index.search(QUERIES, "en", 7, "csls") == found
    assert index.search(QUERIES, "en", 7, "cosine") != found
    assert [index.search(x, "en", 7)[0] for x in QUERIES] == found
    index.save(tmp_path / "index")
    assert cr5.open_index(tmp_path / "index").search(QUERIES, "en", 7) == found


def test_only_a_model_whose_index_is_searched_by_csls_takes_it_by_default():
    assert with_training("dense")[0].measure == "csls"
    assert with_training("directed")[0].measure == "cosine"
    assert with_training("l1")[0].measure == "l1"
    assert Embedder(MODELS["dense"], {}, "dense").measure == "cosine"


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined", "dot", "directed"])
def test_however_it_came_about_it_finds_the_same(monkeypatch, tmp_path, kind):
    """Queries alone or together; texts embedded in batches, added and removed, from the disk."""
    index = index_of(kind)
    monkeypatch.setattr(files, "BATCH", 7)
    other = index_of(kind, {**SIZES, "en": 40})
    ids, texts, titles = made_up.texts("en", 70)
    for measure in index.model.measures:  # what is kept of this must not be used again
        other.search(QUERIES, "en", 5, measure)
    other.add(ids[40:], texts[40:], "en", titles[40:])
    other.add(["x", np.int64(7)], texts[:2], "it")  # a number is an id, too
    for name in "ab":
        other.save(tmp_path / name)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    opened = cr5.open_index(tmp_path / "a")
    for each in (other, opened):
        each.remove(["x", 7])
    opened.save(tmp_path / "a")  # in place of the one that it reads
    found = [index, other, opened, cr5.open_index(tmp_path / "a")]
    assert [x.sizes for x in found] == [SIZES] * 4
    for measure in index.model.measures:
        expected = index.search(QUERIES, "en", 10, measure)
        assert [index.search(x, "en", 10, measure)[0] for x in QUERIES] == expected
        assert [x.search(QUERIES, "en", 10, measure) for x in found] == [expected] * 4


def contents(folder):
    every = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder): path.read_bytes() for path in every}


def test_texts_of_words_that_were_not_learned_are_told_and_never_found():
    """Their rows are zeros: found by cosine 0, they would precede texts of a negative cosine."""
    tables = {x: table.copy() for x, table in MODELS["dense"].tables.items()}
    tables["it"][:2] = tables["en"][:2] = 0
    index = cr5.Index(Embedder(replace(MODELS["dense"], tables=tables), {}, "dense"))
    first, second, third = made_up.WORDS["it"][:3]
    added = index.add(list("abc"), [first, f"{first} {second}", f"{second} {third}"], "it")
    assert added == ["a", "b"]
    opposite = made_up.WORDS["en"][int(np.argmin(tables["en"] @ tables["it"][2]))]
    (hits,) = index.search(opposite, "en")
    assert [hit.id for hit in hits] == ["c"]
    assert hits[0].score < 0
    assert [len(hits) for hits in index.search(["enaa", "enac", "", "xyz"], "en")] == [0, 1, 0, 0]


def test_a_damaged_or_missing_file_is_named_and_the_whole_index_to_be_removed(tmp_path):
    place = tmp_path / "a"
    index_of("joined", {"en": 9}).save(place)
    files = [x for x in place.rglob("*") if x.is_file()]
    assert len(files) >= 5
    remedy = f"remove {place}, the whole index, and make it again by `cr5 index`"
    for path in files:
        content = path.read_bytes()
        for damage in (lambda x=path, y=content: x.write_bytes(y[: len(y) // 2]), path.unlink):
            damage()
            with pytest.raises(UserError, match=f"^{place}.*{remedy}$"):
                cr5.open_index(place)
        path.write_bytes(content)
    assert cr5.open_index(place).sizes == {"en": 9}
    shutil.rmtree(place / "model")
    with pytest.raises(UserError, match=f"^{place}.*{remedy}$"):
        cr5.open_index(place)


def test_damage_that_leaves_the_size_is_named_when_the_texts_are_first_read(tmp_path):
    """Opening does not read them: a gigabyte takes longer than a search."""
    index_of("dense", {"en": 9}).save(tmp_path / "a")
    path = tmp_path / "a" / "en.arrow"
    path.write_bytes(path.read_bytes()[::-1])
    index = cr5.open_index(tmp_path / "a")
    with pytest.raises(UserError, match=f"^{path}: damaged"):
        index.search("enaa", "en")


def test_threads_add_and_search_at_the_same_time():
    index = index_of("dense", {"en": 20, "it": 5})

    def use(number):
        index.add([f"new{number}"], ["itaa itab"], "it")
        return {x.id for x in index.search("enaa", "en", 100, "csls")[0]} >= {f"new{number}"}

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(40)))
    assert index.sizes == {"en": 20, "it": 45}


def test_what_is_refused_leaves_all_as_it_was(tmp_path):
    (tmp_path / "mine").mkdir()
    index = index_of("dense", {"it": 9})
    for change, said in (
        (lambda: index.add(["x", "it3"], ["ita"] * 2, "it"), "'it3' exists already"),
        (lambda: index.add(["x", "x"], ["ita"] * 2, "it"), "'x' exists already or is given twice"),
        (lambda: index.remove(["it1", "x"]), "no text 'x' in any language"),
        (lambda: index.remove(["it1"], "en"), "no text 'it1' in 'en'"),
        (lambda: index.save(tmp_path / "mine"), "is there already, and no index"),
    ):
        with pytest.raises(UserError, match=said):
            change()
    assert index.sizes == {"it": 9}
    with pytest.raises(UserError, match="not compared by 'csls'; its measures are cosine"):
        index_of("directed").search(QUERIES, "en", measure="csls")
