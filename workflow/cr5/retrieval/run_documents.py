"""The documents of a run, embedded by one of its models and kept in the run's folder."""

import os
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock

from cr5.base.artefacts import Artefact, Job
from cr5.base.errors import UserError
from cr5.models.encoders.kept import ENCODED
from cr5.retrieval.adding import NewTexts, embedded
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.files import TextsWriter, read
from cr5.retrieval.texts import TextData, joined

EMBEDDED = "embedded documents"
NAME = "texts"  # of the files
_embedding = Lock()


def documents_of_run(run: Path, model: Embedder, language: str) -> TextData:
    """Embed the documents of a language, or read what an earlier search has kept."""
    from cr5.counts import bags, documents  # these import pandas, which an index has no need of

    folder = run / "embedded" / Path(*model.place.parts[-3:]) / language
    bags_folder = run / "bags" / language
    documents_folder = run / "documents" / language
    with _embedding:
        places = [str(place) for place in (model.place, bags_folder, documents_folder)]
        job = Job.reading(run, {}, dict.fromkeys(places))
        with suppress(UserError, OSError):
            artefact = Artefact(folder, EMBEDDED, language=language)
            if job.has_made(artefact):
                return read(artefact.whole(), NAME)
        counted = bags.read_documents(bags_folder, language, ["concept", "title"])
        concepts = counted["concept"].tolist()
        texts = documents.texts(documents_folder, concepts)
        uncounted = NewTexts(language, concepts, texts, counted["title"].tolist())
        new = joined(list(embedded(_with_kept_rows(model, run), uncounted)))
        # the results may be read-only, or another process writes the same
        with (
            suppress(UserError, OSError),
            job.making(folder, EMBEDDED, language=language) as temporary,
            closing(TextsWriter(temporary, NAME)) as writer,
        ):
            writer.add(new)
    return new


def _with_kept_rows(model: Embedder, run: Path) -> Embedder:
    """Return the model with the rows of its encoder that the run has kept, if it has any."""
    folder = run.parent / ENCODED
    if not os.access(folder, os.W_OK):
        return model
    return Embedder(model.model.keeping_rows(folder), model.about, model.place)
