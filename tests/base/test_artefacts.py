"""What jobs hand to one another: no bit of it changes unseen, and nothing is mixed up."""

import hashlib
import json
import os
import shutil
import zlib
from pathlib import Path

import pytest

from cr5.base.artefacts import ABOUT, Artefact, Job, together
from cr5.base.errors import UserError
from cr5.base.verification import differences

FILES = {"words": b"a b", "below/counts.npy": bytes(9), "empty": b""}
ENGLISH = {"language": "en"}
SETTINGS = {"case": "lower", "rate": 1e-05, "unique": [12, 1000], "stemmer": None}
OWN_FILE = "own.txt"  # of the user


def make(results, place, step=SETTINGS, reads=(), kind="bags", files=FILES, **subject):
    """Make an artefact as a job does; return its folder."""
    folder = results / place
    inputs = dict.fromkeys(reads, SETTINGS)
    if OWN_FILE in inputs:
        inputs[OWN_FILE] = None
    job = Job.reading(results, step, inputs)
    with job.making(folder, kind, **(subject or ENGLISH)) as temporary:
        for name, content in files.items():
            (temporary / name).parent.mkdir(exist_ok=True)
            (temporary / name).write_bytes(content)
    return folder


def whole(folder):
    artefact = Artefact(folder, "bags", language="en")
    artefact.check_step(SETTINGS)
    return artefact.whole()


def damaged(content):
    """Yield bytes with each bit flipped, without the last byte, and with one more."""
    for position in range(len(content)):
        for bit in range(8):
            changed = bytearray(content)
            changed[position] ^= 1 << bit
            yield bytes(changed)
    yield content[:-1] or b"more"
    yield content + b" "


@pytest.mark.parametrize("name", [ABOUT] + list(FILES))
def test_no_flipped_bit_and_no_lost_byte_passes(tmp_path, name):
    folder = make(tmp_path, "bags/en")
    path = folder / name
    content = path.read_bytes()
    for changed in damaged(content):
        path.write_bytes(changed)
        with pytest.raises(UserError, match="bags/en"):
            whole(folder)
    path.unlink()
    with pytest.raises(UserError, match="bags/en"):
        whole(folder)
    path.write_bytes(content)
    assert whole(folder) == folder


def test_all_kinds_of_damage_are_tried():
    """Eight flips of each byte, a byte less and a byte more."""
    changed = list(damaged(b"abc"))
    assert len(set(changed)) == 3 * 8 + 2
    assert b"abc" not in changed


@pytest.mark.parametrize(
    ("kind", "subject", "settings"),
    [
        ("models", {"language": "en"}, SETTINGS),
        ("bags", {"language": "de"}, SETTINGS),
        ("bags", {"setting": "joint"}, SETTINGS),
        ("bags", {"language": "en"}, {**SETTINGS, "rate": 1e-04}),
        ("bags", {"language": "en"}, {**SETTINGS, "case": None, "stemmer": "lower"}),
    ],
)
def test_another_is_refused(tmp_path, kind, subject, settings):
    folder = make(tmp_path, "bags/en")
    with pytest.raises(UserError, match=r"bags/en: (expected|made with other settings)"):
        Artefact(folder, kind, **subject).check_step(settings)


def test_only_what_belongs_together_is_read(tmp_path):
    make(tmp_path, "bags/en")
    draw = make(tmp_path, "draws/1", reads=[tmp_path / "bags/en"], kind="draws")
    model = make(tmp_path, "models/joint/1", reads=[tmp_path / "bags/en", draw], kind="models")
    ranks = make(tmp_path, "ranks/joint/1", reads=[model, draw], kind="ranks")
    digests = together([Artefact(model), Artefact(ranks)])
    assert set(digests) == {"bags/en", "draws/1", "models/joint/1", "ranks/joint/1"}
    assert list(differences(tmp_path)) == []
    make(tmp_path, "bags/en", {**SETTINGS, "case": "keep"})
    with pytest.raises(UserError, match=r"bags/en: made with other settings"):
        make(tmp_path, "runs", reads=[ranks, tmp_path / "bags/en"])
    make(tmp_path, "bags/en", language="da")
    with pytest.raises(UserError, match=r"different versions of bags/en"):
        make(tmp_path, "runs", reads=[tmp_path / "bags/en", ranks])
    [difference] = differences(tmp_path)
    assert difference.startswith(f"bags/en: another one than {draw} read")


DRAW = "draws/1"
MODEL = "models/joint/1"
RANKS = "ranks/joint/1"
EMBEDDED = "embedded/joint"  # documents, by the model
READ_BY = {DRAW: [], MODEL: [DRAW], RANKS: [DRAW, MODEL], EMBEDDED: [MODEL]}


@pytest.fixture
def run(tmp_path):
    """A function: makes parts of a run with a seed."""

    def make_parts(seed, parts):
        for part in parts:
            reads = [tmp_path / place for place in READ_BY[part]]
            make(tmp_path, part, reads=reads, files={"seed": seed})

    make_parts(b"1", [DRAW, MODEL, EMBEDDED, RANKS])
    return make_parts


def test_what_is_stale_is_named_and_not_what_is_made_anew(tmp_path, run):
    run(b"2", [DRAW, MODEL, RANKS])
    [difference] = differences(tmp_path)
    assert difference.startswith(f"{tmp_path / EMBEDDED}: made of another version of draws/1 ")


def test_what_a_killed_run_has_not_made_anew_is_stale(tmp_path, run):
    run(b"3", [DRAW, MODEL])  # and was ended before the ranks
    stale = set()
    for difference in differences(tmp_path):
        path, _, _ = difference.partition(": made of another version of ")
        stale.add(path)
    assert stale == {str(tmp_path / EMBEDDED), str(tmp_path / RANKS)}


def test_what_nothing_has_read_yet_is_another_version(tmp_path, run):
    run(b"4", [DRAW])
    differing = list(differences(tmp_path))
    assert [line.startswith("draws/1: another one than ") for line in differing].count(True) == 1


def test_what_was_read_and_is_gone_is_missing(tmp_path, run):
    shutil.rmtree(tmp_path / DRAW)
    differing = list(differences(tmp_path))
    assert [line.startswith("draws/1: missing, which ") for line in differing].count(True) == 1


def test_other_files_are_named_with_size_and_checksum(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = tmp_path / OWN_FILE
    words.write_bytes(b"the\n")
    folder = make(tmp_path / "results", "bags/en", reads=[OWN_FILE])
    crc = zlib.crc32(b"the\n")
    assert Artefact(folder).about["of"] == {OWN_FILE: f"4 {crc:08x}"}
    assert list(differences(tmp_path / "results")) == []
    words.write_bytes(b"tha\n")
    [difference] = differences(tmp_path / "results")
    assert difference.startswith(f"own.txt: another one than {folder} ")
    words.unlink()
    assert list(differences(tmp_path / "results")) == []


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def test_the_user_s_inputs_are_named_with_their_sha256_and_compared_by_reading(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("given").mkdir()
    Path("own.csv").write_bytes(b"the\n")
    Path("given/a ü.txt").write_bytes(b"of\n")
    listed = "a ü.txt".encode() + b"\0" + sha256(b"of\n").encode() + b"\n"
    digest_of_file = sha256(b"the\n")
    inputs = {"own.csv": f"sha256:{digest_of_file}", "given": f"sha256:{sha256(listed)}"}
    job = Job.reading("results", {}, inputs)
    for language in ("da", "en"):
        with job.making(f"results/bags/{language}", "bags"):
            pass
    assert Artefact("results/bags/da").about["of"] == inputs
    assert list(differences("results")) == []
    os.utime("own.csv", (1, 1))
    assert list(differences("results")) == []
    Path("own.csv").write_bytes(b"tha\n")
    Path("given/a ü.txt").unlink()
    of_file, of_folder = sorted(differences("results"), reverse=True)
    assert of_file.startswith("own.csv: another")
    assert of_folder.startswith("given: another content")
    Path("given").rmdir()
    assert next(differences("results")).startswith("given: gone, though results/bags/da was made")
    assert list(differences("results", None)) == []


def test_the_bytes_are_the_same_and_the_modes_are_the_umask_s(tmp_path):
    before = os.umask(0o027)
    try:
        first = make(tmp_path / "first", "bags/en")
        second = make(tmp_path / "second", "bags/en")
    finally:
        os.umask(before)
    content = (first / ABOUT).read_bytes()
    assert content == (second / ABOUT).read_bytes()
    keys = list(json.loads(content))
    assert keys == sorted(keys)
    assert first.stat().st_mode & 0o777 == 0o750
    assert (first / ABOUT).stat().st_mode & 0o777 == 0o640
