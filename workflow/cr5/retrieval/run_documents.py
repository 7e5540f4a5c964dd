"""The documents of a run, embedded once and kept beside it."""

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from cr5.base import artefacts
from cr5.base.errors import UserError
from cr5.retrieval import chunks
from cr5.retrieval.adding import BATCH, chunks_of
from cr5.retrieval.chunks import Chunk, joined
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.identity import fingerprint
from cr5.retrieval.results import Documents, Results
from cr5.retrieval.searching import Collection
from cr5.retrieval.stores import Memory

FOLDER = "embedded"


def documents_of(results: Results, model: Embedder, languages: Iterable[str]) -> Collection:
    """Embed a run's documents, or read what an earlier search has kept of them.

    Args:
        results: of the run.
        model: one of the run's.
        languages: of the documents.

    Raises:
        UserError: the run has no such documents, or they were counted with other words.
    """
    found = {x: (_kept(results, model, x),) for x in dict.fromkeys(languages)}
    return Collection(model, str(results.folder), Memory(found))


def embedded(model: Embedder, language: str, documents: Documents) -> Chunk:
    """Embed documents that are already counted."""
    ids, counts, titles = documents.ids, documents.counts, documents.titles
    parts = (slice(x, x + BATCH) for x in range(0, len(ids), BATCH))
    found = chunks_of(model, ((ids[x], counts[x], titles[x]) for x in parts), language)
    return replace(joined(list(found)), name=language)


def _kept(results: Results, model: Embedder, language: str) -> Chunk:
    path = results.folder / FOLDER / Path(*model.place.parts[-3:]) / f"{language}.arrow"
    made_of = _made_of(results, model, language)
    with suppress(UserError, OSError):
        return chunks.load(path, made_of)
    documents = results.documents(language, model.model.words[language])
    if model.model.reads_texts:
        documents = replace(documents, counts=results.texts_of(language, documents.ids))
    chunk = embedded(model, language, documents)
    with suppress(OSError, UserError):  # read-only results, or another process writes the same
        chunks.save(path, chunk, made_of)
    return chunk


def _made_of(results: Results, model: Embedder, language: str) -> str:
    """What changes whenever the model or the documents change."""
    bags = results.bags_folder(language) / artefacts.NAME
    digest = hashlib.sha256(bags.read_bytes() if bags.is_file() else b"")
    return hashlib.sha256(digest.digest() + fingerprint(model.place).encode()).hexdigest()
