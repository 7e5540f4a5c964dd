"""An index: texts in one or several languages, embedded once and searched many times."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from cr5.base.errors import UserError
from cr5.retrieval import chunks
from cr5.retrieval.adding import Batch, check_new, chunks_of, counted
from cr5.retrieval.chunks import Chunk, check_sound, joined
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.given import known_identity, several
from cr5.retrieval.index_folder import Contents, Folder, is_index, model_of
from cr5.retrieval.loading import load
from cr5.retrieval.searching import Collection

SHOWN = 5  # ids of unknown texts shown


@dataclass(frozen=True)
class Added:
    """What `Index.add` did.

    Attributes:
        texts: how many were added.
        unknown: how many of them have no word that the model knows; they are never found.
        first: ids of the first of these.
    """

    texts: int
    unknown: int
    first: list[str]


class Index(Collection):
    """A collection of texts that can be added to and removed from, in memory or in a folder.

    Attributes:
        path: of its folder; None if in memory.
    """

    def __init__(self, model: Embedder, path: str | Path | None = None) -> None:
        """Make an index, or open the one in a folder.

        Args:
            model: from `cr5.load`.
            path: of a folder. Additions and removals are written there at once; if the process is
                killed, the index stays as it was before.

        Raises:
            UserError: the folder has a damaged index, or one of another model or version.
        """
        self.path = None if path is None else Path(path)
        super().__init__(model, str(self.path or "the index"))
        self._folder, self._counter = self.path and Folder(self.path, model.place), 0
        if self.path is not None and is_index(self.path):
            model_of(self.path, model.place)
            self.chunks = self._folder.read()

    def __repr__(self) -> str:
        """Name the place and the contents."""
        sizes = ", ".join(f"{n} {language}" for language, n in self.sizes.items())
        return f"<cr5 index {self.path or 'in memory'}: {sizes or 'empty'}>"

    def summary(self) -> list[dict[str, Any]]:
        """Describe the contents.

        Returns:
            Per language: `language`; `texts`; `unknown`, how many of these have no word that the
            model knows.
        """
        return [
            {
                "language": language,
                "texts": n,
                "unknown": sum(int(np.sum(~x.known)) for x in self.chunks[language]),
            }
            for language, n in self.sizes.items()
        ]

    def check(self) -> None:
        """Raise `UserError` if a file on disk is not as it was written; reads all files."""
        if self._folder:
            self._folder.check(self.chunks)

    def add(
        self,
        ids: Iterable[str],
        texts: Iterable[str],
        language: str,
        titles: Iterable[str] | None = None,
        instead_of: Iterable[str] = (),
    ) -> Added:
        """Add texts: all of them, or none if there is an error.

        Args:
            ids: one per text; unique within a language.
            texts: any number; memory holds some ten thousand vectors at a time. A text that is
                empty or has no known word is added, but never found.
            language: of the texts.
            titles: shown with hits.
            instead_of: ids of texts of that language to remove in the same step.

        Raises:
            UserError: an id exists already, or one to be removed does not; the model does not know
                the language; an id, text or title is invalid; another process is writing.
        """
        self.model.check_language(language)
        return self._add(counted(self.model, ids, texts, titles, language), language, instead_of)

    def _add(self, batches: Iterable[Batch], language: str, old: Iterable[str] = ()) -> Added:
        n, unknown = 0, []
        with self._writing() as before:
            contents, gone = _without(before, old, language, self.name)
            every = list(contents.get(language, ()))
            for chunk in chunks_of(self.model, batches, language):
                check_new(chunk, every, f"{self.name}, language {language!r}")
                n += chunk.n
                unknown += chunk.ids.filter(pa.array(~chunk.known)).to_pylist()
                if every and every[-1].n + chunk.n <= chunks.SIZE:
                    check_sound(every[-1:], language)  # else a new checksum would hide it
                    chunk = joined([every.pop(), chunk])
                every.append(self._put(chunk))
            if n or gone:
                self._commit({**contents, language: every})
        return Added(n, len(unknown), unknown[:SHOWN])

    def remove(self, ids: Iterable[str], language: str | None = None) -> int:
        """Remove texts and return how many were removed.

        Args:
            ids: of the texts.
            language: of the texts; all languages if not given.

        Raises:
            UserError: an id does not exist (nothing is removed), or another process is writing.
        """
        with self._writing() as before:
            contents, gone = _without(before, ids, language, self.name)
            self._commit(contents)
        return gone

    def save(self, path: str | Path) -> "Index":
        """Write the index to a folder that has none, and open it there.

        Raises:
            UserError: there is an index already, or the model is not on disk.
        """
        if is_index(path):
            raise UserError(f"{path}: there is an index already; choose another folder")
        saved = Index(self.model, path)
        with saved._writing():
            every = self.chunks.items()
            saved._commit({x: [replace(chunk, name="") for chunk in old] for x, old in every})
        return saved

    @contextmanager
    def _writing(self) -> Iterator[Contents]:
        """Yield the current contents, while no other process can write."""
        if self._folder is None:
            yield self.chunks
            return
        with self._folder.writing() as contents:
            yield contents

    def _put(self, chunk: Chunk) -> Chunk:
        """Name a new chunk, and write it if the index is on disk."""
        if self._folder:
            return self._folder.put(chunk)
        self._counter += 1
        return replace(chunk, name=f"{self._counter:06}")

    def _commit(self, contents: Contents) -> None:
        """Make these chunks the contents of the index."""
        found = {
            language: tuple(x if x.name else self._put(x) for x in every if x.n)
            for language, every in contents.items()
            if any(x.n for x in every)
        }
        if self._folder:
            self._folder.commit(found)
        self.chunks = found

    def _kept(self, key: str):
        if key not in self._penalties and self._folder:
            return self._folder.penalties(key)
        return super()._kept(key)

    def _keep(self, key: str, penalties: np.ndarray) -> None:
        super()._keep(key, penalties)
        if self._folder:
            self._folder.keep(key, penalties)


def open_index(path: str | Path, model: Embedder | str | Path | None = None) -> Index:
    """Open the index in a folder.

    Args:
        path: of the folder.
        model: of the index, or its folder; defaults to the recorded place.

    Raises:
        UserError: there is no index; it is damaged or of another version; its model is missing or
            a different one.
    """
    place = model.place if isinstance(model, Embedder) else None if model is None else Path(model)
    place = model_of(Path(path), place)
    return Index(model if isinstance(model, Embedder) else load(place), path)


def _without(
    contents: Contents, ids: Iterable[str], language: str | None, name: str
) -> tuple[Contents, int]:
    """The contents of an index without some texts, and the number removed."""
    wanted = pa.array([known_identity(x) for x in several("ids", ids)], pa.large_string()).unique()
    changed, missing, n = {}, set(wanted.to_pylist()), 0
    for each, every in contents.items():
        changed[each] = list(every)
        for place, chunk in enumerate(every if language in (None, each) else ()):
            if len(numbers := chunk.numbers_of(wanted)):
                check_sound([chunk], each)  # else a new checksum would hide it
                missing -= set(chunk.ids.take(pa.array(numbers)).to_pylist())
                changed[each][place] = chunk.without(numbers)
                n += len(numbers)
    if missing:
        where = f"in {language!r}" if language else "in any language"
        raise UserError(f"{name}: no text {min(missing)!r} {where}")
    return changed, n
