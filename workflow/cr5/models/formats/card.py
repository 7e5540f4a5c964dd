"""The model card: README.md of an export, with working code."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cr5.base.origin import from_json
from cr5.corpora.licences import licence_of
from cr5.models.contract import Model
from cr5.models.formats import sidecar
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import WordTables

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

Word vectors that give documents of these languages vectors in one space: near are those about the
same thing, whatever their language. Compare them by {measures}.

| language | words |
|---|---|
{words}

## What made it

- system: {system}; setting: {setting}; repetition: {repetition}
- corpus: {corpus}
- options: `{options}`
- origin: {origin}{exported}{documents}

## The vector of a document

{formula}

## Use

With the package cr5, all of the model:

```python
import cr5
model = cr5.load("{place}")
vectors = model.embed(["a text", "another"], "{language}")
```

{use}

## What this export leaves out

{losses}

## Scores

{scores}

## Licence

{licence}
"""
FORMULA = """    {formula}

with c how often each word is in the document, w the weights of words, T their vectors, a row
each{b}; l2 and l1 bring a row to norm one. Words are runs of letters and marks in lower case and
canonical composition (NFC).{beside}"""
BESIDE = """

A sparse row is joined to it, sqrt({beta}) l2({f} * w' Z), with weights and tables of their own
(`beside`); both together are brought to length one."""
WEIGHTS = """Weights of words are in `{name}_{language}.weights.tsv`, a line each: word, tab,
weight, in the order of the vectors; other settings of the formula are in `cr5.json`."""
GENSIM = """With gensim, the vectors of words, without their weights:

```python
from gensim.models import KeyedVectors
vectors = KeyedVectors.load_word2vec_format("{name}_{language}{load})
vectors[{word}]
```

"""
STATIC = """With model2vec or sentence-transformers, texts of one language a model; texts of any
length are read to their end:

```python
from model2vec import StaticModel
model = StaticModel.from_pretrained("{name}_{language}")
vectors = model.encode(["a text", "another"])
```

Vectors there are those of words times their weights, and a document's is their mean, brought to
length one. """
TENSORS = """With safetensors, the arrays: `tables.{language}` are the vectors, `weights.{language}`
the weights, `words.{language}` the words, as JSON in bytes; the metadata `cr5` describe the rest.

```python
import json
from safetensors.numpy import load_file
arrays = load_file("model.safetensors")
words = json.loads(arrays["words.{language}"].tobytes())
```"""
PACKED = """It is a zip file: `model.json` describes the arrays, which are files of numpy,
`about.json` says what made them. Tables in float16 are to be multiplied by their `scale`."""
LOADS = {
    "word2vec": '.vec"',
    "word2vec-binary": '.bin", binary=True',
    "released": '.txt.gz", no_header=True',
}
WHOLE = ("packed", "safetensors")
DOCUMENTS = "\n- it keeps a vector of each training document, by which searches correct hubs"
FREQUENCIES = {"raw": "c", "log": "ln(1 + c)", "sqrt": "sqrt(c)", "binary": "(1 where c > 0)"}
COLUMNS = ("task", "similarity", "metric", "value", "ci_low", "ci_high", "n_queries")
METRICS = ("Success@1", "RR", "P@1", "MRR")  # the last two: their names in version 0.1.0


def card(
    model: Model,
    about: Mapping[str, Any],
    kind: str,
    scores: Sequence[Mapping[str, str]] = (),
    losses: Iterable[str] = (),
) -> str:
    """Write a card in Markdown.

    Args:
        model: the model that is exported.
        about: how it was made.
        kind: name of the format.
        scores: rows of a run's means.csv that are about the model.
        losses: what the export leaves out, one sentence each.
    """
    corpus, name = about.get("corpus"), sidecar.name_of(about)
    language, exported = next(iter(model.words)), about.get("exported")
    return CARD.format(
        license=licence_of(about).id,
        codes="\n".join(f"- {x}" for x in model.words),
        system=about.get("system", "model"),
        setting=about.get("setting", "not said"),
        repetition=about.get("repetition", "not said"),
        corpus=(isinstance(corpus, Mapping) and corpus.get("name")) or "unknown texts",
        measures=" or ".join(model.measures),
        words="\n".join(f"| {x} | {len(words)} |" for x, words in model.words.items()),
        options=json.dumps(about.get("options", {}), ensure_ascii=False),
        origin=_origin(about),
        exported=f"\n- exported with: `{json.dumps(exported)}`" if exported else "",
        documents=DOCUMENTS if model.bank is not None and kind in WHOLE else "",
        formula=_formula(model),
        language=language,
        place=f"{name}.cr5" if kind == "packed" else "FOLDER",
        use=_use(kind, name, language, model.words[language][0]),
        losses="\n".join(f"- {x}" for x in losses) or "Nothing.",
        scores=_scores(scores),
        licence=_licence(about),
    )


def _origin(about: Mapping[str, Any]) -> str:
    try:
        return str(from_json(about["origin"]))
    except (LookupError, TypeError):
        return "not said"


def _formula(model: Model) -> str:
    if not isinstance(model, WordTables):
        return "See the package cr5."
    formula, b, beside = f"{FREQUENCIES[model.term_frequency]} * w", "", ""
    formula = f"({formula})" if model.input_norm == "none" else f"{model.input_norm}({formula})"
    formula = f"{formula} T"
    if model.offsets is not None:
        formula, b = f"{formula} + b", ", b a vector of the language"
    if model.norm != "none":
        formula = f"{model.norm}({formula})"
    if isinstance(model, JoinedTables):
        beside = BESIDE.format(beta=model.beta, f=FREQUENCIES[model.beside_term_frequency])
    return FORMULA.format(formula=formula, b=b, beside=beside)


def _use(kind: str, name: str, language: str, word: str) -> str:
    others = {"static": STATIC + WEIGHTS, "safetensors": TENSORS, "packed": PACKED}
    text, load = others.get(kind, GENSIM + WEIGHTS), LOADS.get(kind)
    return text.format(name=name, language=language, word=repr(word), load=load)


def _scores(rows: Sequence[Mapping[str, str]]) -> str:
    if not rows:
        return "Missing: the model was not exported from the folder of the run that scored it."
    lines = [COLUMNS, ["---"] * len(COLUMNS)]
    lines += [[_cell(x.get(y, "")) for y in COLUMNS] for x in rows if x.get("metric") in METRICS]
    return "Means over the directions of language pairs, of the model before the export:\n\n" + (
        "\n".join(f"| {' | '.join(line)} |" for line in lines)
    )


def _cell(text: str) -> str:
    try:
        return f"{float(text):.4g}"
    except ValueError:
        return text


def _licence(about: Mapping[str, Any]) -> str:
    files = about.get("data", {}).get("files", [])
    names = ", ".join(str(x.get("name", x)) if isinstance(x, Mapping) else str(x) for x in files)
    more = f"\n\nThe system also read {names}, which have licences of their own." if names else ""
    return licence_of(about).text + more
