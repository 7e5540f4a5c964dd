"""A model from texts in memory is that of the workflow's steps."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import cr5
from cr5.counts import documents
from cr5.from_texts import least
from cr5.systems.ridge.cr5 import Cr5
from tests.kit.corpus import CORPUS, give
from tests.kit.run import ROOT
from tests.tiny_encoders import write_static

OPTIONS = {"rank": 10, "ridges": [0.1, 1.0]}


@pytest.fixture(scope="module")
def texts():
    return {language: CORPUS.documents[language] for language in ("da", "en")}


@pytest.fixture(scope="module")
def model(texts):
    return cr5.fit(texts, "cr5", seed=5, **OPTIONS)


def test_a_copy_for_another_process_needs_no_file(model):
    """The numbers of the model itself are mapped from one that is gone."""
    _, (copied, *_) = model.__reduce__()
    for language in model.languages:
        assert model.model.tables[language].base is not None
        assert copied.tables[language].base is None
        np.testing.assert_array_equal(copied.tables[language], model.model.tables[language])


def shared(texts):
    """Return the concepts that both languages have."""
    return texts["da"].keys() & texts["en"].keys()


def assert_same_tables(model, expected, language):
    """Compare the tables of two fits to the bit."""
    table = model.model.tables[language]
    assert table.tobytes() == expected.model.tables[language].tobytes()


def test_it_finds_the_counterparts(model, texts):
    """Held out from training by the seed, not by this test: most of these trained."""
    concepts = sorted(shared(texts))[:40]
    queries = [texts["da"][concept] for concept in concepts]
    candidates = [texts["en"][concept] for concept in concepts]
    scores = model.compare(queries, "da", candidates, "en")
    is_found = scores.argmax(axis=1) == np.arange(40)
    assert is_found.mean() > 0.9


def test_what_texts_lost_is_told_once_of_the_texts(texts, caplog):
    """Not again of the files that steps read."""
    damaged = {language: dict(texts_of) for language, texts_of in texts.items()}
    concept = next(iter(damaged["en"]))
    damaged["en"][concept] += "\0"
    cr5.fit(damaged, "cr5", **OPTIONS)
    [message] = [message for message in caplog.messages if "U+FFFD" in message]
    assert message.startswith("texts, en: 1 of ")


def test_how_a_code_is_written_changes_nothing_but_names_of_files(texts, tmp_path):
    """Stop words of pt_br are named as written, those of en folded."""
    stops = {"en": CORPUS.words["en"][:20], "pt_br": CORPUS.words["da"][:20]}
    rules = {"stop_words": str(tmp_path / "{language}.txt")}
    (tmp_path / "en.txt").write_text(" ".join(stops["en"]))
    fits = []
    for portuguese, english in (("pt-BR", "EN"), ("pt_br", "en")):
        file = tmp_path / f"{portuguese}.txt"
        file.write_text(" ".join(stops["pt_br"]))
        texts_by_code = {portuguese: texts["da"], english: texts["en"]}
        fits.append(cr5.fit(texts_by_code, "cr5", seed=5, bags=rules, **OPTIONS))
        file.unlink()
    written, folded = fits
    assert written.languages == folded.languages == ("en", "pt_br")
    assert written.about == folded.about
    for language, words in stops.items():
        assert set(words).isdisjoint(written.model.words[language])
        assert_same_tables(written, folded, language)


def test_languages_without_a_stemmer_are_told(texts, caplog):
    pytest.importorskip("snowballstemmer", reason="the extra stemmer is not installed")
    texts_by_code = {"eng": texts["en"], "vi": texts["da"]}
    cr5.fit(texts_by_code, "cr5", bags={"stemmer": "snowball"}, **OPTIONS)
    assert caplog.text.count("no stemmer here for vi;") == 1


def test_it_says_how_the_fit_went(model):
    assert model.languages == ("da", "en")
    assert [entry["ridge"] for entry in model.report["validation"]][:2] == [1.0, 0.1]
    assert model.about["options"]["rank"] == 10


def test_it_may_keep_its_training_documents(model, texts):
    """All but the validation queries and what one language alone has."""
    keeping = {"evaluation": {"csls_neighbourhood": "training"}}
    with_bank = cr5.fit(texts, "cr5", seed=5, **keeping, **OPTIONS)
    assert model.measure == "cosine"
    assert with_bank.measure == "csls"
    for language in ("da", "en"):
        assert_same_tables(with_bank, model, language)
        rows = with_bank.embed(texts[language].values(), language)
        kept_rows = with_bank.model.bank[language]["dense"].astype(np.float32)
        cosines = kept_rows @ rows.T
        np.testing.assert_allclose(cosines.max(axis=1), 1, atol=1e-3)
        assert 100 < len(cosines) < 189
    index = cr5.Index(with_bank)
    index.add(texts["en"].keys(), texts["en"].values(), "en")
    concept = min(shared(texts))
    [[hit]] = index.search(texts["da"][concept], "da", 1)
    assert hit.id == concept


def test_the_same_texts_options_and_seed_give_the_same_bytes(model, texts):
    """In another form, in another order of languages, of a system that is given itself."""
    rows = []
    for language in ("en", "da"):
        rows += [(language, concept, text) for concept, text in texts[language].items()]
    frame = pd.DataFrame(rows, columns=["language", "concept", "text"])
    lines = []
    again = cr5.fit(frame, Cr5(**OPTIONS), seed=5, threads=2, progress=lines.append)
    assert lines[0] == "da: 191 of 191 documents, 120 words"
    fits = [line for line in lines if line.startswith("fit: ")]
    assert len(fits) == len(again.report["validation"])
    for language in ("da", "en"):
        assert_same_tables(again, model, language)
    of_another_seed = cr5.fit(texts, "cr5", seed=6, **OPTIONS)
    assert (of_another_seed.model.tables["da"] != model.model.tables["da"]).any()


@pytest.mark.parametrize(
    ("duplicates", "n_warnings", "n_held_out"), [("independent", 1, 10), ("together", 0, 20)]
)
def test_texts_that_train_and_validate_are_told_or_kept_together(
    texts, caplog, duplicates, n_warnings, n_held_out
):
    """Every text stands twice: a validation query's copy trains, or neither; 10 validate."""
    twice = {}
    for language, by_concept in texts.items():
        first = {f"{concept}a": text for concept, text in by_concept.items()}
        second = {f"{concept}b": text for concept, text in by_concept.items()}
        twice[language] = first | second
    options = {"evaluation": {"csls_neighbourhood": "training"}, **OPTIONS}
    fitted = cr5.fit(twice, "cr5", splits={"duplicates": duplicates, "validation": 10}, **options)
    assert caplog.text.count("validation document of another concept: ") == n_warnings
    n_trained = len(fitted.model.bank["da"]["dense"])
    assert 2 * len(shared(texts)) - n_trained == n_held_out


@pytest.mark.parametrize("name", ["m", "m.cr5"])
def test_a_model_remembers_how_texts_become_words(texts, tmp_path, name):
    (tmp_path / "da.txt").write_text("stop\n")
    (tmp_path / "en.txt").write_text("other\n")
    marked = {}
    for language, by_concept in texts.items():
        marked[language] = {concept: f"Stop N-1 {text}" for concept, text in by_concept.items()}
    rules = {"case": "keep", "tokens": "words", "stop_words": str(tmp_path / "{language}.txt")}
    fitted = cr5.fit(marked, "cr5", bags=rules, seed=5, **OPTIONS)
    fitted.save(tmp_path / name)
    loaded = cr5.load(tmp_path / name)
    assert loaded.report == fitted.report
    row = loaded.embed("Stop N-1", "en")
    np.testing.assert_array_equal(row, fitted.embed("Stop N-1", "en"))
    words = loaded.model.words
    assert "N-1" in words["da"]
    assert "Stop" in words["en"]
    assert "Stop" not in words["da"]
    counts = loaded.count(["N-1 Stop N-1", "n-1"], "da").toarray()
    assert counts.sum(axis=1).tolist() == [2, 0]


@pytest.mark.parametrize("vocabulary", ["text", "vectors"])
def test_word_vectors_are_given(texts, tmp_path, vocabulary):
    """Of the words 3 and 1 of each language, and one that no text has."""
    words = {
        language: [CORPUS.words[language][3], "none", CORPUS.words[language][1]]
        for language in ("da", "en")
    }
    for language, of_language in words.items():
        lines = (f"{word} {number} 0.5\n" for number, word in enumerate(of_language))
        (tmp_path / f"{language}.vec").write_text("".join(lines))
    system = tmp_path / "found.py"
    system.write_text(
        "from cr5.contracts.system import System\n"
        "from cr5.contracts.training import Fit\n"
        "from cr5.models.word_tables import WordTables\n"
        "class Found(System):\n"
        "    needs = ('vectors',)\n"
        "    def fit(self, training):\n"
        "        return Fit(WordTables.of(training, training.vectors))\n"
    )
    files = {"path": str(tmp_path / "{language}.vec")}
    model = cr5.fit(texts, str(system), vectors=files, bags={"vocabulary": vocabulary}).model
    for language, of_language in words.items():
        if vocabulary == "vectors":
            assert list(model.words[language]) == of_language
        vectors = dict(zip(model.words[language], model.tables[language].tolist(), strict=True))
        assert vectors.get("none") == ([1, 0.5] if vocabulary == "vectors" else None)
        assert (vectors[of_language[0]], vectors[of_language[2]]) == ([0, 0.5], [2, 0.5])


WITHOUT_WORKFLOW = """
import sys
sys.modules.update(dict.fromkeys(["yaml", "matplotlib", "snakemake"]))  # as if not installed
import cr5
en = [f"{a} cat {b}" for a in "abcde" for b in "uvxyz"]
cr5.fit({"en": en, "it": [text.replace("cat", "gatto") for text in en]}, "cr5", rank=4)
"""


def test_it_needs_nothing_of_the_workflow():
    """The extra `fit` does not bring snakemake."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow")}
    subprocess.run([sys.executable, "-c", WITHOUT_WORKFLOW], env=environment, check=True)


NOTHING = """
import numpy as np
from cr5.contracts.system import System
from cr5.contracts.training import Fit
from cr5.models.word_tables import WordTables
class Nothing(System):
    def fit(self, training):
        tables = {x: np.zeros((len(words), 3)) for x, words in training.words.items()}
        return Fit(WordTables.of(training, tables))
"""


def test_a_model_that_finds_nothing_is_told(texts, tmp_path, caplog):
    path = tmp_path / "nothing.py"
    path.write_text(NOTHING)
    cr5.fit(texts, path)
    assert "this fit found NOTHING: MRR " in caplog.text
    caplog.clear()
    cr5.fit(texts, path, splits={"max_share": {"validation": 0}})
    assert "NOTHING" not in caplog.text
    draw = np.random.default_rng(0).permutation
    shuffled = {}
    for language, by_concept in texts.items():
        drawn = draw(list(by_concept.values()))
        shuffled[language] = dict(zip(by_concept, drawn, strict=True))
    *_, warning = cr5.fit(shuffled, "cr5", **OPTIONS).report["warnings"]
    assert warning.startswith("this fit found NOTHING: MRR ")
    assert warning in caplog.text


@pytest.mark.parametrize(("sizes", "expected"), [((99, 5000), 1), ((100, 200), 2), ((1000,), 3)])
def test_words_of_few_documents_count_in_small_collections(sizes, expected):
    records = {str(n): [documents.Record] * n for n in sizes}
    assert least(records) == expected


def test_a_system_may_read_the_texts_and_encoders_do(texts, tmp_path):
    system = tmp_path / "longest.py"
    system.write_text(
        "from cr5.contracts.training import Fit\n"
        "from cr5.systems.baselines.lexical_overlap import LexicalOverlap\n"
        "class Longest(LexicalOverlap):\n"
        "    needs = ('counts', 'texts', 'seeds', 'alignments')\n"
        "    def fit(self, training):\n"
        "        longest = {x: max(map(len, read())) for x, read in training.texts.items()}\n"
        "        rows = {x: len(read()) for x, read in training.texts.items()}\n"
        "        assert rows == {x: len(y) for x, y in training.concepts.items()}\n"
        "        assert training.seeds.pairs['da', 'en'] and training.alignments['da']['en'].nnz\n"
        "        return Fit(super().fit(training).model, {'longest': longest})\n"
    )
    place = str(give(tmp_path / "given") / "{source}-{target}.")
    files = {"dictionary": {"dictionaries": place + "dict"}, "alignments": {"path": place + "tsv"}}
    lengths = cr5.fit(texts, system=str(system), **files).report["longest"]
    assert 0 < lengths["da"] <= max(map(len, texts["da"].values()))
    write_static(tmp_path / "encoder", {"aaaa": [1.0, 0], "baaa": [1, 0], "xaaa": [0, 1]})
    model = cr5.fit(texts, system="encoder", path=str(tmp_path / "encoder"))
    assert model.compare("aaaa", "da", ["xaaa", "baaa"], "en").tolist() == [[0, 1]]
