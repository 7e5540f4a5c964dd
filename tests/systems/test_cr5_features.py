import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.systems import cr5_features as system
from cr5.systems import cr5_spelling
from cr5.systems.spelling import feature_files


def test_options_are_those_of_spelling_but_for_its_kind():
    own, spelling = dict(system.OPTIONS), dict(cr5_spelling.OPTIONS)
    assert own.pop("path")[0] == ""
    assert spelling.pop("prior")[0] == "prefixes"
    assert own == spelling


def test_reads_by_hand(tmp_path):
    (tmp_path / "en").write_text("a\tx\t3\nb\ty\na\ty\t4\n\nunknown\tz\n")
    (tmp_path / "it").write_text("c\ty\n")
    words = {"it": ["d", "c"], "en": ["a", "b"]}
    found = feature_files.read_features({x: tmp_path / x for x in words}, words)
    np.testing.assert_allclose(found["en"].toarray(), [[0.6, 0.8], [0, 1]])
    assert found["it"].toarray().tolist() == [[0, 0], [0, 1]]


def test_words_are_composed(tmp_path):
    (tmp_path / "fr.tsv").write_text("be\u0301\tx\n", encoding="utf-8")
    found = feature_files.read_features({"fr": tmp_path / "fr.tsv"}, {"fr": ["b\u00e9"]})
    assert found["fr"].toarray().tolist() == [[1]]


def test_a_file_of_other_words_is_refused(tmp_path):
    (tmp_path / "en.tsv").write_text("Word\tx\n")
    with pytest.raises(UserError, match="none of the words of its 1 lines is one of the 1 of 'en'"):
        feature_files.read_features({"en": tmp_path / "en.tsv"}, {"en": ["word"]})
