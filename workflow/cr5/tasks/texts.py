"""A task's own files: texts counted with the vocabulary of the corpus, and tables; stored."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd
from scipy import sparse

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import UserError
from cr5.counts.columns import count_known
from cr5.counts.tokens import Tokens, tokenise
from cr5.counts.vocabulary import Vocabulary
from cr5.tasks.base import Texts

Records = Iterable[tuple[str, ...]]
"""(id, text) of each text and, perhaps, the concept of the document around it, and its label."""

KIND, TABLE = "data of a task", ".parquet"
ABOUT = ("id", "concept", "label")


def count(
    records: Mapping[str, Records], language: str, words: Sequence[str], tokens: Tokens = tokenise
) -> dict[str, Texts]:
    """Count the known words of texts, by a name that the task chooses."""
    vocabulary = Vocabulary(words)
    counted = {}
    for name, rows in records.items():
        ids, texts, *more = list(zip(*rows, strict=True)) or ([], [])
        about = pd.DataFrame(dict(zip(ABOUT, (ids, *more), strict=False)), dtype=str)
        for twice in about.loc[about["id"].duplicated(), "id"]:
            raise UserError(f"{name} in {language!r}: the id {twice!r} is there twice; rename one")
        counts, n_words = count_known(texts, language, vocabulary, tokens)
        counted[name] = Texts(about.assign(n_words=n_words), counts)
    return counted


def save(
    folder: str | Path,
    found: Mapping[str, Texts] | Mapping[str, pd.DataFrame],
    job: Job = NO_JOB,
    **subject: str,
) -> None:
    """Write {name}.parquet of each table or texts, and {name}.npz of what texts count."""
    with job.making(folder, KIND, **subject) as temporary:
        for name, each in found.items():
            is_counted = isinstance(each, Texts)
            table = each.about if is_counted else each
            table.to_parquet(temporary / f"{name}{TABLE}", index=False)
            if is_counted:
                sparse.save_npz(temporary / f"{name}.npz", each.counts, compressed=False)


def ids(folder: str | Path, **subject: str) -> dict[str, pd.Index]:
    """Read the ids of texts that `save` wrote, by name."""
    artefact = Artefact(folder, KIND, **subject)
    tables = (x for x in artefact.files if x.endswith(TABLE))
    return {
        path.removesuffix(TABLE): pd.Index(
            pd.read_parquet(artefact.file(path), columns=["id"])["id"]
        )
        for path in tables
    }


def load(folder: str | Path, **subject: str) -> dict[str, Texts] | dict[str, pd.DataFrame]:
    """Read what `save` wrote."""
    artefact, found = Artefact(folder, KIND, **subject), {}
    for path in (x for x in artefact.files if x.endswith(TABLE)):
        name = path.removesuffix(TABLE)
        found[name], counts = pd.read_parquet(artefact.file(path)), f"{name}.npz"
        if counts in artefact.files:
            found[name] = Texts(found[name], sparse.load_npz(artefact.file(counts)).tocsr())
    return found
