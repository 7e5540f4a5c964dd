"""The contract of systems."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, PositiveFloat, model_validator

from cr5.base.errors import UserError
from cr5.contracts.keys import Line, Part

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet

NEEDS = ("counts", "vectors", "seeds", "alignments", "texts", "channels")


class System(Part):
    """Fitted on the training documents of a setting; its model embeds documents.

    Attributes:
        title: its name in print; empty for the entry's own.
        reference: the paper.
        colour: of its curves, such as `#0072B2`.
        cost: shares of `memory_mb` and `minutes` that a fit requests.
        needs: some of `NEEDS`, which it is given besides tf-idf features (see
            `contracts.training.TrainingSet`); a property where they depend on keys.
        without_counts: values of keys under which documents may be weights already; None if they
            must be counts.
    """

    title: ClassVar[Line | Literal[""]] = ""
    reference: ClassVar[str] = ""
    colour: ClassVar[Annotated[str, Field(pattern="^#[0-9A-Fa-f]{6}$")] | None] = None
    cost: ClassVar[tuple[PositiveFloat, PositiveFloat]] = (1, 4)
    needs: ClassVar[Sequence[str]] = ()
    without_counts: ClassVar[Mapping[str, Any] | None] = {}

    @model_validator(mode="after")
    def _needs_what_there_is(self) -> System:
        if isinstance(self.needs, str) or not set(self.needs) <= set(NEEDS):
            raise UserError(
                f"{type(self).__name__}.needs: expected a list of some of {', '.join(NEEDS)}, "
                f"found {self.needs!r}"
            )
        return self

    @abstractmethod
    def fit(self, training: TrainingSet) -> Fit:
        """Fit to a training set, with one BLAS thread: more would sum in another order."""
