"""The card of an export: its README.md, which says what it is and whose texts made it."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from cr5.corpora.licences import licence_of
from cr5.models.contract import Model

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
{more}
## Licence

{licence}
"""
LOAD = """With the package cr5:

```python
import cr5
model = cr5.load("{place}")
vectors = model.embed(["a text", "another"], "{language}")
```"""
WEIGHTS = "A file `.weights.tsv` says how much the vector of each word counts in a document's."
DOCUMENTS = "It keeps a vector of each training document, by which searches correct hubs."


def card(model: Model, about: Mapping[str, Any], kind: str, lost: Iterable[str] = ()) -> str:
    """Write a card in Markdown.

    Args:
        model: the model that is exported.
        about: how it was made.
        kind: name of the format.
        lost: what the export leaves out, one sentence each.
    """
    corpus = about.get("corpus")
    more = [WEIGHTS] if kind == "word2vec" else []
    if kind == "packed":
        more = [LOAD.format(place=f"{name_of(about)}.cr5", language=next(iter(model.words)))]
        more += [DOCUMENTS] if model.bank is not None else []
    return CARD.format(
        license=licence_of(about).id,
        codes="\n".join(f"- {x}" for x in model.words),
        system=about.get("system", "model"),
        corpus=(isinstance(corpus, Mapping) and corpus.get("name")) or "unknown texts",
        measures=" or ".join(model.measures),
        words="\n".join(f"| {x} | {len(words)} |" for x, words in model.words.items()),
        more="".join(f"\n{part}\n" for part in [*more, *lost]),
        licence=_licence(about),
    )


def name_of(about: Mapping[str, Any]) -> str:
    """Return the name of a model's files: its system's name."""
    return re.sub(r"[^A-Za-z0-9]+", "_", str(about.get("system", ""))).strip("_") or "model"


def _licence(about: Mapping[str, Any]) -> str:
    files = about.get("data", {}).get("files", [])
    names = ", ".join(str(x.get("name", x)) if isinstance(x, Mapping) else str(x) for x in files)
    more = f"\n\nThe system also read {names}, which have licences of their own." if names else ""
    return licence_of(about).text + more
