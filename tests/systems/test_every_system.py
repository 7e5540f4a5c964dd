"""What every system keeps, whatever it does: each is put through the same, and broken ones fail it.

Its documents are as near to each other as an oracle says, which computes it anew (`oracles`), or
where there is none they find their translations better than chance. And no order of languages and
no number of threads changes a byte; a model embeds after it was stored as before.
"""

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_limits

import cr5
from cr5.base.errors import LeftOutError, UserError
from cr5.contracts.catalogue import SYSTEMS as KINDS
from cr5.contracts.system import System
from cr5.fitting.fit import fit
from cr5.models import store
from cr5.models.encoders.opening import PACKAGES
from cr5.scores.ranking import rank_all
from cr5.systems.baselines.lexical_overlap import LexicalOverlap
from cr5.systems.projections import pencils
from cr5.systems.ridge import dense_solver
from cr5.tasks.documents import Documents
from tests.kit import inside
from tests.kit.corpus import CORPUS, LANGUAGES, N_WORDS, give
from tests.systems.cases import BARS, CHOSEN, EXAMPLES, LEFT_OUT, OF_TWO, ONE_MEASURE, SYSTEMS
from tests.systems.oracles import ORACLES
from tests.tiny_encoders import write_static


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The corpus with all that systems read; a fifth of the words has no translation."""
    path = give(tmp_path_factory.mktemp("corpus"))
    for source, target in itertools.permutations(LANGUAGES, 2):
        entries = translations(CORPUS.words[source], CORPUS.words[target])
        (path / f"{source}-{target}.tsv").write_text("".join(entries))
    words = sorted({"a"}.union(*CORPUS.words.values()))
    drawn = np.random.default_rng(7).normal(size=(len(words), 6)).astype(np.float32)
    vectors = dict(zip(words, drawn, strict=True))
    write_static(path / "encoder", vectors)
    lines = [f"{len(words)} 6\n"]
    for word, row in vectors.items():
        lines.append(f"{word} {' '.join(map(str, row))}\n")
    (path / "encoder.vec").write_text("".join(lines))
    return path


def translations(source_words, target_words):
    """Lines of words and their translations, as aligners find them; none of each fifth word."""
    lines = []
    for number, word in enumerate(source_words):
        if number % 5 == 4:
            continue
        neighbour = target_words[(number + 1) % N_WORDS]
        lines.append(f"{word}\t{target_words[number]}\t0.6\n")
        lines.append(f"{word}\t{neighbour}\t0.3\n")
    return lines


@dataclass(frozen=True)
class Case:
    """What a case of SYSTEMS fits."""

    kind: type[System]
    languages: Sequence[str]
    options: Mapping[str, Any]


def case(name):
    """Return the case of a name."""
    stem = name.split()[0]
    keys = {}
    if stem in EXAMPLES:
        keys = {"module": str(EXAMPLES[stem])}
    languages = LANGUAGES
    if stem in OF_TWO:
        languages = LANGUAGES[:2]
    return Case(KINDS.part_class(stem, keys), languages, SYSTEMS[name])


def given(folder, languages, options, threads=1, seeds=True):
    """What fits start from: the same for all that read no files of their own."""
    items = []
    for key in ("path", "term_frequency"):
        if key in options:
            items.append((key, options[key]))
    return _given(folder, tuple(languages), tuple(items), threads, seeds)


@functools.cache
def _given(folder, languages, options, threads, seeds):
    return inside.given(folder, list(languages), dict(options), threads, seeds)


def turned(name, languages):
    """Cases take turns: all pairs the other way round, or each language in another place."""
    number = list(SYSTEMS).index(name)
    if number % 2:
        return languages[::-1]
    return languages[1:] + languages[:1]


def fitted(case, start):
    """No thread of BLAS may change what is found."""
    system = case.kind(**case.options)
    with threadpool_limits(start.training.threads):
        return fit(system, start.training)


def stored(system_fit, folder):
    """Write a fit; returns its files."""
    store.save(folder, system_fit.model, system_fit.report)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def embedded(model, start, language, target):
    """Rows of all documents of a language, dense; each has its part for every kind of row."""
    documents = start.data.bags[language].counts
    if model.reads_texts:
        documents = list(CORPUS.documents[language].values())
    rows = model.embed(documents, language, target)
    return np.hstack(inside.dense(rows))


def ranked(model, start, languages):
    """Answers of the test queries of each direction and similarity."""
    searches = Documents().searches(start.data, languages, "test")
    return [ranking.answers for ranking in rank_all(searches, model)]


def check_bytes(case, order, folder, tmp_path):
    """Another order of languages with two threads, storing and loading change nothing."""
    start = given(folder, case.languages, case.options)
    system_fit = fitted(case, start)
    files = stored(system_fit, tmp_path / "0")
    loaded = store.load(tmp_path / "0", [type(system_fit.model)])
    for source, target in itertools.permutations(case.languages, 2):
        rows = embedded(system_fit.model, start, source, target)
        assert rows.shape[0] == len(CORPUS.documents[source])
        rows_of_loaded = embedded(loaded, start, source, target)
        np.testing.assert_array_equal(rows_of_loaded, rows)
    start_by_two_threads = given(folder, order, case.options, threads=2)
    refitted = fitted(case, start_by_two_threads)
    assert stored(refitted, tmp_path / "1") == files, "other bytes"
    return start, system_fit


def check_similarities(oracle, options, start, system_fit, folder):
    """Documents are as near to each other as the oracle says."""
    model = system_fit.model
    report = system_fit.report
    chosen = {option: report[name] for option, name in CHOSEN.items() if name in report}
    similarities = oracle(inside.plain(start, folder), options | chosen)
    for (source, target), expected in similarities.items():
        queries = embedded(model, start, source, target)
        candidates = embedded(model, start, target, target)
        tolerance = 1e-4 * max(1, expected.max())
        pair = f"{source}-{target}"
        np.testing.assert_allclose(queries @ candidates.T, expected, atol=tolerance, err_msg=pair)
        assert expected.std() > 0.005


def check_ranks(bar, n_measures, start, system_fit, languages):
    """All directions are ranked, better than the bar."""
    answers_of_rankings = ranked(system_fit.model, start, languages)
    n_directions = len(languages) * (len(languages) - 1)
    assert len(answers_of_rankings) == n_directions * n_measures
    assert all(len(answers) for answers in answers_of_rankings)
    ranks = pd.concat(answers_of_rankings)["rank"]
    assert (1 / ranks).mean() > bar


def check_choice(options, start, system_fit):
    """All that is listed was tried, and what validated best was kept."""
    report = system_fit.report
    stages = ("rerank_validation", "string_validation", "validation")
    trials_of_stages = [report[stage] for stage in stages if stage in report]
    trials = list(itertools.chain.from_iterable(trials_of_stages))
    for option, name in CHOSEN.items():
        tried = {trial[name] for trial in trials if name in trial}
        listed = options.get(option)
        if tried and isinstance(listed, list):
            assert tried >= set(listed), option
    if trials_of_stages:
        best = dict(max(trials_of_stages[0], key=_mrr))
        best_mrr = best.pop("mrr")
        assert best.items() <= _plain(report).items()
        assert start.training.validate(system_fit.model).score == best_mrr


def _mrr(trial):
    return trial["mrr"]


def _plain(report):
    return {key: value for key, value in report.items() if not isinstance(value, list | dict)}


def test_every_system_is_put_through_it():
    systems = {name.split()[0] for name in SYSTEMS}
    assert systems == (set(KINDS.known()) | set(EXAMPLES)) - PACKAGES.keys()
    for name in SYSTEMS:
        assert (_oracle(name) is None) == (name in BARS)


def _oracle(name):
    if name in BARS:
        return None
    return ORACLES.get(name) or ORACLES.get(name.split()[0])


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_keeps_it(name, folder, tmp_path, monkeypatch):
    if "iterative" in name:  # as large problems are solved
        monkeypatch.setattr(dense_solver, "SIZE", 0)
        monkeypatch.setattr(pencils, "SMALL", 0)
    of_name = case(name)
    languages = of_name.languages
    order = turned(name, languages)
    start, system_fit = check_bytes(of_name, order, folder, tmp_path)
    oracle = _oracle(name)
    if oracle:
        check_similarities(oracle, of_name.options, start, system_fit, folder)
    n_measures = 2
    if name.split()[0] in ONE_MEASURE:
        n_measures = 1
    check_ranks(BARS.get(name, 0), n_measures, start, system_fit, languages)
    check_choice(of_name.options, start, system_fit)


def sharing_nothing(start):
    """The same, but no concept has training documents in two languages."""
    training = start.training
    concepts = {}
    n_concepts = 0
    for language in training.languages:
        concepts[language] = n_concepts + training.concepts[language]
        n_concepts += training.n_concepts
    apart = replace(training, concepts=concepts, n_concepts=n_concepts)
    return replace(start, training=apart)


@pytest.mark.parametrize(("name", "lacking"), LEFT_OUT)
def test_where_data_are_lacking_a_system_is_left_out(name, lacking, folder):
    of_name = case(name)
    languages = of_name.languages
    if lacking == "a setting of two languages":
        languages = LANGUAGES
    start = given(folder, languages, of_name.options, seeds=lacking != "seeds")
    if lacking == "concepts":
        start = sharing_nothing(start)
    with pytest.raises(LeftOutError):
        fitted(of_name, start)


def test_an_encoder_is_left_out_of_a_task_that_has_only_words(folder):
    of_encoder = case("encoder")
    start = given(folder, LANGUAGES, of_encoder.options)
    model = fitted(of_encoder, start).model
    bags = {}
    for language, bags_of_language in start.data.bags.items():
        bags[language] = replace(bags_of_language, texts=None)
    without_texts = replace(start, data=replace(start.data, bags=bags))
    with pytest.raises(LeftOutError, match="has only words"):
        ranked(model, without_texts, LANGUAGES)


class Broken(LexicalOverlap):
    """Its model has other words than those that it was given."""

    def fit(self, training):
        fit_of_all_words = super().fit(training)
        words = {language: ["a"] for language in LANGUAGES}
        return replace(fit_of_all_words, model=replace(fit_of_all_words.model, words=words))


def test_a_fit_returns_the_words_that_it_was_given(folder):
    start = given(folder, LANGUAGES, {})
    with pytest.raises(UserError, match="the words of the model in"):
        fit(Broken(), start.training)


@pytest.mark.parametrize("write", [store.save, store.pack])
def test_a_model_of_ones_own_is_loaded_only_where_its_class_is_passed(write, folder, tmp_path):
    of_example = case("example_network")
    start = given(folder, LANGUAGES, of_example.options)
    model = fitted(of_example, start).model
    path = tmp_path / "m.cr5"
    write(path, model, {"system": "network"})
    refusal = "class TwoLayers of the module example_network, which is not part of cr5: no code is"
    with pytest.raises(UserError, match=refusal) as error:
        cr5.load(path)
    assert str(error.value).startswith(f"{path}: ")
    loaded = cr5.load(path, classes=[type(model)]).model
    assert type(loaded) is type(model)
    counts = start.training.features["en"]
    assert loaded.embed(counts, "en").tobytes() == model.embed(counts, "en").tobytes()
