"""What `import cr5` offers: the same to programs and to type checkers, in one choice of words."""

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import cr5
from cr5.contracts.names import SYSTEMS

PACKAGE = Path(cr5.__file__).parent
LANGUAGES = {"language", "query_language", "target_language"}
CALLED = [
    cr5.fit,
    cr5.load,
    cr5.open_index,
    cr5.Embedder.embed,
    cr5.Embedder.similarity,
    cr5.Embedder.compare,
    cr5.Embedder.why,
    cr5.Embedder.align,
    cr5.Embedder.save,
    cr5.Index,
    cr5.Index.add,
    cr5.Index.remove,
    cr5.Index.search,
    cr5.Index.why,
    cr5.Index.save,
]


@pytest.mark.parametrize("name", cr5.__all__)
def test_what_is_offered_is_there(name):
    value = getattr(cr5, name)
    assert value.__name__ == name
    assert value.__doc__
    assert getattr(import_module(cr5.OFFERED[name]), name) is value


def test_type_checkers_are_told_the_same():
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    told = {}
    for statement in stub.body:
        if isinstance(statement, ast.ImportFrom):
            for imported in statement.names:
                assert imported.asname == imported.name  # else it is not offered on
                told[imported.name] = statement.module
    assert told == cr5.OFFERED
    assert (PACKAGE / "py.typed").is_file()


def test_every_system_is_offered():
    for place in SYSTEMS.values():
        module, _, name = place.partition(":")
        assert cr5.OFFERED[name] == f"cr5.systems.{module}"


def test_what_is_not_offered_is_no_attribute():
    with pytest.raises(AttributeError, match="module 'cr5' has no attribute 'embed'"):
        cr5.embed  # noqa: B018
    assert {"load", "Best", "__version__"} <= set(dir(cr5))


@pytest.mark.parametrize("function", CALLED, ids=lambda function: function.__qualname__)
def test_each_argument_has_a_type_and_a_language_its_name(function):
    parameters = inspect.signature(function).parameters.values()
    for parameter in parameters:
        if parameter.name == "self":
            continue
        assert parameter.annotation is not parameter.empty, parameter
        if "language" in parameter.name:
            assert parameter.name in LANGUAGES


@pytest.mark.parametrize("name", ["load", "Embedder", "Index", "Model", "open_index"])
def test_what_the_base_installation_has_needs_no_pandas(name):
    program = f"import sys, cr5; sys.modules['pandas'] = None; cr5.{name}; print('done')"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "done\n"
