"""A short summary of a stage's results, from the files that its jobs made."""

import csv
import json
from collections.abc import Callable, Iterable
from pathlib import Path


def found(stage: str, outputs: Iterable[str]) -> str:
    """Summarise a finished stage; empty if its files cannot be read."""
    look = FOUND.get(stage)
    try:
        return look([Path(x) for x in outputs]) if look else ""
    except (OSError, ValueError, KeyError, TypeError, StopIteration):
        return ""


def _documents(outputs: list[Path]) -> str:
    languages = [x.stem for x in outputs if x.parent.name == "documents" and x.suffix != ".json"]
    return ", ".join(sorted(languages))


def _bags(outputs: list[Path]) -> str:
    read = [json.loads((x / "summary.json").read_text()) for x in outputs if x.is_dir()]
    documents = sum(x["documents"] for x in read)
    kept = sum(x["kept_documents"] for x in read)
    words = sum(x["words"] for x in read)
    dropped = f"{documents - kept:,} of {documents:,} documents dropped by bags.unique_words"
    said = dropped if kept < documents else f"{documents:,} documents"
    worst = max(read, key=lambda x: 1 - x["kept_documents"] / max(1, x["documents"]))
    if kept < documents and len(read) > 1:
        share = 1 - worst["kept_documents"] / worst["documents"]
        said += f" ({worst['language']}: {share:.0%})"
    return f"{said}; {words:,} words"


def _scores(outputs: list[Path]) -> str:
    with next(x for x in outputs if x.name == "means.csv").open(encoding="utf-8") as file:
        rows = [x for x in csv.DictReader(file) if x["value"]]
    keys = ("setting", "task", "similarity", "metric")
    column = [rows[0][x] for x in keys]
    best = max((x for x in rows if [x[y] for y in keys] == column), key=lambda x: float(x["value"]))
    setting, task, similarity, metric = column
    figure = f"{metric} {100 * float(best['value']):.1f}"
    return f"best of {setting}, {task}, {similarity}: {best['system']}, {figure}"


FOUND: dict[str, Callable[[list[Path]], str]] = {
    "corpus": _documents,
    "bags": _bags,
    "scores": _scores,
}
