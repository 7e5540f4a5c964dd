"""Load a model from its folder or file, or from the folder of a run."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from cr5.base.artefacts import Artefact
from cr5.base.errors import UserError
from cr5.models import store
from cr5.models.contract import Model
from cr5.retrieval.embedder import Embedder

MODELS = "models"
TASK = "documents"  # its scores select systems
SCOPES = ("tables", "quick/tables")  # folders of scores: those of the whole run, or of a first look
CHOSEN_BY = {"task": TASK, "similarity": "cosine", "metric": "Success@1"}
OVERALL = {"query": "all", "target": "all", "repetition": "mean"}
FIRST = {"setting": "joint", "system": "cr5"}  # taken where there are no scores


def load(
    path: str | Path,
    system: str | None = None,
    setting: str | None = None,
    repetition: int = 1,
    classes: Iterable[type[Model]] = (),
) -> Embedder:
    """Load a fitted model.

    Args:
        path: of a model, such as results/NAME/models/joint/cr5/1; of a run, results/NAME, whose
            model with the highest Success@1 is loaded unless another is named; or of a packed
            model, NAME.cr5.
        system: selects a model of a run.
        setting: likewise.
        repetition: likewise, from 1.
        classes: of models of one's own, which are only loaded if they are passed.

    Raises:
        UserError: there is no model, or it is damaged, of another version or of a class that was
            not passed; or the path is that of a single model, and another is chosen.
    """
    path = Path(path)
    if is_results(path):
        path = Results(path).find(system, setting, repetition).path
    elif not store.is_model(path):
        raise not_there(
            path,
            "not a model",
            f"the folder of a model, which has a {store.MODEL}, or of a run of the workflow, which "
            "has a folder models, or a packed model, NAME.cr5",
        )
    elif system or setting or repetition != 1:
        raise UserError(
            f"{path} is one model: leave out system, setting and repetition, which choose among "
            "those of a run"
        )
    return Embedder(store.load(path, classes), store.about(path), path)


def not_there(path: Path, what: str, expected: str) -> UserError:
    """Return the error for a path that is missing or not what was expected."""
    said = what if path.exists() else "no such file or folder"
    return UserError(f"{path}: {said}; expected {expected}")


def is_results(folder: str | Path) -> bool:
    """Whether this is the folder of a run."""
    return (Path(folder) / MODELS).is_dir()


class Fitted(NamedTuple):
    """A model of a run; repetitions are counted from 1."""

    setting: str
    system: str
    repetition: int
    path: Path


@dataclass(frozen=True)
class Results:
    """The folder of a corpus below `results`."""

    folder: Path

    def models(self) -> list[Fitted]:
        """All fitted models, by setting, system and repetition."""
        places = sorted(x.parent for x in (self.folder / MODELS).glob(f"*/*/*/{store.MODEL}"))
        return [Fitted(*x.parts[-3:-1], int(x.name), x) for x in places]

    def find(
        self, system: str | None = None, setting: str | None = None, repetition: int = 1
    ) -> Fitted:
        """Find one model: the `best` of those that have these names.

        Without scores it is Cr5, or the only one, of the setting joint, or of the only one.
        """
        wanted = {"system": system, "setting": setting, "repetition": repetition}
        named = {name: value for name, value in wanted.items() if value is not None}
        every = self.models()
        found = [x for x in every if named.items() <= x._asdict().items()]
        by_key = {(x.setting, x.system): x for x in found}
        for each in self.best():
            if each in by_key:
                return by_key[each]
        for name, value in FIRST.items():
            found = [x for x in found if getattr(x, name) == value] or found
        if len(found) == 1:
            return found[0]
        said = ", ".join(f"{name} {value!r}" for name, value in named.items())
        listed = ", ".join("/".join(map(str, x[:3])) for x in found or every) or "none"
        what = "several models, of which to name one" if found else "no model"
        raise UserError(f"{self.folder}/models: {what} of {said}; there: {listed}")

    def best(self, **wanted: str) -> list[tuple[str, str]]:
        """Settings and systems by Success@1 (cosine) in the task `documents`, best first.

        Settings with more directions come first; with fewer the task is easier.
        """
        folders = [self.folder / x for x in SCOPES if (self.folder / x).is_dir()]
        if not folders:
            return []
        wanted |= CHOSEN_BY | OVERALL
        path = Artefact(folders[0], "scores").file("scores.csv")
        with path.open(encoding="utf-8", newline="") as file:
            rows = [x for x in csv.DictReader(file) if wanted.items() <= x.items()]
        rows.sort(key=lambda x: (-int(x["directions"]), -float(x["value"] or 0), x["system"]))
        return list(dict.fromkeys((row["setting"], row["system"]) for row in rows))

    def texts(self, language: str) -> tuple[list[str], list[str], list[str]]:
        """Read the concepts, titles and texts of all documents of a language that were counted."""
        from cr5.counts import bags, documents

        place = self.folder / "bags" / language
        read = bags.read_documents(place, language, ["concept", "title"])
        place, ids = self.folder / "documents" / language, read["concept"].tolist()
        texts = dict(documents.stream(place, ["concept", "text"], language=language))
        return ids, read["title"].tolist(), [texts.get(x, "") for x in ids]
