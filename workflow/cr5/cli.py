"""The command `cr5`: what its commands do, their arguments, and what becomes of errors."""

import argparse
import json
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cr5 import __version__, cli_texts
from cr5.base.artefacts import ABOUT, NO_JOB, Job
from cr5.base.errors import UserError, needed
from cr5.base.files import check_free
from cr5.cli_texts import Columns, Text

if TYPE_CHECKING:
    from cr5.models.contract import Model
    from cr5.retrieval.embedder import Embedder

BATCH = 100  # texts searched at a time
PAIRS = 3  # of words shown per hit
LEAST = 0.0005  # of a score, which three digits show as 0.001
SHOWN = 5  # of several ids


def info(given: Namespace) -> None:
    """Say what a model, an index or a run holds: a row per model, per language, or per key."""
    from cr5 import keys

    if given.schema:
        print(json.dumps(keys.schema(), indent=1))
    elif given.options:
        cli_texts.write([row._asdict() for row in keys.rows(given.options)])
    else:
        cli_texts.write(_contents(given))


def _contents(given: Namespace) -> list[dict[str, Any]]:
    from cr5.models import store
    from cr5.retrieval.loading import is_results, models
    from cr5.retrieval.opening import is_index, open_index

    if is_index(given.place):
        found = open_index(given.place, **_choice(given))
        return [{"language": x, "texts": n} for x, n in found.sizes.items()]
    if is_results(given.place) and not (given.system or given.setting):
        every = models(given.place)
        return [x | {"languages": ", ".join(store.about(x["path"])["languages"])} for x in every]
    model = _model(given)
    measures = ", ".join(model.measures)
    words = model.model.words.items()
    return [{"language": x, "words": len(each), "measures": measures} for x, each in words]


def fit(given: Namespace) -> None:
    """Fit a system to texts of your own."""
    from cr5.from_texts import fit

    check_free(given.out)
    texts, concepts = cli_texts.of_languages(given.file, _columns(given))
    options = dict(map(cli_texts.option, given.set))
    model = fit(texts, given.system or "best", concepts, _say, **options)
    model.save(given.out)
    _say(f"{given.out}: {model.about['system']} of {', '.join(model.languages)}")


def embed(given: Namespace) -> None:
    """Turn texts into vectors: JSON lines with `id` and `vector`."""
    import numpy as np

    model, texts = _model(given), _texts(given)
    rows = model.embed([x.text for x in texts], given.language, given.target_language)
    if not isinstance(rows, np.ndarray):
        raise UserError(
            f"{model.place}: its vectors are as wide as the vocabulary, and nearly all zeros; "
            "`cr5 search` compares them"
        )
    for text, row in zip(texts, rows, strict=True):
        print(cli_texts.as_line({"id": text.id, "vector": row.tolist()}))


def index(given: Namespace) -> None:
    """Keep embedded texts in a folder, to be searched; remove some, and add others."""
    from cr5.retrieval.index import Index
    from cr5.retrieval.opening import is_index, open_index

    model = _model(given)
    if is_index(given.out):
        made = open_index(given.out, classes=_classes(given))
    else:
        check_free(given.out)
        made = Index(model)
    if made.model.about != model.about:
        raise UserError(f"{given.out}: an index of another model than {given.place}; name that")
    if given.remove:
        made.remove(given.remove, given.language)
    if given.file or not given.remove:
        if given.language is None:
            raise UserError(
                "--language: name the language of the texts: "
                f"cr5 index {given.place} {given.out} --language CODE --file FILE"
            )
        texts = cli_texts.read([], given.file, given.language, _columns(given))
        ids, contents, titles = zip(*texts, strict=True)
        if unknown := made.add(ids, contents, given.language, titles):
            _say(
                f"{len(unknown):,} of {len(ids):,} texts have no word that the model knows and "
                f"are never found: {', '.join(unknown[:SHOWN])}"
            )
    made.save(given.out)
    sizes = ", ".join(f"{n:,} texts in {language!r}" for language, n in made.sizes.items())
    _say(f"{given.out}: {sizes or 'no text is left'}")


def search(given: Namespace) -> None:
    """Find the nearest texts in other languages."""
    from cr5.retrieval.embedder import why
    from cr5.retrieval.opening import open_index

    to = [x.strip() for x in given.to.split(",") if x.strip()] if given.to else None
    index = open_index(given.place, **_choice(given))
    model, k = _told(index.model, given), 10 if given.k is None else given.k
    made_by = {x: model.about.get(x) for x in ("system", "setting", "repetition")}
    texts = _texts(given)
    for batch in (texts[x : x + BATCH] for x in range(0, len(texts), BATCH)):
        hits = index.search([x.text for x in batch], given.language, k, given.measure, to)
        for query, every in zip(batch, hits, strict=True):
            if not every:
                _say(f"text {query.id}: the model knows none of its words")
            rows = []
            for rank, hit in enumerate(every, start=1):
                about = {"language": hit.language, "id": hit.id, "title": hit.title}
                rows.append({"rank": rank, "score": round(hit.score, 7), **about})
                if given.why:
                    said = why(model, query.text, given.language, hit.text, hit.language, PAIRS)
                    rows[-1]["why"] = [pair for pair in said.pairs if pair[-1] >= LEAST]
                    rows[-1] |= {"matches": said.matches} if said.matches else {}
            if cli_texts.wants_table():
                cli_texts.write_hits(query.text, rows)
            else:
                print(cli_texts.as_line({"query": query.id, **made_by, "hits": rows}))


def align(given: Namespace) -> None:
    """Pair the texts of two collections of your own, one to one."""
    from cr5.retrieval.alignment import CANDIDATES, align

    model, columns = _model(given), _columns(given)
    first = cli_texts.read_file(given.first, given.language, columns)
    second = cli_texts.read_file(given.second, given.to, columns)
    texts = [x.text for x in first], given.language, [x.text for x in second], given.to
    pairs = align(model, *texts, CANDIDATES if given.k is None else given.k, given.measure)
    rows = [
        {"first": first[x].id, "second": second[y].id, "score": round(score, 7)}
        for x, y, score in pairs
    ]
    pairs_of = f"{len(rows):,} pairs of {len(first):,} texts and {len(second):,}"
    _say(f"{pairs_of}, each of which depends on all texts (transductive)")
    cli_texts.write(rows)


def export(given: Namespace) -> None:
    """Write a model for other programs, or in one file to share."""
    from cr5.counts.tokens import tokenise
    from cr5.models import export
    from cr5.models.store import ENDING

    kind = given.format
    if kind == export.PACKED and not given.out.endswith(ENDING):
        raise UserError(f"{given.out}: let the name of a packed model end in {ENDING}")
    embedder = _model(given)
    if kind == "static" and embedder.tokens != tokenise:
        raise UserError(
            f"{given.place}: its words are not runs of letters in lower case, which a static model "
            "finds: export it in another format"
        )
    model, lost = export.write(kind, given.out, embedder.model, embedder.about)
    if lost:
        _say(lost)
    _say(f"{given.out}: {sum(map(len, model.words.values())):,} words")


def explore(given: Namespace) -> None:
    """Write a page to look through what a run found, of chosen systems beside the run's own."""
    from cr5.explore import page, serve

    run = Path(given.place)
    systems = given.system.split(",") if given.system else []
    chosen = [x for x in (given.setting, *systems) if x]
    out = Path(given.out or run / "-".join(["explore", *chosen]))
    setting, places = page.find(run, page.ranked(run), given.setting, systems)
    job = NO_JOB
    if not given.out:  # it is of the run, which `cr5 verify` looks through
        job = Job.reading(run, {}, dict.fromkeys(places.values()))
    page.write(run, out, setting, places, job)
    if not given.serve:
        _say(f"{out / 'index.html'}: open it in a browser")
        return
    with serve.server(out, serve.answers(run, setting, _classes(given))) as server:
        _say(f"Open http://127.0.0.1:{server.server_port} in a browser; Ctrl-C ends it")
        server.serve_forever()


def verify(given: Namespace) -> None:
    """Compare a run's files with what its jobs wrote and read."""
    from cr5.base.verification import differences

    results = Path(given.place)
    if not any((results / x).is_dir() for x in ("bags", "models")):
        raise UserError(f"{results}: not the folder of a run, such as results/NAME")
    started_in = _started_in(results)
    if found := [*differences(results, started_in)]:
        said = f"{results} is not what the run made. Remove what is named in it, and run again"
        raise UserError("\n".join([said, *found]))
    n = sum(1 for _ in results.rglob(ABOUT))
    print(f"{n} results and all of their files are as the run made them.")
    if started_in is None:
        _say("Its inputs were not looked for: call this in the folder that the run was started in.")


def _started_in(results: Path) -> Path | None:
    """Return the folder that a run was started in: the one from which most inputs are found.

    It has snakemake's notes, and may be above the results, or be where the user stands. None if
    it has no notes there, and none of the inputs.
    """
    from cr5.base.verification import inputs_of

    inputs = inputs_of(results)
    above = [*results.absolute().parents, *results.resolve().parents]
    noted = [x for x in above if (x / ".snakemake").is_dir()]
    folders = [*noted, Path(os.environ.get("CR5_CALLED_FROM", ".")), Path.cwd()]
    found = {folder: sum((folder / x).exists() for x in inputs) for folder in folders}
    most = max(folders, key=found.__getitem__)  # the first of them
    return most if noted or found[most] or not inputs else None


def _model(given: Namespace) -> "Embedder":
    """Load the model given in the arguments."""
    from cr5.retrieval.loading import load

    return _told(load(given.place, **_choice(given)), given)


def _told(model: "Embedder", given: Namespace) -> "Embedder":
    """Say which model it is, if it is one of a run."""
    from cr5.retrieval.loading import is_results

    if is_results(given.place):
        made = (f"{x} {model.about[x]}" for x in ("system", "setting") if model.about.get(x))
        by_score = "" if given.system and given.setting else ", the best that is there"
        _say(f"{given.place}: {', '.join(made)}{by_score}")
    return model


def _choice(given: Namespace) -> dict[str, Any]:
    """Which model of a run, as `load` and `open_index` take it."""
    names = {x: getattr(given, x) for x in ("system", "setting", "repetition")}
    return {**names, "classes": _classes(given)}


def _classes(given: Namespace) -> "list[type[Model]]":
    from cr5.base.catalogue import load_module
    from cr5.models.store import classes_in

    return classes_in(load_module(Path(given.module))) if given.module else []


def _columns(given: Namespace) -> Columns:
    return Columns(given.text, given.id, given.title)


def _texts(given: Namespace) -> list[Text]:
    return cli_texts.read(given.texts, given.file, given.language, _columns(given))


def _say(message: str) -> None:
    """Tell the user something that is no result."""
    print(message, file=sys.stderr, flush=True)


CHOICE = "--system --setting --repetition --module"
COLUMNS = "--text --id --title"
COMMANDS = {  # their arguments: ! needed, ? the folder where one is
    info: f"place? {CHOICE} --options --schema",
    fit: f"file -o/--out! --system --set {COLUMNS}",
    embed: f"place {CHOICE} --language! --target-language texts --file {COLUMNS}",
    index: f"place out {CHOICE} --language --remove --file {COLUMNS}",
    search: f"place {CHOICE} --from --to -k --measure --why texts --file {COLUMNS}",
    align: f"place first second {CHOICE} --from --to! -k --measure {COLUMNS}",
    export: f"place format out {CHOICE}",
    explore: "place -o/--out --system --setting --module --serve",
    verify: "place",
}
MANY = {"action": "append", "default": []}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "place": {"help": "folder of a run or a model, or its file NAME.cr5; to search, an index too"},
    "file": {
        "nargs": "+",
        "metavar": "LANGUAGE=FILE",
        "help": "texts of a language: a table or JSON lines with `concept` for texts about the "
        "same thing; or a text a line, those of one number together",
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
        **MANY,
        "metavar": "KEY=VALUE",
        "help": "an option of the system, rank=100, ridges=[0.1,1], or a section of the "
        'configuration, bags={"min_documents": 2}, as JSON',
    },
    "--remove": {**MANY, "help": "id of a text to be removed"},
    "--file": {
        **MANY,
        "help": "texts in CSV, TSV, Parquet or JSON lines, or a text a line; - is standard input",
    },
    "--text": {"default": "text", "help": "column of the texts (text, or text_en of English)"},
    "--id": {"help": "column of their ids (id, or concept; fit: concept, or id)"},
    "--title": {"default": "title", "help": "column of their titles (title)"},
    "-k": {"type": int, "help": "how many texts are found for one (10), or considered (20)"},
    "--measure": {"help": "cosine, csls or another that the model has"},
    "--why": {"action": "store_true", "help": "show the words that did it"},
    "-o/--out": {"help": "what is written"},
    "--serve": {
        "action": "store_true",
        "help": "serve the page on this machine: there it also finds words that are typed",
    },
}


def entry() -> None:
    """Entry point for the shell; leaves nothing half-written even if ended by SIGTERM."""
    signal.signal(signal.SIGTERM, _end)
    if sys.stdout is None:
        sys.exit("cr5: standard output is closed: nothing can be printed")
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    main()


def _end(*_: Any) -> None:
    _say("cr5: ended by a signal (SIGTERM); nothing is left half-written")
    sys.exit(128 + signal.SIGTERM)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; exits with 1 for a user error, 2 for an error in the arguments."""
    name, *rest = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    every, commands = parsers()
    if name not in commands:
        every.parse_args([name])
    given = commands[name].parse_intermixed_args(rest)
    try:
        with needed("workflow" if name == "explore" else "fit"):
            given.run(given)
        sys.stdout.flush()
    except UserError as error:
        sys.exit(f"cr5 {name}: {error}")
    except BrokenPipeError:  # the reader has enough, as with `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    except (OSError, MemoryError) as error:
        sys.exit(f"cr5 {name}: {error or 'there is not enough memory'}")


def parsers() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """Return what reads the arguments of any command, and of each by its name."""
    every = argparse.ArgumentParser("cr5", description="Use what the workflow has fitted.")
    every.add_argument("--version", action="version", version=f"cr5 {__version__}")
    commands = every.add_subparsers(required=True, metavar="COMMAND")
    for run, arguments in COMMANDS.items():
        command = commands.add_parser(run.__name__, help=run.__doc__, description=run.__doc__)
        command.set_defaults(run=run)
        for each in arguments.split():
            argument = each.rstrip("?!")
            more = {"required": True} if each.endswith("!") else {}
            more |= {"nargs": "?", "default": "."} if each.endswith("?") else {}
            command.add_argument(*argument.split("/"), **ARGUMENTS[argument], **more)
    return every, commands.choices
