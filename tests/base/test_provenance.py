import hashlib
import platform

import numba
import numpy as np
import threadpoolctl

from cr5.base import provenance, sealed_json


def test_versions_name_python_and_packages():
    versions = provenance.versions()
    assert versions["python"] == platform.python_version()
    assert versions["numpy"] == np.__version__
    assert versions["numba"] == numba.__version__
    assert versions["threadpoolctl"] == threadpoolctl.__version__
    assert "pytest" not in versions  # a tool changes no result


def test_a_folder_as_sha256sum_would_say_it(tmp_path):
    (tmp_path / "text" / "b").mkdir(parents=True)
    for name in ("b/x.html", "a.html"):
        (tmp_path / "text" / name).write_text(name)
    lines = [f"{hashlib.sha256(n.encode()).hexdigest()}  {n}\n" for n in ("a.html", "b/x.html")]
    expected = hashlib.sha256("".join(lines).encode()).hexdigest()
    found = provenance.folder(tmp_path / "text")
    assert found == {"name": "text", "files": 2, "sha256": expected}


def test_what_snakemake_may_leave_in_a_folder_does_not_count(tmp_path):
    (tmp_path / "bags").write_text("all")
    before = provenance.folder(tmp_path)
    (tmp_path / ".snakemake_timestamp").touch()  # an interrupted run leaves none
    assert provenance.folder(tmp_path) == before


def test_files_by_size_and_checksum(tmp_path):
    path = tmp_path / "a.deb"
    path.write_bytes(b"abc")
    expected = {"name": "a.deb", "bytes": 3, "sha256": hashlib.sha256(b"abc").hexdigest()}
    assert provenance.files([path]) == [expected]


def test_files_are_what_they_hold_and_not_where_they_were(tmp_path):
    def noted(**file):
        sealed_json.write(tmp_path / "en.json", {"files": [file]})
        return provenance.noted(tmp_path / "en.json")

    known = {"name": "a", "bytes": 3, "sha256": "f00"}
    assert noted(**known) == noted(**known | {"name": "b", "url": "elsewhere"})
    assert noted(**known) != noted(**known | {"sha256": "ba7"})
    assert noted(bytes=3, checksum="f00") != noted(bytes=3, checksum="ba7")
