"""A system in a file of its own, which errors name."""

from typing import Any

from cr5.base.parts import System


class Toy(System):
    """Returns what `make` makes of the training set."""

    make: Any
    term_frequency: str | None = None

    def fit(self, training):
        return self.make(training)
