"""The command `cr5`: what its commands do, and what becomes of errors."""

import atexit
import gc
import json
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib.util import find_spec
from io import TextIOWrapper
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cr5 import cli_hits, cli_models, cli_texts
from cr5.base.artefacts import ABOUT, NO_JOB, Artefact, Job
from cr5.base.errors import UserError, needed
from cr5.base.files import check_free
from cr5.base.text_files import checked_encoding
from cr5.cli_arguments import parsers
from cr5.cli_hits import DIGITS
from cr5.cli_texts import Columns, Text

if TYPE_CHECKING:
    from cr5.retrieval.index import Index

BATCH = 100  # texts searched at a time
N_SHOWN = 5  # of several ids


def info(arguments: Namespace) -> None:
    """Say what a model, an index or a run holds: a row per model, per language, or per key."""
    from cr5 import keys

    if arguments.schema:
        print(json.dumps(keys.schema(), indent=1))
    elif arguments.options:
        cli_texts.write([row._asdict() for row in keys.rows(arguments.options)])
    else:
        cli_texts.write(_contents(arguments))


def _contents(arguments: Namespace) -> list[dict[str, Any]]:
    from cr5.models import store
    from cr5.retrieval.loading import is_results, models
    from cr5.retrieval.opening import is_index, open_index

    if is_index(arguments.place):
        sizes = open_index(arguments.place, **cli_models.choice_of_model(arguments)).sizes
        return [{"language": language, "texts": size} for language, size in sizes.items()]
    if is_results(arguments.place) and not (arguments.system or arguments.setting):
        rows = models(arguments.place)
        for row in rows:
            row["languages"] = ", ".join(store.about(row["path"])["languages"])
        return rows
    embedder = cli_models.model(arguments)
    measures = ", ".join(embedder.measures)
    return [
        {"language": language, "words": len(words), "measures": measures}
        for language, words in embedder.model.words.items()
    ]


def fit(arguments: Namespace) -> None:
    """Fit a system to texts of your own."""
    from cr5.from_texts import fit

    check_free(arguments.out)
    texts, concepts = cli_texts.of_languages(arguments.file, _columns(arguments))
    options = cli_texts.options(arguments.set)
    for key in ("texts", "system", "concepts", "progress"):  # which `fit` has beside options
        if key in options:
            raise UserError(f"--set {key}: no option of a system, and no section")
    if arguments.encoder:
        if "encoder" in options or "encoder_path" in options:
            raise UserError("--encoder: --set has an encoder, too; leave one of them out")
        options |= cli_texts.encoder_option(arguments.encoder)
    embedder = fit(texts, arguments.system or "best", concepts, cli_texts.say, **options)
    embedder.save(arguments.out)
    languages = ", ".join(embedder.languages)
    cli_texts.say(f"{arguments.out}: {embedder.about['system']} of {languages}")


def embed(arguments: Namespace) -> None:
    """Turn texts into vectors: JSON lines with `id` and `vector`."""
    import numpy as np

    embedder = cli_models.model(arguments)
    texts = _texts(arguments)
    rows = embedder.embed(
        [text.text for text in texts],
        arguments.query_language,
        arguments.target_language,
        dense=arguments.dense,
        show_progress_bar=_can_show_bar(),
    )
    if not isinstance(rows, np.ndarray):
        raise UserError(
            f"{embedder.place}: its vectors have a number for each of many strings, nearly all "
            "zeros: name --dense for what they have beside these, if anything; `cr5 search` "
            "compares them whole"
        )
    for text, row in zip(texts, rows, strict=True):
        print(cli_texts.as_line({"id": text.id, "vector": row.tolist()}))


def index(arguments: Namespace) -> None:
    """Keep embedded texts in a folder, to be searched; remove some, and add others."""
    from cr5.retrieval.index import Index
    from cr5.retrieval.opening import is_index, open_index

    embedder = cli_models.model(arguments)
    if is_index(arguments.out):
        index = open_index(arguments.out, classes=cli_models.classes(arguments))
    else:
        check_free(arguments.out)
        index = Index(embedder)
    if index.model.about != embedder.about:
        raise UserError(
            f"{arguments.out}: an index of another model than {arguments.place}; name that"
        )
    if arguments.remove:
        index.remove(arguments.remove, arguments.target_language)
    if arguments.file or not arguments.remove:
        if arguments.target_language is None:
            raise UserError(
                "--to: name the language of the texts: "
                f"cr5 index {arguments.place} {arguments.out} --to CODE --file FILE"
            )
        _add_texts(index, arguments)
    else:
        index.save(arguments.out)
    index = open_index(arguments.out, classes=cli_models.classes(arguments))
    sizes = ", ".join(f"{size:,} texts in {language!r}" for language, size in index.sizes.items())
    cli_texts.say(f"{arguments.out}: {sizes or 'no text is left'}")


def _add_texts(index: "Index", arguments: Namespace) -> None:
    """Write an index with the texts of files, of which memory never holds all."""
    texts = cli_texts.each([], arguments.file, arguments.target_language, _columns(arguments))
    for_ids, for_contents, for_titles = tee(texts, 3)
    with index.writing(arguments.out) as folder:
        unknown_ids = folder.add(
            (text.id for text in for_ids),
            (text.text for text in for_contents),
            arguments.target_language,
            (text.title for text in for_titles),
            show_progress_bar=_can_show_bar(),
        )
    if unknown_ids:
        n_texts = len(folder) - len(index)
        cli_texts.say(
            f"{len(unknown_ids):,} of {n_texts:,} texts have no word that the model knows "
            f"and are never found: {', '.join(unknown_ids[:N_SHOWN])}"
        )


def search(arguments: Namespace) -> None:
    """Find the nearest texts in other languages."""
    from cr5.retrieval.opening import open_index

    index = open_index(arguments.place, **cli_models.choice_of_model(arguments))
    cli_models.tell_model(index.model, arguments)
    cli_models.tell_more_words(index.model, arguments)
    texts = _texts(arguments)
    target_languages = _codes(arguments.target_languages)
    for start in range(0, len(texts), BATCH):
        queries = texts[start : start + BATCH]
        hits_of_queries = index.search(
            [query.text for query in queries],
            arguments.query_language,
            arguments.k,
            arguments.measure,
            target_languages,
        )
        for query, hits in zip(queries, hits_of_queries, strict=True):
            if not hits:
                cli_texts.say(f"text {query.id}: the model knows none of its words")
            cli_hits.write(query, hits, index, arguments)


def _codes(written: str | None) -> list[str] | None:
    """Return languages that commas separate; None for an empty list of them."""
    if not written:
        return None
    return [code.strip() for code in written.split(",") if code.strip()]


def align(arguments: Namespace) -> None:
    """Pair the texts of two collections of your own, one to one."""
    from cr5.retrieval.alignment import measure_of_pairs

    embedder = cli_models.model(arguments)
    columns = _columns(arguments)
    queries = cli_texts.read([], [arguments.first], arguments.query_language, columns)
    targets = cli_texts.read([], [arguments.second], arguments.target_language, columns)
    measure = arguments.measure or measure_of_pairs(embedder)
    pairs = embedder.align(
        [query.text for query in queries],
        arguments.query_language,
        [target.text for target in targets],
        arguments.target_language,
        arguments.k,
        measure,
        show_progress_bar=_can_show_bar(),
    )
    cli_texts.say(
        f"{len(pairs):,} pairs of {len(queries):,} texts and {len(targets):,}, each of which "
        "depends on all texts (transductive)"
    )
    source = {}
    if not cli_texts.wants_table():
        source = cli_hits.source_of_scores(embedder, measure)
    rows = []
    for row, column, score in pairs:
        pair = {"first": queries[row].id, "second": targets[column].id}
        rows.append({**pair, "score": round(score, DIGITS), **source})
    cli_texts.write(rows)


def export(arguments: Namespace) -> None:
    """Write a model for other programs, or in one file to share."""
    from cr5.counts.tokens import tokenise
    from cr5.models import export
    from cr5.models.store import ENDING

    out = arguments.out
    if arguments.format == export.PACKED and not out.endswith(ENDING):
        raise UserError(f"{out}: let the name of a packed model end in {ENDING}")
    embedder = cli_models.model(arguments)
    if arguments.format == "static" and embedder.tokens != tokenise:
        raise UserError(
            f"{arguments.place}: its words are not runs of letters in lower case, which a static "
            "model finds: export it in another format"
        )
    model, losses = export.write(arguments.format, out, embedder.model, embedder.about)
    if losses:
        cli_texts.say(losses)
    n_words = sum(len(words) for words in model.words.values())
    cli_texts.say(f"{out}: {n_words:,} words")


def explore(arguments: Namespace) -> None:
    """Write a page to look through what a run found, of chosen systems beside the run's."""
    from cr5.explore import page, serve

    run = Path(arguments.place)
    systems = arguments.system.split(",") if arguments.system else []
    names = [name for name in (arguments.setting, *systems) if name]
    out = Path(arguments.out or run / "-".join(["explore", *names]))
    setting, places = page.find(run, page.ranked(run), arguments.setting, systems)
    job = NO_JOB
    if not arguments.out:  # it is of the run, which `cr5 verify` looks through
        job = Job.reading(run, {}, dict.fromkeys(map(str, places.values())))
    page.write(run, out, setting, places, job)
    if not arguments.serve:
        cli_texts.say(f"{out / 'index.html'}: open it in a browser")
        return
    with serve.server(out, serve.answers(run, setting, cli_models.classes(arguments))) as server:
        cli_texts.say(f"Open http://127.0.0.1:{server.server_port} in a browser; Ctrl-C ends it")
        server.serve_forever()


def verify(arguments: Namespace) -> None:
    """Compare a run's files with what its jobs wrote and read; or all files of an index."""
    from cr5.base.verification import differences, folder_of_start
    from cr5.retrieval.opening import is_index

    results = Path(arguments.place)
    if is_index(results):
        _verify_index(results)
        return
    if not any((results / name).is_dir() for name in ("bags", "models")):
        raise UserError(
            f"{results}: neither the folder of a run, such as results/NAME, nor an index"
        )
    started_in = folder_of_start(results, Path(os.environ.get("CR5_CALLED_FROM", ".")))
    lines = list(differences(results, started_in))
    if lines:
        remedy = f"{results} is not what the run made. Remove what is named in it, and run again"
        raise UserError("\n".join([remedy, *lines]))
    n_results = len(list(results.rglob(ABOUT)))
    print(f"{n_results} results and all of their files are as the run made them.")
    if started_in is None:
        cli_texts.say(
            "Its inputs were not looked for: call this in the folder that the run was started in."
        )


def _verify_index(path: Path) -> None:
    from cr5.retrieval.opening import damages

    lines = list(damages(path))
    if lines:
        remedy = f"{path} is damaged. Remove the whole index, and make it again by `cr5 index`"
        raise UserError("\n".join([remedy, *lines]))
    n_files = len(Artefact(path).files)
    print(f"All {n_files} files of this index are as they were written.")


def _can_show_bar() -> bool:
    """Return whether people look on, and what shows them a bar is installed."""
    return sys.stderr is not None and sys.stderr.isatty() and find_spec("tqdm") is not None


def _columns(arguments: Namespace) -> Columns:
    try:
        encoding = checked_encoding(arguments.encoding)
    except ValueError as error:
        raise UserError(f"--encoding: {error}; found {arguments.encoding!r}") from error
    return Columns(arguments.text, arguments.id, arguments.title, encoding)


def _texts(arguments: Namespace) -> list[Text]:
    """Read the queries of the arguments, of files, or of a pipe."""
    return cli_texts.read(
        arguments.texts, arguments.file, arguments.query_language, _columns(arguments)
    )


FUNCTIONS = (info, fit, embed, index, search, align, export, explore, verify)
COMMANDS = {function.__name__: function for function in FUNCTIONS}


def entry() -> None:
    """Start the command from the shell; nothing is half-written even if SIGTERM ends it."""
    signal.signal(signal.SIGTERM, _end)
    atexit.register(gc.freeze)  # the end's search for cycles takes .1 s for modules alone
    if sys.stdout is None:
        sys.exit("cr5: standard output is closed: nothing can be printed")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    main()


def _end(number: int, frame: Any) -> None:
    cli_texts.say("cr5: ended by a signal (SIGTERM); nothing is left half-written")
    sys.exit(128 + signal.SIGTERM)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; exits with 1 for a user error, 2 for an error in the arguments."""
    if arguments is None:
        arguments = sys.argv[1:]
    name = arguments[0] if arguments else "--help"
    parser, commands = parsers(COMMANDS)
    if name not in commands:
        parser.parse_args([name])  # which ends here
    parsed = commands[name].parse_intermixed_args(arguments[1:])
    try:
        with needed("workflow" if name == "explore" else "fit"):
            COMMANDS[name](parsed)
        sys.stdout.flush()
    except UserError as error:
        sys.exit(f"cr5 {name}: {error}")
    except BrokenPipeError:  # the reader has enough, as with `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    except (OSError, MemoryError) as error:
        sys.exit(f"cr5 {name}: {error or 'there is not enough memory'}")
