"""What every system keeps, whatever it does: each is put through the same, and broken ones fail it.

Its documents are as near to each other as an oracle says, which computes it anew (`oracles`), or
where there is none they find their translations better than chance. And no order of languages and
no number of threads changes a byte; a model embeds after it was stored as before.
"""

import itertools
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.kit import inside
from tests.kit.corpus import LANGUAGES, N_WORDS, Corpus, give
from tests.systems.oracles import ORACLES
from tests.tiny_encoders import write_static

CORPUS = Corpus()
MAPS = {"starts": 1, "rounds": 2, "neighbours": 3}
TOPICS = {"dimensions": [5, 10], "skip_words": 2, "max_iterations": 40}
NETWORK = {"dimension": 12, "skip_words": 0, "held_out": 0}

# name, which may be followed by a word to tell cases apart: options
SYSTEMS = {
    "cr5 dense": {"rank": 8, "ridges": [0.1, 1.0], "solver": "dense"},
    "cr5 iterative": {"rank": 8, "ridges": [0.1, 1.0], "solver": "iterative", "tolerance": 1e-7},
    "cr5 ranks": {"rank": 12, "ranks": [4], "ridges": [0.3]},
    "cr5 concepts": {"rank": 300, "ridges": [0.5], "output": "concepts"},
    "cr5_spelling dense": {"ranks": [4, 8], "ridges": [0.1]},
    "cr5_spelling strings": {"ranks": [8], "ridges": [0.1], "string_weights": [0.5, 1]},
    "cr5_spelling iterative": {"ranks": [8], "ridges": [0.1], "shifts": [True], "gamma": 3.0}
    | {"solver": "iterative", "tolerance": 1e-7},
    "cr5_features": {"path": "{language}.features", "ranks": [4], "ridges": [0.1]},
    "best": {},
    "lexical_overlap": {},
    "lexical_overlap weighted": {"paper_weights": True, "skip_words": 3},
    "prefix_overlap": {},
    "bm25": {"k1": [0.5, 1.2], "b": [0.75, 0.3]},
    "bm25_translated": {"pass_on": True},
    "bm25_translated lost": {"pass_on": False},
    "word_by_word": {"skip_words": 5},
    "word_by_word corpus": {"weighting": "corpus", "pass_on": False},
    "word_by_word lsa": {"skip_words": 5, "via": "lsa", "dimensions": [5, 20]},
    "cl_esa": {"keep": [None, 5]},
    "cl_esa cut": {"keep": [3]},
    "cl_lsi": {"dimensions": [4, 8], "skip_words": 3},
    "sogaard": {"dimensions": [4, 8], "skip_words": 3},
    "opca rows": {"dimensions": [4, 8], "skip_words": 3, "solver": "rows"},
    "opca gammas": {"dimensions": [8], "skip_words": 0, "gammas": [0.1, 3.0], "solver": "columns"},
    "opca iterative": {"dimensions": [8], "skip_words": 3, "solver": "iterative"}
    | {"tolerance": 1e-7},
    "document_cca": {"dimensions": [4, 8], "skip_words": 3},
    "document_cca gammas": {"dimensions": [5], "skip_words": 0, "gammas": [1.0, 30.0]},
    "bwesg": {"dimensions": [8, 12], "window": 20, "epochs": 15, "min_count": 1},
    "pretrained": {"path": "{language}.vec", "dimension": 12},
    "encoder": {"path": "encoder", "prefix": "a "},
    "least_squares": {"seeds": "dictionary"},
    "least_squares ridge": {"seeds": "dictionary_and_identical", "ridge": 0.5, "centre": True},
    "procrustes": {"seeds": "identical", "rounds": 0},
    "procrustes refined": {"seeds": "identical", "rounds": 2, "neighbours": 3},
    "word_cca": {"seeds": "dictionary"},
    "multicca": {"seeds": "dictionary"},
    "multicca ridge": {"seeds": "dictionary_and_identical", "ridge": 0.1},
    "vecmap_supervised": {"seeds": "dictionary"},
    "vecmap_self_learning": {"seeds": "identical", "rounds": 5},
    "rcsls": {"seeds": "dictionary", "rates": [1.0, 10.0], "epochs": [2], "neighbours": 3},
    "vecmap_unsupervised": {"starts": 2, "rounds": 1, "neighbours": 3, "steps": 40},
    "wasserstein": {**MAPS, "plan_steps": 10, "epochs": 1, "steps": 2},
    "icp": {**MAPS, "trials": 10, "icp_steps": 20, "axes": 6},
    "advrefine": {**MAPS, "epochs": 3, "samples": 8000, "hidden": 32, "rate": 0.3},
    "jplsa": {**TOPICS, "start": "random", "patience": 2},
    "cplsa": {**TOPICS, "sigma": "exact"},
    "pltm": {**TOPICS, "dimensions": [10], "burn_in": 20, "alpha": 0.2, "beta": 0.05},
    "bae": {"widths": [40, 20], "rates": [0.01], "batch": 50, "stack_epochs": 10}
    | {"epochs": [0, 20], "blanked": True},
    "s2net": {**NETWORK, "epochs": 5, "optimiser": "lbfgs"},
    "s2net random": {**NETWORK, "epochs": 10, "start": "random", "optimiser": "adam"},
    "mono_xcnn": {"dimension": 6, "stage1_epochs": 2, "optimiser": "adam"}
    | {"start": "autoencoder", "relevance": "bm25"},
    "xcnn": {**NETWORK, "stage1_epochs": 10, "epochs": 20},
    "xcnn adam": {**NETWORK, "stage1_epochs": 10, "epochs": 20, "layers": 2}
    | {"optimiser": "adam", "negatives": 2, "weights": "paper"},
    "example_system": {"ranks": [2, 8]},
    "example_network": {"hidden": [8], "dimension": 6, "steps": 30},
}
EXAMPLES = {path.stem: path for path in Path(__file__).parent.glob("example_*.py")}
OF_TWO = {"cplsa", "word_cca", "vecmap_supervised"}  # languages
