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
SETTINGS = {"case": "lower", "rate": 1e-05, "unique": [12, 1000], "stemmer": None}


def make(results, place, step=SETTINGS, reads=(), kind="bags", files=FILES, **subject):
    """Make an artefact as a job does; return its folder."""
    folder = results / place
    inputs = {x: None if x == "own.txt" else SETTINGS for x in reads}
    job = Job.reading(results, step, inputs)
    with job.making(folder, kind, **(subject or {"language": "en"})) as part:
        for name, content in files.items():
            (part / name).parent.mkdir(exist_ok=True)
            (part / name).write_bytes(content)
    return folder


def whole(folder):
    found = Artefact(folder, "bags", language="en")
    found.check_step(SETTINGS)
    return found.whole()


def test_no_flipped_bit_and_no_lost_byte_passes(tmp_path):
    folder = make(tmp_path, "bags/en")
    tried = 0
    for path in [folder / ABOUT, *(folder / name for name in FILES)]:
        content = path.read_bytes()
        changed = [
            content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :]
            for at in range(len(content))
            for bit in range(8)
        ]
        for each in [*changed, content[:-1] or b"more", content + b" "]:
            path.write_bytes(each)
            tried += 1
            with pytest.raises(UserError, match="bags/en"):
                whole(folder)
        path.unlink()
        with pytest.raises(UserError, match="bags/en"):
            whole(folder)
        path.write_bytes(content)
    assert tried > 8 * sum(map(len, FILES.values()))
    assert whole(folder) == folder


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
    places = {"bags/en", "draws/1", "models/joint/1", "ranks/joint/1"}
    assert {*together(map(Artefact, [model, ranks]))} == places
    assert list(differences(tmp_path)) == []
    make(tmp_path, "bags/en", {**SETTINGS, "case": "keep"})
    with pytest.raises(UserError, match=r"bags/en: made with other settings"):
        make(tmp_path, "runs", reads=[ranks, tmp_path / "bags/en"])
    make(tmp_path, "bags/en", language="da")
    with pytest.raises(UserError, match=r"different versions of bags/en"):
        make(tmp_path, "runs", reads=[tmp_path / "bags/en", ranks])
    [said] = differences(tmp_path)
    assert said.startswith(f"bags/en: another one than {draw} read")


def test_what_is_stale_is_named_and_not_what_is_made_anew(tmp_path):
    """Documents embedded by a model, which another seed then makes again, and its ranks."""

    def run(seed, *parts):
        draw, model = tmp_path / "draws/1", tmp_path / "models/joint/1"
        reads = {"draws/1": [], "models/joint/1": [draw], "ranks/joint/1": [draw, model]}
        reads["embedded/joint"] = [model]
        for part in parts:
            files = {"seed": seed}
            make(tmp_path, part, reads=reads[part], files=files)

    run(b"1", "draws/1", "models/joint/1", "embedded/joint", "ranks/joint/1")
    run(b"2", "draws/1", "models/joint/1", "ranks/joint/1")
    [said] = differences(tmp_path)
    assert said.startswith(f"{tmp_path / 'embedded/joint'}: made of another version of draws/1 ")
    run(b"3", "draws/1", "models/joint/1")  # and was ended before the ranks
    stale = {x.partition(": made of another version of ")[0] for x in differences(tmp_path)}
    assert stale == {str(tmp_path / x) for x in ("embedded/joint", "ranks/joint/1")}
    run(b"4", "draws/1")  # which nothing has read yet
    [said] = [x for x in differences(tmp_path) if x.startswith("draws/1: another one than ")]
    shutil.rmtree(tmp_path / "draws/1")
    [said] = [x for x in differences(tmp_path) if x.startswith("draws/1: missing, which ")]


def test_other_files_are_named_with_size_and_checksum(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = tmp_path / "own.txt"
    words.write_text("the\n")
    folder = make(tmp_path / "results", "bags/en", reads=["own.txt"])
    assert Artefact(folder).about["of"] == {"own.txt": f"4 {zlib.crc32(b'the' + bytes([10])):08x}"}
    assert list(differences(tmp_path / "results")) == []
    words.write_text("tha\n")
    [said] = differences(tmp_path / "results")
    assert said.startswith(f"own.txt: another one than {folder} ")
    words.unlink()
    assert list(differences(tmp_path / "results")) == []


def test_the_user_s_inputs_are_named_with_their_sha256_and_compared_by_reading(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("given").mkdir()
    Path("own.csv").write_bytes(b"the\n")
    Path("given/a ü.txt").write_bytes(b"of\n")
    of_file = hashlib.sha256(b"the\n").hexdigest()
    of_folder = "a ü.txt".encode() + b"\0" + hashlib.sha256(b"of\n").hexdigest().encode() + b"\n"
    read = {
        "own.csv": f"sha256:{of_file}",
        "given": f"sha256:{hashlib.sha256(of_folder).hexdigest()}",
    }
    for language in ("da", "en"):
        with Job.reading("results", {}, read).making(f"results/bags/{language}", "bags"):
            pass
    assert Artefact("results/bags/da").about["of"] == read
    assert list(differences("results")) == []
    os.utime("own.csv", (1, 1))
    assert list(differences("results")) == []
    Path("own.csv").write_bytes(b"tha\n")
    Path("given/a ü.txt").unlink()
    for place, told in (("given", "given: another content"), ("own.csv", "own.csv: another")):
        assert [x for x in differences("results") if x.startswith(told)], place
    assert len(list(differences("results"))) == 2
    Path("given").rmdir()
    assert next(differences("results")).startswith("given: gone, though results/bags/da was made")
    assert list(differences("results", None)) == []


def test_the_bytes_are_the_same_and_the_modes_are_the_umask_s(tmp_path):
    before = os.umask(0o027)
    try:
        made = [make(tmp_path / x, "bags/en") for x in ("first", "second")]
    finally:
        os.umask(before)
    first, second = ((folder / ABOUT).read_bytes() for folder in made)
    assert first == second
    assert (made[0].stat().st_mode & 0o777, (made[0] / ABOUT).stat().st_mode & 0o777) == (
        0o750,
        0o640,
    )
    assert list(json.loads(first)) == sorted(json.loads(first))
