"""From a training set to the topics that rank its validation queries best."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from cr5.base.errors import LeftOutError, UserError
from cr5.fitting.best import Selection, best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import WordTables
from cr5.systems.projections.columns import Columns, ColumnSettings, columns
from cr5.systems.topics.corpus import Corpus
from cr5.systems.topics.em import Em, Step, Topics, check_memory
from cr5.systems.topics.family import TopicModel
from cr5.systems.topics.gibbs import Gibbs, Sample

log = logging.getLogger(__name__)

CHECK_EVERY = 5  # iterations from one validation to the next
PATIENCE = 10  # consecutive validations without a better one, then it ends
# Without validation: a relative rise of the objective below this counts as none.
STANDSTILL = 1e-6
# Of an l1 distance of at most 2: a larger mean means that pairs are coupled too little.
APART = 0.1


@dataclass
class Runs:
    """Runs of EM, one per number of topics, and the fits from them.

    Attributes:
        training: what a system sees.
        system: how many topics, and iterations at most.
        columns: of the corpus.
        em: estimates topics of the corpus.
    """

    training: TrainingSet
    system: TopicModel
    columns: Columns
    em: Em | Gibbs

    def validated(self) -> Fit:
        """Validate a fit for each number of topics at each check, until patience is over."""
        selection = Selection(self.training)
        for dimension in self.dimensions():
            topics, history = self.em.start(dimension), []
            for first, last in pairwise(self._checks()):
                history = [*history, self._advance(topics, first, last)]
                selection.add(self._fit(topics, history))
                if selection.checks_without_gain(dimension=dimension) >= PATIENCE:
                    break
        return selection.result()

    def to_the_end(self) -> Fit:
        """Return one fit, after the last iteration or when the objective stops rising."""
        topics, history = self.em.start(*self.dimensions()), []
        for first, last in pairwise(self._checks()):
            history.append(self._advance(topics, first, last))
            if _stands_still(history):
                break
        return best(self.training, [self._fit(topics, history)])

    def _checks(self) -> list[int]:
        """Iterations after which topics are checked, after burn-in; 0 is the start."""
        last = self.system.max_iterations
        return [0, *range(self.em.burn_in + CHECK_EVERY, last, CHECK_EVERY), last]

    def dimensions(self) -> list[int]:
        """Numbers of topics for which each topic can have a word."""
        asked = sorted(set(self.system.dimensions))
        usable = [dimension for dimension in asked if dimension <= self.columns.n]
        if not usable:
            raise UserError(
                f"dimensions: {', '.join(map(str, asked))} topics, but there are only "
                f"{self.columns.n} words that are kept; ask for fewer topics or keep more words"
            )
        return usable

    def _advance(self, topics: Topics | Sample, first: int, last: int) -> dict[str, Any]:
        """Iterate, and report the last iteration."""
        for _ in range(first, last):
            step = self.em.step(topics)
        found = {"iterations": last, **_said(step)}
        figures = ", ".join(f"{name} {value:.6g}" for name, value in found.items())
        log.info("%d topics: %s", topics.phi.shape[1], figures)
        return found

    def _fit(self, topics: Topics | Sample, history: list[dict[str, Any]]) -> Fit:
        chosen = {"dimension": topics.phi.shape[1], "iterations": history[-1]["iterations"]}
        model = self._model(topics)
        facts = _facts(self.em.corpus) | {"history": history}
        return Fit(model, facts | {"warnings": self._warnings(history)}, chosen)

    def _model(self, topics: Topics | Sample) -> WordTables:
        """One iteration of EM for a new document, from theta0: theta ~ sum_w n_w p(t|w) + prior.

        The paper does not specify theta0: here it is the mean of the training documents, by which
        more is found than by equal shares. With p(t|w) ~ theta0_t phi_tw that is a word table with
        an offset, and rows of l1 norm one. A document without a known word has equal shares of all
        topics.
        """
        training, columns = self.training, self.columns
        table, theta0 = self.em.means(topics)
        table *= theta0
        table /= table.sum(axis=1, keepdims=True)
        table = table.astype(np.float32)
        prior = np.full(table.shape[1], self.em.added[0])
        return WordTables(
            training.words,
            {x: columns.table(x, table) for x in training.languages},
            {x: (columns.numbers[x] >= 0).astype(np.float64) for x in training.languages},
            dict.fromkeys(training.languages, prior),
            term_frequency="raw",
            norm="l1",
            measures=("l1",),
        )

    def _warnings(self, history: list[dict[str, Any]]) -> list[str]:
        asked, usable = set(self.system.dimensions), self.dimensions()
        left_out = sorted(asked - set(usable))
        warnings = [f"{n} topics were left out: only {self.columns.n} words" for n in left_out]
        gap = history[-1].get("gap_mean", 0.0)
        if gap > APART:
            warnings.append(
                f"the topics of a pair's documents still differ by {gap:.2f} of 2, on average: "
                "sigma couples them too little; sigma: exact makes them equal"
            )
        return warnings


def fit(
    training: TrainingSet,
    system: TopicModel,
    em_on: Callable[[Columns], Em | Gibbs],
    merged: bool = True,
) -> Fit:
    """Fit each number of topics, and keep the topics that rank validation queries best.

    Every `CHECK_EVERY` iterations the topics are validated; after `PATIENCE` consecutive checks
    without improvement, or `max_iterations`, the next number of topics follows. Without validation
    queries one number of topics is fitted until the objective stops rising.

    Args:
        training: with counts.
        system: how many topics, words, and iterations at most.
        em_on: makes the estimator on its documents in these columns.
        merged: whether a string of several languages is one column.

    Raises:
        UserError: no word is kept, or fewer words than topics; or there is not enough memory.
        LeftOutError: there are no such documents; or no validation query, but a choice to make.
    """
    chosen = columns(
        training.words,
        training.counts,
        ColumnSettings(system.skip_words, system.max_words, merged),
    )
    em = em_on(chosen)
    runs = Runs(training, system, chosen, em)
    n_words = sum(len(words) for words in training.words.values())
    check_memory(em, max(runs.dimensions()), n_words)
    try:
        return runs.validated()
    except LeftOutError as error:
        if len(system.dimensions) > 1:
            raise
        log.info("%s; without any, the objective says when to stop", error)
        return runs.to_the_end()


def _said(step: Step) -> dict[str, Any]:
    found = {"objective": step.objective}
    if len(step.gaps):
        found |= {"gap_mean": float(step.gaps.mean()), "gap_max": float(step.gaps.max())}
        found["coupling_steps"] = step.steps
    return found


def _facts(corpus: Corpus) -> dict[str, Any]:
    n, columns = corpus.counts.shape
    facts = {"documents": n, "columns": columns, "tokens": int(corpus.tokens.sum())}
    return facts | ({"pairs": corpus.n_pairs} if corpus.n_pairs else {})


def _stands_still(history: list[dict[str, Any]]) -> bool:
    if len(history) < 2:
        return False
    before, after = (each["objective"] for each in history[-2:])
    iterations = history[-1]["iterations"] - history[-2]["iterations"]
    return after - before <= STANDSTILL * iterations * abs(after)
