import pytest

from cr5.texts.reading import file_of


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "eng").mkdir()
    return tmp_path / "eng"


PATH, CODES = "{language}/{part}.tsv", {"en": "eng"}


def test_a_file_is_found_compressed_or_not(folder):
    for name in ("train.tsv.xz", "dev.tsv", "test.tsv.gz"):
        (folder / name).touch()
    found = [file_of(PATH, "en", CODES, part) for part in ("train", "dev", "test")]
    assert found == ["eng/train.tsv.xz", "eng/dev.tsv", "eng/test.tsv.gz"]
    assert file_of(f"{PATH}.xz", "en", CODES, "dev") == "eng/dev.tsv"


def test_the_name_that_was_given_is_taken_where_there_are_several(folder):
    for name in ("dev.tsv", "dev.tsv.xz"):
        (folder / name).touch()
    assert file_of(PATH, "en", CODES, "dev") == "eng/dev.tsv"
    assert file_of(f"{PATH}.xz", "en", CODES, "dev") == "eng/dev.tsv.xz"


def test_where_there_is_none_the_path_is_as_it_was_given(folder):
    assert file_of(f"{PATH}.xz", "de", CODES, "dev") == "de/dev.tsv.xz"
