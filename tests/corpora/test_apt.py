import subprocess

import pytest

from cr5.base.errors import UserError
from cr5.corpora import apt


def test_the_state_is_private_and_goes_with_what_it_was_for(tmp_path):
    with apt.private_state(tmp_path, "Some::Key 1;\n") as state:
        assert state.parent == tmp_path
        settings = (state / "apt.conf").read_text()
        assert f'Dir::State "{state}";' in settings and settings.endswith("Some::Key 1;\n")
        assert (state / "lists/partial").is_dir() and (state / "status").read_bytes() == b""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("code", "stderr", "failed"),
    [(0, "", False), (100, "", True), (0, "W: Failed to fetch x", True), (0, "W: other", False)],
)
def test_an_update_that_lacks_a_list_has_failed(code, stderr, failed):
    assert apt.is_failed(subprocess.CompletedProcess([], code, "", stderr)) is failed


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


def test_without_apt_it_is_said_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="so this cannot be fetched here; do that"):
        apt.check_there("this", "do that")
