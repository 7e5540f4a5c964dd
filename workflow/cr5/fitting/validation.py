"""The criterion by which systems choose hyperparameters."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from cr5.base.errors import LeftOutError
from cr5.base.parts import Task as TaskPart
from cr5.counts.bags import Bags
from cr5.fitting.criteria import MRR, Criterion, Score, by_chance
from cr5.models.contract import Model
from cr5.scores.ranked import Ranked
from cr5.splits.drawn import Draw
from cr5.splits.options import Pair
from cr5.tasks.base import Data, Search, Texts
from cr5.tasks.documents import Documents
from cr5.tasks.ranking import rank_all


@dataclass(frozen=True)
class Task:
    """The task used for validation.

    Attributes:
        part: the task; its searches of the role `validation` are ranked.
        texts: the contents of the task's own files, by language, then by the task's name for each,
            in the words of the bags that are validated with.
        tables: made of files of language pairs, by the task's name for each.
    """

    part: TaskPart = field(default_factory=Documents)
    texts: Mapping[str, Mapping[str, Texts]] = field(default_factory=dict)
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)


DOCUMENTS = Task()


def validated(drawn: Draw, language: str, documents: pd.Series) -> pd.Index:
    """Return the documents of a language that validation by `DOCUMENTS` may ask for or among.

    Args:
        drawn: for the corpus.
        language: of the documents.
        documents: the concepts of all of them.
    """
    asked = drawn.held_out("validation").union(drawn.candidates_of(language))
    return pd.Index(documents[documents.isin(asked)])


def validation(
    bags: Mapping[str, Bags],
    drawn: Draw,
    languages: Sequence[str],
    threads: int = 1,
    criterion: Criterion = MRR,
    pairs: Collection[Pair] | None = None,
    task: Task = DOCUMENTS,
) -> Callable[[Model], Score]:
    """Make the criterion.

    Args:
        bags: by language of the setting; they may have more words than models have.
        drawn: for the corpus.
        languages: of the setting.
        threads: their number changes no result.
        criterion: computes a score from ranks.
        pairs: of languages that the setting searches; None for all. Other pairs, such as those
            that link two languages, have no queries here, as they have none in the test.
        task: whose searches are ranked.

    Returns:
        A function from a model to the criterion of the validation queries by the model's first
        measure, averaged over the directions of these pairs. A query with several answers counts
        by its best one, and has an infinite rank if none was found. The function keeps the
        searches of the first call, not the bags, and raises `ModelError` for a model that cannot
        embed.
    """
    waiting, searches, chances = [bags], list[Search](), list[float]()

    def score(model: Model) -> Score:
        model.check()  # values that are not finite have no rank
        if waiting:  # at the first call: all fits of a system have the same words
            every = waiting.pop()
            data = Data(
                {x: each.select(model.words[x]) for x, each in every.items()},
                drawn,
                {x: _known(found, every[x], model.words[x]) for x, found in task.texts.items()},
                task.tables,
                pairs,
            )
            searches.extend(task.part.searches(data, languages, "validation"))
        by_pair: dict[str, dict[str, float]] = {}
        sizes = []
        for found in rank_all(searches, model, model.measures[:1], threads=threads):
            figure = criterion.of_ranks(Ranked.of(found.answers, found.queries).best)
            by_pair.setdefault(found.query, {})[found.target] = figure
            sizes.append((len(found.queries), found.queries["n_candidates"].max()))
        if not by_pair:
            raise LeftOutError(
                f"no validation query for {', '.join(languages)}: raise "
                "splits.max_share.validation, or give every option one value"
            )
        if not chances:
            chances.append(by_chance(criterion, sizes))
        return Score(
            np.mean([x for of_query in by_pair.values() for x in of_query.values()]),
            by_pair,
            chances[0],
        )

    return score


def _known(texts: Mapping[str, Texts], every: Bags, words: Sequence[str]) -> dict[str, Texts]:
    columns = every.columns(words)
    return {name: each.known(columns) for name, each in texts.items()}
