"""A small run in two languages with every system that there is, and what they read."""

import json
import lzma
import math

from tests.tiny_encoders import write_static

LANGUAGES = ("aa", "bb")
DICTIONARY = "given/{source}-{target}.dict"
SEEDED = {"seeds": "dictionary"}
REFINED = {"rounds": 1}
SYSTEMS = {
    "advrefine": {"epochs": 1, "samples": 320, "hidden": 48, "starts": 2, **REFINED},
    "word_cca": SEEDED,
    "best": {},
    "bm25": {},
    "bm25_translated": {},
    "bwesg": {"dimensions": [10], "window": 5, "epochs": 1},
    "cl_esa": {"keep": [5]},
    "cl_lsi": {"dimensions": [5, 20], "skip_words": 0},
    "cplsa": {"dimensions": [4], "skip_words": 0, "max_iterations": 10, "sigma": 0.5},
    "cr5": {"rank": 20, "ridges": [0.1, 1.0]},
    "cr5_iterative": {"module": "cr5", "rank": 20, "ridges": [1.0], "solver": "iterative"},
    "cr5_features": {"path": "given/{language}.features", "ranks": [10], "ridges": [0.3]},
    "cr5_spelling": {
        "ranks": [10, 20],
        "ridges": [0.3],
        "dictionary_weights": [1.0],
        "string_weights": [0.0, 1.0],
    },
    "document_cca": {"dimensions": [5, 20], "skip_words": 0},
    "icp": {"icp_words": 100, "axes": 5, "trials": 2, "icp_steps": 5, **REFINED},
    "jplsa": {"dimensions": [4], "skip_words": 0, "max_iterations": 10},
    "pltm": {"dimensions": [4], "skip_words": 0, "max_iterations": 10},
    "least_squares": SEEDED,
    "multicca": SEEDED,
    "vecmap_supervised": SEEDED,
    "opca": {"dimensions": [5, 20], "skip_words": 0},
    "opca_iterative": {
        "module": "opca",
        "dimensions": [5],
        "skip_words": 0,
        "solver": "iterative",
    },
    "procrustes": SEEDED | REFINED,
    "sogaard": {"dimensions": [5, 20], "skip_words": 0},
    "rcsls": SEEDED | {"rates": [1.0], "epochs": [2]},
    "encoder": {"path": "given/encoder"},
    "pretrained": {"path": "given/{language}.vec", "dimension": 10},
    "vecmap_self_learning": SEEDED | {"rounds": 3},
    "vecmap_unsupervised": {"profile_words": 100, "steps": 50, "starts": 2, **REFINED},
    "prefix_overlap": {},
    "lexical_overlap": {},
    "wasserstein": {"plan_words": 60, "plan_steps": 3, "epochs": 1, "steps": 5, "batch": 60}
    | {"starts": 2, **REFINED},
    "mono_xcnn": {"dimension": 20, "stage1_epochs": 3},
    "bae": {"widths": [30, 20], "stack_epochs": 2, "epochs": [2]},
    "s2net": {"dimension": 20, "epochs": 3},
    "xcnn": {"dimension": 20, "stage1_epochs": 3, "epochs": 3},
    "word_by_word": {"skip_words": 0},
    "word_by_word_lsa": {
        "module": "word_by_word",
        "skip_words": 0,
        "via": "lsa",
        "dimensions": [5, 20],
    },
}
SETTINGS = {  # systems of a setting are compared in pairs, which takes its time
    "joint": [
        "cr5",
        "cr5_iterative",
        "cr5_features",
        "cr5_spelling",
        "best",
        "prefix_overlap",
        "lexical_overlap",
    ],
    "seeded": [
        "word_cca",
        "multicca",
        "least_squares",
        "vecmap_supervised",
        "procrustes",
        "rcsls",
        "vecmap_self_learning",
    ],
    "unseeded": [
        *("advrefine", "encoder", "icp", "pretrained", "vecmap_unsupervised", "wasserstein"),
    ],
    "networks": ["bae", "mono_xcnn", "s2net", "xcnn"],
    "projected": ["cl_lsi", "document_cca", "opca", "opca_iterative", "sogaard"],
    "merged": ["bwesg", "cl_esa"],
    "topics": ["cplsa", "jplsa", "pltm", "word_by_word", "word_by_word_lsa"],
    "saturated": ["bm25", "bm25_translated"],
}
CHANGES = {
    "languages": list(LANGUAGES),
    "vectors": {"algorithm": "word2vec", "dimension": 36, "epochs": 1, "min_count": 1},
    "systems": SYSTEMS,
    "settings": {name: {"kind": "joint", "systems": x} for name, x in SETTINGS.items()},
    "splits": {"max_share": {"test": 0.08, "validation": 0.08}},
    "alignments": {"path": "given/{source}-{target}.tsv"},
    "dictionary": {"dictionaries": DICTIONARY, "limit": 180},
    "tasks": {"documents": {}},
    "evaluation": {"csls_neighbourhood": "training"},  # the models keep theirs; default: others
    "threads": {"fit": 1, "rank": 1},
}


def give(folder):
    """Translations of words, which differ in their first letter; features and vectors of each."""
    given = folder / "given"
    given.mkdir()
    words = {language: words_of(folder, language) for language in LANGUAGES}
    for source, target in (LANGUAGES, LANGUAGES[::-1]):
        pairs = [(word, target[0] + word[1:]) for word in words[source] if word[0] != "x"]
        lines = [f"{word}\t{other}\t0.9\n" for word, other in pairs]
        (given / f"{source}-{target}.tsv").write_text("".join(lines))
        lines = [f"{word} {other}\n" for word, other in pairs]
        (given / f"{source}-{target}.dict").write_text("".join(lines))
    every = sorted({word for each in words.values() for word in each})
    write_static(given / "encoder", {word: vector(word) for word in every})
    for language in LANGUAGES:
        lines = [f"{word}\tf{word[1:3]}\t1.5\n" for word in words[language]]
        (given / f"{language}.features").write_text("".join(lines))
        lines = [f"{word} {' '.join(map(str, vector(word)))}\n" for word in words[language]]
        (given / f"{language}.vec").write_text("".join(lines))


def words_of(folder, language):
    """All words of a language, in order."""
    text = lzma.decompress((folder / "corpus" / f"{language}.jsonl.xz").read_bytes()).decode()
    return sorted({word for line in text.splitlines() for word in json.loads(line)["text"].split()})


def vector(word):
    """Ten numbers that its letters give."""
    return [round(math.sin(sum(map(ord, word[1:])) * (i + 1)), 4) for i in range(10)]
