"""Load a model from its folder, the folder of a run, or an export."""

from collections.abc import Iterable
from pathlib import Path

from cr5.base.errors import UserError
from cr5.models import store
from cr5.models.contract import Model
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.results import Results, is_results


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
            not passed; or the path is that
            of a single model, and a system, setting or repetition is given.
    """
    path = place_of(path, system, setting, repetition)
    return Embedder(store.load(path, classes), store.about(path), path)


def place_of(
    path: str | Path,
    system: str | None = None,
    setting: str | None = None,
    repetition: int = 1,
) -> Path:
    """Return the place of the model that `load` loads: a folder with model.safetensors, or a file.

    Raises:
        UserError: there is no model, or only a single one and the caller chooses another.
    """
    path = Path(path)
    if is_results(path):
        return Results(path).find(system, setting, repetition).folder
    if store.is_model(path):
        check_unchosen(path, "one model", system, setting, repetition)
        return path
    raise not_there(
        path,
        "not a model",
        "the folder of a model, which has a model.safetensors, or of a run of the workflow, which "
        "has a folder models, or a packed model, NAME.cr5",
    )


def check_unchosen(
    path: str | Path, what: str, system: str | None, setting: str | None, repetition: int
) -> None:
    """Refuse a choice of model if the path is that of a single one.

    Raises:
        UserError: anything but the first repetition is chosen.
    """
    chosen = {
        "system": system,
        "setting": setting,
        "repetition": None if repetition == 1 else repetition,
    }
    named = [f"{name} {value!r}" for name, value in chosen.items() if value is not None]
    if named:
        raise UserError(
            f"{path} is {what}: leave out {', '.join(named)}, to be chosen among those of a run"
        )


def not_there(path: Path, what: str, expected: str) -> UserError:
    """Return the error for a path that is missing or not what was expected."""
    said = what if path.exists() else "no such file or folder"
    return UserError(f"{path}: {said}; expected {expected}")
