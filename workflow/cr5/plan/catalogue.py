"""Find systems and tasks, and what they declare, without running them.

Only source code is read, so jobs can be planned in an environment that lacks what they need.
"""

import ast
import os
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.corpora.reading import PART, file_of

PACKAGE = Path(__file__).parents[1]
SHARED = ("base", "ranking", "tables", "texts")  # shared by tasks, not tasks
LABELLED, VALIDATION, TEST = "labelled", "validation", "test"
LABELS = "labels"  # those of the corpus's own documents


def share_with_subprocesses() -> None:
    """Let child processes import this package, installed or not."""
    paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)


def module_source(section: str, name: str, module: str | None = None) -> Path:
    """Return the file of a system or task: cr5/{section}/{name}.py, or that of its `module`.

    Args:
        section: section of the configuration and folder of its modules: `systems` or `tasks`.
        name: name in that section.
        module: the name of another module there, or a path to a Python file.

    Raises:
        UserError: there is no such file.
    """
    if module and module.endswith(".py"):
        if not Path(module).is_file():
            raise UserError(
                f"{section}.{name}: there is no file {module!r}. Relative paths start at "
                f"{Path.cwd()}."
            )
        return Path(module)
    path = PACKAGE / section / f"{module or name}.py"
    if path.stem not in (modules := known(section)):
        near = get_close_matches(path.stem, modules, 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise UserError(
            f"{section}.{name}: there is no file {path.name!r}; known {section} are "
            f"{', '.join(modules)}.{hint} For one of your own, give `module: path/to/it.py`."
        )
    return path


def source_of(section: str, name: str, options: Mapping[str, Any]) -> Path:
    """Return the file of an entry of a section, by its options; raises as `module_source`."""
    return module_source(section, name, options.get("module"))


def module_of(config: Mapping[str, Any], section: str, name: str) -> str:
    """Return the name of the module of a system or a task, or the path of one's own."""
    return config[section].get(name, {}).get("module", name)


def own_modules(config: Mapping[str, Any]) -> list[str]:
    """Return the Python files of somebody's own that a configuration, valid or not, names."""
    named = [
        options.get("module")
        for section in ("systems", "tasks")
        for options in (config.get(section) or {}).values()
        if isinstance(options, dict)
    ]
    return sorted({str(module) for module in named if str(module).endswith(".py")})


def known(section: str) -> list[str]:
    """Return the names of the modules that this package has in a section."""
    return sorted({path.stem for path in (PACKAGE / section).glob("[!_]*.py")} - set(SHARED))


def has_files(source: Path) -> bool:
    """Return whether a system or task reads files, or folders, of its own."""
    return bool(constant(source, "FILES", ()) or constant(source, "FOLDERS", ()))


def has_pairs(source: Path) -> bool:
    """Return whether a task reads files of language pairs, such as dictionaries."""
    return constant(source, "PAIRS", None) is not None


def not_there(source: Path | None, option: str, path: Path) -> str:
    """Say that a file, or the folder of a module's option, is not there; empty if it is."""
    is_folder = source is not None and option in constant(source, "FOLDERS", ())
    if path.is_dir() if is_folder else path.is_file():
        return ""
    return f"there is no {'folder' if is_folder else 'file'} {path}"


def roles_of(task: Path) -> tuple[str, ...]:
    """Return a task's roles: queries to test and, for some tasks, to validate."""
    return tuple(constant(task, "ROLES", ("test",)))


def is_parallel(task: Path) -> bool:
    """Return whether a task's files are parallel text, which the workflow aligns for it."""
    return bool(constant(task, "PARALLEL", False))


def files_of(
    source: Path, options: Mapping[str, Any], language: str, section: str = "tasks"
) -> dict[str, str]:
    """Return the files and folders of a module for a language, with `{language}` set.

    They are the options in `FILES` and `FOLDERS`. Of those in `LANGUAGES_IN`, only the languages
    that another option names have one, or all if it names none.

    The files of a task with `PARTS`, of labelled documents, are found by its `path`.

    Raises:
        UserError: one of them is not given.
    """
    if parts := constant(source, "PARTS", {}):
        return _parts_of(options, language, parts)
    names = [*constant(source, "FILES", ()), *constant(source, "FOLDERS", ())]
    for name, key in constant(source, "LANGUAGES_IN", {}).items():
        if language not in (options.get(key) or [language]):
            names.remove(name)
    missing = [name for name in names if not options.get(name)]
    if missing:
        raise UserError(
            f"{section}.{source.stem}: missing {' and '.join(missing)}: give the path, with "
            f"{{language}} in it where each language has its own; see docs/{section}.md"
        )
    return {name: options[name].replace("{language}", language) for name in names}


def _parts_of(
    options: Mapping[str, Any], language: str, parts: Mapping[str, str]
) -> dict[str, str]:
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
        if parts[role] and (role != LABELLED or language in (options[LABELLED] or [language]))
    ]
    return {role: file_of(path, language, codes, str(parts[role])) for role in wanted}


def constant(path: Path, name: str, otherwise: Any) -> Any:
    """Return the literal that a module assigns to `name`, or `otherwise`."""
    for node in parsed(path).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                return _literal(node.value, path, f"{path}, line {node.lineno}: {name}")
    return otherwise


def _literal(node: ast.expr, path: Path, where: str) -> Any:
    """Evaluate a literal; in dictionaries, expand `**NAME`."""
    try:
        if isinstance(node, ast.Dict) and None in node.keys:
            found: dict[str, Any] = {}
            for key, value in zip(node.keys, node.values, strict=True):
                entry = {} if key is None else {ast.literal_eval(key): ast.literal_eval(value)}
                found |= entry or _shared(path, value)
            return found
        return ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError) as error:
        raise UserError(
            f"{where} must be a literal (numbers, text, lists, None), as it is read without "
            "running the module"
        ) from error


def _shared(path: Path, node: ast.expr) -> dict[str, Any]:
    """Return the literal behind a name, from the same module or another one of this package."""
    if not isinstance(node, ast.Name):
        raise ValueError("no name")
    for found in parsed(path).body:
        if isinstance(found, ast.ImportFrom) and (found.module or "").startswith("cr5."):
            source = PACKAGE.parent.joinpath(*found.module.split(".")).with_suffix(".py")
            for alias in found.names:
                if node.id == (alias.asname or alias.name) and source.is_file():
                    return dict(constant(source, alias.name, None))
    return dict(constant(path, node.id, None))


def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file; it is cached, so do not change it.

    Raises:
        UserError: the file is not valid Python.
    """
    try:
        return _tree(path.read_text(encoding="utf-8"), str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UserError(f"{path}: expected a Python file: {error}") from error


@cache  # by content, as a file may change while a program runs
def _tree(text: str, name: str) -> ast.Module:
    return ast.parse(text, name)
