import pytest

from cr5.plan.config import validated

CORPUS = {"name": "x", "source": "libreoffice_help"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where relative paths start."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def configured():
    """Give a function from keys to a validated configuration."""

    def configuration_of(languages=("en", "vi", "da", "it"), **sections):
        return validated({"corpus": CORPUS, "languages": list(languages)} | sections)

    return configuration_of
