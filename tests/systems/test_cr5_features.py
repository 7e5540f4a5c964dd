import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.fitting import fit as fitting
from cr5.systems import cr5_features as system
from cr5.systems import cr5_spelling
from cr5.systems.spelling import feature_files
from cr5.systems.spelling.features import features

ONE = {"ridges": [0.3], "ranks": [5], "shifts": [False]}
WORDS = {
    "en": [f"{stem}{end}" for stem in ("walk", "nation", "form") for end in ("", "s", "al")],
    "it": [f"{stem}{end}" for stem in ("nazion", "form", "cammin") for end in ("a", "e", "ale")],
}


@pytest.fixture
def written(tmp_path):
    """Features of every word, in files as somebody may give them."""

    def write(found, names):
        files = {}
        for language, N in found.items():
            rows, columns = N.nonzero()
            lines = [
                f"{WORDS[language][i]}\t{names[j]}\t{float(N[i, j])!r}\n"
                for i, j in zip(rows, columns, strict=True)
            ]
            path = tmp_path / f"{language}.tsv"
            path.write_text("nowhere\tf\n" + "".join(lines), encoding="utf-8")
            files[language] = {"path": str(path)}
        return files

    return write


def training_set(training_of, **more):
    generator = np.random.default_rng(0)
    X = {x: sparse.csr_matrix(generator.random((12, len(WORDS[x])))) for x in WORDS}
    concepts = {x: np.arange(12) for x in WORDS}
    known = {"features": X, "concepts": concepts, "n_concepts": 12, "term_frequency": "log"}
    return training_of(WORDS, **known, **more)


def test_features_of_the_spelling_give_the_model_of_the_spelling(training_of, written):
    N = features(WORDS, "prefixes")
    names = [f"f{i:03}" for i in range(N["en"].shape[1])]
    given_so = training_set(training_of, files=written(N, names))
    found = fitting.fit(system, given_so, ONE).model
    expected = fitting.fit(cr5_spelling, training_set(training_of), ONE).model
    without = fitting.fit(cr5_spelling, training_set(training_of), ONE | {"prior": "none"}).model
    for language in WORDS:
        # of a direction only the sign may differ; beginnings follow the words
        ours, theirs = (x.tables[language][: len(WORDS[language])] for x in (found, expected))
        np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-5)
        plain = without.tables[language]
        assert np.abs(ours @ ours.T - plain @ plain.T).max() > 1e-3


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
