"""Files that the configuration names, those of parallel text, and which are not there."""

from pathlib import Path

import pytest
from cr5.plan.outside import (
    bundle_of,
    bundles_of,
    is_made,
    is_of_corpus,
    missing_files,
    options_of,
    parallel_tasks,
    readers,
)

from cr5.base.errors import UserError
from cr5.corpora.parallel import Place
from cr5.plan import outside
from cr5.plan.config import validated

BASE = {
    "corpus": {"name": "x", "source": "files", "path": "{language}.jsonl"},
    "languages": ["da", "en"],
    "systems": {"cr5": {}},
}
ALIGNED = {
    "systems": {"word_by_word": {}},
    "alignments": {"path": "{source}-{target}.tsv"},
}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"vectors": {"path": "https://x.org/{language}.vec"}}, []),
        ({"vectors": {"path": "{language}.vec"}}, ["vectors.path: there is no file en.vec"]),
        (ALIGNED, ["alignments.path: there is no file en-da.tsv"]),
        (ALIGNED | {"alignments": {"aligner": "eflomal", "sentences": {"path": "x.{language}"}}},
         ["alignments.sentences: there is no file x.da",
          "alignments.sentences: there is no file x.en"]),
        ({"systems": {"pretrained": {"path": "{language}.npz"}}},
         ["systems.pretrained.path: there is no file da.npz",
          "systems.pretrained.path: there is no file en.npz"]),
        ({"systems": {"encoder": {"path": "model"}}},
         ["systems.encoder.path: there is no folder model"]),
        ({"tasks": {"sentences": {"path": "x.{language}"}}},
         ["tasks.sentences: there is no file x.da", "tasks.sentences: there is no file x.en"]),
    ],
)  # fmt: skip
def test_what_is_missing_is_named_with_its_key(tmp_path, monkeypatch, changes, expected):
    monkeypatch.chdir(tmp_path)
    for name in ("da.vec", "da-en.tsv"):
        Path(name).touch()
    found = list(outside.missing(validated({**BASE, **changes})))
    assert found == expected


HELP = {"name": "h", "source": "libreoffice_help"}
JSONL = {"name": "j", "source": "files", "path": "{language}"}


def config(corpus=HELP, **tasks):
    return validated({"corpus": corpus, "languages": ["en", "da"], "tasks": tasks})


def test_own_paragraphs_are_one_bundle_and_not_looked_for():
    given = config(documents={}, sentences={"min_words": 5})
    assert parallel_tasks(given) == ["sentences"]
    assert is_of_corpus(given["tasks"]["sentences"])
    [found] = bundles_of(given, "sentences", "made/{language}.parquet")
    assert found.places == {x: Place(f"made/{x}.parquet") for x in ("en", "da")}
    assert not list(missing_files(given, "sentences"))


def test_files_that_are_not_there_and_need_not_be_fetched(tmp_path):
    (tmp_path / "en").touch()
    given = config(
        JSONL,
        sentences={"path": f"{tmp_path}/{{language}}"},
        far={"module": "sentences", "address": "http://host/{language}"},
    )
    assert parallel_tasks(given) == ["sentences", "far"]
    assert list(missing_files(given, "sentences")) == [
        f"tasks.sentences: there is no file {tmp_path}/da"
    ]
    assert not list(missing_files(given, "far"))


@pytest.mark.parametrize(
    ("corpus", "options"),
    [
        (JSONL, {}),
        (HELP, {"idf": "own"}),
    ],
)
def test_what_the_corpus_does_not_have(corpus, options):
    with pytest.raises(UserError, match=r"tasks\.t: "):
        bundles_of(config(corpus, t={"module": "sentences", **options}), "t", "{language}")


def with_aligner(corpus=HELP, **sentences):
    alignments = {"aligner": "eflomal", "sentences": sentences}
    return validated({"corpus": corpus, "languages": ["en", "da"], "alignments": alignments})


def test_the_aligner_reads_parallel_files_as_a_task_does(tmp_path):
    (tmp_path / "en").touch()
    given = with_aligner(JSONL, path=f"{tmp_path}/{{language}}", most=5)
    assert is_made(given)
    assert readers(given) == ["alignments"]
    assert options_of(given, "alignments")["candidates"] == 5
    assert list(missing_files(given, "alignments")) == [
        f"alignments.sentences: there is no file {tmp_path}/da"
    ]
    wrong = with_aligner(JSONL, path="x.tsv")
    with pytest.raises(UserError, match=r"^alignments\.sentences: "):
        bundles_of(wrong, "alignments", "")


def test_own_paragraphs_are_not_aligned_as_files_are():
    assert readers(with_aligner()) == []
    assert not is_made(config(documents={}))
    with pytest.raises(UserError, match=r"alignments\.sentences: "):
        bundles_of(with_aligner(JSONL), "alignments", "")


def test_the_bundle_of_a_pair():
    found = {"da-en": {"da": 1, "en": 1}, "it-en": {"it": 1, "en": 1}}
    assert bundle_of(found, ("en", "it")) == "it-en"
    with pytest.raises(UserError, match="no parallel files of da and it, which train together"):
        bundle_of(found, ("da", "it"))
