"""What became of all faults: counts on the terminal, and each of them as JSON."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.faults.bench import ENDS, SKIPPED, Outcome


def counted(outcomes: Iterable[Outcome]) -> dict[str, Counter]:
    """Per kind, how many ended how; what was not injected counts as skipped alone."""
    found: dict[str, Counter] = {}
    for each in outcomes:
        counts = found.setdefault(each.kind, Counter())
        counts[each.ended] += 1
        counts["injected"] += each.ended != SKIPPED
    return found


def lines(outcomes: Iterable[Outcome]) -> list[str]:
    """A line for each kind, and one for all."""
    found = counted(outcomes)
    found["all"] = sum(found.values(), Counter())
    return [
        f"{kind}: {', '.join(f'{counts[x]} {x}' for x in ('injected', *ENDS))}"
        for kind, counts in found.items()
    ]


def write(folder: Path, outcomes: list[Outcome], about: dict[str, Any]) -> None:
    """Write report.json."""
    content = {**about, "faults": [asdict(each) for each in outcomes]}
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (folder / "report.json").write_text(f"{text}\n", encoding="utf-8")
