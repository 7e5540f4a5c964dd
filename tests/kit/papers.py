"""The papers' configurations, shrunken, on made-up files in the layouts of the originals."""

from collections.abc import Callable, Sequence
from pathlib import Path

import yaml

from tests.kit import layouts
from tests.kit.reference import ROOT, merged
from tests.kit.wikimedia import mirror

CHANGES = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
NAMES = sorted(CHANGES)


def configuration(name: str) -> dict:
    """Return the configuration of a run."""
    path = ROOT / "config" / "papers" / f"{name}.yaml"
    return merged(*([path] if path.exists() else []), CHANGES[name])


def give(name: str, folder: Path) -> None:
    """Write what a configuration reads to a folder's data/."""
    GIVEN[name](folder / "data", configuration(name)["languages"])


def _pairs(languages: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs with English, both ways."""
    return [x for other in languages if other != "en" for x in (("en", other), (other, "en"))]


def _mapped(vectors: str, pattern: str, parts: Sequence[str], one_way: bool) -> Callable:
    def write(data: Path, languages: Sequence[str]) -> None:
        layouts.help_pages(data / "help", languages)
        layouts.word_vectors(str(data / vectors), languages, 16, 0.6)
        pairs = _pairs(languages)[:: 2 if one_way else 1]
        layouts.dictionaries(str(data / pattern), pairs, *parts)

    return write


_dinu = _mapped(
    "wiki.{language}.vec", "OPUS_{source}_{target}_europarl_{part}.txt", ("train_5K", "test"), True
)
_muse = _mapped(
    "wiki.{language}.vec", "{source}-{target}.{part}.txt", ("0-5000", "5000-6500"), False
)


def _wacky(data: Path, languages: Sequence[str]) -> None:
    name = "{language}.200K.cbow1_wind5_hs0_neg10_size300_smpl1e-05.txt"
    parts = ("train_5K", "test")
    _mapped(name, "OPUS_{source}_{target}_europarl_{part}.txt", parts, True)(data, languages)
    layouts.aligned(str(data / "europarl-v7.it-en.{language}"), ("it", "en"), 400)


def _speeches(data: Path, languages: Sequence[str]) -> None:
    layouts.speeches(data / "europarl" / "txt", languages)


def _reuters(data: Path, languages: Sequence[str]) -> None:
    layouts.matrices(data / "reuters")


def _fire(data: Path, languages: Sequence[str]) -> None:
    layouts.fire(data / "xcnn")


def _wikipedia(data: Path, languages: Sequence[str]) -> None:
    mirror.make(data / "wikimedia", languages, 300, 90, parts=(2, 1))
    layouts.word_vectors(str(data / "wiki.multi.{language}.vec"), languages, 16, 0.6, turned=False)
    parts = ("train_5K", "test")
    pattern = "OPUS_{source}_{target}_europarl_{part}.txt"
    layouts.dictionaries(str(data / pattern), [("en", "it")], *parts)
    layouts.aligned(str(data / "europarl-v7.it-en.{language}"), ("it", "en"), 800)


def _wikipedia28(data: Path, languages: Sequence[str]) -> None:
    mirror.make(data / "wikimedia", languages, 80, 60, parts=(2, 1))


def _wikipedia_en_es(data: Path, languages: Sequence[str]) -> None:
    mirror.make(data / "wikimedia", languages, 450, 90, parts=(2, 1))
    layouts.aligned(str(data / "europarl-v7.es-en.{language}"), ("es", "en"), 1500)


def _others(data: Path, languages: Sequence[str]) -> None:
    layouts.json_lines(str(data / "{language}.jsonl"), languages, 300)
    layouts.word_vectors(str(data / "{language}.vec"), languages, 16, 0.5)
    layouts.dictionaries(
        str(data / "{source}-{target}.{part}.txt"), _pairs(languages), "train", "test"
    )
    layouts.tables(str(data / "{source}-{target}.tsv"), _pairs(languages))
    layouts.shared_space(data, languages)


def _documentation(data: Path, languages: Sequence[str]) -> None:
    layouts.help_pages(data / "debian", {*languages, "en"})
    layouts.descriptions(data / "debian", languages)


GIVEN: dict[str, Callable[[Path, Sequence[str]], None]] = {
    "dinu": _dinu,
    "documentation": _documentation,
    "europarl_long_speeches": _speeches,
    "europarl_speeches": _speeches,
    "others": _others,
    "rcsls": _muse,
    "reuters": _reuters,
    "reuters_mt": _reuters,
    "wacky": _wacky,
    "wikipedia": _wikipedia,
    "wikipedia28": _wikipedia28,
    "wikipedia_en_es": _wikipedia_en_es,
    "xcnn": _fire,
    "xcnn_mt": _fire,
}
