"""What a folder is that can be searched: an index, or a run."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from cr5.base.artefacts import Artefact, is_made
from cr5.base.errors import UnfitError, UserError
from cr5.contracts.model import Model
from cr5.models import store
from cr5.retrieval.files import ENDING, read
from cr5.retrieval.index import Index
from cr5.retrieval.loading import is_results, load
from cr5.retrieval.run_documents import documents_of_run
from cr5.retrieval.texts import Texts
from cr5.retrieval.writing import INDEXES, MODEL


def is_index(path: str | Path) -> bool:
    """Whether this is the folder of an index, or what is left of one."""
    return is_made(path, INDEXES) or Path(path, MODEL).is_dir()


def open_index(
    path: str | Path,
    system: str | None = None,
    setting: str | None = None,
    repetition: int = 1,
    classes: Iterable[type[Model]] = (),
) -> Index:
    """Open the index in a folder, or one of a run's documents by a model chosen as by `load`.

    A run's documents are embedded when a search first needs their language, and kept in its folder
    `embedded`, if that can be written. An index is mapped into memory: the size of each of its
    files is compared with what was written, and the sums of all but those of texts, as reading
    these takes longer than a search; what copies the texts compares these, too. UserError: there is
    neither, or it is not whole; and as of `load`.
    """
    path = Path(path).expanduser()
    if is_results(path):
        model = load(path, system, setting, repetition, classes)
        texts = {}
        for language in model.languages:
            texts[language] = Texts(partial(documents_of_run, path, model, language))
        return Index(model, texts)
    if store.is_model(path):
        raise UserError(
            f"{path}: a model, which has no texts to be searched; embed yours with it by "
            f"`cr5 index {path} FOLDER --to CODE --file FILE`, and name that folder here"
        )
    if not is_index(path):
        raise UserError(f"{path}: not there, or neither an index (`cr5 index`) nor a run")
    with _remedied(path):  # the index, or the model in it
        artefact = Artefact(path, INDEXES)
        _check_sizes(artefact)
        texts = {}
        for name in artefact.files:
            if name.endswith(ENDING):
                language = name.removesuffix(ENDING)
                read_texts = partial(read, path, language)
                texts[language] = Texts(read_texts, partial(_check_sums, artefact, language))
        return Index(load(path / MODEL, system, setting, repetition, classes), texts)


def _check_sizes(artefact: Artefact) -> None:
    """Refuse an index of which a file is missing, cut off, or another."""
    for name in artefact.files:
        file = artefact.path / name
        if not file.is_file():
            raise artefact.refused("not there", name)
        size, _ = artefact.about["files"][name]
        if file.stat().st_size != size:
            raise artefact.refused("not what was written", name)


def _check_sums(artefact: Artefact, language: str) -> None:
    """Refuse texts of which a file is not as it was written; UserError."""
    with _remedied(artefact.path):
        if Artefact(artefact.path, INDEXES).digest != artefact.digest:
            raise UserError(
                f"{artefact.path}: another index than the one that was opened; open it again"
            )
        for name in artefact.files:
            if name.startswith(f"{language}."):
                artefact.file(name)


def damages(path: str | Path) -> Iterator[str]:
    """Yield what is wrong with each file of an index that is not as it was written.

    UserError: it is no index, or the list of its files is damaged.
    """
    with _remedied(Path(path)):
        artefact = Artefact(path, INDEXES)
    for name in artefact.files:
        try:
            artefact.file(name)
        except UnfitError as error:
            yield error.what


@contextmanager
def _remedied(path: Path) -> Iterator[None]:
    """Say what to do about files that are not as they were written; UserError."""
    try:
        yield
    except UnfitError as error:
        raise UserError(
            f"{error.what}; remove {path}, the whole index, and make it again by `cr5 index`"
        ) from error
