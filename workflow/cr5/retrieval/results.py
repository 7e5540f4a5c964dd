"""What a run of the workflow left in its folder, for those who want to use it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.matrices import read_npz
from cr5.base.refusals import pass_on

FIRST = ("joint", "cr5")  # setting and system that are taken where nobody names any


@dataclass(frozen=True)
class Fitted:
    """Where one model is.

    Attributes:
        setting, system: their names.
        repetition: from 1.
        folder: of the model.
    """

    setting: str
    system: str
    repetition: int
    folder: Path


@dataclass(frozen=True)
class Documents:
    """The documents of a language, as they were counted.

    Attributes:
        ids: their concepts.
        titles: one each.
        counts: documents x words.
    """

    ids: list[str]
    titles: list[str]
    counts: sparse.csr_matrix


@dataclass(frozen=True)
class Results:
    """The folder of a corpus below `results`."""

    folder: Path

    def models(self) -> list[Fitted]:
        """All that were fitted, by setting, system and repetition."""
        found = sorted((self.folder / "models").glob("*/*/*/model.json"))
        parts = [path.parent.relative_to(self.folder / "models").parts for path in found]
        return [
            Fitted(setting, system, int(repetition), path.parent)
            for path, (setting, system, repetition) in zip(found, parts, strict=True)
        ]

    def find(
        self, system: str | None = None, setting: str | None = None, repetition: int = 1
    ) -> Fitted:
        """Find one model.

        Args:
            system: its name; if not given, Cr5 if it is there, or the only one.
            setting: its name; if not given, joint if it is there, or the only one.
            repetition: from 1.

        Raises:
            UserError: there is none such, or several and neither Cr5 nor joint.
        """
        found = [x for x in self.models() if x.repetition == repetition]
        for place, (name, wanted) in enumerate({"setting": setting, "system": system}.items()):
            there = sorted({getattr(x, name) for x in found})
            chosen = wanted or (FIRST[place] if FIRST[place] in there else None)
            if chosen is None and len(there) == 1:
                chosen = there[0]
            if chosen not in there:
                listed = ", ".join(there) or "none"
                said = f"no {name} {chosen!r}" if chosen else f"several of {name}: name one"
                raise UserError(
                    f"{self.folder}/models: {said}; there: {listed} (repetition {repetition})"
                )
            found = [x for x in found if getattr(x, name) == chosen]
        return found[0]

    def documents(self, language: str) -> Documents:
        """Read the documents of a language, all of them.

        Raises:
            UserError: a file is missing or damaged.
        """
        bags = self.folder / "bags" / language
        table = _read(bags / "documents.parquet", ["concept", "title"])
        ids, titles = (table[name].to_pylist() for name in ("concept", "title"))
        return Documents(ids, titles, read_npz(bags / "counts.npz"))

    def texts(self, language: str) -> Iterator[tuple[str, str, str]]:
        """Concept, title and text of each document that was read, also of those not counted.

        Raises:
            UserError: the file is missing or damaged.
        """
        path = self.folder / "documents" / f"{language}.parquet"
        table = _read(path, ["concept", "title", "text"])
        columns = (table[name].to_pylist() for name in table.column_names)
        yield from zip(*columns, strict=True)


def is_results(folder: str | Path) -> bool:
    """Say whether this is the folder of a run."""
    return (Path(folder) / "models").is_dir()


def _read(path: Path, columns: list[str]) -> pa.Table:
    try:
        return pq.read_table(path, columns=columns)
    except (OSError, ValueError, KeyError, pa.ArrowException) as error:
        pass_on(error)
        raise UserError(
            f"{path}: not a whole parquet file with the columns {', '.join(columns)} ({error}); "
            "run the workflow again"
        ) from error
