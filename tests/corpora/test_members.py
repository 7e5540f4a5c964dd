"""A file in an archive: which one is meant, and that all of the archive is whole."""

import gzip
import io
import random
import tarfile

import pytest

from cr5.base.errors import UserError
from cr5.corpora.members import member_of


def archive(*members):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return packed.getvalue()


@pytest.fixture
def read(tmp_path):
    def read(data, name="x.en"):
        path = tmp_path / "a.tgz"
        path.write_bytes(data)
        with member_of(str(path), name) as file:
            return file.read()

    return read


ONE = ("x.en", b"one\ntwo\n")
MORE = ("big", random.Random(1).randbytes(3 << 20))


@pytest.mark.parametrize("members", [[ONE], [ONE, MORE], [MORE, ONE]])
def test_changed_bytes_are_found_wherever_they_stand(read, members):
    stored = gzip.compress(archive(*members), 0)
    assert read(stored) == b"one\ntwo\n"
    for old, new in ((b"one", b"oNe"), (MORE[1][-50:], bytes(50))):
        if old in stored:
            with pytest.raises(UserError, match=r"a\.tgz: "):
                read(stored.replace(old, new))


@pytest.mark.parametrize("taken", [2 << 20, 4])
def test_what_is_cut_off_after_the_member_is_missed(read, taken):
    with pytest.raises(UserError, match=r"a\.tgz: "):
        read(gzip.compress(archive(ONE, MORE), 0)[:-taken])


def test_the_exact_name_goes_before_others_that_end_so(read):
    members = ("a/x.en", b"a"), ("x.en", b"whole"), ("b/x.en", b"b"), ("b/yx.en", b"y")
    assert read(archive(*members)) == b"whole"
    assert read(archive(*members), "b/x.en") == b"b"
    assert read(archive(*members), "yx.en") == b"y"
