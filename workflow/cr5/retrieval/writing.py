"""An index is written to its folder: what it has, and texts that are added as they come."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cr5.base.artefacts import NO_JOB, is_made
from cr5.base.errors import UserError
from cr5.models import store
from cr5.retrieval.adding import NewTexts, add_new, embedded
from cr5.retrieval.files import TextsWriter
from cr5.retrieval.texts import TextData, Texts

if TYPE_CHECKING:
    from cr5.retrieval.embedder import Embedder

INDEXES = "search index"
MODEL = "model"


class IndexWriter:
    """The folder of an index while it is written; see `Index.writing`."""

    def __init__(self, model: "Embedder", folder: Path, texts: Mapping[str, Texts]) -> None:
        self._model = model
        self._folder = folder
        self._files: dict[str, TextsWriter] = {}
        self._ids: dict[str, set[str]] = {}
        self._n = 0
        copied = [(language, texts[language].checked) for language in texts]  # before any file
        for language, data in copied:
            self._write(language, data)
        self._texts = texts

    def __len__(self) -> int:
        """Return the number of texts that are written."""
        return self._n

    def add(
        self,
        ids: Iterable[str | int],
        texts: Iterable[str],
        language: str,
        titles: Iterable[str] | None = None,
        *,
        batch_size: int | None = None,
        threads: int | None = None,
        show_progress_bar: bool = False,
    ) -> list[str]:
        """Embed texts, and write them some at a time; see `Index.add`.

        Memory never holds all of them, nor need the caller: anything that can be iterated will do.
        """
        language = self._model.known_language(language)
        new = NewTexts(language, ids, texts, titles)
        unknown_ids = []
        n_new = 0
        for part in embedded(self._model, new, batch_size, threads, show_progress_bar):
            add_new(part.ids, self._ids_of(language), language, n_new)
            n_new += len(part)
            self._write(language, part)
            unknown_ids += part.unknown_ids
            del part  # before the next one is made
        return unknown_ids

    def close(self) -> None:
        """End all files."""
        for files in self._files.values():
            files.close()

    def _ids_of(self, language: str) -> set[str]:
        """Return the ids that there are, which only an addition needs to know."""
        if language not in self._ids:
            self._ids[language] = set()
            if language in self._texts:
                self._ids[language].update(self._texts[language].data.ids)
        return self._ids[language]

    def _write(self, language: str, texts: TextData) -> None:
        if language not in self._files:
            self._files[language] = TextsWriter(self._folder, language)
        self._files[language].add(texts)
        self._n += len(texts)


@contextmanager
def writing(
    path: str | Path, model: "Embedder", texts: Mapping[str, Texts]
) -> Iterator[IndexWriter]:
    """Write an index to a folder, whole or not at all; see `Index.writing`."""
    path = Path(path).expanduser()
    if path.exists() and not is_made(path, INDEXES):
        raise UserError(f"{path} is there already, and no index: name another place")
    with NO_JOB.making(path, INDEXES) as folder:
        store.save(folder / MODEL, model.model, model.about)
        with closing(IndexWriter(model, folder, texts)) as writer:
            yield writer
