"""Which classes models may have, and how a stored one says which it is.

Ours are known by name. A class of someone else's is stored with the name of its module, and is only
loaded where the caller passes it: no code is run because a file names it.
"""

import collections.abc
import dataclasses
import types
import typing
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.modules import BEFORE
from cr5.models.autoencoder import Autoencoder
from cr5.models.bm25_tables import Bm25Tables
from cr5.models.contract import Model
from cr5.models.joined_tables import JoinedTables
from cr5.models.text_encoder import TextEncoder
from cr5.models.word_tables import DirectedWordTables, WordTables

OURS = {
    x.__name__: x
    for x in (WordTables, DirectedWordTables, Bm25Tables, JoinedTables, TextEncoder, Autoencoder)
}
PLAIN = (str, int, float, bool, type(None))
ARRAYS = (np.ndarray, np.memmap, sparse.spmatrix, sparse.sparray)
LISTS = (list, tuple, collections.abc.Sequence)
EXPECTED = (
    "numpy arrays, sparse matrices, numbers, text, lists of text, and mappings of these by name"
)


BANK = "bank"
LATER = (BANK, "rerank")  # fields that versions up to 0.1 do not know


class UnknownClassError(UserError):
    """A stored model is of a class that the caller has not passed."""

    def at(self, place: Any) -> "UnknownClassError":
        """Return the same error with the place of the model."""
        return UnknownClassError(f"{place}: {self}")


def described(model: Model) -> dict[str, str]:
    """Return what says of which class a model is: `class`, and `module` if it is not ours.

    Raises:
        UserError: models of that class cannot be stored.
    """
    kind = type(model)
    check_storable(kind)
    if OURS.get(kind.__name__) is kind:
        return {"class": kind.__name__}
    return {"class": kind.__name__, "module": BEFORE.sub("", kind.__module__)}


def stored(model: Model) -> list[str]:
    """Return the fields of a model to be stored: all but later ones that do nothing.

    Without these, earlier versions read the model.
    """
    return [
        field.name
        for field in dataclasses.fields(model)
        if field.name not in LATER or getattr(model, field.name)
    ]


def class_of(description: Mapping[str, Any], classes: Iterable[type[Model]] = ()) -> type[Model]:
    """Return the class of a stored model.

    Args:
        description: what `described` returned.
        classes: that may be loaded besides ours.

    Raises:
        UnknownClassError: it is none of them.
    """
    name, module = description["class"], description.get("module")
    known = {kind.__name__: kind for kind in classes} if module else OURS
    if isinstance(name, str) and name in known:
        return known[name]
    if module is None:
        raise ValueError(f"class {name} is not known")
    raise UnknownClassError(
        f"a model of the class {name} of the module {module}, which is not part of cr5: no code is "
        "run because a file names it. If you trust the module, pass the class, "
        f"cr5.load(..., classes=[{name}]); on the command line, --module FILE.py"
    )


def classes_in(module: ModuleType) -> list[type[Model]]:
    """Return the classes of models that a module has, imported ones included."""
    return [
        x
        for x in vars(module).values()
        if isinstance(x, type) and issubclass(x, Model) and not x.__abstractmethods__
    ]


def check_storable(kind: type[Model]) -> None:
    """Refuse a class whose models could not be stored, before one is fitted.

    Raises:
        UserError: it is no dataclass, is defined within a function, or a field is of another type
            than can be stored.
    """
    name = kind.__qualname__
    if not dataclasses.is_dataclass(kind):
        raise UserError(f"class {name}: a model must be a dataclass, whose fields are stored")
    if "<locals>" in name:
        raise UserError(
            f"class {name}: it is defined within a function, where nothing can find it to load its "
            "models; move it to the top of its module"
        )
    try:
        hints = typing.get_type_hints(kind)
    except NameError:  # a name that only type checkers import
        return
    for field in dataclasses.fields(kind):
        if not _is_storable(hints[field.name]):
            raise UserError(
                f"class {name}: its field {field.name} is of the type {field.type}, which cannot "
                f"be stored; expected {EXPECTED}"
            )


def _is_storable(hint: Any) -> bool:
    """Whether some value of a type can be stored."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any or isinstance(hint, typing.TypeVar):
        return True
    if origin in (typing.Union, types.UnionType):
        return any(map(_is_storable, inner))
    if origin is typing.Annotated or origin is typing.Literal:
        return origin is typing.Literal or _is_storable(inner[0])
    kind = origin or hint
    if not isinstance(kind, type):
        return False
    if issubclass(kind, Mapping):
        return not inner or _is_storable(inner[1])
    if kind in LISTS:
        return not inner or inner[0] in PLAIN
    return issubclass(kind, PLAIN + ARRAYS)
