"""What `cr5 search` prints of a query: its hits, and what adds up to their scores."""

from argparse import Namespace
from collections.abc import Sequence
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from cr5 import cli_texts
from cr5.cli_texts import Text

if TYPE_CHECKING:
    from cr5.retrieval.embedder import Embedder
    from cr5.retrieval.hits import Hit
    from cr5.retrieval.index import Index

WIDTH = 78  # of a query above its hits
N_PAIRS = 3  # of words shown per hit
MIN_PART = 0.0005  # of a score, which three digits show as 0.001
DIGITS = 7  # of a score, of which float32 has no more


def write(query: Text, hits: "Sequence[Hit]", index: "Index", arguments: Namespace) -> None:
    """Print the hits of a query: as a table for people, as a JSON line for programs."""
    source = source_of_scores(index.model, arguments.measure)
    rows = []
    for rank, hit in enumerate(hits, start=1):
        row = {
            "rank": rank,
            "score": round(hit.score, DIGITS),
            "language": hit.language,
            "id": hit.id,
            "title": hit.title,
        }
        if hit.measure != source["measure"]:  # it stands behind those whose words were matched
            row["measure"] = hit.measure
        if arguments.why:
            row |= _reasons(query, hit, index, arguments)
        rows.append(row)
    if cli_texts.wants_table():
        print(shorten(query.text, WIDTH, placeholder="…"))
        cli_texts.write_table(rows)
        print(flush=True)
        return
    print(cli_texts.as_line({"query": query.id, **source, "hits": rows}))


def source_of_scores(model: "Embedder", measure: str | None) -> dict[str, Any]:
    """Return what JSON says of each answer: the model that gave it, and the measure of scores."""
    source = {key: model.about.get(key) for key in ("system", "setting", "repetition")}
    source["measure"] = model.scoring(measure).name
    return source


def _reasons(query: Text, hit: "Hit", index: "Index", arguments: Namespace) -> dict[str, Any]:
    """Return what adds up to the score of a hit: pairs of words, matches, what corrects hubs."""
    summands = index.why(query.text, arguments.query_language, hit, N_PAIRS)
    pairs = [pair for pair in summands.pairs if pair[-1] >= MIN_PART]
    reasons: dict[str, Any] = {"why": pairs}
    if summands.matches:
        reasons["matches"] = summands.matches
    if summands.correction:
        reasons["correction"] = round(summands.correction, DIGITS)
    listed = sum(part for _, _, part in pairs) + sum(part for _, _, part in summands.matches)
    reasons["rest"] = round(hit.score - listed - summands.correction, DIGITS)
    return reasons
