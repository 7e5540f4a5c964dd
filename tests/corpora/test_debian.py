import bz2
import gzip
import itertools
import lzma
import shutil
import subprocess
from pathlib import Path

import pyarrow as pa
import pytest

from cr5.base.errors import UserError
from cr5.corpora import debian
from tests.kit.readers import archives

FILES = {"usr/share/a.html": b"<p>a</p>", "usr/share/empty": b"", "usr/b.bin": b"\x00\xff" * 999}


def zstd(data):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


COMPRESSORS = {
    "data.tar": bytes,
    "data.tar.gz": gzip.compress,
    "data.tar.bz2": bz2.compress,
    "data.tar.xz": lzma.compress,
    "data.tar.zst": zstd,
}


def make_deb(path, files=FILES, data_name="data.tar.xz"):
    files = {f"./{name}": content for name, content in files.items()}
    path.write_bytes(archives.deb(files, name=data_name, pack=COMPRESSORS[data_name]))
    return path


@pytest.fixture
def deb(tmp_path):
    return tmp_path / "some-package_1.0_all.deb"


@pytest.mark.parametrize("data_name", COMPRESSORS)
def test_unpack_gives_the_regular_files_in_order(deb, data_name):
    assert list(debian.unpack(make_deb(deb, data_name=data_name))) == list(FILES.items())


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed")
@pytest.mark.parametrize("compression", ["gzip", "xz", "zstd", "none"])
def test_unpack_a_package_built_by_dpkg(tmp_path, deb, compression):
    tree = tmp_path / "tree"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN/control").write_text(
        "Package: some-package\nVersion: 1.0\nArchitecture: all\n"
        "Maintainer: Nobody <nobody@example.org>\nDescription: a test\n"
    )
    for name, content in FILES.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_bytes(content)
    build = subprocess.run(
        ["dpkg-deb", f"-Z{compression}", "--build", tree, deb], capture_output=True, text=True
    )
    if "unknown compression" in build.stderr:
        pytest.skip(f"this dpkg-deb does not know {compression}")
    assert build.returncode == 0, build.stderr
    assert dict(debian.unpack(deb)) == FILES


# From the rules of Debian Policy 5.6.12: each version is newer than the one before it.
ASCENDING = [
    "1.0~~",
    "1.0~rc1-1",
    "1.0",
    "1.0-1~bpo12+1",
    "1.0-1",
    "1.0-1+deb12u2",
    "1.0-1+deb12u14",
    "1.0a-1",
    "1.0+dfsg-1",
    "1.0.2-1",
    "1.0.10-1",
    "1:0.9-1",
    "4:7.4.7-1+deb12u14",
    "4:24.8.0-1",
]


def as_file(version):
    return Path(f"libreoffice-help-da_{version.replace(':', '%3a')}_all.deb")


def test_versions_sort_as_in_debian():
    keys = [debian.version_key(as_file(version)) for version in ASCENDING]
    assert all(a < b for a, b in itertools.pairwise(keys))


@pytest.mark.skipif(shutil.which("dpkg") is None, reason="dpkg is not installed")
def test_versions_sort_as_in_dpkg():
    for a, b in itertools.pairwise(ASCENDING):
        subprocess.run(["dpkg", "--compare-versions", a, "lt", b], check=True)


@pytest.fixture
def fake_apt(tmp_path, program):
    """Puts shell scripts in the place of apt's programs; a log holds the arguments."""

    def install(update="true", download="true"):
        program("apt-get", f'case "$3" in update) {update};; download) {download};; esac')
        program("apt-cache", f'echo "$@" >>{tmp_path}/cache.log; echo a-help-it; echo a-help-da')

    return install


def test_downloads_lie_in_the_folder_and_nothing_else_does(tmp_path, fake_apt):
    fake_apt(download="shift 3; for p; do printf $p >${p}_1%3a2_all.deb; done; echo x >junk")
    folder = tmp_path / "new" / "folder with space"
    files = debian.download(["b-help-da", "a-help"], folder)
    assert files == [folder / "b-help-da_1%3a2_all.deb", folder / "a-help_1%3a2_all.deb"]
    assert [file.read_text() for file in files] == ["b-help-da", "a-help"]
    assert sorted(folder.iterdir()) == sorted(files)


def test_settings_are_private_and_hooks_are_off(tmp_path, fake_apt):
    fake_apt(download='cp "$2" ../seen; pwd >../where; echo >a_1_all.deb')
    debian.download(["a"], tmp_path / "debs")
    settings = (tmp_path / "debs/seen").read_text()
    state = (tmp_path / "debs/where").read_text().strip()
    for key in ("Dir::State", "Dir::State::lists", "Dir::State::status", "Dir::Cache"):
        assert f'{key} "{state}' in settings
    assert "#clear APT::Update::Post-Invoke;" in settings
    assert "Dir::Etc" not in settings


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            {"update": 'echo "E: lists are locked" >&2; exit 100', "download": "exit 100"},
            r"apt-get update could not .*\(E: lists are locked\).*`corpus\.path`",
        ),
        (
            {"update": 'echo "W: Failed to fetch x" >&2', "download": "exit 100"},
            r"apt-get update could not .*Failed to fetch x.*check the network",
        ),
        (
            {"download": 'echo "E: Unable to locate package a-help-xx" >&2; exit 100'},
            r"no package a-help-xx in .*; packages a-help-\* here: a-help-da, a-help-it;",
        ),
        (
            {"download": 'echo half >a-help-xx_1.deb.part; echo "E: disk full" >&2; exit 100'},
            r"apt-get download a-help-xx failed \(E: disk full\)",
        ),
        ({"download": "true"}, "a-help-xx left 0 files instead of one"),
    ],
)
def test_failures_of_apt(tmp_path, fake_apt, script, message):
    fake_apt(**script)
    with pytest.raises(UserError, match=message):
        debian.download(["a-help-xx"], tmp_path / "debs")
    assert list((tmp_path / "debs").iterdir()) == []


def test_a_stale_list_elsewhere_does_not_stop_a_download(tmp_path, fake_apt):
    fake_apt(update='echo "W: Failed to fetch x" >&2', download="echo >a_1_all.deb")
    assert len(debian.download(["a"], tmp_path)) == 1


def test_without_apt(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"apt-get was not found, .*a, b.*set `corpus\.path` to"):
        debian.download(["a", "b"], tmp_path)
