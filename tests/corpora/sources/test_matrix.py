import gzip

import pytest

from cr5.base.errors import UserError
from cr5.corpora.sources.matrix import Document, Place, documents, places, prefix_of

CODES = {"en": "EN", "es": "SP"}
REUTERS = "{language}/Index_{original}-{language}"


def write(path, *lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def test_files_of_documents_and_of_their_translations():
    """The layout of UCI 259: a folder for each language that documents are in."""
    english = places(REUTERS, CODES, ["en"], "en", "en")
    assert english == [Place("en:", "EN/Index_EN-EN", "EN/Index_EN-EN")]
    assert places(REUTERS, CODES, ["en"], "es", "en") == [
        Place("en:", "SP/Index_EN-SP", "EN/Index_EN-EN"),
        Place("es:", "SP/Index_SP-SP", "SP/Index_SP-SP"),
    ]


def test_translations_into_one_language_of_which_all_documents_have_the_words():
    path = "EN/Index_{original}-EN"
    english = Place("en:", "EN/Index_EN-EN", "EN/Index_EN-EN")
    spanish = Place("es:", "EN/Index_SP-EN", "EN/Index_SP-EN")
    assert places(path, CODES, ["en"], "en", "en") == [english]
    assert places(path, CODES, ["en"], "es", "en") == [english, spanish]
    assert (prefix_of(path, "es"), prefix_of(REUTERS, "es")) == ("", "es")


def test_without_originals_line_k_is_the_same_document_in_all_languages():
    assert places("{language}.svm", {}, [], "es", "en") == [Place("", "es.svm", "en.svm")]


def test_a_translation_may_be_compressed_and_has_the_names_of_its_original(tmp_path):
    like = write(tmp_path / "a", "X 1:1", "Y 1:1")
    (tmp_path / "b").write_bytes(gzip.compress(b"X 9:1\nY 8:1\n"))
    found = list(documents(Place("en:", str(tmp_path / "b"), like)))
    assert found == [("en:1", Document("X", {9: 1.0})), ("en:2", Document("Y", {8: 1.0}))]


def test_files_that_are_not_the_same_documents_are_refused(tmp_path):
    like = write(tmp_path / "a", "X 1:1", "Y 1:1")
    other = write(tmp_path / "b", "X 1:1", "Z 1:1")
    with pytest.raises(UserError, match=r"b, line 2: the class is 'Z', but 'Y' at .*a, line 2"):
        list(documents(Place("", other, like)))
    for shorter, longer in ((write(tmp_path / "c", "X 1:1"), like), (like, None)):
        longer = longer or write(tmp_path / "d", "X 1:1", "Y 1:1", "Y 1:1")
        for place in (Place("", shorter, longer), Place("", longer, shorter)):
            with pytest.raises(UserError, match=f"{longer}, line .: "):
                list(documents(place))
