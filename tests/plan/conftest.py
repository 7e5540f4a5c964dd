import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where relative paths start."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
