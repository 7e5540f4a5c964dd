"""`cr5 search`: find the nearest texts of each query, in an index or a run's documents."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cr5.app import batches, output, place, texts
from cr5.app.texts import Text
from cr5.base.errors import UserError
from cr5.models.store import is_model
from cr5.retrieval.given import check_texts
from cr5.retrieval.index import Index, open_index
from cr5.retrieval.index_json import is_index
from cr5.retrieval.loading import check_unchosen, not_there
from cr5.retrieval.results import Results, is_results
from cr5.retrieval.run_documents import documents_of
from cr5.retrieval.searching import Collection, Hit, check_k
from cr5.retrieval.why import why

BATCH = 100
COLUMNS = ("rank", "score", "language", "id", "title")
PAIRS = 3  # of words shown per hit
LEAST = 0.0005  # of a score, which three digits show as 0.001


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    place.add(parser, "folder of an index, or of a run")
    parser.add_argument("--from", dest="language", required=True, help="language of the queries")
    parser.add_argument(
        "--to",
        help="languages to search, such as it,da; if not given, all but that of the queries, which "
        "is searched only if an index has no other",
    )
    parser.add_argument("-k", type=int, default=10, help="how many texts to find (10)")
    parser.add_argument(
        "--measure",
        help="cosine, csls or another that the model has; "
        "by default csls if the model keeps training documents, else its first",
    )
    parser.add_argument("--model", help="where the model of an index is, if it was moved")
    parser.add_argument(
        "--why", action="store_true", help="show the words that brought each text near (of a run)"
    )
    output.add(parser)
    texts.add(parser)


def run(given: argparse.Namespace) -> None:
    """For each query print a table of its hits, or JSON with the system and `hits` in a line."""
    check_k(given.k)
    to = _targets(given.to)
    collection = _collection(given, to)
    if given.why and isinstance(collection, Index):
        raise UserError(
            f"{collection.path}: an index keeps no texts, so --why cannot name the words; search "
            "a run, or give two texts to cr5.why in Python"
        )
    made_by = place.made_by(collection.model)
    for batch in batches.read(given, BATCH):
        found, ids = check_texts(x.text for x in batch), [x.id for x in batch]
        counts = collection.model.count_known(found, given.language, names=ids)
        hits = collection.search_counts(counts, given.language, given.k, given.measure, to)
        contents = _contents(Results(Path(given.place)), hits) if given.why else {}
        for query, every in zip(batch, hits, strict=True):
            rows = [_row(number, hit) for number, hit in enumerate(every, start=1)]
            if given.why:
                asked = collection.model, query.text, given.language
                for row, hit in zip(rows, every, strict=True):
                    text = contents[hit.language, hit.id]
                    said = why(*asked, text, hit.language, PAIRS)
                    row["why"] = [pair for pair in said.pairs if pair[-1] >= LEAST]
                    if said.matches:
                        row["matches"] = said.matches
            _write(query, rows, made_by, given)
        sys.stdout.flush()  # readers of a pipe need not wait for the next batch


def _targets(given: str | None) -> list[str] | None:
    if given is None:
        return None
    if not (found := [x.strip() for x in given.split(",") if x.strip()]):
        raise UserError(
            f"--to {given!r} names no language: write some, such as it,da, or leave it out"
        )
    return found


def _collection(given: argparse.Namespace, to: Sequence[str] | None) -> Collection:
    path = Path(given.place)
    if is_index(path):
        chosen = (given.system, given.setting, given.repetition)
        check_unchosen(path, "an index, of one model", *chosen)
        index = open_index(path, given.model, place.classes(given))
        place.say(f"{path}: {place.named(index.model)}")
        return index
    if is_model(path):
        raise UserError(
            f"{path}: a model, which has no texts to search: embed yours with it (`cr5 index "
            f"{path} FOLDER --language LANGUAGE --file FILE`), and search FOLDER"
        )
    if not is_results(path):
        raise not_there(
            path,
            "neither an index nor a run",
            "a folder that `cr5 index` made, which has an index.json, or that of a run of the "
            "workflow, such as results/libreoffice_help",
        )
    if given.model:
        raise UserError("--model says where the model of an index is; for a run write --system")
    return _of_run(Results(path), given, to)


def _of_run(results: Results, given: argparse.Namespace, to: Sequence[str] | None) -> Collection:
    """The run's documents in the required languages, embedded anew."""
    model = place.model(given)
    model.check_language(given.language)
    wanted = to or [x for x in model.languages if x != given.language]
    if given.measure == "csls" and model.model.bank is None:
        wanted = [*wanted, given.language]
    for language in wanted:
        model.check_language(language)
    return documents_of(results, model, wanted)


def _contents(results: Results, found: Sequence[Sequence[Hit]]) -> dict[tuple[str, str | int], str]:
    """Texts of all hits, by language and id; documents of a language are read once."""
    wanted = {(hit.language, hit.id) for hits in found for hit in hits}
    return {
        (language, identity): text
        for language in sorted({language for language, _ in wanted})
        for identity, _, text in results.texts(language)
        if (language, identity) in wanted
    }


def _row(rank: int, hit: Hit) -> dict[str, Any]:
    return {
        "rank": rank,
        "score": round(hit.score, 7),
        "language": hit.language,
        "id": hit.id,
        "title": hit.title,
    }


def _write(
    query: Text,
    rows: list[dict[str, Any]],
    made_by: dict[str, str | int | None],
    given: argparse.Namespace,
) -> None:
    if not output.wants_table(given):
        print(output.as_line({"query": query.id, **made_by, "hits": rows}))
        return
    added = [name for name in ("why", "matches") if any(name in row for row in rows)]
    shown = [row | {name: _words(row.get(name, [])) for name in added} for row in rows]
    print(_shortened(query.text))
    output.write_table(shown, (*COLUMNS, *added))
    print(flush=True)


def _words(pairs: Sequence[tuple[str, str, float]]) -> str:
    """Format pairs of words; a part that comes from no word has an empty one."""
    return ", ".join(f"{x or '*'}/{y or '*'} {part:.3f}" for x, y, part in pairs)


def _shortened(text: str, width: int = 78) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"
