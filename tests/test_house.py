"""The rooms of the package have an order, and no import breaks it."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import cr5

PACKAGE = Path(cr5.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))


def name(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name(path) for path in MODULES}


def imported(path):
    """Modules of the package that a module names in its imports, wherever they stand."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in NAMES)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in NAMES or node.module in NAMES:
                    yield full if full in NAMES else node.module


def room(module):
    return module.split(".")[1]


def test_every_folder_is_in_the_order_and_the_other_way_round():
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert folders == set(cr5.ROOMS)


def test_no_import_goes_up():
    level = {room: number for number, room in enumerate(cr5.ROOMS)}
    upward = [
        f"{name(path)} imports {other}"
        for path in MODULES
        if path.parent != PACKAGE
        for other in imported(path)
        if other != "cr5" and level[room(other)] > level[room(name(path))]
    ]
    assert not upward


def test_no_module_imports_itself_by_way_of_others():
    graph = {name(path): set(imported(path)) - {name(path)} for path in MODULES}
    list(TopologicalSorter(graph).static_order())  # CycleError names the circle


WORKFLOW = sorted(PACKAGE.parent.rglob("*.py"))
PICKLES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "torch"}


def test_no_pickle_is_loaded():
    """A pickle can hold any program; what strangers share is never one."""
    found = []
    for path in WORKFLOW:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                of = [getattr(node, "module", None) or "", *(x.name for x in node.names)]
                found += [f"{path}: {x}" for x in of if x.split(".")[0] in PICKLES]
            if isinstance(node, ast.Call) and not refuses_pickles(node):
                found.append(f"{path}, line {node.lineno}: {ast.unparse(node)}")
    assert not found


def refuses_pickles(call):
    """Whether it is no call of a reader that could take a pickle, or one that may not."""
    readers = ("np.load", "np.lib.format.read_array", "pd.read_pickle", "KeyedVectors.load")
    if not ast.unparse(call.func).endswith(readers):
        return True
    return any(x.arg == "allow_pickle" and x.value.value is False for x in call.keywords)


def test_a_reader_of_pickles_would_be_seen():
    calls = ["np.load(p)", "np.load(p, allow_pickle=True)", "pd.read_pickle(p)"]
    assert not any(refuses_pickles(ast.parse(x).body[0].value) for x in calls)
    assert refuses_pickles(ast.parse("np.load(p, allow_pickle=False)").body[0].value)
