"""The documents of a run, embedded once and kept beside it."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from cr5.base.artefact import Artefact, making, working
from cr5.base.errors import UserError
from cr5.retrieval import chunks
from cr5.retrieval.adding import BATCH, chunks_of
from cr5.retrieval.chunks import Chunk, joined
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.results import Documents, Results
from cr5.retrieval.searching import Collection
from cr5.retrieval.stores import Memory

FOLDER, KIND = "embedded", "embedded documents"


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
    folder = results.folder / FOLDER / Path(*model.place.parts[-3:]) / language
    made_of = dict.fromkeys([model.place, results.bags_folder(language)])
    with working(results.folder, {}, made_of):
        with suppress(UserError, OSError):
            found = Artefact(folder, KIND, language=language)
            if found.is_up_to_date:
                return chunks.load(found.file(f"{language}.arrow"))
        documents = results.documents(language, model.model.words[language])
        if model.model.reads_texts:
            documents = replace(documents, counts=results.texts_of(language, documents.ids))
        chunk = embedded(model, language, documents)
        # the results may be read-only, or another process writes the same
        with suppress(OSError, UserError), making(folder, KIND, language=language) as part:
            chunks.save(part / f"{language}.arrow", chunk)
    return chunk
