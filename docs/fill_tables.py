"""Fills in what a page takes from the classes, from standard input to standard output.

`conf.py` runs it for every page, in the environment that has the package. The section of a system
or a task, which is headed by its name, ends with a table of its keys. A line of a page such as

    <!-- table: corpus wikipedia -->

becomes such a table, or one of `WHOLE`; and `<!-- about: systems pltm -->` becomes the docstring of
the class.
"""

import inspect
import re
import sys
from collections.abc import Iterable, Iterator

from cr5.contracts.catalogue import SYSTEMS
from cr5.contracts.keys import FILE
from cr5.keys import PARTS, Row, rows
from cr5.plan.kinds import KINDS
from cr5.scores.metrics import METRICS

TABLE = re.compile(r"^<!-- table: (.+?) -->$", re.MULTILINE)
ABOUT = re.compile(r"^<!-- about: (\w+) (\w+) -->$", re.MULTILINE)
DICTIONARY_SECTION = re.compile(r"^(?=##)", re.MULTILINE)
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
    page = TABLE.sub(lambda found: _table(found[1]), page)
    return "".join(_with_keys(DICTIONARY_SECTION.split(page)))


def _with_keys(sections: Iterable[str]) -> Iterator[str]:
    """End the sections of systems and tasks with tables of their keys."""
    whole: dict[str, dict[str, Row]] = {}
    for section in sections:
        name = section.partition("\n")[0].lstrip("# ")
        if name in {*PARTS["systems"].known(), *PARTS["tasks"].known()}:
            own = {row.key: row for row in rows(name)}
            section = f"{section.rstrip()}\n\n{_own_keys(name, own, whole)}\n\n"
        yield section


def _own_keys(name: str, own: dict[str, Row], whole: dict[str, dict[str, Row]]) -> str:
    """Return the table of a part; where most keys are those of one above, only the others."""
    lacking = {x: [f"`{key}`" for key in its if key not in own] for x, its in whole.items()}
    different = {x: _different(own, its) for x, its in whole.items()}
    other = min(whole, key=lambda x: len(lacking[x]) + len(different[x]), default=None)
    if other is None or 2 * len(different[other]) >= len(own):
        whole[name] = own
        return _of_keys(own.values())
    but = f" but {', '.join(lacking[other])}" if lacking[other] else ""
    table = f"; and:\n\n{_of_keys(different[other])}" if different[other] else "."
    return f"It has the options of [`{other}`](#{other}){but}{table}"


def _different(own: dict[str, Row], its: dict[str, Row]) -> list[Row]:
    return [row for key, row in own.items() if its.get(key) != row]


def _about(section: str, name: str) -> str:
    kind = PARTS[section]
    return inspect.getdoc(kind.part_class(name, {kind.key: name}))


def _table(name: str) -> str:
    return WHOLE[name]() if name in WHOLE else _of_keys(rows(name))


def _of_keys(found: Iterable[Row]) -> str:
    return _written(KEYS, ([f"`{key}`", *said] for key, *said in found))


def _metrics() -> str:
    """Return the table of metrics: a k in brackets may be left out."""
    every = METRICS.items()
    found = [[x + ("@k" if y.needs_k else "[@k]"), y.says, y.source] for x, y in every]
    return _written(["metric", "of a query", "as in"], found)


def _systems() -> str:
    """Return the table of systems, by what each starts from."""
    found = []
    for name in SYSTEMS.known():
        kind = SYSTEMS.part_class(name, {})
        needs = [*kind().needs, *(["files"] if kind.marked(FILE) else [])]
        if "vectors" not in needs and "seeds" in needs:  # it can do without a dictionary
            needs.remove("seeds")
        given = " and ".join(x for need, x in NEEDED.items() if need in needs) or "documents"
        found.append([f"[`{name}`](#{name})", kind.title, given, kind.reference])
    found.sort(key=lambda row: (row[2], row[0]))
    return _written(["system", "in tables", "starts from", "paper"], found)


def _kinds() -> str:
    """Return the table of what settings of each kind have."""
    kinds: dict[Row, list[str]] = {}
    for kind in KINDS:
        for row in rows(f"settings {kind}"):
            kinds.setdefault(row, []).append(kind)
    found = [[f"`{key}`", ", ".join(kinds[key, *said]), *said] for key, *said in kinds]
    return _written([KEYS[0], "of", *KEYS[1:]], found)


WHOLE = {"all systems": _systems, "metrics": _metrics, "kinds of settings": _kinds}


def _written(head: list[str], found: Iterable[list[str]]) -> str:
    cells = [[x.removesuffix(".").replace("|", "\\|") for x in row] for row in found]
    lines = [head, ["---"] * len(head), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.stdout.write(filled(sys.stdin.read()))
