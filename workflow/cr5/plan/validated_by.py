"""Whether tasks have what they are asked for: queries that are drawn, and data to validate by."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cr5.fitting.validation_options import DOCUMENTS, ValidationOptions
from cr5.plan import part_files
from cr5.plan.catalogue import constant, module_source, roles_of
from cr5.plan.corpus import Corpus
from cr5.splits.sizes import Sizes

Options = Mapping[str, Any]


def mistakes(
    tasks: Mapping[str, Options],
    corpus: Corpus | None,
    languages: Sequence[str] | None,
    splits: Sizes | None,
    validation: ValidationOptions | None,
) -> Iterator[str]:
    """Say what of the tasks cannot be, as other sections are.

    Args:
        tasks: by name, with all defaults.
        corpus, languages, splits, validation: sections; None for what is a mistake itself.
    """
    for name, options in tasks.items():
        if _has_parts(name, options):
            yield from part_files.mistakes(name, options, languages or options["labelled"])
        if splits and is_drawn(name, options) and not splits.max_share["test"]:
            yield (
                f"splits.max_share.test: 0 draws no test queries, but tasks.{name} asks for them; "
                "raise it, or leave out the task"
            )
    if validation:
        yield from _validation(tasks, validation.task)


def is_drawn(name: str, options: Options) -> bool:
    """Say whether a task's queries are documents of the corpus, which are drawn."""
    if _has_parts(name, options):
        return part_files.is_of_corpus(options)
    return "validation" in roles_of(_source(name, options))


def _validation(tasks: Mapping[str, Options], task: str) -> Iterator[str]:
    key = "validation.task"
    if task == DOCUMENTS:
        return
    if task not in tasks:
        known = ", ".join(dict.fromkeys([DOCUMENTS, *tasks]))
        yield f"{key}: expected one of {known}, found {task!r}: name it under tasks, too"
    elif "validation" not in roles_of(_source(task, tasks[task])):
        yield f"{key}: the task {task!r} has nothing to validate by; take {DOCUMENTS}"
    elif _has_parts(task, tasks[task]) and part_files.lacks_validation(tasks[task]):
        yield (
            f"{key}: the task {task!r} has nothing to validate by; give the name of its part as "
            f"tasks.{task}.parts.validation, or take {DOCUMENTS}"
        )


def _has_parts(name: str, options: Options) -> bool:
    return bool(constant(_source(name, options), "PARTS", False))


def _source(name: str, options: Options) -> Path:
    return module_source("tasks", name, options.get("module"))
