"""The order in which languages come, in a configuration or a mapping, changes no byte."""

import itertools

import numpy as np
import pandas as pd
import pytest

from cr5.base.modules import load_module
from cr5.fitting import vectors
from cr5.fitting.fit import fit
from cr5.models import store
from cr5.plan.catalogue import module_source
from cr5.tasks import documents
from cr5.tasks.base import Data, rank_all

SYSTEMS = {
    "cr5 dense": {"rank": 8, "ridges": [0.1, 1.0]},
    "cr5 iterative": {"rank": 8, "ridges": [0.1, 1.0], "solver": "iterative"},
    "cr5_spelling dense": {"ranks": [4, 8], "ridges": [0.1]},
    "cr5_spelling strings": {"ranks": [8], "ridges": [0.1], "string_weights": [0.5, 1]},
    "cr5_spelling iterative": {"ranks": [8], "ridges": [0.1], "solver": "iterative"},
    "lexical_overlap": {},
    "lexical_overlap weighted": {"paper_weights": True, "skip_words": 3},
    "cl_lsi": {"dimensions": [4, 8], "skip_words": 3},
    "opca rows": {"dimensions": [4, 8], "skip_words": 3, "solver": "rows"},
    "opca iterative": {"dimensions": [8], "skip_words": 3, "solver": "iterative"},
    "document_cca": {"dimensions": [4, 8], "skip_words": 3},
    "prefix_overlap": {},
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
    "jplsa": {"dimensions": [3, 5], "skip_words": 2, "max_iterations": 12, "patience": 1},
    "word_by_word": {"skip_words": 5},
    "word_by_word lsa": {"skip_words": 5, "via": "lsa", "dimensions": [5, 20]},
}


@pytest.fixture(scope="module")
def given(made_up, tmp_path_factory):
    """Word vectors of each language, and translations of each into each other one."""
    folder = tmp_path_factory.mktemp("given")
    words = {x: bags.words["word"].tolist() for x, bags in made_up.items()}
    for x, names in words.items():
        generator = np.random.default_rng([2, *x.encode()])
        drawn = generator.normal(size=(60, 6)).astype(np.float32)
        vectors.save(folder / x, names, drawn, language=x)
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


def run(system, order, made_up, prepare, given, folder):
    """From bags in some order of languages to the files of the model and all that it finds."""
    bags = {x: made_up[x] for x in order}
    drawn, training = prepare(
        bags,
        with_counts=True,
        vector_files={x: given / x for x in order},
        alignment_files={pair: given / "-".join(pair) for pair in itertools.permutations(order, 2)},
    )
    module = load_module(module_source("systems", system.split()[0]), "fit")
    fitted = fit(module, training, SYSTEMS[system])
    store.save(folder, fitted.model, fitted.report)
    searches = documents.searches(Data(bags, drawn), order, {})
    found = rank_all(searches, store.load(folder))
    return files(folder), {(each.query, each.target, each.similarity): each for each in found}


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_order_of_languages_changes_a_model_or_a_rank(system, made_up, prepare, given, tmp_path):
    orders = list(itertools.permutations(made_up))
    expected_files, expected = run(system, orders[0], made_up, prepare, given, tmp_path / "0")
    assert len(expected) == 6 * (1 if system == "jplsa" else 2)  # directions, measures
    assert all(len(each.queries) for each in expected.values())
    for number, order in enumerate(orders[1:], start=1):
        found_files, found = run(system, order, made_up, prepare, given, tmp_path / str(number))
        assert found_files == expected_files
        assert set(found) == set(expected)
        for key, each in found.items():
            pd.testing.assert_frame_equal(each.answers, expected[key].answers, check_exact=True)
            pd.testing.assert_frame_equal(each.queries, expected[key].queries, check_exact=True)
