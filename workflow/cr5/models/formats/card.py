"""The model card: README.md of an export."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cr5.base.origin import from_json
from cr5.corpora.licences import licence_of
from cr5.models.contract import Model
from cr5.models.formats import usage
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import WordTables

FREQUENCIES = {"raw": "c", "log": "ln(1 + c)", "sqrt": "sqrt(c)", "binary": "(1 where c > 0)"}
METRICS = ("P@1", "MRR")


def card(
    model: Model,
    about: Mapping[str, Any],
    kind: str,
    scores: Sequence[Mapping[str, str]] = (),
    losses: Iterable[str] = (),
) -> str:
    """Write a card in Markdown.

    Args:
        model: what is exported.
        about: what made it.
        kind: name of the format.
        scores: rows of a run's means.csv that are about the model.
        losses: what the export leaves out, a sentence each.
    """
    sections = {
        "Languages": _languages(model),
        "What made it": _made(about),
        "The vector of a document": _formula(model),
        "Use": usage.of(kind, model, about),
        "What this export leaves out": "\n".join(f"- {x}" for x in losses) or "Nothing.",
        "Scores": _scores(scores),
        "Licence": _licence(about),
    }
    system, corpus = about.get("system", "model"), _corpus(about)
    top = [_front(model, about), f"# {system}, fitted on {corpus}", _first(model)]
    return (
        "\n\n".join([*top, *(f"## {title}\n\n{text}" for title, text in sections.items())]) + "\n"
    )


def _front(model: Model, about: Mapping[str, Any]) -> str:
    languages = "".join(f"- {x}\n" for x in model.words)
    tags = "tags:\n- cross-lingual\n- document-embeddings\n- cr5\n"
    return f"---\nlicense: {licence_of(about).id}\nlanguage:\n{languages}{tags}---"


def _first(model: Model) -> str:
    return (
        "Vectors of words by which documents of these languages have vectors in one space: near "
        f"are those about the same thing, whatever their language. Compare them by "
        f"{' or '.join(model.measures)}."
    )


def _corpus(about: Mapping[str, Any]) -> str:
    corpus = about.get("corpus")
    return corpus.get("name", "unknown texts") if isinstance(corpus, Mapping) else "unknown texts"


def _languages(model: Model) -> str:
    rows = "\n".join(f"| {x} | {len(words)} |" for x, words in model.words.items())
    return f"| language | words |\n|---|---|\n{rows}"


def _made(about: Mapping[str, Any]) -> str:
    settings = json.dumps(about.get("options", {}), ensure_ascii=False)
    lines = [
        f"- system: {about.get('system', 'not said')}; setting: {about.get('setting', 'not said')};"
        f" repetition: {about.get('repetition', 'not said')}",
        f"- corpus: {_corpus(about)}",
        f"- options: `{settings}`",
        f"- origin: {_origin(about)}",
    ]
    exported = about.get("exported")
    return "\n".join(lines + ([f"- exported with: `{json.dumps(exported)}`"] if exported else []))


def _origin(about: Mapping[str, Any]) -> str:
    try:
        return str(from_json(about["origin"]))
    except (LookupError, TypeError):
        return "not said"


def _formula(model: Model) -> str:
    if not isinstance(model, WordTables):
        return "See the package cr5."
    f, offset = FREQUENCIES[model.term_frequency], " + b" if model.offsets is not None else ""
    inner = f"{f} * w"
    if model.input_norm != "none":
        inner = f"{model.input_norm}({inner})"
    whole = f"{inner} T{offset}" if model.input_norm != "none" else f"({inner}) T{offset}"
    lines = [
        f"    {whole if model.norm == 'none' else f'{model.norm}({whole})'}",
        "",
        "with c how often each word is in the document, w the weights of words, T their vectors, a "
        f"row each{', b a vector of the language' if offset else ''}; l2 and l1 bring a row to "
        "norm one. Words are runs of letters and marks in lower case and canonical composition "
        "(NFC).",
    ]
    return "\n".join(lines + _beside(model))


def _beside(model: WordTables) -> list[str]:
    if not isinstance(model, JoinedTables):
        return []
    f = FREQUENCIES[model.beside_term_frequency]
    return [
        "",
        f"Beside it stands a sparse row, sqrt({model.beta}) l2({f} * w' Z), with weights and "
        "tables of their own (`beside`); both together are brought to length one.",
    ]


def _scores(rows: Sequence[Mapping[str, str]]) -> str:
    if not rows:
        return "Missing: the model was not exported from the folder of the run that scored it."
    columns = ("task", "similarity", "metric", "value", "ci_low", "ci_high", "n_queries")
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    wanted = [row for row in rows if row.get("metric") in METRICS]
    lines += ["| " + " | ".join(_cell(row.get(x, "")) for x in columns) + " |" for row in wanted]
    return "Means over the directions of language pairs, of the model before the export:\n\n" + (
        "\n".join(lines)
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
