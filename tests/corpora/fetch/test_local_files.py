import hashlib

import pytest

from cr5.base.errors import UserError
from cr5.corpora.fetch.download import fetch
from cr5.corpora.fetch.pins import Pin
from cr5.corpora.wikimedia.settings import Settings

SHA256 = hashlib.sha256(b"content").hexdigest()


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "dumps" / "a.bz2"
    path.parent.mkdir()
    path.write_bytes(b"content")
    return path


def pin(url):
    return Pin("dawiki", "2026-10-01", "text", "a.bz2", str(url), 7, "sha256", SHA256)


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_it_is_verified_and_linked(source, tmp_path, scheme):
    target = tmp_path / "here" / "a.bz2"
    assert fetch(pin(f"{scheme}{source}"), target, Settings()).received == 0
    assert target.is_symlink() and target.resolve() == source.resolve()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"contenx", "expected sha256 .*the file is damaged"),
        (b"con", "expected 7 bytes, got 3"),
        (None, "there is no such file, but it is pinned"),
    ],
)
def test_it_is_wrong_or_missing(source, tmp_path, content, said):
    source.unlink() if content is None else source.write_bytes(content)
    with pytest.raises(UserError, match=f"{source}: {said}"):
        fetch(pin(source), tmp_path / "a.bz2", Settings())
    assert not (tmp_path / "a.bz2").exists()
