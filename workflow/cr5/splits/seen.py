"""Test and validation texts among text of other files that trains, such as sentences to align.

Texts are equal if they are so after white space is folded. What repeats within the documents of a
corpus is not looked at: only what a configuration brings besides them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path

import pandas as pd

from cr5.base.artefacts import Artefact, making
from cr5.base.errors import UserError
from cr5.base.files import write_json

KIND, FILE = "texts seen before", "warnings.json"
LABELLED = "labelled"  # texts of a task that neither test nor validate
OTHERS = ".idf"  # end of the names of texts that only weigh words


def folded(text: str) -> bytes:
    """Return what equal texts share, 16 bytes."""
    return blake2b(" ".join(text.split()).encode(), digest_size=16).digest()


def held_back(records: Mapping[str, Iterable[tuple]], held_out: Collection[str]) -> Iterator[str]:
    """Yield a task's test and validation texts of one language, and what is searched for them."""
    for name, found in records.items():
        if name == LABELLED or name.endswith(OTHERS):
            continue
        for _, text, *more in found:
            # of texts of the corpus, which have a concept, those of held-out ones
            if text and (not any(more[:1]) or more[0] in held_out):
                yield text


def seen(texts: Iterable[str], tests: Collection[bytes]) -> str:
    """Say how many texts that train are among those of tests, folded; empty if none is."""
    found = [text for text in texts if text.strip() and folded(text) in tests]
    return f"{len(found)} texts, such as {found[0][:60]!r}," if found else ""


def check_sentences(sentences: pd.DataFrame, tests: Mapping[str, Collection[bytes]]) -> None:
    """Reject parallel sentences to train on that are test or validation texts, folded."""
    for language in tests:
        if language in sentences and (said := seen(sentences[language].dropna(), tests[language])):
            raise UserError(
                f"alignments.sentences: {said} in {language} are test or validation texts, from "
                "which nothing may be learnt: leave their lines out of the files of all languages"
            )


def save(folder: str | Path, warnings: list[str]) -> None:
    """Write what is to be told of them."""
    with making(folder, KIND) as part:
        write_json(part / FILE, warnings)


def warnings_in(folder: str | Path) -> list[str]:
    """Read what `save` wrote."""
    return Artefact(folder, KIND).json(FILE)
