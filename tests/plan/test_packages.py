import pytest

from cr5.plan import fingerprint
from cr5.plan.catalogue import PACKAGE
from cr5.plan.fingerprint import is_there, missing


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import numpy, json\nfrom cr5.base import rows\n", []),
        ("import not_there.part\n", ["not_there"]),
        ("def fit():\n    from not_there.part import x\n", ["not_there"]),
        ("from . import mine\n", []),
        ("try:\n    import not_there\nexcept ImportError:\n    pass\n", []),
        ("import cupy\n", []),
    ],
)
def test_what_is_imported_and_not_there(tmp_path, source, expected):
    path = tmp_path / "mine.py"
    path.write_text(source)
    assert missing(path) == expected


def test_modules_behind_it_count(monkeypatch):
    """Cr5 compiles its products with numba, some modules on."""
    monkeypatch.setattr("cr5.plan.fingerprint.is_there", lambda name: name != "numba")
    assert missing(PACKAGE / "systems" / "cr5.py") == ["numba"]
    assert missing(PACKAGE / "systems" / "lexical_overlap.py") == []


def test_there_or_not():
    assert is_there("json") and is_there("numpy")
    assert not is_there("surely_not_installed")


def test_a_module_that_fits_systems_of_ours_need_not_have_what_encoders_need(tmp_path, monkeypatch):
    monkeypatch.setattr(fingerprint, "is_there", lambda name: name != "onnxruntime")
    own = tmp_path / "own.py"
    own.write_text("from cr5.fitting.fit import fit\n")
    assert missing(own) == []
