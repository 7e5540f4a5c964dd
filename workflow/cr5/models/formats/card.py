"""The card of an export: its README.md, which says what it is and whose texts made it."""

from collections.abc import Iterable, Mapping
from typing import Any

from cr5.corpora.licences import licence_of
from cr5.models.contract import Model
from cr5.models.formats import sidecar

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

With the package cr5:

```python
import cr5
model = cr5.load("{place}")
vectors = model.embed(["a text", "another"], "{language}")
```
{more}
## Licence

{licence}
"""
WHOLE = ("packed", "safetensors")
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
    more = [DOCUMENTS] if model.bank is not None and kind in WHOLE else []
    return CARD.format(
        license=licence_of(about).id,
        codes="\n".join(f"- {x}" for x in model.words),
        system=about.get("system", "model"),
        corpus=(isinstance(corpus, Mapping) and corpus.get("name")) or "unknown texts",
        measures=" or ".join(model.measures),
        words="\n".join(f"| {x} | {len(words)} |" for x, words in model.words.items()),
        language=next(iter(model.words)),
        place=f"{sidecar.name_of(about)}.cr5" if kind == "packed" else "FOLDER",
        more="".join(f"\n{sentence}\n" for sentence in [*more, *lost]),
        licence=_licence(about),
    )


def _licence(about: Mapping[str, Any]) -> str:
    files = about.get("data", {}).get("files", [])
    names = ", ".join(str(x.get("name", x)) if isinstance(x, Mapping) else str(x) for x in files)
    more = f"\n\nThe system also read {names}, which have licences of their own." if names else ""
    return licence_of(about).text + more
