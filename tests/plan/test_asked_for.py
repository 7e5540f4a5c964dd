import pytest

from cr5.plan.catalogue import files_of, module_source
from cr5.plan.config import validated

TSV = "index_id\tcategory\ttext\n1\tsports\tA run\n"
PATH = "{language}/{part}.tsv"
MATRIX = {"name": "m", "source": "matrix", "path": "{language}.svm"}
NO_QUERIES = {"splits": {"max_share": {"test": 0, "validation": 0}}}
OF_SENTENCES = {"systems": {"cr5": {"validation_task": "sentences"}}}


def config(task=None, **changes):
    tasks = {} if task is None else {"tasks": {"topics": {"module": "classification", **task}}}
    corpus = {"name": "x", "source": "files", "path": "{language}.jsonl"}
    return validated({"corpus": corpus, "languages": ["en", "es"], **tasks, **changes})


@pytest.mark.parametrize("name", ["opca", "cl_lsi", "jplsa", "pltm", "lexical_overlap"])
def test_counts_may_be_weighed(name):
    assert config(systems={name: {}})


@pytest.mark.parametrize(
    "systems",
    [
        {x: {"weights": "given"} for x in ("opca", "cl_lsi", "document_cca")},
        {"lexical_overlap": {}, "cr5": {}},
    ],
)
def test_systems_that_take_rows_as_they_are_take_a_matrix(systems):
    assert config(corpus=MATRIX, systems=systems)


def test_queries_of_its_own_need_no_draw_and_can_validate():
    task = {"path": PATH, "labelled": ["en"]}
    assert config(task, validation={"task": "topics"}, **NO_QUERIES)
    assert config({"path": "{language}.tsv"}, validation={"task": "topics"})
    assert config({}, corpus=MATRIX, validation={"task": "topics"}, weighting={"idf": "none"})
    words = {"tasks": {"lexicon_induction": {}}, "dictionary": {"dictionaries": "freedict"}}
    assert config(**words, validation={"task": "lexicon_induction"}, **NO_QUERIES)
    apart = {"tasks": {"sentences": {"path": "x", "validation": 9}}}
    assert config(**apart, **OF_SENTENCES, **NO_QUERIES)


def test_files_of_a_part_are_those_of_the_languages_that_need_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "eng").mkdir()
    (tmp_path / "eng/dev.tsv.xz").touch()
    task = {"path": PATH, "labelled": ["en"], "codes": {"en": "eng"}, "parts": {"test": "held"}}
    options = config(task)["tasks"]["topics"]
    source = module_source("tasks", "topics", "classification")
    expected = {"validation": "eng/dev.tsv.xz", "test": "eng/held.tsv"}
    assert files_of(source, options, "en") == {"labelled": "eng/train.tsv", **expected}
    assert files_of(source, options, "es") == {"validation": "es/dev.tsv", "test": "es/held.tsv"}
    assert files_of(source, {**options, "path": "{language}.tsv"}, "es") == {"labels": "es.tsv"}
    assert files_of(source, {**options, "path": ""}, "es") == {}
