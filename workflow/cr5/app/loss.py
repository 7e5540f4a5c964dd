"""What a change of a model costs: the test queries of its run, ranked before and after."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cr5.base.errors import UserError
from cr5.models.contract import Model
from cr5.retrieval.results import is_results

TASK = "documents"


@dataclass(frozen=True)
class Origin:
    """Where a model lies in the folder of a run.

    Attributes:
        run: the folder.
        setting, system, repetition: of the model.
    """

    run: Path
    setting: str
    system: str
    repetition: str

    @classmethod
    def of(cls, place: Path) -> "Origin | None":
        """Find the run of a model's folder; None where it lies elsewhere."""
        parts = Path(place).absolute().parts
        if len(parts) < 5 or parts[-4] != "models" or not is_results(Path(*parts[:-4])):
            return None
        return cls(Path(*parts[:-4]), *parts[-3:])

    def scores(self) -> list[dict[str, str]]:
        """Rows of the run's means.csv about the system in this setting; none where it has none."""
        path = self.run / "tables" / "means.csv"
        if not path.is_file():
            return []
        with path.open(encoding="utf-8", newline="") as file:
            wanted = {"setting": self.setting, "system": self.system}
            return [x for x in csv.DictReader(file) if wanted.items() <= x.items()]

    @property
    def ranks(self) -> Path:
        """The queries that the run ranked by the model, where it did."""
        parts = (self.setting, self.system, self.repetition, TASK, "queries.parquet")
        return self.run.joinpath("ranks", *parts)


def precision(origin: Origin, models: Sequence[Model]) -> list[dict[str, float]]:
    """P@1 of models in the task `documents`, by measure: the mean over the directions of the run.

    Args:
        origin: of the run that fitted the first of them.
        models: of the same languages; words that one lacks do not count there.

    Returns:
        For each model; empty where the run did not rank the queries.

    Raises:
        UserError: a file of the run is damaged, or a model has words that the first has not.
    """
    if not origin.ranks.is_file():
        return []
    searches = _searches(origin, models[0].languages)
    return [_means(searches, _Widened(model, models[0].words)) for model in models]


def _searches(origin: Origin, languages: Sequence[str]) -> list:
    # pandas and what it brings: only who measures waits for it
    from cr5.base.tables import read_parquet
    from cr5.counts import bags
    from cr5.splits.draw import Draw
    from cr5.tasks import documents
    from cr5.tasks.base import Data

    asked = read_parquet(origin.ranks)[["query_language", "target_language"]].drop_duplicates()
    data = Data(
        {x: bags.load(origin.run / "bags" / x) for x in languages},
        Draw.load(origin.run / "draws" / origin.repetition),
        pairs=list(asked.itertuples(index=False, name=None)),
    )
    return list(documents.searches(data, languages, documents.DEFAULTS))


def _means(searches: list, model: Model) -> dict[str, float]:
    from cr5.scores.metrics import Ranked
    from cr5.tasks.base import rank_all

    found: dict[str, list[float]] = {}
    for each in rank_all(searches, model):
        hits = Ranked(each.answers, each.queries).hits(np.array([1]))
        found.setdefault(each.similarity, []).append(float(hits.mean()))
    return {name: float(np.mean(values)) for name, values in found.items()}


class _Widened(Model):
    """A model that takes counts of all words, and uses those that it knows."""

    def __init__(self, model: Model, words: Mapping[str, Sequence[str]]) -> None:
        self.words, self.measures, self.directed = words, model.measures, model.directed
        self._model = model
        self._columns = {x: _columns(known, words[x], x) for x, known in model.words.items()}

    def embed(self, counts, language, towards=None):
        if counts.shape[1] != len(self.words[language]):
            raise UserError(
                f"{language}: the run's bags have {counts.shape[1]} words, the model "
                f"{len(self.words[language])}: they do not belong together; run the workflow again"
            )
        return self._model.embed(counts[:, self._columns[language]], language, towards)

    def check(self) -> None:
        self._model.check()


def _columns(known: Sequence[str], words: Sequence[str], language: str) -> np.ndarray:
    numbers = {word: number for number, word in enumerate(words)}
    if lacking := [word for word in known if word not in numbers]:
        raise UserError(f"{language}: the word {lacking[0]!r} is none of the run's")
    return np.array([numbers[word] for word in known], np.int64)
