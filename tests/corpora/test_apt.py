import subprocess

import pytest

from cr5.corpora import apt


def test_the_state_is_private_and_goes_with_what_it_was_for(tmp_path, monkeypatch):
    monkeypatch.setattr(apt.shutil, "which", lambda _: "apt-get")
    with apt.private(tmp_path / "new", "this", "do that", "Some::Key 1;\n") as own:
        assert own.state.parent == tmp_path / "new"
        settings = (own.state / "apt.conf").read_text()
        assert f'Dir::State "{own.state}";' in settings and settings.endswith("Some::Key 1;\n")
        assert (own.state / "lists/partial").is_dir() and (own.state / "status").read_bytes() == b""
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize(
    ("code", "stderr", "failed"),
    [
        (0, "", ""),
        (100, "", "status 100"),
        (0, "W: Failed to fetch x", "W: Failed to fetch x"),
        (0, "W: other", ""),
    ],
)
def test_an_update_that_lacks_a_list_has_failed(tmp_path, monkeypatch, code, stderr, failed):
    done = subprocess.CompletedProcess([], code, "", stderr)
    monkeypatch.setattr(apt.subprocess, "run", lambda *_, **__: done)
    assert apt.Apt(tmp_path, "this", "do that").update() == failed


@pytest.mark.parametrize(
    ("stderr", "said"),
    [
        ("note\nE: one\nW: two\nE: three\nE: four\n", "E: one W: two E: three"),
        ("only this\n", "only this"),
        ("", "no message"),
    ],
)
def test_complaints(stderr, said):
    assert apt.complaints(stderr) == said
