"""What entries of the configuration say beside the keys of their parts."""

from typing import Annotated

from pydantic import NonNegativeFloat

from cr5.contracts.keys import Line, Name, Section, Some, one_of


class TaskEntry(Section):
    """What the entry of a task says beside the task's own keys."""

    module: str | None = None
    """A name of ours, or the path of one of your own; none: the entry's name."""


class SystemEntry(TaskEntry):
    """What the entry of a system says beside the system's own keys."""

    title: Line | None = None
    """Its name in print."""
    validation_task: Annotated[str, one_of("validation")] | None = None
    """The task by which its hyperparameters are chosen; none: `validation.task`."""
    rerank: Some[NonNegativeFloat] | None = None
    """Weights of the words' matches in a second stage of the search, of which validation chooses
    one after all else; none or 0: no second stage."""


class CorpusEntry(Section):
    """What the corpus says beside the source's own keys."""

    name: Name
    """Of the run; its results are in `results/{name}`."""
    source: str
    """Where the text comes from: a source's name, or the path of one of your own."""
