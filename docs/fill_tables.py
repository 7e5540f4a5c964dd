"""Fill a page, read from standard input, with tables and docstrings of the package's classes.

`conf.py` runs it for every page, in the environment that has the package. The section of a system
or a task, which is headed by its name, gets a table of its keys at its end. A line such as

    <!-- table: corpus wikipedia -->

is replaced by a table of the keys of that part, or by a table of `SUMMARIES` if it names one; and
`<!-- about: systems pltm -->` is replaced by the docstring of the class.
"""

import inspect
import re
import sys
from collections.abc import Iterable, Iterator

from cr5.contracts.catalogue import SYSTEMS
from cr5.contracts.keys import FILE
from cr5.contracts.system import System
from cr5.keys import PARTS, Row, rows
from cr5.plan.kinds import KINDS
from cr5.scores.metrics import METRICS

TABLE = re.compile(r"^<!-- table: (.+?) -->$", re.MULTILINE)
ABOUT = re.compile(r"^<!-- about: (\w+) (\w+) -->$", re.MULTILINE)
SECTION_START = re.compile(r"^(?=##)", re.MULTILINE)
KEY_COLUMNS = ["key", "default", "may be", "meaning"]
SAID_OF_NEEDS = {
    "vectors": "word vectors",
    "seeds": "word pairs",
    "alignments": "word translation tables",
    "texts": "texts",
    "files": "files of its own",
}

RowByKey = dict[str, Row]


def filled(page: str) -> str:
    """Return a page with its tables and docstrings filled in."""
    page = ABOUT.sub(_docstring, page)
    page = TABLE.sub(_table, page)
    sections = SECTION_START.split(page)
    return "".join(_with_keys(sections))


def _docstring(line: re.Match) -> str:
    """Return the docstring that a line of a page asks for."""
    section, name = line.groups()
    kind = PARTS[section]
    part_class = kind.part_class(name, {kind.key: name})
    return inspect.getdoc(part_class)


def _table(line: re.Match) -> str:
    """Return the table that a line of a page asks for."""
    name = line[1]
    if name in SUMMARIES:
        return SUMMARIES[name]()
    return _table_of_keys(rows(name))


def _with_keys(sections: Iterable[str]) -> Iterator[str]:
    """Append to each section of a system or a task the table of its keys."""
    part_names = {*PARTS["systems"].known(), *PARTS["tasks"].known()}
    printed: dict[str, RowByKey] = {}  # by part, the tables that are printed whole
    for section in sections:
        heading, _, _ = section.partition("\n")
        name = heading.lstrip("# ")
        if name in part_names:
            keys_of_part = _keys_of_part(name, printed)
            section = f"{section.rstrip()}\n\n{keys_of_part}\n\n"
        yield section


def _keys_of_part(name: str, printed: dict[str, RowByKey]) -> str:
    """Return the table of a part's keys, and add it to the printed ones.

    Where most of its keys are those of a printed part, the text refers to that part, and only the
    keys that differ have a table.
    """
    own = {row.key: row for row in rows(name)}
    most_similar = min(printed, key=lambda other: _distance(own, printed[other]), default=None)
    if most_similar is None or 2 * len(_different(own, printed[most_similar])) >= len(own):
        printed[name] = own
        return _table_of_keys(own.values())
    text = f"It has the options of [`{most_similar}`](#{most_similar})"
    lacking = _lacking(own, printed[most_similar])
    if lacking:
        quoted = [f"`{key}`" for key in lacking]
        text += f" but {', '.join(quoted)}"
    different = _different(own, printed[most_similar])
    if not different:
        return f"{text}."
    return f"{text}; and:\n\n{_table_of_keys(different)}"


def _distance(own: RowByKey, other: RowByKey) -> int:
    """Return how many keys a text that refers to another part's table has to name."""
    return len(_lacking(own, other)) + len(_different(own, other))


def _lacking(own: RowByKey, other: RowByKey) -> list[str]:
    """Return the keys that only the other part has."""
    return [key for key in other if key not in own]


def _different(own: RowByKey, other: RowByKey) -> list[Row]:
    """Return the rows that the other part does not have, or has with other contents."""
    return [row for key, row in own.items() if other.get(key) != row]


def _table_of_keys(key_rows: Iterable[Row]) -> str:
    """Return the table of some keys."""
    lines = [[f"`{row.key}`", row.default, row.may_be, row.meaning] for row in key_rows]
    return _markdown(KEY_COLUMNS, lines)


def _metrics() -> str:
    """Return the table of metrics: a k in brackets may be left out."""
    lines = []
    for name, metric in METRICS.items():
        suffix = "@k" if metric.needs_k else "[@k]"
        lines.append([name + suffix, metric.says, metric.source])
    return _markdown(["metric", "of a query", "as in"], lines)


def _systems() -> str:
    """Return the table of systems, ordered by what each starts from."""
    lines = []
    for name in SYSTEMS.known():
        system_class = SYSTEMS.part_class(name, {})
        link = f"[`{name}`](#{name})"
        starts_from = _starts_from(system_class)
        lines.append([link, system_class.title, starts_from, system_class.reference])
    lines.sort(key=_by_start_and_link)
    return _markdown(["system", "in tables", "starts from", "paper"], lines)


def _starts_from(system_class: type[System]) -> str:
    """Say what a system needs beside documents, or that it needs these alone."""
    needs = list(system_class().needs)
    if "path" in system_class.marked(FILE):  # other files, as an encoder of `best`, are a choice
        needs.append("files")
    if "vectors" not in needs and "seeds" in needs:  # it can do without a dictionary
        needs.remove("seeds")
    said = [words for need, words in SAID_OF_NEEDS.items() if need in needs]
    return " and ".join(said) or "documents"


def _by_start_and_link(line: list[str]) -> tuple[str, str]:
    """Return a key to sort the lines of `_systems` by."""
    link, _, starts_from, _ = line
    return starts_from, link


def _kinds() -> str:
    """Return the table of the keys of settings, with the kinds of settings that have each."""
    kinds_of_row: dict[Row, list[str]] = {}
    for kind in KINDS:
        for row in rows(f"settings {kind}"):
            kinds_of_row.setdefault(row, []).append(kind)
    lines = []
    for row, kinds in kinds_of_row.items():
        lines.append([f"`{row.key}`", ", ".join(kinds), row.default, row.may_be, row.meaning])
    return _markdown(["key", "of", "default", "may be", "meaning"], lines)


SUMMARIES = {"all systems": _systems, "metrics": _metrics, "kinds of settings": _kinds}


def _markdown(head: list[str], lines: Iterable[list[str]]) -> str:
    """Return a Markdown table; cells lose a full stop at their end."""
    rule = ["---"] * len(head)
    written = [head, rule]
    for line in lines:
        written.append([cell.removesuffix(".").replace("|", "\\|") for cell in line])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in written)


if __name__ == "__main__":
    sys.stdout.write(filled(sys.stdin.read()))
