"""Access to the results folder of a workflow run."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cr5.base.artefacts import Artefact
from cr5.base.errors import UserError
from cr5.models import store

MODELS = "models"
TASK = "documents"  # its scores select systems
SCOPES = ("tables", "quick/tables")  # folders of scores: those of the whole run, or of a first look
OVERALL = {"query": "all", "target": "all", "repetition": "mean"}
FIRST = ("joint", "cr5")  # default setting and system


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
class Results:
    """The folder of a corpus below `results`.

    Attributes:
        folder: of the corpus.
    """

    folder: Path

    def model_folder(self, setting: str, system: str, repetition: int = 1) -> Path:
        """Folder of a model, if it was fitted."""
        return self.folder / MODELS / setting / system / str(repetition)

    def ranks_folder(
        self, setting: str, system: str, repetition: int = 1, task: str = TASK
    ) -> Path:
        """Folder of a model's ranks in a task, if it was evaluated."""
        return self.folder / "ranks" / setting / system / str(repetition) / task

    def bags_folder(self, language: str) -> Path:
        """Folder of the counted documents of a language."""
        return self.folder / "bags" / language

    def documents_folder(self, language: str) -> Path:
        """Folder of the texts of a language."""
        return self.folder / "documents" / language

    def draw_folder(self, repetition: int = 1) -> Path:
        """Folder of the draw: which documents are used for what."""
        return self.folder / "draws" / str(repetition)

    def models(self) -> list[Fitted]:
        """All fitted models, by setting, system and repetition."""
        found = sorted((self.folder / MODELS).glob(f"*/*/*/{store.MODEL}"))
        parts = [path.parent.relative_to(self.folder / MODELS).parts for path in found]
        return [
            Fitted(setting, system, int(repetition), path.parent)
            for path, (setting, system, repetition) in zip(found, parts, strict=True)
        ]

    def find(
        self, system: str | None = None, setting: str | None = None, repetition: int = 1
    ) -> Fitted:
        """Find one model.

        Args:
            system: its name; defaults to the best (see `best`), or without scores to Cr5 if it is
                there or else the only one.
            setting: its name; likewise, without scores joint.
            repetition: from 1.

        Raises:
            UserError: there is no such model; or there are several and no scores, Cr5 or joint.
        """
        found = [x for x in self.models() if x.repetition == repetition]
        named = {"setting": setting, "system": system}
        best = self.best(**{name: value for name, value in named.items() if value})
        there = {(x.setting, x.system): x for x in found}
        for each in [] if setting and system else best:
            if each in there:
                return there[each]
        if not found:
            there = ", ".join(sorted({str(x.repetition) for x in self.models()})) or "none"
            raise UserError(
                f"{self.folder}/models: no model of repetition {repetition}; there: {there}"
            )
        for place, (name, wanted) in enumerate(named.items()):
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

    def scores(self, **wanted: str) -> list[dict[str, str]]:
        """Rows of scores over all directions with the wanted column values; empty without a table.

        Raises:
            UserError: the table is damaged.
        """
        wanted |= OVERALL
        folder = self._scores()
        if not folder.is_dir():
            return []
        path = Artefact(folder, "scores").file("scores.csv")
        with path.open(encoding="utf-8", newline="") as file:
            return [row for row in csv.DictReader(file) if wanted.items() <= row.items()]

    def best(self, **wanted: str) -> list[tuple[str, str]]:
        """Settings and systems by Success@1 (cosine) in the task `documents`, best first.

        Settings with more directions come first; with fewer the task is easier.

        Args:
            wanted: column values of the table, such as setting="joint".

        Raises:
            UserError: the table of scores is damaged.
        """
        wanted |= {"task": TASK, "similarity": "cosine"}
        rows = self.scores(metric="Success@1", **wanted)
        rows.sort(key=_order)
        return list(dict.fromkeys((row["setting"], row["system"]) for row in rows))

    def _scores(self) -> Path:
        """Folder of the scores: those of the whole run, or else of a first look."""
        folders = [self.folder / scope for scope in SCOPES]
        return next((x for x in folders if x.is_dir()), folders[0])

    def texts(self, language: str) -> tuple[list[str], list[str], list[str]]:
        """Read the concepts, titles and texts of all documents of a language that were counted.

        Raises:
            UserError: a file is missing or damaged.
        """
        from cr5.counts import bags, documents

        read = bags.read_documents(self.bags_folder(language), language, ["concept", "title"])
        rows = documents.stream(
            self.folder / "documents" / language, ["concept", "text"], language=language
        )
        texts, ids = dict(rows), read["concept"].tolist()
        return ids, read["title"].tolist(), [texts.get(x, "") for x in ids]


def is_results(folder: str | Path) -> bool:
    """Whether this is the folder of a run."""
    return (Path(folder) / MODELS).is_dir()


def _order(row: Mapping[str, str]) -> tuple[int, float, str]:
    return -int(row["directions"]), -float(row["value"] or 0), row["system"]
