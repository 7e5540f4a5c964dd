"""Fit a system to texts in memory: the steps of the workflow, one after the other.

The same texts, options and seed give the same bytes as there, on processors for which the linear
algebra libraries choose the same kernels.
"""

import json
import logging
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from cr5.base import losses
from cr5.base.artefacts import Job
from cr5.base.errors import UserError
from cr5.contracts.catalogue import SYSTEMS, load_module
from cr5.contracts.system import System
from cr5.fitting.seeds import DICTIONARY
from cr5.given_texts import Documents, codes_as_written, documents
from cr5.models import store
from cr5.plan import files, in_process
from cr5.plan.config import Configuration, validated
from cr5.plan.contents import Contents
from cr5.plan.notices import remarks
from cr5.plan.plan import Plan
from cr5.plan.words import MadeAlignments
from cr5.retrieval.embedder import Embedder

log = logging.getLogger(__name__)

SETTING = "joint"
PLACE = "the model from cr5.fit"
FOLDER = "cr5-fit-"  # what the names of folders begin with that hold texts while a fit runs
ENDING = ".jsonl"  # of the files of texts, which the steps read
SECTIONS = (
    "bags", "weighting", "splits", "vectors", "validation", "dictionary", "alignments",
    "evaluation", "seed", "threads",
)  # fmt: skip
# Nobody's texts are dropped for their length, and all concepts but validation queries train.
UNIQUE_WORDS = (1, 1_000_000)
SHARES = {"test": 0.0, "candidates": 0.0}
FETCHED = "is fetched by the workflow (./run): fetch it, and give the file"


def fit(
    texts: Any,
    system: str | Path | System = "best",
    concepts: Any = None,
    progress: Callable[[str], None] | None = None,
    **options: Any,
) -> Embedder:
    """Fit a system to texts in two or more languages.

    Args:
        texts: by language, `{"en": [...], "fr": [...]}`, or of a language by concept,
            `{"en": {"Q1": "..."}}`; or a frame of pandas with the columns language, text and
            concept, or else id. The model calls a language by its code in lower case, `pt_br` for
            "pt-BR".
        system: its name, such as `best` or `cr5`, the path of a module of one's own, or the system
            itself, `Cr5(rank=100)`.
        concepts: what each text is about, where `texts` does not say: a list, or one for each
            language. Texts of one concept are about the same thing; by default those of one
            position.
        progress: called with a line for each step, such as `print`.
        options: of the system; and sections of the configuration, each a mapping: `bags`,
            `weighting`, `splits`, `vectors`, `validation`, `dictionary`, `alignments`; `evaluation`
            (`{"csls_neighbourhood": "training"}` lets the model keep its training documents);
            `seed`; and `threads`, a number. Their defaults are the configuration's, with three
            exceptions. Texts of any length count (`bags.unique_words`). A word must be in three
            documents, or in fewer of small collections (`bags.min_documents`). No test queries are
            held out, and all but validation queries train (`splits.max_share`).

    Returns:
        The model, as `cr5.load` returns it; `report` says how the fit went, `save` stores it.

    Raises:
        UserError: options are wrong (every mistake is listed), texts are, or there are too few.
    """
    given = documents(texts, concepts)
    if len(given) < 2:
        raise UserError(
            f"texts: there are texts of {', '.join(map(repr, given)) or 'no language'}; give those "
            "of two languages or more"
        )
    with threadpool_limits(1), tempfile.TemporaryDirectory(prefix=FOLDER) as folder:
        config = _completed(given, codes_as_written(texts), system, options, Path(folder))
        return _fitted(given, config, Path(folder), progress or log.info)


def _fitted(
    given: Documents, config: Configuration, folder: Path, say: Callable[[str], None]
) -> Embedder:
    """Run the steps of the workflow in a folder, and load the model that they make."""
    for remark in remarks(config):
        log.warning("%s", remark)
    for language, texts in given.items():
        _write(folder / f"{language}{ENDING}", texts)
    [(name, system)] = config.systems.items()
    contents = Contents(folder / "checksums")
    plan = Plan(config, contents.checksum)
    place = plan.places.model.format(setting=SETTING, system=name, repetition=1)
    job = Job(Path(plan.places.results), say=say)
    with _told_before(folder):
        in_process.make(plan, [plan.places.seen, place], job)
    classes = store.classes_in(load_module(system.source)) if system.is_own else ()
    model = store.load(place, classes)  # mapped into memory, also once the folder is gone
    return Embedder(model, store.about(place), PLACE)


@contextmanager
def _told_before(folder: Path) -> Iterator[None]:
    """Keep back what reading texts in a folder again would tell: `documents` told it of the texts.

    Nobody knows the files there.
    """

    def is_of_others(record: logging.LogRecord) -> bool:
        return str(folder) not in record.getMessage()

    of_reader = logging.getLogger(losses.__name__)
    of_reader.addFilter(is_of_others)
    try:
        yield
    finally:
        of_reader.removeFilter(is_of_others)


def _write(path: Path, texts: Mapping[str, str]) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for concept, text in texts.items():
            row = {"concept": concept, "title": concept, "text": text}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _completed(
    given: Documents,
    written: Mapping[str, str],
    system: str | Path | System,
    options: Mapping[str, Any],
    folder: Path,
) -> Configuration:
    """Return the whole configuration, with all defaults; UserError lists every mistake."""
    sections = {key: value for key, value in options.items() if key in SECTIONS}
    if isinstance(sections.get("threads"), int):
        sections["threads"] = {"fit": sections["threads"]}
    name, keys = _entry(system)
    own_keys = {key: value for key, value in options.items() if key not in SECTIONS}
    path = f"{folder}/{{language}}{ENDING}"
    config = validated(
        {
            "corpus": {"name": "texts", "source": "files", "path": path},
            "results": str(folder / "results"),
            "languages": [written[language] for language in given],
            "systems": {name: keys | own_keys},
            **sections,
        }
    )
    _check_possible(config)
    defaults = {"min_documents": least(given), "unique_words": UNIQUE_WORDS}
    for key in config.bags.model_fields_set:
        defaults.pop(key, None)
    given_shares = (sections.get("splits") or {}).get("max_share") or {}
    max_share = config.splits.max_share | SHARES | given_shares
    update = {
        "bags": config.bags.model_copy(update=defaults),
        "splits": config.splits.model_copy(update={"max_share": max_share}),
        # of this process: nothing has kept it to instructions that all processors share
        "processor": "own",
    }
    return config.model_copy(update=update)


def _entry(system: Any) -> tuple[str, dict[str, Any]]:
    """Return name and keys of the entry of a system: itself, its name, or its module's path."""
    if isinstance(system, System):
        kind = type(system)
        keys = system.model_dump(mode="json")
        if kind.__module__.startswith("cr5.systems."):
            return SYSTEMS.name_of(system), keys
        if path := getattr(sys.modules[kind.__module__], "__file__", None):
            return kind.__name__, keys | {"module": path}
        raise UserError(f"system: {kind.__name__} must be in a file, so that it can be found again")
    if not isinstance(system, str | Path):
        raise UserError(
            "system: expected its name, such as 'best', the path of its module, or the system "
            f"itself, such as Cr5(rank=100); found {system!r:.60}"
        )
    path = Path(system)
    if path.suffix == ".py":
        return path.stem, {"module": str(path)}
    return str(system), {}


def least(given: Documents) -> int:
    """Return in how many documents a word must be: three, or fewer in small collections."""
    fewest = min((len(texts) for texts in given.values()), default=0)
    if fewest >= 1000:
        return 3
    if fewest >= 100:
        return 2
    return 1


def _check_possible(config: Configuration) -> None:
    if isinstance(config.alignments, MadeAlignments):
        raise UserError("alignments: give `path`; the workflow makes them of parallel text (./run)")
    if config.dictionary:
        place = files.pair_files(config, DICTIONARY)
        if place and place.is_elsewhere:
            raise UserError(f"dictionary.dictionaries: {place.where} {FETCHED}")
    for path in files.addresses_to_fetch(config):
        raise UserError(f"{path} {FETCHED}")
