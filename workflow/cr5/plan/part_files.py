"""Which files a task of labelled documents reads, and which of its options make no sense."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from cr5.corpora.reading import LANGUAGE, PART, file_of

LABELLED, VALIDATION, TEST = "labelled", "validation", "test"
LABELS = "labels"  # those of the corpus's own documents


def of_task(options: Mapping[str, Any], language: str, parts: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a language by purpose; none if the corpus has the labels.

    Args:
        options: the task's options.
        language: the files' language.
        parts: the names of the parts in paths, unless the options give others.
    """
    path, codes, parts = options["path"], options["codes"], {**parts, **options["parts"]}
    if not path:
        return {}
    if PART not in path:
        return {LABELS: file_of(path, language, codes)}
    wanted = [
        role
        for role in (LABELLED, VALIDATION, TEST)
        if parts[role] and (role != LABELLED or _is_labelled(options, language))
    ]
    return {role: file_of(path, language, codes, str(parts[role])) for role in wanted}


def _is_labelled(options: Mapping[str, Any], language: str) -> bool:
    return language in (options[LABELLED] or [language])


def is_of_corpus(options: Mapping[str, Any]) -> bool:
    """Return whether the documents are those of the corpus."""
    return PART not in options["path"]


def mistakes(name: str, options: Mapping[str, Any], languages: Collection[str]) -> Iterator[str]:
    """Report options of a task that make no sense.

    Args:
        name: the task's name.
        options: with all defaults.
        languages: the run's languages.
    """
    place, path, parts = f"tasks.{name}", options["path"], options["parts"]
    if path and LANGUAGE not in path:
        yield f"{place}.path: expected a path with {LANGUAGE} in it, found {path!r}"
    for language in options[LABELLED]:
        if language not in languages:
            known = ", ".join(languages)
            yield f"{place}.{LABELLED}: expected languages of the run, {known}, found {language!r}"
    if strange := set(parts) - {LABELLED, VALIDATION, TEST}:
        yield (
            f"{place}.parts.{min(strange)}: unknown; there are {LABELLED}, {TEST} and {VALIDATION}"
        )
    for role in (LABELLED, TEST):
        if not is_of_corpus(options) and not parts.get(role, role):
            yield f"{place}.parts.{role}: expected what the files call this part, found nothing"


def lacks_validation(options: Mapping[str, Any]) -> bool:
    """Return whether a task's own files have no part for validation."""
    return not is_of_corpus(options) and not options["parts"].get(VALIDATION, VALIDATION)
