"""What published figures require of a run besides the system, as a table.

A path does not tell whose text, vectors and dictionaries a task has: the configuration says so,
`protocol: {lexicon_induction: muse}`. All else is compared. Cr5's own is in `cr5.plan.paper`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cr5.plan.names import module_of

Name = Literal[
    "cr5",
    "muse",
    "wacky",
    "dinu",
    "opca_europarl",
    "opca_wikipedia",
    "opca_reuters",
    "opca_reuters_mt",
    "xcnn_sentences",
    "xcnn_sentences_mt",
    "xcnn_fire",
    "xcnn_fire_mt",
]


@dataclass(frozen=True)
class Protocol:
    """What the runs of a paper share.

    Attributes:
        data: what must be the paper's, which only the configuration can say.
        values: by section and key, `task` for the task's options; a tuple lists alternatives.
        source: a source of the corpus that implies the data.
    """

    data: str
    values: Mapping[tuple[str, str], Any]
    source: str = ""


GIVEN = object()  # whatever it is, as the paper does not say
# This means whole files, and all words of the vectors.
WHOLE = {"offset": 0, "limit": None, "invert": False, "most_frequent": None}
WORDS = {
    ("vectors", "most_frequent"): 200_000,
    ("bags", "vocabulary"): "vectors",
    ("bags", "stop_words"): (None, ""),
    **{("dictionary", key): WHOLE[key] for key in ("offset", "limit", "invert")},
    **{("task", key): value for key, value in WHOLE.items()},
    ("evaluation", "csls_neighbours"): 10,
    ("evaluation", "csls_neighbourhood"): "candidates",
    ("evaluation", "inverse_temperature"): 30.0,
}
# Of Dinu et al. there is one dictionary, from English to Italian: turned round for the other way.
# The inverted softmax is of Smith et al. alone, who have 10.
WACKY = WORDS | {
    ("task", "invert"): (False, True),
    ("dictionary", "invert"): (False, True),
    ("evaluation", "inverse_temperature"): (10.0, 30.0),
}
# Table 3 of the Cr5 paper, after Conneau et al. (2018)
SENTENCES = {
    ("task", "min_words"): 1,
    ("task", "queries"): 2000,
    ("task", "candidates"): 200_000,
    ("task", "idf"): "own",
    ("task", "idf_lines"): 300_000,
}
ANY_QUERIES = {("splits", "query_unique_words"): None}
# Spanish documents themselves are tested, not translations.
CLASSES = ANY_QUERIES | {("task", "tested"): "own"}
# All words of all documents.
EVERY_WORD = {
    ("bags", "vocabulary"): "text",
    ("bags", "min_documents"): 1,
    ("bags", "max_words"): 200_000,
    ("bags", "stop_words"): (None, ""),
}
# As they stand, with digits; no document is left out for its length.
OPCA = (
    ANY_QUERIES
    | EVERY_WORD
    | {
        ("bags", "case"): "keep",
        ("bags", "tokens"): "words",
        ("bags", "stemmer"): "none",
        ("bags", "fewest_unique_words"): (0, 1),
        ("bags", "most_unique_words"): (100_000, 1_000_000),
    }
)
# Tables of words are of the speeches that train.
OWN_TABLES = {
    ("alignments", "aligner"): (None, "eflomal"),
    ("alignments", "path"): None,
    ("alignments.sentences", "address"): (None, ""),
    ("alignments.sentences", "path"): (None, ""),
}


# 10,000 words of each language; at least three of them in both sentences of a pair.
XCNN = ANY_QUERIES | {
    ("bags", "vocabulary"): ("training", "training_df"),
    ("bags", "case"): "lower",
    ("bags", "stop_words"): GIVEN,
    ("bags", "min_documents"): 3,
    ("bags", "max_words"): 10_000,
    ("bags", "fewest_unique_words"): 3,
    ("bags", "unique_words_in"): "vocabulary",
}
STEMS = {("bags", "stemmer"): "snowball"}  # the paper names none
WORDS_AS_THEY_ARE = {("bags", "stemmer"): "none"}  # stemmers go by language: "en" is Hindi here
# The first of HindEnCorp train, later ones test: `config/papers/xcnn.awk`.
IN_ORDER = {"test": ["test/*"], "validation": ["validation/*"]}
XCNN_SENTENCES = XCNN | {("splits", "given"): IN_ORDER}
XCNN_FIRE = XCNN | {("task", "topic"): "title"}


# By the day in a speech's concept: 2001 validates, 2000 and January to September 2003 test.
EUROPARL = {"test": ["ep-00-*", "ep-03-0*"], "validation": ["ep-01-*"]}


def _drawn(test: int, validation: int) -> dict[tuple[str, str], Any]:
    sizes = {"test": test, "candidates": test, "validation": validation}
    return {("splits", key): size for key, size in sizes.items()}


PROTOCOLS = {
    # Conneau et al. (2018), Joulin et al. (2018), Tables 1 and 2
    "muse": Protocol("fastText's vectors of Wikipedia and MUSE's dictionaries", WORDS),
    # Dinu et al. (2015), Joulin et al. (2018), Table 3; of Europarl's sentences, Josifoski et al.
    # (2019), Table 3
    "wacky": Protocol("Dinu et al.'s vectors and dictionaries", WACKY),
    # Conneau et al. (2018), of which the Cr5 paper's Table 4 quotes two rows
    "dinu": Protocol("fastText's vectors of Wikipedia and Dinu et al.'s dictionaries", WACKY),
    # Platt et al. (2010), all English-Spanish. Europarl is release v2.
    "opca_europarl": Protocol(
        "speeches of Europarl",
        {("splits", "given"): EUROPARL, **OPCA, **OWN_TABLES},
    ),
    "opca_wikipedia": Protocol(
        "articles of Wikipedia", {**_drawn(8675, 8675), **OPCA}, "wikipedia"
    ),
    "opca_reuters": Protocol("documents of Multilingual Reuters", CLASSES | EVERY_WORD),
    "opca_reuters_mt": Protocol(
        "documents of Multilingual Reuters, all in English, with its machine translations",
        CLASSES
        | EVERY_WORD
        | {("bags", "vocabulary"): "training", ("bags", "max_words"): 10_000}
        | {("weighting", "term_frequency"): "raw", ("weighting", "idf"): "none"},
    ),
    # Gupta et al. (2017), English-Hindi
    "xcnn_sentences": Protocol("sentences of HindEnCorp", XCNN_SENTENCES | STEMS),
    "xcnn_sentences_mt": Protocol(
        "sentences of HindEnCorp, all in Hindi, with its machine translations",
        XCNN_SENTENCES | WORDS_AS_THEY_ARE,
    ),
    "xcnn_fire": Protocol(
        "sentences of HindEnCorp, and topics and articles of FIRE 2011 and 2012", XCNN_FIRE | STEMS
    ),
    "xcnn_fire_mt": Protocol(
        "the same of HindEnCorp and FIRE, all in Hindi, with their machine translations",
        XCNN_FIRE | WORDS_AS_THEY_ARE,
    ),
}


def unlike(config: Mapping[str, Any], task: str) -> dict[str, list[str]]:
    """Return the differences by protocol, a clause each; empty if figures may be compared.

    Args:
        config: validated.
        task: the task of the figures.
    """
    return {name: list(_unlike(config, task, name)) for name in PROTOCOLS}


def is_named(config: Mapping[str, Any], task: str, name: str) -> bool:
    """Return whether the configuration says that a task has a protocol's data."""
    return name in config["protocol"].get(task, ())


def otherwise(task: str, name: str) -> str:
    """Return how to declare that data are those of a protocol."""
    return f"(if they are, add `protocol: {{{task}: {name}}}`)"


def _unlike(config: Mapping[str, Any], task: str, name: str) -> Iterator[str]:
    protocol = PROTOCOLS[name]
    if not is_named(config, task, name) and config["corpus"]["source"] != protocol.source:
        yield f"the data are not {protocol.data} {otherwise(task, name)}"
    values = dict(protocol.values)
    if module_of(config, "tasks", task) == "sentences":
        values |= SENTENCES
    yield from differences(config, task, values)


def differences(
    config: Mapping[str, Any], task: str, values: Mapping[tuple[str, str], Any]
) -> Iterator[str]:
    """Yield a clause for each value that is another one.

    Args:
        config: validated.
        task: the task of the figures.
        values: see `Protocol`.
    """
    bounds = config["bags"]["unique_words"]
    sections = {
        **config,
        "task": config["tasks"].get(task, {}),
        "alignments.sentences": config.get("alignments", {}).get("sentences", {}),
        "bags": config["bags"]
        | dict(zip(("fewest_unique_words", "most_unique_words"), bounds, strict=True)),
    }
    for (section, key), wanted in values.items():
        found = sections.get(section, {}).get(key, WHOLE.get(key))
        if wanted is GIVEN:
            if not found:
                yield f"{section}.{key} is not given"
        elif found != wanted and not (isinstance(wanted, tuple) and found in wanted):
            place = f"tasks.{task}" if section == "task" else section
            said = " or ".join(map(str, wanted)) if isinstance(wanted, tuple) else wanted
            yield f"{place}.{key} is {found}, not {said}"
