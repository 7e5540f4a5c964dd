"""Damage of what jobs hand on: whatever reads it refuses it, by name."""

import os
import shutil
from functools import partial

import numpy as np
import pytest

from cr5.base.artefacts import ABOUT
from cr5.base.errors import UserError
from cr5.counts import bags
from cr5.fitting import vectors
from cr5.models import store
from cr5.scores import ranks
from cr5.splits import training_documents
from cr5.splits.draw import Draw

NAME = 'été 北京 ı it\'s "mine" '


def flipped(content):
    """One bit in the middle is another."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def cut(content):
    return content[: len(content) // 2]


def emptied(content):
    return b""


def noise(content):
    return np.random.default_rng(1).bytes(len(content))


def read_ranks(folder):
    ranks.read(folder, setting="joint")
    ranks.read_told(folder)


READERS = {  # what jobs hand on, by its place below the results, and how the next one reads it
    "bags/en": partial(bags.load, language="en"),
    "draws/1": Draw.load,
    "settings/joint/1": partial(training_documents.load, setting="joint", repetition="1"),
    "vectors/en/1": partial(vectors.load, language="en"),
    "models/joint/cr5/1": partial(store.load, setting="joint"),
    "models/joint/bm25_translated/1": store.load,
    "ranks/joint/cr5/1/documents": read_ranks,
}
UNREAD = ("summary.json", "fit.json", "pairs.parquet")  # but by verify


@pytest.mark.parametrize("name", READERS)
def test_every_damaged_file_is_refused_by_name(finished, tmp_path, name):
    place = tmp_path / name
    load = READERS[name]
    shutil.copytree(finished.results / name, place)
    load(place)
    files = [path for path in place.rglob("[!.]*") if path.is_file() and path.name not in UNREAD]
    assert files
    for file in files:
        content = file.read_bytes()
        for damaged in (cut, flipped, emptied, noise):
            file.write_bytes(damaged(content))
            with pytest.raises(UserError, match=str(place)):
                pytest.fail(f"{file} is read, {damaged.__name__}: {load(place)}")
        file.write_bytes(content)


@pytest.mark.parametrize("name", [reader for reader in READERS if reader != "draws/1"])
def test_what_is_of_another_language_or_setting_is_refused_by_name(finished, name):
    other_name = name.replace("/en", "/da").replace("/joint", "/transitive_da-it")
    with pytest.raises(UserError, match=other_name):
        READERS[name](finished.results / other_name)


def test_verify_names_what_is_damaged_missing_added_or_read_and_another_one_now(finished, tmp_path):
    run = finished.copied(tmp_path / NAME)
    place = str(run.results.relative_to(run.folder))
    parts = ("bags", "draws", "models", "ranks", "tables")
    seals = [path for path in run.files("draws") if path.name == ABOUT]
    damaged = [path for path in run.files() if path.parts[0] in parts and path.name != ABOUT]
    damaged = [path for path in damaged if path.parts[0] != "draws"] + seals
    assert len(damaged) > 90
    for name in damaged:
        file = run.results / name
        content = file.read_bytes() or b"x"  # which is flipped to another letter
        file.write_bytes(flipped(content))
    (run.results / damaged[0]).unlink()
    (run.results / "tables" / "more").touch()
    dictionary = run.folder / "given" / "da-en.dict"
    status = dictionary.stat()
    dictionary.write_text(dictionary.read_text() + "more\tmere\n")
    os.utime(dictionary, ns=(status.st_atime_ns, status.st_mtime_ns))
    (run.folder / "given" / "da.txt").unlink()
    done = run.cr5("verify", place, check=False)
    assert done.returncode == 1
    named = {line.partition(": ")[0] for line in done.stdout.splitlines()}
    expected = {f"{place}/{name}" for name in [*damaged, "tables/more"]}
    assert {line for line in named if line.startswith(f"{place}/")} == expected
    assert f"{place}/tables/more: not of the run" in done.stdout
    assert "given/da-en.dict: another content than " in done.stdout
    assert "given/da.txt: gone, though " in done.stdout
