"""Files that the configuration names but that are not there."""

from pathlib import Path

import pytest

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
    assert found == [f"{said}. Relative paths start at {tmp_path}." for said in expected]
