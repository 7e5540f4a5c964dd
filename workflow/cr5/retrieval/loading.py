"""From a place to a model: a model's folder, that of a run, or what a model was exported to."""

from pathlib import Path

from cr5.base.errors import UserError
from cr5.models import store
from cr5.models.formats import registry
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.results import Results, is_results


def load(
    path: str | Path,
    system: str | None = None,
    setting: str | None = None,
    repetition: int = 1,
) -> Embedder:
    """Load a fitted model.

    Args:
        path: of a model, such as results/NAME/models/joint/cr5/1; of a run, results/NAME, of
            which the model of the highest P@1 is taken unless others are named; or of what
            `cr5 export` wrote, a folder or a file NAME.cr5.
        system: of which model of a run.
        setting: likewise.
        repetition: likewise, from 1.

    Raises:
        UserError: there is no model, or it is damaged or of another version.
    """
    path = Path(path)
    if is_results(path):
        path = Results(path).find(system, setting, repetition).folder
    elif not (path / "model.json").is_file():
        if registry.is_export(path):
            return Embedder(*registry.read(path), path)
        said = "this is no model" if path.exists() else "no such file or folder"
        raise UserError(
            f"{path}: {said}; expected the folder of a model, which has a model.json, or of a run "
            "of the workflow, which has a folder models, or what `cr5 export` wrote"
        )
    return Embedder(store.load(path), store.about(path), path)
