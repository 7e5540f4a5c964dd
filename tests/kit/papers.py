"""The papers' configurations, shrunken, on made-up files in the layouts of the originals."""

from collections.abc import Sequence
from pathlib import Path

import yaml
from snakemake.utils import update_config

from tests.kit import layouts, wikimedia
from tests.kit.layouts import DictionaryFiles
from tests.kit.run import ROOT, merged

CHANGES = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
NAMES = sorted(CHANGES)
FASTTEXT = "wiki.{language}.vec"
CBOW = "{language}.200K.cbow1_wind5_hs0_neg10_size300_smpl1e-05.txt"
EUROPARL = "europarl-v7.{}-en.{{language}}"
DINU = DictionaryFiles("OPUS_{source}_{target}_europarl_{part}.txt", "train_5K", "test")
MUSE = DictionaryFiles("{source}-{target}.{part}.txt", "0-5000", "5000-6500")
OWN = DictionaryFiles("{source}-{target}.{part}.txt", "train", "test")


def configuration(name: str) -> dict:
    """Return the configuration of a run."""
    path = ROOT / "config" / "papers" / f"{name}.yaml"
    config = merged(path) if path.exists() else {}
    update_config(config, CHANGES[name])
    return config


def give(name: str, folder: Path) -> None:
    """Write what a configuration reads to a folder's data/."""
    data = folder / "data"
    languages = configuration(name)["languages"]
    from_english = [("en", language) for language in languages if language != "en"]
    both_ways = from_english + [(target, source) for source, target in from_english]
    match name:
        case "dinu":
            _mapped(data, languages, FASTTEXT, DINU, from_english)
        case "documentation":
            layouts.help_pages(data / "debian", set(languages) | {"en"})
            layouts.descriptions(data / "debian", languages)
        case "europarl_long_speeches" | "europarl_speeches":
            layouts.speeches(data / "europarl" / "txt", languages)
        case "others":
            layouts.json_lines(str(data / "{language}.jsonl"), languages, 300)
            layouts.word_vectors(str(data / "{language}.vec"), languages, 16, 0.5)
            layouts.dictionaries(data, both_ways, OWN)
            layouts.tables(str(data / "{source}-{target}.tsv"), both_ways)
            layouts.shared_space(data, languages)
        case "pages":
            layouts.pages(data / "content", languages, 240)
        case "rcsls":
            _mapped(data, languages, FASTTEXT, MUSE, both_ways)
        case "reuters" | "reuters_mt":
            layouts.matrices(data / "reuters")
        case "wacky":
            _mapped(data, languages, CBOW, DINU, from_english)
            layouts.aligned(str(data / EUROPARL.format("it")), ("it", "en"), 400)
        case "wikipedia":
            wikimedia.make(data / "wikimedia", languages, 300, 90, parts=(2, 1))
            vectors = str(data / "wiki.multi.{language}.vec")
            layouts.word_vectors(vectors, languages, 16, 0.6, turned=False)
            layouts.dictionaries(data, [("en", "it")], DINU)
            layouts.aligned(str(data / EUROPARL.format("it")), ("it", "en"), 800)
        case "wikipedia28":
            wikimedia.make(data / "wikimedia", languages, 80, 60, parts=(2, 1))
        case "wikipedia_en_es":
            wikimedia.make(data / "wikimedia", languages, 450, 90, parts=(2, 1))
            layouts.aligned(str(data / EUROPARL.format("es")), ("es", "en"), 1500)
        case "xcnn" | "xcnn_mt":
            layouts.fire(data / "xcnn")


def _mapped(
    data: Path,
    languages: Sequence[str],
    vectors: str,
    dictionaries: DictionaryFiles,
    pairs: Sequence[tuple[str, str]],
) -> None:
    """Write what systems need that map vectors of words; and documents."""
    layouts.help_pages(data / "help", languages)
    layouts.word_vectors(str(data / vectors), languages, 16, 0.6)
    layouts.dictionaries(data, pairs, dictionaries)
