"""Fills in what a page takes from the classes, from standard input to standard output.

`conf.py` runs it for every page, in the environment that has the package. A line of a page such as

    <!-- table: corpus wikipedia -->

becomes a table of keys; see `cr5.keys`, and `WHOLE` for the others. `systems cplsa as jplsa`
leaves out the rows that the table of `jplsa` has. And `<!-- about: systems pltm -->` becomes the
docstring of the class.
"""

import inspect
import re
import sys
from collections.abc import Iterable

from cr5.base.parts import FILE, FOLDER, SYSTEMS
from cr5.keys import PARTS, Row, rows
from cr5.scores.metrics import METRICS

TABLE = re.compile(r"^<!-- table: (.+?) -->$", re.MULTILINE)
ABOUT = re.compile(r"^<!-- about: (\w+) (\w+) -->$", re.MULTILINE)
KEYS = ["key", "default", "may be", "meaning"]
NEEDED = {
    "vectors": "word vectors",
    "seeds": "word pairs",
    "alignments": "word translation tables",
    "texts": "texts",
    "files": "files of its own",
}


def filled(page: str) -> str:
    """Return a page with its tables and paragraphs."""
    page = ABOUT.sub(lambda found: _about(found[1], found[2]), page)
    return TABLE.sub(lambda found: _table(found[1]), page)


def _about(section: str, name: str) -> str:
    kind = PARTS[section]
    return inspect.getdoc(kind.kind(name, {kind.key: name}))


def _table(name: str) -> str:
    if name in WHOLE:
        return WHOLE[name]()
    part, _, other = name.partition(" as ")
    if not other:
        return _of_keys(rows(name))
    own = {row.key: row for row in rows(part)}
    its = {row.key: row for row in rows(other)}
    lacking = ", ".join(f"`{key}`" for key in its if key not in own)
    said = f"It has the options of [`{other}`](#{other})" + (f" but {lacking}" if lacking else "")
    different = [row for key, row in own.items() if its.get(key) != row]
    return f"{said}; and:\n\n{_of_keys(different)}" if different else f"{said}."


def _of_keys(found: Iterable[Row]) -> str:
    return _written(KEYS, ([f"`{key}`", *said] for key, *said in found))


def _metrics() -> str:
    """Return the table of metrics: a k in brackets may be left out."""
    found = [[x.name + ("@k" if x.needs_k else "[@k]"), x.says, x.source] for x in METRICS.values()]
    return _written(["metric", "of a query", "as in"], found)


def _systems() -> str:
    """Return the table of systems, by what each starts from."""
    found = []
    for name in SYSTEMS.known():
        kind = SYSTEMS.kind(name, {})
        needs = [*kind().needs, *(["files"] if kind.marked(FILE, FOLDER) else [])]
        if "vectors" not in needs and "seeds" in needs:  # it can do without a dictionary
            needs.remove("seeds")
        given = " and ".join(x for need, x in NEEDED.items() if need in needs) or "documents"
        found.append([f"[`{name}`](#{name})", kind.title, given, kind.reference])
    found.sort(key=lambda row: (row[2], row[0]))
    return _written(["system", "in tables", "starts from", "paper"], found)


WHOLE = {"all systems": _systems, "metrics": _metrics}


def _written(head: list[str], found: Iterable[list[str]]) -> str:
    cells = [[x.removesuffix(".").replace("|", "\\|") for x in row] for row in found]
    lines = [head, ["---"] * len(head), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.stdout.write(filled(sys.stdin.read()))
