"""Load a model from its folder or file, or from the folder of a run."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

from cr5.base.artefacts import Artefact
from cr5.base.errors import UserError
from cr5.contracts.model import Model
from cr5.models import store
from cr5.retrieval.embedder import Embedder

MODELS = "models"
NAMES = ("setting", "system", "repetition")  # the places of a model below it
SCOPES = ("tables", "quick/tables")  # folders of scores: those of the whole run, or of a first look
CHOSEN_BY = {
    "task": "documents",
    "similarity": "cosine",
    "metric": "Success@1",
    "query": "all",
    "target": "all",
    "repetition": "mean",
}
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
    path = Path(path).expanduser()
    subject = {}
    if is_results(path):
        wanted = {"setting": setting, "system": system, "repetition": str(repetition)}
        path = Path(_chosen(path, wanted))
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
    files = (Path(run) / MODELS).glob(f"*/*/*/{store.MODEL}")
    folders = sorted(file.parent for file in files)
    return [
        dict(zip(NAMES, folder.parts[-3:], strict=True), path=str(folder)) for folder in folders
    ]


def _chosen(run: Path, wanted: Mapping[str, str | None]) -> str:
    """Return the path of the only model of these names, or of the `best` of several.

    Without scores it is Cr5 of the setting joint.
    """
    named = {key: name for key, name in wanted.items() if name is not None}
    all_models = models(run)
    fitting = {}
    for model in all_models:
        if named.items() <= model.items():
            fitting[model["setting"], model["system"]] = model
    preferred = [*best(run), FIRST]
    if len(fitting) == 1:
        preferred = list(fitting)
    for names in preferred:
        if names in fitting:
            return fitting[names]["path"]
    listed = list(fitting.values()) or all_models
    places = ", ".join(_place(model) for model in listed) or "none"
    problem = "several models, of which to name one" if fitting else "no model"
    wanted_names = ", ".join(f"{key} {name!r}" for key, name in named.items())
    raise UserError(f"{run}/models: {problem} of {wanted_names}; there: {places}")


def _place(model: Mapping[str, str]) -> str:
    return "/".join(model[name] for name in NAMES)


def best(run: Path) -> list[tuple[str, str]]:
    """Return settings and systems by Success@1 (cosine) in the task `documents`, best first.

    Settings with more directions come first; with fewer the task is easier.
    """
    folders = [run / scope for scope in SCOPES if (run / scope).is_dir()]
    if not folders:
        return []
    path = Artefact(folders[0], "scores").file("scores.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if CHOSEN_BY.items() <= row.items()]
    rows.sort(key=_best_first)
    return list(dict.fromkeys((row["setting"], row["system"]) for row in rows))


def _best_first(row: Mapping[str, str]) -> tuple[int, float, str]:
    return -int(row["directions"]), -float(row["value"] or 0), row["system"]
