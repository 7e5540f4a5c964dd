"""Fit a system to texts in memory: the jobs of the workflow, one after the other.

The same functions do the same work as there, so the same texts, options and seed give the same
bytes, on processors for which the linear algebra libraries choose the same kernels.
"""

import logging
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pandas as pd
from threadpoolctl import threadpool_limits

from cr5.base import text_files
from cr5.base.artefacts import plain
from cr5.base.catalogue import SYSTEMS
from cr5.base.errors import LeftOutError, UserError
from cr5.base.languages import EXPECTED, by_code, folded_code, is_code
from cr5.base.machine import kernels, versions
from cr5.base.parts import System
from cr5.counts import bags
from cr5.counts.bags import Bags
from cr5.counts.rules import tokens_of
from cr5.counts.tokens import Tokens
from cr5.fitting import fit as fitting
from cr5.fitting import vectors
from cr5.fitting.choose import at_chance
from cr5.fitting.contract import TrainingSet
from cr5.fitting.gathering import Extras, training_set
from cr5.fitting.options import TrainingOptions
from cr5.fitting.seeds import DICTIONARY, Seeds, seeds_of
from cr5.models.contract import Model
from cr5.models.encoders.kept import ENCODED
from cr5.plan import files
from cr5.plan.config import Configuration, validated
from cr5.plan.made_with import MadeWith
from cr5.plan.notices import remarks
from cr5.plan.words import GivenVectors, MadeAlignments
from cr5.retrieval.embedder import Embedder, several
from cr5.splits import copies
from cr5.splits.draw import Draw, draw
from cr5.splits.options import TOGETHER
from cr5.splits.training_documents import training
from cr5.texts import dictionaries
from cr5.texts.rows import IDS, PAIRED_BY_ID

log = logging.getLogger(__name__)

SETTING = "joint"
PLACE = "the model from cr5.fit"
SECTIONS = ("bags", "weighting", "splits", "vectors", "validation", "dictionary", "alignments")
SECTIONS += ("evaluation", "seed", "threads")
# Nobody's texts are dropped for their length, and all concepts but validation queries train.
UNIQUE_WORDS = (1, 1_000_000)
SHARES = {"test": 0.0, "candidates": 0.0}
FETCHED = "is fetched by the workflow (./run): fetch it, and give the file"
LANGUAGE, CONCEPT, TEXT = "language", "concept", "text"

Documents = dict[str, dict[str, str]]
"""By language, the text of each document by its concept."""


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
    config = _completed(given, _written(texts), system, options)
    with threadpool_limits(1), tempfile.TemporaryDirectory() as scratch:
        return _Run(given, config, Path(scratch), progress or log.info).fitted()


def documents(texts: Any, concepts: Any = None) -> Documents:
    """Gather the documents of each language, in the order given.

    Texts and concepts are as `fit` takes them. A missing text, None, nan or nothing but white
    space, is no document; how many are missing is told.
    """
    every = {x: _by_concept(x, pairs) for x, pairs in _pairs(texts, concepts).items()}
    found = {x: own for x, own in every.items() if own}
    for one, other in combinations(found, 2):
        if found[one] == found[other]:
            raise UserError(
                f"texts: {one!r} and {other!r} have the same texts, so that each would be found by "
                "its very copy; is a file, or a column, named twice?"
            )
    return found


def _pairs(texts: Any, concepts: Any) -> dict[str, list[tuple[Any, Any]]]:
    """Concepts and texts of each language."""
    if _is_frame(texts):
        rows = dict(list(texts.groupby(LANGUAGE, sort=False, dropna=False, observed=True)))
        if column := _concept_column(texts):
            concepts = {x: of[column] for x, of in rows.items()}
        texts = {x: of[TEXT] for x, of in rows.items()}
    if not isinstance(texts, Mapping):
        raise UserError(
            "texts: expected texts by language, {'en': [...], 'fr': [...]}; or a frame with the "
            "columns language, text and, unless texts of one position belong together, concept; "
            f"found {type(texts).__name__}. Files are read by `cr5 fit en=FILE fr=FILE -o OUT`"
        )
    texts = _by_code("texts", texts)
    if isinstance(concepts, Mapping):
        concepts = _by_code("concepts", concepts)
    pairs, numbered = {}, {}
    for language, each in texts.items():
        own = concepts.get(language, ()) if isinstance(concepts, Mapping) else concepts
        if isinstance(each, Mapping):
            own, each = each.keys(), each.values()
        each = list(several("texts", each))
        if own is None:
            numbered[language], own = len(each), range(len(each))
        own = list(several("concepts", own))
        if len(own) != len(each):
            raise UserError(
                f"concepts: {len(own)} for {len(each)} texts; give one for each, in their order"
            )
        pairs[language] = list(zip(own, each, strict=True))
    named = [x for x in texts if x not in numbered]
    if named and numbered:
        raise UserError(
            f"texts: {named[0]!r} has concepts or ids, {next(iter(numbered))!r} has none, and "
            "positions are no concepts; give those of all languages, or of none"
        )
    if len({*numbered.values()}) > 1:
        raise UserError(
            f"texts: {', '.join(f'{n} of {x!r}' for x, n in numbered.items())}; texts of one "
            "position belong together, so give as many of each language, None (in a file an empty "
            "line) where there is none, or say by `concepts` (a column `concept`) what belongs "
            "together"
        )
    return pairs


def _concept_column(frame: pd.DataFrame) -> Any:
    """Return the column that says what texts are about, else that of their ids; None if none."""
    of_name = {str(column).casefold(): column for column in frame.columns}
    if CONCEPT in of_name:
        return of_name[CONCEPT]
    for name in IDS:
        if name in of_name:
            log.warning(PAIRED_BY_ID)
            return of_name[name]
    if others := [name for name in of_name if name not in (LANGUAGE, TEXT, "title")]:
        log.warning(
            "texts: there is no column `concept`, so that those of one position belong together; "
            "is one of these it? %s", ", ".join(others),
        )  # fmt: skip
    return None


def _is_frame(texts: Any) -> bool:
    return hasattr(texts, "columns") and {LANGUAGE, TEXT} <= {*texts.columns}


def _by_code(what: str, values: Mapping[Any, Any]) -> dict[str, Any]:
    """Return values by the folded code of their language; UserError if a key is no code."""
    for language in values:
        if not (isinstance(language, str) and is_code(language)):
            raise UserError(f"{what}: {EXPECTED}, found {language!r:.40}")
    try:
        return by_code(values)
    except ValueError as error:
        raise UserError(f"{what}: {error}") from error


def _written(texts: Any) -> dict[str, str]:
    """Return how the code of each language is written, which names of files may follow."""
    languages = texts[LANGUAGE].unique() if _is_frame(texts) else texts
    return {folded_code(language): language for language in languages}


def _by_concept(language: str, pairs: list[tuple[Any, Any]]) -> dict[str, str]:
    found = {}
    losses = text_files.Losses()
    for number, (concept, text) in enumerate(pairs, start=1):
        where = f"texts, {language}, number {number}"
        if _is_missing(text):
            losses.count(None, where)
            continue
        where = f"{where}, concept {concept!r}"
        name = text_files.name(CONCEPT, concept, where)
        if name in found:
            raise UserError(
                f"{where}: the concept is there twice; a language may have one document per "
                "concept: join them or remove one"
            )
        found[name] = text_files.text(TEXT, text, where)
        losses.count(found[name], where)
    losses.tell(f"texts, {language}")
    return found


def _is_missing(text: Any) -> bool:
    return text_files.is_missing(text) or (pd.api.types.is_scalar(text) and pd.isna(text))


@dataclass(frozen=True)
class _Run:
    """The jobs of a run with one setting and one system, each as in the workflow."""

    texts: Documents
    config: Configuration
    scratch: Path  # for word vectors
    say: Callable[[str], None]

    def fitted(self) -> Embedder:
        for remark in remarks(self.config):
            log.warning("%s", remark)
        [(name, system)] = self.config.systems.items()
        made_with = MadeWith(self.config).fit(SETTING, name, "1")
        data = self.training_set(made_with)
        rerank, keeps = system.own.rerank or (), made_with["csls_neighbours"] > 0
        found = fitting.fit(system.part, data, rerank, keeps)
        warnings = [*found.report.get("warnings", [])]
        if "validation" not in found.report:  # which says whether it finds more than chance does
            with suppress(LeftOutError):  # there are no validation queries
                warnings += at_chance(
                    data.validate(found.model.keeping_rows(data.encoded)), data.criterion
                )
        for warning in warnings:
            log.warning("%s", warning)
        about = {
            "system": name,
            "setting": SETTING,
            "repetition": "1",
            "corpus": {"name": made_with["corpus"]["name"]},
            **{key: made_with[key] for key in ("languages", "options", "seed", "bags")},
            "csls_neighbours": made_with["csls_neighbours"],
            "tokens": self.tokens.as_json(),
            "versions": versions(),
            "processor": {"choice": "own", "kernels": kernels()},
            "fit": found.report,
        }
        return Embedder(found.model, plain(about), PLACE)  # as it is when it is loaded

    def told(self, data: TrainingSet, model: Model) -> float:
        score = data.validate(model)
        self.say(f"fit: {data.criterion.title} {score:.4f} on validation queries")
        return score

    @cached_property
    def tokens(self) -> Tokens:
        languages = self.config.languages
        return tokens_of(self.config.bags, languages, files.stop_words(self.config, languages))

    @cached_property
    def counted(self) -> dict[str, Bags]:
        """The bags of each language; given word vectors, which may choose the words, are kept."""
        rules, given, found = self.config.bags, self.config.vectors, {}
        for x, texts in self.texts.items():
            words = None
            if isinstance(given, GivenVectors):
                words, rows = vectors.read(given.file(x, self.config.written), given.most_frequent)
                vectors.save(self.scratch / x, words, rows, x)
            chosen = words if rules.vocabulary == "vectors" else None
            records = [(concept, concept, text) for concept, text in texts.items()]
            own, _ = bags.counted(records, rules, x, chosen, self.tokens)
            found[x] = replace(own, texts=lambda names, of=texts: [of[name] for name in names])
            n, n_words = len(own.documents), len(own.words)
            self.say(f"{x}: {n:,} of {len(texts):,} documents, {n_words:,} words")
        return found

    def training_set(self, made_with: Mapping[str, Any]) -> TrainingSet:
        """Gather what the system may see."""
        config, languages, needs = self.config, made_with["languages"], made_with["needs"]
        drawn, trained = self.split()
        self.say(f"{trained['concept'].nunique():,} concepts train")
        if "vectors" in needs and not isinstance(config.vectors, GivenVectors):
            self.train_vectors(drawn)
        alignments = []
        if "alignments" in needs:
            alignments = config.alignments.files(languages, config.written)
        [system] = config.systems.values()
        extras = Extras(
            vectors={x: self.scratch / x for x in languages if "vectors" in needs},
            alignments=dict(zip(permutations(languages, 2), alignments, strict=False)),
            files={x: system.part.files(x, config.written) for x in languages},
            seeds=self.seeds() if "seeds" in needs else Seeds(),
            encoded=self.scratch / ENCODED,
        )
        options = {key: made_with[key] for key in TrainingOptions.model_fields}
        found = training_set(
            TrainingOptions(**options),
            self.counted.items(),
            drawn,
            trained,
            extras,
            made_with["pairs"],
            "counts" in needs,
            config.threads.fit,
        )
        return replace(found, validate=partial(self.told, found))

    def split(self) -> tuple[Draw, pd.DataFrame]:
        """Draw validation queries, and say who trains; warn of texts that do both."""
        pairs = self.config.pairs
        sizes = self.config.splits
        seed = self.config.seed
        documents = {}
        concepts = {}
        folded = {}
        for language, bags_of_language in self.counted.items():
            table = bags_of_language.documents
            documents[language] = table
            concepts[language] = pd.Index(table["concept"])
            folded[language] = copies.folded_texts(self.texts[language].items(), table)
        groups = copies.groups(folded.values()) if sizes.duplicates == TOGETHER else None
        given = set().union(*self.texts.values())
        dropped = given.difference(*concepts.values())
        drawn = draw(documents, pairs, sizes, seed, groups, dropped)
        for said in drawn.told:
            log.warning("%s", said)
        trained = training(concepts, drawn, sizes, pairs, seed=seed)
        copies_of_draws, queries = copies.find(folded.items(), [drawn], [trained])
        for warning in copies.tell([drawn], copies_of_draws, queries):
            log.warning("%s", warning)
        return drawn, trained

    def seeds(self) -> Seeds:
        """Read the dictionaries, if there are any."""
        if not self.config.dictionary:
            return Seeds()
        place = files.pair_files(self.config, DICTIONARY)
        there = dictionaries.find(place.where, place.pairs, place.written)
        task = self.config.readers[DICTIONARY].part
        words = {x: each.words["word"].tolist() for x, each in self.counted.items()}
        return seeds_of(task.tables(there, words, self.tokens)["entries"], [])

    def train_vectors(self, drawn: Draw) -> None:
        held_out = frozenset(drawn.kept_from_training())
        for x, texts in self.texts.items():
            place = self.scratch / x
            with vectors.sentences(texts.items(), held_out, x, self.tokens, place) as found:
                words, rows = vectors.train(found, self.config.vectors, self.config.seed)
            vectors.save(place, words, rows, x)


def _completed(
    found: Documents,
    written: Mapping[str, str],
    system: str | Path | System,
    options: Mapping[str, Any],
) -> Configuration:
    """Return the whole configuration, with all defaults; UserError lists every mistake."""
    sections = {key: value for key, value in options.items() if key in SECTIONS}
    if isinstance(sections.get("threads"), int):
        sections["threads"] = {"fit": sections["threads"]}
    name, keys = _entry(system)
    own = {key: value for key, value in options.items() if key not in SECTIONS}
    checked = validated(
        {
            "corpus": {"name": "texts", "source": "files", "path": "{language}.jsonl"},
            "languages": [written[language] for language in found],
            "systems": {name: keys | own},
            **sections,
        }
    )
    _check_possible(checked)
    rules = {"min_documents": least(found), "unique_words": UNIQUE_WORDS}
    rules = {x: y for x, y in rules.items() if x not in checked.bags.model_fields_set}
    shares = SHARES | ((sections.get("splits") or {}).get("max_share") or {})
    shares = {"max_share": checked.splits.max_share | shares}
    bags = checked.bags.model_copy(update=rules)
    splits = checked.splits.model_copy(update=shares)
    return checked.model_copy(update={"bags": bags, "splits": splits})


def _entry(system: Any) -> tuple[str, dict[str, Any]]:
    """Return name and keys of the entry of a system: itself, its name, or its module's path."""
    if isinstance(system, System):
        kind, keys = type(system), system.model_dump(mode="json")
        if kind.__module__.startswith("cr5.systems."):
            return SYSTEMS.name_of(system), keys
        if path := getattr(sys.modules[kind.__module__], "__file__", None):
            return kind.__name__, keys | {"module": path}
        raise UserError(f"system: {kind.__name__} must be in a file, so that it can be found again")
    path = Path(str(system))
    return (path.stem, {"module": str(path)}) if path.suffix == ".py" else (str(system), {})


def least(found: Documents) -> int:
    """Return in how many documents a word must be: three, or fewer in small collections."""
    fewest = min(map(len, found.values()), default=0)
    return 3 if fewest >= 1000 else 2 if fewest >= 100 else 1


def _check_possible(config: Configuration) -> None:
    if isinstance(config.alignments, MadeAlignments):
        raise UserError("alignments: give `path`; the workflow makes them of parallel text (./run)")
    if config.dictionary and (place := files.pair_files(config, DICTIONARY)).is_elsewhere:
        raise UserError(f"dictionary.dictionaries: {place.where} {FETCHED}")
    for path in files.elsewhere(config):
        raise UserError(f"{path} {FETCHED}")
