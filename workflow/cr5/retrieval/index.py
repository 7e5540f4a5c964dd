"""An index: texts in one or several languages, embedded once and searched many times."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from cr5.base.errors import UserError
from cr5.models.contract import Model
from cr5.retrieval import chunks
from cr5.retrieval.adding import check_new, chunks_of, counted
from cr5.retrieval.chunks import Chunk, check_sound, joined
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.given import several
from cr5.retrieval.index_folder import Folder
from cr5.retrieval.index_json import is_index, model_of
from cr5.retrieval.loading import load
from cr5.retrieval.searching import Collection
from cr5.retrieval.stores import Contents, Memory

SHOWN = 5  # ids of unknown texts shown


@dataclass(frozen=True)
class Added:
    """What `Index.add` did.

    Attributes:
        texts: how many were added.
        unknown: how many of them have no word with a vector; they are never found.
        first: ids of the first of these.
    """

    texts: int
    unknown: int
    first: list[str | int]


class Index(Collection):
    """A collection of texts that can be added to and removed from, in memory or in a folder.

    Any number of threads may use one index: additions and removals wait for each other, searches
    for nothing. One process at a time adds to a folder.

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
        if not isinstance(model, Embedder):
            raise UserError(
                f"model: expected what cr5.load or cr5.fit returns, found {model!r:.60}"
            )
        self.path = None if path is None else Path(path)
        store = Memory() if self.path is None else Folder(self.path, model)
        super().__init__(model, str(self.path or "the index"), store)

    def __repr__(self) -> str:
        """Name the place and the contents."""
        sizes = ", ".join(f"{n} {language}" for language, n in self.sizes.items())
        return f"<cr5 index {self.path or 'in memory'}: {sizes or 'empty'}>"

    def summary(self) -> list[dict[str, Any]]:
        """Describe the contents.

        Returns:
            Per language: `language`; `texts`; `unknown`, how many of these have no word with a
            vector.
        """
        return [
            {
                "language": language,
                "texts": sum(chunk.n for chunk in every),
                "unknown": sum(int(np.sum(~chunk.known)) for chunk in every),
            }
            for language, every in sorted(self.chunks.items())
        ]

    def check(self) -> None:
        """Raise `UserError` if a file on disk is not as it was written; reads all files."""
        self._store.check()

    def add(
        self,
        ids: Iterable[str | int],
        texts: Iterable[str],
        language: str,
        titles: Iterable[str] | None = None,
        instead_of: Iterable[str | int] = (),
    ) -> Added:
        """Add texts: all of them, or none if there is an error.

        Args:
            ids: one per text; unique within a language, where 2 is the same as "2".
            texts: any number; memory holds some ten thousand vectors at a time. A text that is
                empty or has no word with a vector is added, but never found.
            language: of the texts.
            titles: shown with hits.
            instead_of: ids of texts of that language to remove in the same step.

        Raises:
            UserError: an id exists already, or one to be removed does not; the model does not know
                the language; an id, text or title is invalid; another process writes.
        """
        self.model.check_language(language)
        batches = counted(self.model, ids, texts, titles, language)
        return self._add(chunks_of(self.model, batches, language), language, instead_of)

    def _add(self, found: Iterable[Chunk], language: str, old: Iterable[str | int] = ()) -> Added:
        n, unknown = 0, []
        found = iter(found)
        first = list(islice(found, 1))  # embedded before others have to wait for this one
        with self._store.writing() as before:
            contents, gone = _without(before, old, language, self.name)
            every = list(contents.get(language, ()))
            for chunk in chain(first, found):
                check_new(chunk, every, f"{self.name}, language {language!r}")
                n += chunk.n
                unknown += chunk.ids_at(np.flatnonzero(~chunk.known))
                if every and every[-1].n + chunk.n <= chunks.SIZE:
                    check_sound(every[-1:], language)  # else a new checksum would hide it
                    chunk = joined([every.pop(), chunk])
                every.append(self._store.put(chunk))
            if n or gone:
                self._commit({**contents, language: every})
        return Added(n, len(unknown), unknown[:SHOWN])

    def remove(self, ids: Iterable[str | int], language: str | None = None) -> int:
        """Remove texts and return how many were removed.

        Args:
            ids: of the texts.
            language: of the texts; all languages if not given.

        Raises:
            UserError: an id does not exist (nothing is removed), or another process writes.
        """
        with self._store.writing() as before:
            contents, gone = _without(before, ids, language, self.name)
            self._commit(contents)
        return gone

    def save(self, path: str | Path) -> "Index":
        """Write the index to a folder that has none, and open it there.

        Raises:
            UserError: there is an index already, the model is not on disk, or a text has a vector
                that no model makes.
        """
        if is_index(path):
            raise UserError(f"{path}: there is an index already; choose another folder")
        contents = self.chunks
        for language, every in contents.items():
            check_sound(every, language)
        saved = Index(self.model, path)
        with saved._store.writing():
            new = {x: [replace(chunk, name="") for chunk in every] for x, every in contents.items()}
            saved._commit(new)
        return saved

    def _commit(self, contents: Contents) -> None:
        """Make these chunks the contents of the index; those that are new have no name yet."""
        self._store.commit(
            {
                language: tuple(x if x.name else self._store.put(x) for x in every if x.n)
                for language, every in contents.items()
                if any(x.n for x in every)
            }
        )


def open_index(
    path: str | Path,
    model: Embedder | str | Path | None = None,
    classes: Iterable[type[Model]] = (),
) -> Index:
    """Open the index in a folder.

    Args:
        path: of the folder.
        model: of the index, or its folder; defaults to the recorded place.
        classes: of models of one's own, see `load`.

    Raises:
        UserError: there is no index; it is damaged or of another version; its model is missing or
            a different one.
    """
    if isinstance(model, Embedder):
        model_of(Path(path), model.place)
    else:
        model = load(model_of(Path(path), model and Path(model)), classes=classes)
    return Index(model, path)


def _without(
    contents: Contents, ids: Iterable[str | int], language: str | None, name: str
) -> tuple[Contents, int]:
    """The contents of an index without some texts, and the number removed."""
    wanted = pa.array([str(x) for x in several("ids", ids)], pa.large_string()).unique()
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
