import pytest

from cr5.corpora.licences import OWN, UNKNOWN, licence_of


@pytest.mark.parametrize(
    "about",
    [{}, {"corpus": None}, {"corpus": {"name": "x"}}, {"corpus": {"source": "licences"}}],
)
def test_a_model_that_does_not_say_it(about):
    assert licence_of(about) is UNKNOWN


def test_by_the_source():
    assert licence_of({"corpus": {"source": "wikipedia"}}).id == "cc-by-sa-4.0"
    for source in ("files", "matrix"):
        assert licence_of({"corpus": {"source": source}}) == OWN
    assert "Mozilla" in licence_of({"corpus": {"source": "libreoffice_help"}}).text


def test_a_module_that_a_record_names_is_not_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text("raise SystemExit")
    assert licence_of({"corpus": {"source": "own.py"}}) == OWN
