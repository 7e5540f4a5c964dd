import hashlib
import platform

import numpy as np

from cr5 import provenance


def test_versions_name_python_and_packages():
    versions = provenance.versions()
    assert versions["python"] == platform.python_version()
    assert versions["numpy"] == np.__version__


def test_files_by_size_and_checksum(tmp_path):
    path = tmp_path / "a.deb"
    path.write_bytes(b"abc")
    expected = {"name": "a.deb", "bytes": 3, "sha256": hashlib.sha256(b"abc").hexdigest()}
    assert provenance.files([path]) == [expected]
