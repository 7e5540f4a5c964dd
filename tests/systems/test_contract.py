"""What every system has to keep, whatever it does: each is put through the same, and broken ones
fail it.
"""

import copy
import itertools
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.base.rows import HybridRows
from cr5.fitting import vectors
from cr5.fitting.contract import Fit
from cr5.fitting.fit import fit
from cr5.models import store
from cr5.plan.catalogue import PACKAGE, module_source
from cr5.tasks import documents
from cr5.tasks.base import Data
from cr5.tasks.ranking import rank_all
from tests.tiny_encoders import write_static

SYSTEMS = {
    "cr5 dense": {"rank": 8, "ridges": [0.1, 1.0]},
    "cr5 iterative": {"rank": 8, "ridges": [0.1, 1.0], "solver": "iterative"},
    "best": {},
    "cr5_spelling dense": {"ranks": [4, 8], "ridges": [0.1]},
    "cr5_spelling strings": {"ranks": [8], "ridges": [0.1], "string_weights": [0.5, 1]},
    "cr5_spelling iterative": {"ranks": [8], "ridges": [0.1], "solver": "iterative"},
    "lexical_overlap": {},
    "lexical_overlap weighted": {"paper_weights": True, "skip_words": 3},
    "cl_lsi": {"dimensions": [4, 8], "skip_words": 3},
    "opca rows": {"dimensions": [4, 8], "skip_words": 3, "solver": "rows"},
    "opca iterative": {"dimensions": [8], "skip_words": 3, "solver": "iterative"},
    "document_cca": {"dimensions": [4, 8], "skip_words": 3},
    "sogaard": {"dimensions": [4, 8], "skip_words": 3},
    "cl_esa": {"keep": [None, 5]},
    "bwesg": {"dimensions": [4, 6], "window": 4, "epochs": 1},
    "prefix_overlap": {},
    "bm25": {"k1": [0.5, 1.2]},
    "bm25_translated": {},
    "procrustes": {"seeds": "identical", "rounds": 2, "neighbours": 3},
    "rcsls": {"seeds": "identical", "rates": [1.0, 10.0], "epochs": [1]},
    "vecmap_unsupervised": {"starts": 1, "rounds": 1, "neighbours": 3, "steps": 8},
    "wasserstein": {
        "starts": 1,
        "rounds": 1,
        "neighbours": 3,
        "plan_steps": 3,
        "epochs": 1,
        "steps": 2,
    },
    "icp": {"starts": 1, "rounds": 1, "neighbours": 3, "trials": 3, "icp_steps": 4},
    "jplsa": {
        "dimensions": [3, 5],
        "start": "random",
        "skip_words": 2,
        "max_iterations": 12,
        "patience": 1,
    },
    "cplsa": {"dimensions": [3, 5], "skip_words": 2, "max_iterations": 12, "patience": 1},
    "pltm": {"dimensions": [3], "skip_words": 2, "max_iterations": 8, "burn_in": 2},
    "advrefine": {
        "starts": 1,
        "epochs": 1,
        "samples": 3200,
        "hidden": 16,
        "rounds": 1,
        "neighbours": 3,
    },
    "least_squares": {"seeds": "identical"},
    "word_cca": {"seeds": "identical"},
    "multicca": {"seeds": "identical"},
    "vecmap_supervised": {"seeds": "identical"},
    "vecmap_self_learning": {"seeds": "identical", "rounds": 5},
    "cr5_features": {"path": "{language}.tsv", "ranks": [4], "ridges": [0.1]},
    "pretrained": {"path": "{language}.txt", "dimension": 6},
    "word_by_word": {"skip_words": 5},
    "bae": {"widths": [8, 5], "stack_epochs": 1, "epochs": [0, 2], "blanked": True},
    "s2net": {"dimension": 6, "epochs": 2, "skip_words": 3, "optimiser": "lbfgs"},
    "s2net random": {"dimension": 6, "epochs": 2, "start": "random", "optimiser": "adam"},
    "mono_xcnn": {"dimension": 6, "stage1_epochs": 2, "optimiser": "adam"}
    | {"start": "autoencoder", "relevance": "bm25"},
    "xcnn": {"dimension": 6, "stage1_epochs": 2, "epochs": 2},
    "xcnn adam": {"dimension": 6, "stage1_epochs": 2, "epochs": 2, "layers": 2}
    | {"optimiser": "adam", "negatives": 2, "weights": "paper"},
    "encoder": {"path": "encoder", "prefix": "a "},
    "word_by_word lsa": {"skip_words": 5, "via": "lsa", "dimensions": [5, 20]},
    "example_system": {"ranks": [2, 8]},
    "example_network": {"hidden": [4], "dimension": 3, "steps": 5},
}
EXAMPLES = {path.stem: path for path in Path(__file__).parent.glob("example_*.py")}


OF_TWO = {"cplsa", "word_cca", "vecmap_supervised"}  # languages
ONE_MEASURE = {"jplsa", "cplsa", "pltm", "bm25", "bm25_translated"}  # all others by cosine and CSLS


@pytest.fixture(scope="module")
def given(made_up, tmp_path_factory):
    """Word vectors and features of each language, and translations into each other one."""
    folder = tmp_path_factory.mktemp("given")
    words = {x: bags.words["word"].tolist() for x, bags in made_up.items()}
    for x, names in words.items():
        generator = np.random.default_rng([2, *x.encode()])
        drawn = generator.normal(size=(60, 6)).astype(np.float32)
        vectors.save(folder / x, names, drawn, language=x)
        lines = [" ".join([word, *map(str, row)]) for word, row in zip(names, drawn, strict=True)]
        (folder / f"{x}.txt").write_text("\n".join(lines) + "\n")
        features = [f"{word}\tf{i % 20}\n" for i, word in enumerate(names)]
        (folder / f"{x}.tsv").write_text("".join(features))
    every = sorted({word for names in words.values() for word in names})
    drawn = np.random.default_rng(3).normal(size=(len(every), 6))
    write_static(folder / "encoder", dict(zip(every, drawn, strict=True)))
    for a, b in itertools.permutations(words, 2):
        lines = [f"{a}{i}\t{b}{i}\t0.5\n" for i in range(40)]
        (folder / f"{a}-{b}").write_text("".join(lines))
    return folder


def files(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def run(system, own_options, order, made_up, prepare, given, folder, threads=1):
    """From bags in some order of languages to the files of the model and all that it finds."""
    bags, options = {x: with_texts(made_up[x]) for x in order}, copy.deepcopy(own_options)
    path = options.get("path", "")
    drawn, training = prepare(
        bags,
        with_counts=True,
        vector_files={x: given / x for x in order},
        alignment_files={pair: given / "-".join(pair) for pair in itertools.permutations(order, 2)},
        files={x: {"path": str(given / path.format(language=x))} for x in order if path},
        threads=threads,
    )
    with threadpool_limits(threads):  # which no fit may notice
        fitted = fit(system, training, options)
    assert options == own_options, "the caller's options are changed"
    store.save(folder, fitted.model, fitted.report)
    model = store.load(folder, [type(fitted.model)])
    for x, counts in training.counts.items():
        other = next(y for y in order if y != x)
        texts = training.texts[x]() if model.reads_texts else counts
        rows = [each.embed(texts, x, other) for each in (fitted.model, model)]
        assert rows[0].shape[0] == counts.shape[0]
        for first, again in zip(*map(parts, rows), strict=True):
            np.testing.assert_array_equal(first, again)
    searches = documents.searches(Data(bags, drawn), order, {})
    found = rank_all(searches, model)
    return files(folder), {(each.query, each.target, each.similarity): each for each in found}


def with_texts(bags):
    """As if documents had been written of which these are the counts."""

    def texts(concepts):
        words = bags.words["word"].to_numpy()
        rows = bags.counts[bags.rows(concepts)]
        return [" ".join(np.repeat(words[row.indices], row.data)) for row in rows]

    return replace(bags, texts=texts)


def parts(rows):
    """Rows that have several parts, or are sparse, as arrays."""
    several = [rows.dense, rows.sparse] if isinstance(rows, HybridRows) else [rows]
    return [x.toarray() if sparse.issparse(x) else x for x in several]


def test_every_system_is_put_through_it():
    known = {path.stem for path in (PACKAGE / "systems").glob("[!_]*.py")}
    assert {name.split()[0] for name in SYSTEMS} == known | set(EXAMPLES)


def check(system, options, languages, n_measures, made_up, prepare, given, tmp_path):
    """Raise unless no run, order of languages or thread changes a byte.

    Of a model that embeds after it was stored as before.
    """
    turned = [*languages[1:], languages[0]]
    more = made_up, prepare, given
    expected_files, expected = run(system, options, languages, *more, tmp_path / "0")
    assert len(expected) == len(languages) * (len(languages) - 1) * n_measures
    assert all(len(each.queries) for each in expected.values())
    for number, order in enumerate([languages[::-1], turned], start=1):
        folder = tmp_path / str(number)
        found_files, found = run(system, options, order, *more, folder, threads=number)
        assert found_files == expected_files, "other bytes"
        assert set(found) == set(expected)
        for key, each in found.items():
            pd.testing.assert_frame_equal(each.answers, expected[key].answers, check_exact=True)
            pd.testing.assert_frame_equal(each.queries, expected[key].queries, check_exact=True)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_keeps_it(name, made_up, prepare, given, tmp_path):
    stem = name.split()[0]
    system = load_module(EXAMPLES.get(stem) or module_source("systems", stem), "fit")
    languages = list(made_up)[: 2 if name in OF_TWO else 3]
    n_measures = 1 if name in ONE_MEASURE else 2
    check(system, SYSTEMS[name], languages, n_measures, made_up, prepare, given, tmp_path)


def broken(fault):
    """A system that averages words, with one mistake."""

    def fit(training, options):
        generator = np.random.default_rng(None if fault == "chance" else training.seed)
        tables = {x: generator.normal(size=(len(training.words[x]), 5)) for x in training.languages}
        if fault == "threads":
            tables = {x: table * training.threads for x, table in tables.items()}
        if fault == "options":
            options["ranks"].append(3)
        if fault == "words":
            return Fit(replace(training.model(tables), words={x: ["a"] for x in tables}))
        report = {"ranks": {1, 2}} if fault == "report" else {}
        return Fit(training.model(tables), report)

    return SimpleNamespace(fit=fit, OPTIONS={"ranks": ([1], None, "not used")}, __file__="own.py")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("nothing", None),
        ("chance", "other bytes"),
        ("threads", "other bytes"),
        ("options", "options are changed"),
        ("words", "the words of the model in"),
        ("report", "must hold plain numbers"),
    ],
)
def test_a_broken_system_fails_it(fault, said, made_up, prepare, given, tmp_path):
    refused = pytest.raises((AssertionError, UserError), match=said) if said else nullcontext()
    with refused:
        check(broken(fault), {"ranks": [1]}, list(made_up), 2, made_up, prepare, given, tmp_path)
