"""Models for other programs, and as one file to share.

word2vec    {name}_{language}.vec: the number of words and the dimension; a line per word;
            {name}_{language}.weights.tsv: word, tab, weight (float64), in the order of the vectors;
            {name}_{language}.beginnings.vec and .weights.tsv, if there are any: beginnings of
            words, which stand for words that are not there
static      a folder for each language, {name}_{language}, as model2vec and sentence-transformers
            read them: words with the same spelling have different vectors in each language
packed      the whole model, see `models.store`

A static model takes the mean of its tokens' vectors and scales it to length one. If f is the raw
counts, that is Cr5's row, with vectors of words times their weights; for other models it is an
approximation.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from safetensors.numpy import save

from cr5.base import characters
from cr5.base.errors import UserError
from cr5.base.files import atomic_folder, check_free, write_json
from cr5.base.languages import base_language
from cr5.base.text_files import BOM
from cr5.contracts.model import Model
from cr5.contracts.vocabulary import Fallbacks
from cr5.counts.cutting import WITHOUT_SPACES, is_cut
from cr5.counts.tokens import DOTLESS, LETTER
from cr5.models import store
from cr5.models.word_tables import WordTables
from cr5.texts.reading import licence_of

PACKED = "packed"
WORD2VEC = "word2vec"
STATIC = "static"
UNKNOWN = "[UNK]"  # brackets, so that it is never a word of a text
NO_LETTER = f"[^{LETTER[1:]}"
WITHIN = "['’.:·]"  # some punctuation that does not end a word for Unicode's Final_Sigma
FINAL_SIGMA = rf"(?<={LETTER}|{LETTER}{WITHIN})Σ(?!(?:\p{{M}}|{WITHIN})*\p{{L}})"
MODULES = {"StaticEmbedding": ".", "Normalize": "1_Normalize"}  # of sentence-transformers
CARD = """---
license: {license}
language:
{codes}
tags:
- cross-lingual
- document-embeddings
- cr5
---

# {system}, fitted on {corpus}

Vectors of documents in these languages, in one space: near are those about the same thing, whatever
their language. Compare them by {measures}.

| language | words |
|---|---|
{words}
{fallbacks}
{lost}

## Licence

{licence}
"""
FALLBACKS = """
Words of a dictionary that no training document has are among the words. {beginnings}
"""
LOOKED_UP = (
    "A word that is not among them counts as its longest beginning, of 6, 5 or 4 letters in lower "
    "case without accents, that the model has: it has {n}"
)
BEGINNINGS = {
    PACKED: f"{LOOKED_UP}.",
    WORD2VEC: f"{LOOKED_UP}, in the files `.beginnings.vec`.",
    STATIC: "Left out are {n} beginnings of words, which stand for words that are not among them.",
}
LEFT_OUT = (
    "Left out of the model, if it has them: how counts enter, a vector that is added to every "
    "document, tables beside those of vectors, rows of an encoder, the second stage of searches, "
    "and training documents, by which searches correct hubs."
)
HALVED = "Vectors are in float16: 11 bits of each number."


def write(
    kind: str, path: str | Path, model: Model, about: Mapping[str, Any], exact: bool = False
) -> tuple[Model, str]:
    """Write a model and its card: a folder, or for `packed` a file, of all bits if it is `exact`.

    Returns what was written, and a sentence on what is left out.
    """
    if kind == PACKED:
        lost = "" if exact else HALVED
        store.pack(path, model, about, not exact, _card(kind, model, about, lost))
        return model, lost
    check_free(path)
    with atomic_folder(path) as folder:
        vectors = _vectors(model, kind)
        WRITERS[kind](folder, vectors, _name(about))
        card = _card(kind, vectors, about, LEFT_OUT)
        subfolders = [place for place in folder.iterdir() if place.is_dir()]
        for place in [folder] + subfolders:
            readme = place / "README.md"
            readme.write_text(card, encoding="utf-8")
    return vectors, LEFT_OUT


def _vectors(model: Model, kind: str) -> WordTables:
    """Return words, beginnings and their vectors alone, without vectors of zeros.

    Other programs would take these for the vector of a word. Words of a dictionary are words.
    """
    if not isinstance(model, WordTables) or model.directed or model.is_sparse:
        raise UserError(
            f"{kind} holds one dense vector a word, and this model has other tables (sparse, "
            "directed ones, layers): export it packed"
        )
    words = {}
    fallbacks = {}
    tables = {}
    weights = {}
    for language, table in model.tables.items():
        vocabulary = model.vocabulary(language)
        beginnings = vocabulary.fallbacks.beginnings
        whole_words = [*vocabulary.words, *vocabulary.fallbacks.words]
        n_words = len(whole_words)
        has_vector = np.any(table, axis=1)
        words[language] = _chosen(whole_words, has_vector[:n_words])
        chosen_beginnings = _chosen(beginnings, has_vector[n_words:])
        fallbacks[language] = Fallbacks(beginnings=chosen_beginnings)
        tables[language] = table[has_vector]
        all_weights = np.asarray(model.weights[language])
        weights[language] = all_weights[has_vector]
    return WordTables(
        words=words,
        tables=tables,
        weights=weights,
        measures=model.measures,
        fallbacks=fallbacks,
    )


def _chosen(strings: Sequence[str], is_chosen: np.ndarray) -> list[str]:
    return [strings[number] for number in np.flatnonzero(is_chosen)]


def _card(kind: str, model: Model, about: Mapping[str, Any], lost: str) -> str:
    licence_name, licence = licence_of(about)
    rows = []
    n_beginnings = 0
    for language in model.words:
        vocabulary = model.vocabulary(language)
        n_words = len(vocabulary.words) + len(vocabulary.fallbacks.words)
        rows.append(f"| {language} | {n_words} |")
        n_beginnings += len(vocabulary.fallbacks.beginnings)
    fallbacks = ""
    if n_beginnings:
        beginnings = BEGINNINGS[kind].format(n=n_beginnings)
        fallbacks = FALLBACKS.format(beginnings=beginnings)
    return CARD.format(
        license=licence_name,
        codes="\n".join(f"- {language}" for language in model.words),
        system=about.get("system", "model"),
        corpus=about.get("corpus", {}).get("name", "unknown texts"),
        measures=" or ".join(model.measures),
        words="\n".join(rows),
        fallbacks=fallbacks,
        lost=lost,
        licence=licence,
    )


def _name(about: Mapping[str, Any]) -> str:
    system = str(about.get("system", ""))
    name = re.sub(r"[^A-Za-z0-9]+", "_", system)
    return name.strip("_") or "model"


def _write_word2vec(folder: Path, model: WordTables, name: str) -> None:
    """Write two files per language, and two more if there are beginnings."""
    for language, words in model.words.items():
        _check_words(words)
        table = model.tables[language].astype(np.float32)
        weights = model.weights[language]
        place = folder / f"{name}_{language}"
        n_words = len(words)
        _write_lines(place, words, table[:n_words], weights[:n_words])
        beginnings = model.vocabulary(language).fallbacks.beginnings
        if beginnings:
            place = folder / f"{name}_{language}.beginnings"
            _write_lines(place, beginnings, table[n_words:], weights[n_words:])


def _write_lines(
    place: Path, strings: Sequence[str], table: np.ndarray, weights: np.ndarray
) -> None:
    """Write {place}.vec and {place}.weights.tsv; numbers with the digits that float32 needs."""
    dimension = table.shape[1]
    with _text_file(f"{place}.vec") as file:
        file.write(f"{len(strings)} {dimension}\n")
        for string, row in zip(strings, table, strict=True):
            digits = row.astype(str).tolist()
            numbers = " ".join(digits)
            file.write(f"{string} {numbers}\n")
    with _text_file(f"{place}.weights.tsv") as file:
        for string, weight in zip(strings, weights.tolist(), strict=True):
            file.write(f"{string}\t{weight!r}\n")


def _text_file(path: str) -> TextIO:
    """Open a file to be written, with the same bytes on any system."""
    return Path(path).open("w", encoding="utf-8", newline="\n")


def _check_words(words: Sequence[str]) -> None:
    for word in words:
        if word.split() != [word] or "\0" in word or word[0] == BOM:
            raise UserError(
                f"the word {word!r} cannot be written as word2vec, where a space ends a word: "
                "export the model packed"
            )


def _write_static(folder: Path, model: WordTables, name: str) -> None:
    """Write a folder per language; its first row, of zeros, is for other words."""
    for language, words in model.words.items():
        n_cut = sum(is_cut(word) for word in words)
        has_no_spaces = base_language(language) in WITHOUT_SPACES
        if has_no_spaces or 2 * n_cut > len(words):
            raise UserError(
                f"{language!r} is written without spaces, and its words are found by a dictionary "
                "that a tokenizer.json cannot hold: export the model in another format"
            )
        place = folder / f"{name}_{language}"
        place.mkdir()
        rows = _static_rows(model, language)
        dimension = rows.shape[1]
        weights = save({"embeddings": rows})
        weights_path = place / "model.safetensors"
        weights_path.write_bytes(weights)
        write_json(place / "config.json", _config(dimension))
        write_json(place / "modules.json", _modules())
        write_json(place / "tokenizer.json", tokenizer(language, words))


def _static_rows(model: WordTables, language: str) -> np.ndarray:
    """Return a row of zeros and the vectors of words, times their weights, float32."""
    n_words = len(model.words[language])
    weights = model.weights[language].astype(np.float64)
    rows = model.tables[language] * weights[:, None]
    rows_of_words = rows[:n_words]
    dimension = rows.shape[1]
    row_of_zeros = np.zeros((1, dimension))
    with_unknown = np.vstack([row_of_zeros, rows_of_words])
    return with_unknown.astype(np.float32)


def _config(dimension: int) -> dict[str, Any]:
    """Return what model2vec reads of a model."""
    return {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "hidden_dim": dimension,
        "normalize": True,
        "max_length": None,
        "embedding_dtype": "float32",
    }


def _modules() -> list[dict[str, Any]]:
    """Return what sentence-transformers reads of a model: the steps from tokens to a row."""
    modules = []
    for number, (name, path) in enumerate(MODULES.items()):
        kind = f"sentence_transformers.models.{name}"
        modules.append({"idx": number, "name": str(number), "path": path, "type": kind})
    return modules


WRITERS = {WORD2VEC: _write_word2vec, STATIC: _write_static}


def tokenizer(language: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the contents of tokenizer.json: `UNKNOWN` is 0, the words follow in order.

    The library tokenizers then finds the same words as `counts.tokens`. Two differences are
    corrected: it lower-cases a Greek sigma without checking whether the word ends, and Turkish has
    a rule of its own. What remains: raised letters, single ones of Hangul, and a few more count as
    what NFKC makes of them; runs of scripts without spaces are not cut; and code points unassigned
    in one of the two Unicode versions.
    """
    normalizers = [
        _replace("Regex", f"[{''.join(characters.unseen())}]", ""),
        # of signs, NFKC would make letters
        _replace("Regex", f"[{''.join(characters.blanks_and_signs())}]", " "),
        {"type": "NFKC"},
    ]
    if base_language(language) in ("tr", "az"):
        for capital, letter in DOTLESS.items():
            normalizers.append(_replace("String", chr(capital), letter))
    normalizers += [_replace("Regex", FINAL_SIGMA, "ς"), {"type": "Lowercase"}, {"type": "NFC"}]
    vocabulary: dict[str, int] = {}
    for number, word in enumerate([UNKNOWN, *words]):
        vocabulary.setdefault(unicodedata.normalize("NFKC", word), number)
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": normalizers},
        "pre_tokenizer": {
            "type": "Split",
            "pattern": {"Regex": f"{NO_LETTER}+"},
            "behavior": "Removed",
            "invert": False,
        },
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": UNKNOWN},
    }


def _replace(kind: str, pattern: str, content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}
