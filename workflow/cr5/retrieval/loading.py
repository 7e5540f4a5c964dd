"""Load a model from its folder or file, or from the folder of a run."""

import csv
from collections.abc import Iterable
from pathlib import Path

from cr5.base.artefacts import Artefact
from cr5.base.errors import UserError
from cr5.contracts.model import Model
from cr5.models import store
from cr5.retrieval.embedder import Embedder

MODELS = "models"
NAMES = ("setting", "system", "repetition")  # the places of a model below it
SCOPES = ("tables", "quick/tables")  # folders of scores: those of the whole run, or of a first look
CHOSEN_BY = {"task": "documents", "similarity": "cosine", "metric": "Success@1"}
CHOSEN_BY |= {"query": "all", "target": "all", "repetition": "mean"}
FIRST = ("joint", "cr5")  # setting and system, taken where there are no scores


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
    path, subject = Path(path), {}
    if is_results(path):
        path = Path(_chosen(path, setting, system, str(repetition)))
        subject = dict(zip(NAMES, path.parts[-3:], strict=True))
    elif not store.is_model(path):
        raise UserError(
            f"{path}: not there, or no model; expected the folder of a model, which has a "
            f"{store.MODEL}, or of a run, which has a folder models, or a packed model, NAME.cr5"
        )
    elif system or setting or repetition != 1:
        raise UserError(
            f"{path} is one model: leave out system, setting and repetition, which choose among "
            "those of a run"
        )
    return Embedder(store.load(path, classes, **subject), store.about(path), path)


def is_results(folder: str | Path) -> bool:
    """Whether this is the folder of a run."""
    return (Path(folder) / MODELS).is_dir()


def models(run: str | Path) -> list[dict[str, str]]:
    """Return setting, system, repetition and path of each model of a run."""
    places = sorted(x.parent for x in (Path(run) / MODELS).glob(f"*/*/*/{store.MODEL}"))
    return [dict(zip(NAMES, x.parts[-3:], strict=True), path=str(x)) for x in places]


def _chosen(run: Path, *names: str | None) -> str:
    """The only model of a setting, a system and a repetition, or the `best` of those.

    Without scores it is Cr5 of the setting joint.
    """
    named = {key: name for key, name in zip(NAMES, names, strict=True) if name is not None}
    every = models(run)
    found = {(x["setting"], x["system"]): x for x in every if named.items() <= x.items()}
    for each in found if len(found) == 1 else [*best(run), FIRST]:
        if each in found:
            return found[each]["path"]
    said = ", ".join(f"{key} {name!r}" for key, name in named.items())
    listed = ", ".join("/".join(map(x.get, NAMES)) for x in [*found.values()] or every) or "none"
    what = "several models, of which to name one" if found else "no model"
    raise UserError(f"{run}/models: {what} of {said}; there: {listed}")


def best(run: Path) -> list[tuple[str, str]]:
    """Return settings and systems by Success@1 (cosine) in the task `documents`, best first.

    Settings with more directions come first; with fewer the task is easier.
    """
    folders = [run / x for x in SCOPES if (run / x).is_dir()]
    if not folders:
        return []
    path = Artefact(folders[0], "scores").file("scores.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = [x for x in csv.DictReader(file) if CHOSEN_BY.items() <= x.items()]
    rows.sort(key=lambda x: (-int(x["directions"]), -float(x["value"] or 0), x["system"]))
    return list(dict.fromkeys((row["setting"], row["system"]) for row in rows))
