"""The command `cr5`: a function and its arguments for each command."""

import argparse
import inspect
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, NamedTuple

from cr5 import __version__, cli_texts
from cr5.base import extras
from cr5.base.errors import UserError
from cr5.cli_texts import Columns, Text

if TYPE_CHECKING:
    from cr5.models.contract import Model
    from cr5.retrieval.embedder import Embedder
    from cr5.retrieval.index import Index

BATCH = 100  # texts embedded or searched at a time
PAIRS = 3  # of words shown per hit
LEAST = 0.0005  # of a score, which three digits show as 0.001
SHOWN = 5  # of several ids
HIT = ("rank", "score", "language", "id", "title")
Given = argparse.Namespace
Run = Callable[[Given], None]


ARGUMENTS: dict[str, dict[str, Any]] = {
    "place": {"help": "folder of a run or a model, or its file NAME.cr5; to search, an index too"},
    "file": {
        "nargs": "+",
        "help": "texts of a language, LANGUAGE=FILE or texts.en.jsonl: a table or JSON lines with "
        "`concept` for texts about the same thing; or a text a line, those of one number together",
    },
    "out": {"help": "folder to write; of a packed model the file, NAME.cr5"},
    "first": {"metavar": "A", "help": "file of texts"},
    "second": {"metavar": "B", "help": "file of texts of the other language"},
    "texts": {"nargs": "*", "metavar": "TEXT"},
    "format": {
        "choices": ["word2vec", "static", "packed"],
        "help": "word2vec: vectors that gensim reads; static: for model2vec and "
        "sentence-transformers; packed: the whole model in one small file",
    },
    "--system": {"help": "its name: of a run (that of the highest Success@1), or to be fitted"},
    "--setting": {"help": "which one of a run (likewise)"},
    "--repetition": {"type": int, "default": 1, "help": "which one of a run (1)"},
    "--module": {"help": "file of a model's class, if it is one of your own; it is run"},
    "--options": {"metavar": "NAME", "help": "the keys of a part or section: cr5, mine.py, splits"},
    "--schema": {"action": "store_true", "help": "the JSON schema of configurations"},
    "--language": {"help": "of the texts"},
    "--target-language": {"help": "of what is compared with them, where a model asks for it"},
    "--from": {"dest": "language", "required": True, "help": "language of the first texts"},
    "--to": {"help": "language of the second ones; to search several, it,da (all others)"},
    "--set": {
        "action": "append",
        "default": [],
        "metavar": "KEY=VALUE",
        "help": "an option of the system, rank=100, or a key of the configuration, "
        "bags.min_documents=2; lists as JSON, ridges=[0.1,1]",
    },
    "--remove": {"action": "append", "default": [], "help": "id of a text to be removed"},
    "--file": {
        "action": "append",
        "default": [],
        "help": "texts in CSV, TSV, Parquet or JSON lines, or a text a line; - is standard input",
    },
    "--text": {"default": "text", "help": "column of the texts (text, or text_en of English)"},
    "--id": {"help": "column of their ids (id, or concept)"},
    "--title": {"default": "title", "help": "column of their titles (title)"},
    "-k": {"type": int, "help": "how many texts are found for one (10), or considered (20)"},
    "--measure": {"help": "cosine, csls or another that the model has"},
    "--why": {"action": "store_true", "help": "show the words that did it"},
    "--out": {"help": "what is written"},
    "--queries": {"type": int, "default": 500, "help": "of a direction, to choose from (500)"},
    "--exact": {"action": "store_true", "help": "of packed: keep every number as it is"},
    "--json": {"dest": "form", "action": "store_const", "const": "json", "help": "as JSON lines"},
    "--table": {"dest": "form", "action": "store_const", "const": "table", "help": "as a table"},
}
SHORT = {"--out": ("-o",)}
CHOICE = "--system --setting --repetition --module"
COLUMNS = "--text --id --title"
FORM = "--json --table"


class Command(NamedTuple):
    """What runs a command; its `ARGUMENTS` (! needed, ? not), and the extra that it needs."""

    run: Run
    arguments: str
    extra: str

    @property
    def purpose(self) -> str:
        """The first line of the function's docstring."""
        return inspect.getdoc(self.run).partition("\n")[0]


COMMANDS: dict[str, Command] = {}


def command(arguments: str, extra: str = "fit") -> Callable[[Run], Run]:
    """Make a function a command of its name."""

    def registered(run: Run) -> Run:
        COMMANDS[run.__name__] = Command(run, arguments, extra)
        return run

    return registered


@command(f"place? {CHOICE} --options --schema {FORM}")
def info(given: Given) -> None:
    """Say what a model, an index or a run holds: a row per model, per language, or per key."""
    from cr5.models import store
    from cr5.retrieval.index import is_index, open_index
    from cr5.retrieval.loading import Results, is_results

    if given.schema:
        from cr5.keys import schema

        print(json.dumps(schema(), indent=1))
        return
    if given.options:
        from cr5.keys import rows

        found = [row._asdict() for row in rows(given.options)]
    elif not given.place:
        raise UserError("say of what: the place of a model, an index or a run, or --options NAME")
    elif is_index(given.place):
        index = open_index(given.place, _classes(given))
        found = [
            {"language": x, "texts": n, "unknown": index.unknown[x]} for x, n in index.sizes.items()
        ]
    elif is_results(given.place) and not (given.system or given.setting):
        found = [
            {
                "setting": x.setting,
                "system": x.system,
                "repetition": x.repetition,
                "languages": ", ".join(store.about(x.folder)["languages"]),
                "path": str(x.folder),
            }
            for x in Results(Path(given.place)).models()
        ]
    else:
        model = _model(given)
        measures = ", ".join(model.measures)
        sizes = {x: len(words) for x, words in model.model.words.items()}
        found = [{"language": x, "words": n, "measures": measures} for x, n in sizes.items()]
    cli_texts.write(found, given.form, [*found[0]] if found else [])


@command(f"file --out! --system --set {COLUMNS} {FORM}")
def fit(given: Given) -> None:
    """Fit a system to texts of your own, and print a row for each language."""
    from cr5.base.files import check_free
    from cr5.from_texts.fit import fit

    check_free(given.out)
    concepts, texts = cli_texts.of_concepts(given.file, _columns(given))
    options, system = _options(given.set), given.system or "best"
    model = fit(texts, system, concepts=concepts, progress=_say, **options)
    model.save(given.out)
    columns = ("path", "language", "documents", "words")
    rows = [
        {"path": given.out, "language": x, **{y: model.about[y][x] for y in columns[2:]}}
        for x in model.languages
    ]
    cli_texts.write(rows, given.form, columns)


def _options(given: Iterable[str]) -> dict[str, Any]:
    """Read KEY=VALUE; a dot in a key is a section."""
    found: dict[str, Any] = {}
    for each in given:
        key, equals, value = each.partition("=")
        if not (equals and key):
            raise UserError(f"--set {each}: expected KEY=VALUE")
        *sections, last = key.split(".")
        place = found
        for section in sections:
            place = place.setdefault(section, {})
            if not isinstance(place, dict):
                raise UserError(f"--set {each}: {section} has a value already")
        try:
            place[last] = json.loads(value)
        except ValueError:
            place[last] = value
    return found


@command(f"place {CHOICE} --language! --target-language --out texts --file {COLUMNS}")
def embed(given: Given) -> None:
    """Turn texts into vectors: JSON lines with `id` and `vector`, or an array."""
    import numpy as np

    from cr5.base.files import atomic_file

    if given.out and not given.out.endswith(".npy"):
        raise UserError(f"{given.out}: an array of numpy is written, so let the name end in .npy")
    model, language, target = _model(given), given.language, given.target_language
    found = []
    for batch in _batches(given):
        texts, names = [x.text for x in batch], [x.id for x in batch]
        counts = model.count_known(texts, language, target, names)
        rows = model.embed_counts(counts, language, target)
        if not isinstance(rows, np.ndarray):
            raise UserError(
                f"{model.place}: its vectors are as wide as the vocabulary, and nearly all "
                "zeros; `cr5 search` compares them"
            )
        if given.out:
            found.append(rows)
            continue
        for text, row in zip(batch, rows.tolist(), strict=True):
            print(cli_texts.as_line({"id": text.id, "vector": row}))
    if given.out:
        with atomic_file(given.out) as path, path.open("wb") as file:
            np.save(file, np.vstack(found))
        _say(f"{given.out} is written")


@command(f"place out {CHOICE} --language --remove --file {COLUMNS}")
def index(given: Given) -> None:
    """Keep embedded texts in a folder, to be searched; remove some, and add others."""
    from cr5.retrieval.index import Index, is_index, open_index

    if not (given.file or is_index(given.out)) and given.remove:
        raise UserError(f"{given.out}: not an index, so nothing can be removed from it")
    model, made = _model(given), None
    if is_index(given.out):
        made = open_index(given.out, _classes(given))
        if made.model.about != model.about:
            raise UserError(f"{given.out}: an index of another model than {given.place}; name that")
    made = made or Index(model)
    texts = []
    if given.file or not given.remove:
        if given.language is None:
            raise UserError("--language: name the language of the texts")
        made.model.check_language(given.language)
        texts = list(_texts(given))
    if given.remove:
        made.remove(given.remove, given.language)
    if texts:
        columns = ([getattr(x, name) for x in texts] for name in ("id", "text", "title"))
        ids, contents, titles = columns
        if unknown := made.add(ids, contents, given.language, titles):
            _say(
                f"{len(unknown):,} of {len(texts):,} texts have no word that the model knows and "
                f"are never found: {', '.join(unknown[:SHOWN])}"
            )
    made.save(given.out)
    sizes = ", ".join(f"{n:,} texts in {language!r}" for language, n in made.sizes.items())
    _say(f"{given.out}: {sizes or 'no text is left'}")


@command(f"place {CHOICE} --from --to -k --measure --why {FORM} texts --file {COLUMNS}")
def search(given: Given) -> None:
    """Find the nearest texts in other languages."""
    from cr5.retrieval.why import why

    to = [x.strip() for x in given.to.split(",") if x.strip()] if given.to else None
    index = _index(given, to)
    model, k = index.model, 10 if given.k is None else given.k
    made_by = {x: model.about.get(x) for x in ("system", "setting", "repetition")}
    for batch in _batches(given):
        hits = index.search([x.text for x in batch], given.language, k, given.measure, to)
        for query, every in zip(batch, hits, strict=True):
            if not every:
                _say(f"text {query.id}: the model knows none of its words")
            rows = []
            for rank, hit in enumerate(every, start=1):
                values = rank, round(hit.score, 7), hit.language, hit.id, hit.title
                rows.append(dict(zip(HIT, values, strict=True)))
                if given.why:
                    said = why(model, query.text, given.language, hit.text, hit.language, PAIRS)
                    rows[-1]["why"] = [pair for pair in said.pairs if pair[-1] >= LEAST]
                    rows[-1] |= {"matches": said.matches} if said.matches else {}
            if cli_texts.wants_table(given.form):
                _print_hits(query.text, rows)
            else:
                print(cli_texts.as_line({"query": query.id, **made_by, "hits": rows}))
        sys.stdout.flush()  # readers of a pipe need not wait for the next batch


def _index(given: Given, to: Sequence[str] | None) -> "Index":
    """Open what is searched: an index, or the documents of a run."""
    from cr5.retrieval.index import is_index, of_run, open_index
    from cr5.retrieval.loading import Results, is_results, not_there

    path = Path(given.place)
    if is_index(path):
        if given.system or given.setting:
            raise UserError(f"{path}: an index has a model of its own: no --system, no --setting")
        return open_index(path, _classes(given))
    if not is_results(path):
        raise not_there(path, "neither of these", "an index (`cr5 index`) or a run")
    model = _model(given)
    wanted = to or [x for x in model.languages if x != given.language]
    if given.measure == "csls" and model.model.bank is None:
        wanted = [*wanted, given.language]
    for language in [given.language, *wanted]:
        model.check_language(language)
    return of_run(Results(path), model, wanted)


def _print_hits(query: str, rows: list[dict[str, Any]]) -> None:
    added = [x for x in ("why", "matches") if any(x in row for row in rows)]
    shown = [row | {x: _in_words(row.get(x, [])) for x in added} for row in rows]
    print(shorten(query, 78, placeholder="…"))
    cli_texts.write_table(shown, (*HIT, *added))
    print(flush=True)


def _in_words(pairs: Iterable[tuple[str, str, float]]) -> str:
    return ", ".join(f"{a or '*'}/{b or '*'} {n:.3f}" for a, b, n in pairs)


@command(f"place first second {CHOICE} --from --to! -k --measure {COLUMNS} {FORM}")
def align(given: Given) -> None:
    """Pair the texts of two collections of your own, one to one."""
    from cr5.retrieval.alignment import align

    model, columns = _model(given), _columns(given)
    first = [*cli_texts.read_file(given.first, given.language, columns)]
    second = [*cli_texts.read_file(given.second, given.to, columns)]
    texts = [x.text for x in first], given.language, [x.text for x in second], given.to
    k = {} if given.k is None else {"k": given.k}
    pairs = align(model, *texts, measure=given.measure, **k)
    rows = [
        {
            "first": first[pair.first].id,
            "second": second[pair.second].id,
            "score": round(pair.score, 7),
        }
        for pair in pairs
    ]
    _say(
        f"{len(rows):,} pairs of {len(first):,} texts and {len(second):,}, each in one pair at "
        "most; a pair depends on all texts (transductive): not to be compared with ranks of "
        "single queries"
    )
    cli_texts.write(rows, given.form, ("first", "second", "score"))


@command(f"place format out {CHOICE} --exact {FORM}")
def export(given: Given) -> None:
    """Write a model for other programs, or in one file to share."""
    from cr5.base.files import check_free
    from cr5.counts.tokens import tokenise
    from cr5.models import export
    from cr5.models.store import ENDING

    kind, packed = given.format, given.format == export.PACKED
    if packed and not given.out.endswith(ENDING):
        raise UserError(f"{given.out}: let the name of a packed model end in {ENDING}")
    check_free(given.out)
    embedder = _model(given)
    if kind == "static" and embedder.tokens != tokenise:
        raise UserError(
            f"{given.place}: its words are not runs of letters in lower case, which a static model "
            "finds: export it in another format"
        )
    model, lost = export.write(kind, given.out, embedder.model, embedder.about, given.exact)
    if lost:
        _say(lost)
    path = Path(given.out)
    files = [path] if path.is_file() else [x for x in path.rglob("*") if x.is_file()]
    row = {"path": given.out, "format": kind, "bytes": sum(x.stat().st_size for x in files)}
    row["words"] = sum(map(len, model.words.values()))
    cli_texts.write([row], given.form, [*row])


@command("place --out --system --setting --queries", "workflow")
def explore(given: Given) -> None:
    """Write a page on which to look through what a run found."""
    from cr5.explore import page

    out = Path(given.out or Path(given.place) / "explore")
    systems = given.system.split(",") if given.system else ()
    page.write(given.place, out, systems, given.setting, given.queries)
    _say(f"{out / 'index.html'}: open it in a browser")


@command("place", "workflow")
def verify(given: Given) -> None:
    """Compare a run's files with what its jobs wrote and read."""
    from cr5.base.artefacts import ABOUT, differences

    results = Path(given.place)
    found = [*differences(results)]
    for line in found:
        _say(line)
    if found:
        raise UserError(
            f"{results} is not what the run made: see above. Remove what is named, and run again"
        )
    n = sum(1 for _ in results.rglob(ABOUT))
    if not n:
        raise UserError(f"{results}: nothing in it was made by a run, such as results/NAME")
    print(f"{n} results and all of their files are as the run made them.")


def _model(given: Given) -> "Embedder":
    """Load the model given in the arguments; if it is one of a run, say which."""
    from cr5.retrieval.loading import is_results, load

    chosen = given.system, given.setting, given.repetition
    found = load(given.place, *chosen, _classes(given))
    if is_results(given.place):
        made = (f"{x} {found.about[x]}" for x in ("system", "setting") if found.about.get(x))
        by_score = "" if given.system and given.setting else ", the best that is there"
        _say(f"{given.place}: {', '.join(made)}{by_score}")
    return found


def _classes(given: Given) -> "list[type[Model]]":
    from cr5.base.modules import load_module
    from cr5.models.store import classes_in

    return classes_in(load_module(Path(given.module))) if given.module else []


def _columns(given: Given) -> Columns:
    return Columns(given.text, given.id, given.title)


def _texts(given: Given) -> Iterator[Text]:
    texts = getattr(given, "texts", [])
    return cli_texts.read(texts, given.file, given.language, _columns(given))


def _batches(given: Given) -> Iterator[list[Text]]:
    found = _texts(given)
    while batch := list(islice(found, BATCH)):
        yield batch


def _say(message: str) -> None:
    """Tell the user something that is no result."""
    print(message, file=sys.stderr, flush=True)


def entry() -> None:
    """Entry point for the shell; leaves nothing half-written even if ended by SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if sys.stdout is not None:
        sys.stdout.reconfigure(errors="backslashreplace")  # of letters that a terminal lacks
    main()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; exits with 1 for a user error, 2 for an error in the arguments."""
    name, *rest = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if name not in COMMANDS:
        _overview().parse_args([name, *rest])
    given = parser(name).parse_intermixed_args(rest)
    try:
        if sys.stdout is None:
            raise UserError("standard output is closed: nothing can be printed")
        with extras.needed(COMMANDS[name].extra):
            COMMANDS[name].run(given)
        sys.stdout.flush()
    except UserError as error:
        sys.exit(f"cr5 {name}: {error}")
    except BrokenPipeError:  # the reader has enough, as with `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    except (OSError, MemoryError) as error:
        sys.exit(f"cr5 {name}: {error or 'there is not enough memory'}")


def parser(name: str) -> argparse.ArgumentParser:
    """Return what reads the arguments of a command."""
    found = argparse.ArgumentParser(f"cr5 {name}", description=COMMANDS[name].purpose)
    for each in COMMANDS[name].arguments.split():
        argument = each.rstrip("?!")
        more = {"required": True} if each.endswith("!") else {}
        more |= {"nargs": "?"} if each.endswith("?") else {}
        found.add_argument(*SHORT.get(argument, ()), argument, **ARGUMENTS[argument], **more)
    return found


def _overview() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser("cr5", description="Use what the workflow has fitted.")
    found.add_argument("--version", action="version", version=f"cr5 {__version__}")
    commands = found.add_subparsers(required=True, metavar="COMMAND")
    for name, each in COMMANDS.items():
        commands.add_parser(name, help=each.purpose)
    return found
