"""What became of all faults, as Markdown and as JSON."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.faults.bench import ENDS, FAILED, SKIPPED, Outcome

COLUMNS = ("kind", "injected", *ENDS)


def counted(outcomes: Iterable[Outcome]) -> dict[str, Counter]:
    """Per kind, how many ended how; what was not injected counts as skipped alone."""
    found: dict[str, Counter] = {}
    for each in outcomes:
        counts = found.setdefault(each.kind, Counter())
        counts[each.ended] += 1
        counts["injected"] += each.ended != SKIPPED
    return found


def write(folder: Path, outcomes: list[Outcome], about: dict[str, Any]) -> None:
    """Write report.md and report.json."""
    content = {**about, "faults": [asdict(each) for each in outcomes]}
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (folder / "report.json").write_text(f"{text}\n", encoding="utf-8")
    (folder / "report.md").write_text(markdown(outcomes, about), encoding="utf-8")


def read(path: Path) -> tuple[list[Outcome], dict[str, Any]]:
    """Read a report.json: outcomes, and what it says beside them."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return [Outcome(**each) for each in content.pop("faults")], content


def markdown(outcomes: list[Outcome], about: dict[str, Any]) -> str:
    """The report for readers."""
    found = counted(outcomes)
    rows = [[kind, *(str(counts[x]) for x in COLUMNS[1:])] for kind, counts in found.items()]
    total = sum(found.values(), Counter())
    rows.append(["**all**", *(f"**{total[x]}**" for x in COLUMNS[1:])])
    lines = ["# Faults on demand", "", *(f"- {key}: {value}" for key, value in about.items())]
    lines += [f"- {end}: {meaning}" for end, meaning in ENDS.items()]
    lines += ["", _row(COLUMNS), _row([":--", *["--:"] * (len(COLUMNS) - 1)]), *map(_row, rows)]
    for end in (FAILED, SKIPPED):
        listed = [f"- {x.kind}, {x.what}: {x.said}" for x in outcomes if x.ended == end]
        lines += ["", f"## {end}", "", *listed] if listed else []
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
