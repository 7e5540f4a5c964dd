"""Check that tasks and systems get what they need: text, drawn queries, validation data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cr5.corpora.reading import LANGUAGE, PART
from cr5.counts.rules import Rules
from cr5.fitting.validation_options import DOCUMENTS, OWN, ValidationOptions
from cr5.plan.allowed import options_of
from cr5.plan.catalogue import (
    LABELLED,
    TEST,
    VALIDATION,
    constant,
    has_files,
    has_pairs,
    is_parallel,
    roles_of,
    source_of,
)
from cr5.plan.corpus import has_text
from cr5.plan.options import counts_asked_for, needs_of
from cr5.splits.options import Sizes

Options = Mapping[str, Any]
OF_WORDS = {"vectors", "alignments"}  # that a system may need
NO_TEXT = "a corpus of the source matrix knows words by number only"
NO_COUNTS = "a corpus of the source matrix has weights of words"


def mistakes(
    tasks: Mapping[str, Options],
    corpus: Options | None,
    languages: Sequence[str] | None,
    splits: Sizes | None,
    validation: ValidationOptions | None,
    systems: Mapping[str, Options] | None = None,
    dictionary: Any = None,
) -> Iterator[str]:
    """Report tasks that are impossible with the other sections.

    Args:
        tasks: by name, with all defaults.
        corpus: the section, as are the next ones; None if it is itself a mistake.
        languages: the run's languages.
        splits: how much is drawn.
        validation: how hyperparameters are chosen.
        systems: by name; None if the section is itself a mistake.
        dictionary: the section; None without one.
    """
    for name, options in tasks.items():
        yield from _strange_languages(name, options, languages)
        if _has_parts(name, options):
            yield from _wrong_parts(name, options)
            yield from _unlabelled(name, options, corpus)
        if _has_no_text(corpus) and not is_drawn(name, options):
            yield f"tasks.{name}: {NO_TEXT} by which its texts could be counted; leave it out"
        if splits and is_drawn(name, options) and not splits.max_share["test"]:
            yield (
                f"splits.max_share.test: 0 draws no test queries, but tasks.{name} asks for them; "
                "raise it, or leave out the task"
            )
    wanted = {"validation.task": validation.task} if validation else {}
    wanted |= {f"systems.{x}.{OWN}": y[OWN] for x, y in (systems or {}).items() if OWN in y}
    for key, task in wanted.items():
        yield from _validation(tasks, key, task, dictionary)
    for name, options in (systems or {}).items():
        yield from _learnt(name, options, tasks)
    for language in set((corpus or {}).get("originals", ())) - set(languages or ()):
        yield f"corpus.originals: expected languages of the run, found {language!r}"


def without_text(
    systems: Mapping[str, Options], corpus: Options | None, bags: Rules | None
) -> Iterator[str]:
    """Report what needs words or counts if the corpus has none: systems, their options, bags.

    Args:
        systems: by name, with all defaults.
        corpus: the section; None if it is itself a mistake.
        bags: likewise.
    """
    if not _has_no_text(corpus):
        return
    for name, options in systems.items():
        for need in sorted(set(needs_of(name, options)) & OF_WORDS):
            yield f"systems.{name}: {NO_TEXT}, and it needs {need}; leave it out"
        yield from _counting(name, options)
    if bags and bags.vocabulary == "vectors":
        yield f"bags.vocabulary: {NO_TEXT}; leave it out"


def _counting(name: str, options: Options) -> Iterator[str]:
    """Report a system that would take weights for counts."""
    place, wanted = f"systems.{name}", counts_asked_for(name, options)
    if wanted is None:
        yield f"{place}: {NO_COUNTS}, and its topics need counts; leave it out"
    for key, value in (wanted or {}).items():
        said = value if isinstance(value, str) else str(value).lower()
        yield f"{place}.{key}: {NO_COUNTS}, which are not weighed again; give `{key}: {said}`"


def _unlabelled(name: str, options: Options, corpus: Options | None) -> Iterator[str]:
    if corpus and has_text(corpus) and not options["path"]:
        yield (
            f"tasks.{name}.path: a corpus of the source {corpus['source']} has no labels; name "
            "files that have them"
        )


def _has_no_text(corpus: Options | None) -> bool:
    return corpus is not None and not has_text(corpus)


def is_drawn(name: str, options: Options) -> bool:
    """Say whether a task's queries are documents of the corpus, which are drawn."""
    if _has_parts(name, options):
        return _is_of_corpus(options)
    source = source_of("tasks", name, options)
    return VALIDATION in roles_of(source) and not (has_files(source) or has_pairs(source))


def _validation(
    tasks: Mapping[str, Options], key: str, task: Any, dictionary: Any
) -> Iterator[str]:
    """Report a task by which nothing can be validated."""
    if task == DOCUMENTS:
        return
    if not isinstance(task, str) or task not in tasks:
        known = ", ".join(dict.fromkeys([DOCUMENTS, *tasks]))
        yield f"{key}: expected one of {known}, found {task!r}: name it under tasks, too"
        return
    options, source = tasks[task], source_of("tasks", task, tasks[task])
    remedy = None
    if VALIDATION not in roles_of(source):
        remedy = ""
    elif _has_parts(task, options) and _lacks_validation(options):
        remedy = f"give the name of its part as tasks.{task}.parts.validation, or "
    elif has_pairs(source) and not dictionary:
        remedy = "give the section `dictionary`, whose words it asks for then, or "
    elif (
        is_parallel(source) and (options["path"] or options["address"]) and not options[VALIDATION]
    ):
        remedy = f"set sentences aside, `tasks.{task}.validation: 300000`, or "
    if remedy is not None:
        yield f"{key}: the task {task!r} has nothing to validate by; {remedy}take {DOCUMENTS}"


def _learnt(name: str, options: Options, tasks: Mapping[str, Options]) -> Iterator[str]:
    """Report a system that would be validated by the words that it learns from."""
    task = options.get(OWN)
    if not isinstance(task, str) or task not in tasks:
        return
    learns = options.get("seeds", options.get("dictionary_weights", True))
    if not learns or learns == "identical":
        return
    if "seeds" in needs_of(name, options) and has_pairs(source_of("tasks", task, tasks[task])):
        yield (
            f"systems.{name}.{OWN}: the task {task!r} asks for words of the section `dictionary`, "
            f"from which the system learns; take {DOCUMENTS}"
        )


def _has_parts(name: str, options: Options) -> bool:
    return bool(constant(source_of("tasks", name, options), "PARTS", {}))


def _is_of_corpus(options: Options) -> bool:
    """Return whether the documents are those of the corpus."""
    return PART not in options["path"]


def _strange_languages(
    name: str, options: Options, languages: Sequence[str] | None
) -> Iterator[str]:
    """Report languages in a task's options that the run does not have."""
    for key, option in options_of(source_of("tasks", name, options)).items():
        for language in options[key] if option.allowed == LANGUAGE else ():
            if languages and language not in languages:
                known = ", ".join(languages)
                found = f"expected languages of the run, {known}, found {language!r}"
                yield f"tasks.{name}.{key}: {found}"


def _wrong_parts(name: str, options: Options) -> Iterator[str]:
    """Report options of a task that make no sense."""
    place, path, parts = f"tasks.{name}", options["path"], options["parts"]
    if path and LANGUAGE not in path:
        yield f"{place}.path: expected a path with {LANGUAGE} in it, found {path!r}"
    if strange := set(parts) - {LABELLED, VALIDATION, TEST}:
        yield (
            f"{place}.parts.{min(strange)}: unknown; there are {LABELLED}, {TEST} and {VALIDATION}"
        )
    for role in (LABELLED, TEST):
        if not _is_of_corpus(options) and not parts.get(role, role):
            yield f"{place}.parts.{role}: expected what the files call this part, found nothing"


def _lacks_validation(options: Options) -> bool:
    """Return whether a task's own files have no part for validation."""
    return not _is_of_corpus(options) and not options["parts"].get(VALIDATION, VALIDATION)
