"""What became of parallel sentences, in words for the notes of a table."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from cr5.corpora import aligned
from cr5.report.markup import count_cell


def about(folder: str | Path) -> dict[str, Any]:
    """Read what `corpora.aligned` wrote of a bundle: name, languages, pairs and their counts."""
    return aligned.about(folder)


def notes(bundles: Iterable[Mapping[str, Any]], languages: Sequence[str]) -> list[str]:
    """Say of each pair how many sentences were left out and why, and which pairs have none.

    Args:
        bundles: what `about` tells of each; none for tasks without parallel text.
        languages: of the configuration.
    """
    bundles = list(bundles)
    if not bundles:
        return []
    said = [_bundle(bundle) for bundle in bundles]
    known = {frozenset((x["first"], x["second"])) for bundle in bundles for x in bundle["pairs"]}
    lacking = [x for x in combinations(sorted(languages), 2) if frozenset(x) not in known]
    if lacking:
        said.append(f"No parallel file: {', '.join(map('–'.join, lacking))}.")
    return said


def _bundle(bundle: Mapping[str, Any]) -> str:
    of_corpus, least = bundle["of_corpus"], bundle["min_words"]
    what = "Paragraphs that a language of the pair has" if of_corpus else "Parallel lines"
    empty = "in one of them only" if of_corpus else "empty"
    reasons = {"empty": empty, "double": "with the words of another"}
    if least > 1:
        reasons["short"] = f"of fewer than {least} words"
    pairs = [_pair(pair, reasons) for pair in bundle["pairs"]]
    return f"{what}: {'; '.join(pairs)}. The others can be asked for."


def _pair(pair: Mapping[str, Any], reasons: Mapping[str, str]) -> str:
    left_out = ", ".join(f"{count_cell(pair[key])} {said}" for key, said in reasons.items())
    return f"{pair['first']}–{pair['second']} {count_cell(pair['lines'])}, of these {left_out}"
