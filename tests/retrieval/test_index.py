"""An index against plain numpy: all scores, sorted."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

import cr5
from cr5.base.errors import UserError
from cr5.retrieval import adding
from cr5.retrieval import hits as module
from cr5.retrieval.files import read
from cr5.retrieval.opening import damages
from cr5.search import word_matches
from tests.retrieval import made_up

QUERIES = made_up.texts("en", 25, seed=9).contents
SIZES = {"en": 70, "it": 90, "vi": 50}
TEXTS = {language: made_up.texts(language, size) for language, size in SIZES.items()}


def full(rows):
    return made_up.full(rows).astype(float)


def index_of(model, sizes=SIZES):
    """Return an index of the first texts of some languages."""
    index = cr5.Index(model)
    for language, size in sizes.items():
        texts = made_up.texts(language, size)
        index.add(texts.ids, texts.contents, language, texts.titles)
    return index


def scores_by_numpy(model, measure, target):
    """Of all texts of a language; CSLS is by texts of the index."""
    towards = target if model.model.directed else None
    queries = full(model.embed(QUERIES, "en", towards))
    rows = full(model.embed(TEXTS[target].contents, target, towards))
    if measure == "l1":
        return -np.abs(queries[:, None] - rows[None]).sum(axis=2)
    scores = queries @ rows.T
    if measure != "csls":
        return scores
    neighbours = full(model.embed(TEXTS["en"].contents, "en"))
    r_x = mean_of_largest(scores, 10)
    r_y = mean_of_largest(rows @ neighbours.T, 10)
    return 2 * scores - r_x[:, None] - r_y


def mean_of_largest(cosines, k):
    return np.sort(cosines, axis=1)[:, -k:].mean(axis=1)


def reranked_by_numpy(model, measure, target, scores, depth):
    """The scores with what the words' matches add to the best of them."""
    m = made_up.matched(model, QUERIES, "en", TEXTS[target].contents, target)
    gain = model.model.rerank * m
    if measure == "csls":
        gain = 2 * gain
    order = np.argsort(-scores, axis=1, kind="stable")
    np.put_along_axis(gain, order[:, depth:], 0, axis=1)
    return scores + gain


def check(hits_of_queries, scores, ids, k, atol=1e-6):
    """Raise unless hits are the first k by their scores, queries x ids."""
    assert len(hits_of_queries) == len(scores)
    for scores_of_query, hits in zip(scores, hits_of_queries, strict=True):
        order = np.argsort(-scores_of_query, kind="stable")[:k]
        assert [hit.id for hit in hits] == [ids[number] for number in order]
        scores_of_hits = [hit.score for hit in hits]
        assert scores_of_hits == pytest.approx(scores_of_query[order], abs=atol)
        for hit in hits:
            assert hit.language == hit.id[:2]
            assert hit.title == f"Title {hit.id[2:]}"


@pytest.mark.parametrize(
    ("kind", "measure"), [("dense", "cosine"), ("dense", "csls"), ("joined", "cosine")]
)
def test_a_second_stage_reorders_the_best(kind, measure, monkeypatch, tmp_path):
    for place in (word_matches, module):
        monkeypatch.setattr(place, "DEPTH", 8)
    index = index_of(made_up.embedder(kind, rerank=0.5))
    index.save(tmp_path / "index")
    saved = cr5.open_index(tmp_path / "index")
    plain = scores_by_numpy(index.model, measure, "it")
    expected = reranked_by_numpy(index.model, measure, "it", plain, 8)
    order_before = np.argsort(-plain)
    order_after = np.argsort(-expected)
    is_moved = order_after != order_before
    assert is_moved[:, :8].any()
    ids = TEXTS["it"].ids
    with_matches = f"{measure}+matches"
    for k in (3, 20):
        hits = index.search(QUERIES, "en", k, with_matches, "it")
        assert saved.search(QUERIES, "en", k, with_matches, "it") == hits
        check(hits, expected, ids, k)
    measures_of_hits = [hit.measure for hit in hits[0]]
    assert measures_of_hits == [with_matches] * 8 + [measure] * 12
    hits_before = index.search(QUERIES, "en", 20, measure, "it")
    check(hits_before, plain, ids, 20)


CASES = [("dot", "dot"), ("l1", "l1"), ("directed", "cosine")]
for kind_of_rows in ("dense", "sparse", "joined"):
    CASES += [(kind_of_rows, "cosine"), (kind_of_rows, "csls")]


@pytest.mark.parametrize(("kind", "measure"), CASES)
def test_hits_are_those_of_a_full_sort(kind, measure):
    """Of one language, and of all but the queries' own, merged by score."""
    index = index_of(made_up.embedder(kind))
    italian = scores_by_numpy(index.model, measure, "it")
    vietnamese = scores_by_numpy(index.model, measure, "vi")
    italian_ids = TEXTS["it"].ids
    italian_hits = index.search(QUERIES, "en", 7, measure, "it")
    check(italian_hits, italian, italian_ids, 7)
    both = np.hstack([italian, vietnamese])
    ids = italian_ids + TEXTS["vi"].ids
    hits = index.search(QUERIES, "en", 9, measure)
    check(hits, both, ids, 9)


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
def test_hubs_by_training_documents_are_corrected_by_default(tmp_path, kind):
    """As texts are compared, whatever else is in the index; the same after it was changed."""
    model = made_up.embedder(kind, trained=True)
    texts = TEXTS["it"]
    index = index_of(model, {"it": 90})
    first = texts.contents[0]
    index.add(["x"], [first], "it")
    index.remove(["x"])
    hits = index.search(QUERIES, "en", 7)
    expected = model.compare(QUERIES, "en", texts.contents, "it")
    check(hits, expected, texts.ids, 7)
    assert index.search(QUERIES, "en", 7, "csls") == hits
    assert index.search(QUERIES, "en", 7, "cosine") != hits
    one_by_one = [index.search(query, "en", 7)[0] for query in QUERIES]
    assert one_by_one == hits
    index.save(tmp_path / "index")
    opened = cr5.open_index(tmp_path / "index")
    assert opened.search(QUERIES, "en", 7) == hits


def ids_by_measure(index):
    """Return what is found by each measure."""
    return {measure: index.search(QUERIES, "en", 10, measure) for measure in index.measures}


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined", "dot", "directed"])
def test_however_it_came_about_it_finds_the_same(tmp_path, kind):
    """Queries alone or together; texts embedded in batches, added and removed, from the disk."""
    model = made_up.embedder(kind)
    index = index_of(model)
    expected = ids_by_measure(index)
    other = index_of(model, {**SIZES, "en": 40})
    ids_by_measure(other)  # what is kept of this must not be used again
    texts = TEXTS["en"]
    more_ids = texts.ids[40:]
    more_contents = texts.contents[40:]
    more_titles = texts.titles[40:]
    other.add(more_ids, more_contents, "en", more_titles, batch_size=7)
    a_number = np.int64(7)  # is an id, too
    other.add(["x", a_number], texts.contents[:2], "it")
    for name in ("a", "b"):
        other.save(tmp_path / name)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    opened = cr5.open_index(tmp_path / "a")
    for changed in (other, opened):
        changed.remove(["x", 7])
    opened.save(tmp_path / "a")  # in place of the one that it reads
    for same in (other, opened, cr5.open_index(tmp_path / "a")):
        assert same.sizes == SIZES
        assert ids_by_measure(same) == expected
    for measure, hits in expected.items():
        one_by_one = [index.search(query, "en", 10, measure)[0] for query in QUERIES]
        assert one_by_one == hits
        in_batches = index.search(QUERIES, "en", 10, measure, batch_size=7, threads=1)
        assert in_batches == hits


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
def test_texts_are_written_as_they_come_and_found_as_if_they_had_been_in_memory(
    tmp_path, kind, monkeypatch
):
    """Of generators, in parts that end by number or by length; then added to what was written."""
    model = made_up.embedder(kind, rerank=0.0 if kind == "sparse" else 0.5)
    expected = index_of(model, {"en": 70, "it": 90})
    texts = TEXTS["it"]
    monkeypatch.setattr(adding, "PART", 7)
    with index_of(model, {"en": 70}).writing(tmp_path / "a") as folder:
        first = (iter(texts.ids[:40]), iter(texts.contents[:40]), "it", iter(texts.titles[:40]))
        assert folder.add(*first) == []
    monkeypatch.setattr(adding, "CHARACTERS", 150)
    with cr5.open_index(tmp_path / "a").writing(tmp_path / "a") as folder:
        folder.add(texts.ids[40:], texts.contents[40:], "it", texts.titles[40:])
    opened = cr5.open_index(tmp_path / "a")
    assert opened.sizes == {"en": 70, "it": 90}
    assert ids_by_measure(opened) == ids_by_measure(expected)
    opened.remove(["it3"])
    assert opened.sizes == {"en": 70, "it": 89}


def test_what_is_refused_while_it_is_written_leaves_what_was_there(tmp_path, monkeypatch):
    monkeypatch.setattr(adding, "PART", 2)
    model = made_up.embedder("dense")
    index_of(model, {"it": 9}).save(tmp_path / "a")
    before = contents(tmp_path / "a")
    refusals = [
        (["x", "y", "it3"], ["itaa"] * 3, "'it', text 3: 'it3' exists already"),
        (iter(["x", "y", "x"]), iter(["itaa"] * 3), "text 3: 'x' exists already or is given twice"),
        (["x", "y", "z"], ["itaa"] * 2, "3 ids, 2 texts, 2 titles"),
        (iter(["x", "y", "z"]), ["itaa"] * 2, "more ids than texts"),
        (iter(["x", "y"]), ["itaa"] * 3, "fewer ids than texts"),
        (["x", "y", "z"], ["itaa", "itaa", 7], "text 3: expected a string, found int"),
        ([], [], "no text is given"),
    ]
    for ids, texts, message in refusals:
        index = cr5.open_index(tmp_path / "a")
        titles = ["T"] * len(texts) if isinstance(texts, list) else None
        with pytest.raises(UserError, match=message), index.writing(tmp_path / "a") as folder:
            folder.add(ids, texts, "it", titles)
        assert contents(tmp_path / "a") == before
        assert [path.name for path in tmp_path.iterdir()] == ["a"]


def contents(folder):
    """Return the bytes of each file below a folder."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder): path.read_bytes() for path in files}


def test_what_cannot_be_stored_is_replaced_and_told(tmp_path, caplog):
    """Half of an emoji, or a NUL, as in files that are read: it is no letter."""
    index = cr5.Index(made_up.embedder("dense"))
    index.add(["a", "b"], ["itab", "itaa\0 \ud83d"], "it", ["T\udfff", "U"])
    assert caplog.messages == [
        "texts: 1 of 2 texts have characters that were lost (U+FFFD); the first: text 2",
        "titles: 1 of 2 texts have characters that were lost (U+FFFD); the first: title 1",
    ]
    index.save(tmp_path / "a")
    [hits] = cr5.open_index(tmp_path / "a").search("enaa\ud83d", "en", measure="cosine")
    kept = {hit.id: (hit.text, hit.title) for hit in hits}
    assert kept == {"a": ("itab", "T\ufffd"), "b": ("itaa\ufffd \ufffd", "U")}
    rows = index.model.embed(["itaa\ud83d", "\0itaa"], "it")
    np.testing.assert_array_equal(rows, index.model.embed(["itaa", "itaa"], "it"))


def test_texts_of_words_that_were_not_learned_are_told_and_never_found():
    """Their rows are zeros: found by cosine 0, they would precede texts of a negative cosine."""
    tables = {}
    for language, table in made_up.MODELS["dense"].tables.items():
        tables[language] = table.copy()
        tables[language][:2] = 0
    index = cr5.Index(made_up.embedder("dense", tables=tables))
    assert index.add(["a", "b", "c"], ["itaa", "itaa itab", "itab itac"], "it") == ["a", "b"]
    cosines = tables["en"] @ tables["it"][2]
    farthest = made_up.WORDS["en"][cosines.argmin()]
    [[hit]] = index.search(farthest, "en")
    assert hit.id == "c"
    assert hit.score < 0
    hits_of_queries = index.search(["enaa", "enac", "", "xyz"], "en")
    assert [len(hits) for hits in hits_of_queries] == [0, 1, 0, 0]


def test_a_damaged_or_missing_file_is_named_and_the_whole_index_to_be_removed(tmp_path):
    place = tmp_path / "a"
    index_of(made_up.embedder("joined"), {"en": 9}).save(place)
    files = contents(place)
    assert len(files) >= 5
    refused = f"^{place}.*remove {place}, the whole index, and make it again by `cr5 index`$"
    for name, content in files.items():
        (place / name).write_bytes(content[: len(content) // 2])
        with pytest.raises(UserError, match=refused):
            cr5.open_index(place)
        (place / name).unlink()
        with pytest.raises(UserError, match=refused):
            cr5.open_index(place)
        (place / name).write_bytes(content)
    assert cr5.open_index(place).sizes == {"en": 9}
    shutil.rmtree(place / "model")
    with pytest.raises(UserError, match=refused):
        cr5.open_index(place)


def test_damage_that_leaves_the_size_is_named_when_the_texts_are_first_read(tmp_path):
    """Opening does not read them: a gigabyte takes longer than a search."""
    index_of(made_up.embedder("dense"), {"en": 9}).save(tmp_path / "a")
    path = tmp_path / "a" / "en.arrow"
    path.write_bytes(path.read_bytes()[::-1])
    index = cr5.open_index(tmp_path / "a")
    with pytest.raises(UserError, match=f"^{path}: damaged"):
        index.search("enaa", "en")


@pytest.mark.filterwarnings("ignore:Data type alias 'a' was deprecated")
@pytest.mark.parametrize("name", ["en.vector.npy", "en.sparse.starts.npy"])
def test_a_bit_that_flips_in_the_header_of_an_array_is_refused_or_means_the_same(tmp_path, name):
    index_of(made_up.embedder("joined"), {"en": 9}).save(tmp_path / "a")
    expected = np.load(tmp_path / "a" / name)
    path = tmp_path / "a" / name
    content = path.read_bytes()
    n_refused = 0
    n_bits = 8 * (len(content) - expected.nbytes)
    for bit in range(n_bits):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        try:
            rows = read(tmp_path / "a", "en").rows
        except UserError as error:
            assert str(error).startswith(f"{path.parent}/en.arrow: damaged")
            n_refused += 1
            continue
        array = rows.dense if "vector" in name else rows.sparse.indptr
        np.testing.assert_array_equal(array, expected)
    assert n_refused > 0.9 * n_bits


def flipped(content):
    """One bit in the last byte is another."""
    return content[:-1] + bytes([content[-1] ^ 1])


def test_what_copies_texts_refuses_files_of_other_sums(tmp_path):
    """A bit flips in each file, or rows are those of another index of the same size."""
    place = tmp_path / "a"
    index_of(made_up.embedder("joined", rerank=0.5), {"en": 9, "it": 9}).save(place)
    changes = [
        partial(cr5.Index.add, ids=["x"], texts=["itaa"], language="it"),
        partial(cr5.Index.remove, ids=["it1"]),
        partial(cr5.Index.save, path=tmp_path / "b"),
    ]
    files = {}
    for name, content in contents(place).items():
        if str(name).startswith("it."):
            files[name] = content
    assert len(files) == 8
    refused = f"it.*: not what was written; remove {place}, the whole index, and make it again"
    for name, content in files.items():
        (place / name).write_bytes(flipped(content))
        assert list(damages(place)) == [f"{place / name}: not what was written"]
        for change in changes:
            index = cr5.open_index(place)
            with pytest.raises(UserError, match=refused):
                change(index)
        (place / name).write_bytes(content)
    assert list(damages(place)) == []
    shutil.copy(place / "en.vector.npy", place / "it.vector.npy")
    with pytest.raises(UserError, match=f"^{place}/it.vector.npy: not what was written"):
        cr5.open_index(place).save(place)


def test_an_index_is_saved_where_it_was_opened_unless_another_is_there_now(tmp_path):
    index_of(made_up.embedder("dense"), {"en": 9, "it": 9}).save(tmp_path / "a")
    index = cr5.open_index(tmp_path / "a")
    other_index = cr5.open_index(tmp_path / "a")
    for number in range(2):
        index.add([f"new{number}"], ["itaa"], "it")
        index.save(tmp_path / "a")
    assert cr5.open_index(tmp_path / "a").sizes == {"en": 9, "it": 11}
    with pytest.raises(UserError, match=f"^{tmp_path / 'a'}: another index.*; open it again$"):
        other_index.remove(["en1"])


def test_threads_add_and_search_at_the_same_time():
    index = index_of(made_up.embedder("dense"), {"en": 20, "it": 5})

    def is_found(number):
        index.add([f"new{number}"], ["itaa itab"], "it")
        [hits] = index.search("enaa", "en", 100, "csls")
        return f"new{number}" in {hit.id for hit in hits}

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(is_found, range(40)))
    assert index.sizes == {"en": 20, "it": 45}


def test_what_is_refused_leaves_all_as_it_was(tmp_path):
    (tmp_path / "mine").mkdir()
    index = index_of(made_up.embedder("dense"), {"it": 9})
    two = ["ita", "ita"]
    refusals = [
        (partial(index.add, ["x", "it3"], two, "it"), "text 2: 'it3' exists already"),
        (partial(index.add, ["x", "x"], two, "it"), "text 2: 'x' exists already or is given twice"),
        (partial(index.remove, ["it1", "x"]), "no text 'x' in any language"),
        (partial(index.remove, ["it1"], "en"), "no text 'it1' in 'en'"),
        (partial(index.save, tmp_path / "mine"), "is there already, and no index"),
    ]
    for change, message in refusals:
        with pytest.raises(UserError, match=message):
            change()
    assert index.sizes == {"it": 9}
    with pytest.raises(UserError, match="not compared by 'csls'; its measures are cosine"):
        index_of(made_up.embedder("directed")).search(QUERIES, "en", measure="csls")
