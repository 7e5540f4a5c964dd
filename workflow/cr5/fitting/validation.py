"""The criterion by which systems choose hyperparameters."""

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from cr5.base.errors import LeftOutError
from cr5.counts.bags import Bags
from cr5.fitting.criteria import MRR, Criterion, Score
from cr5.models.contract import Model
from cr5.splits.cut import Pair
from cr5.splits.draw import Draw
from cr5.tasks import documents
from cr5.tasks.base import Data, Search, rank_all


def validation(
    bags: Mapping[str, Bags],
    drawn: Draw,
    languages: Sequence[str],
    threads: int = 1,
    criterion: Criterion = MRR,
    pairs: Collection[Pair] | None = None,
) -> Callable[[Model], Score]:
    """Make the criterion.

    Args:
        bags: by language of the setting.
        drawn: for the corpus.
        languages: of the setting.
        threads: changes no result.
        criterion: from ranks to a figure.
        pairs: of languages that the setting searches; None for all. Of others, such as those that
            link a pair, no query is asked, as none is in the test.

    Returns:
        A function from a model to the criterion of the validation queries by the model's first
        measure, averaged over both directions of these pairs. It keeps the searches of the first
        call, not the bags, and raises `ModelError` for a model that cannot embed.
    """
    made = documents.searches(Data(bags, drawn, pairs=pairs), languages, {}, "validation")
    searches: list[Search] = []

    def score(model: Model) -> Score:
        model.check()  # what is not finite has no rank
        searches.extend(list(made))  # of the first model; then `made` is spent and drops the bags
        by_pair: dict[str, dict[str, float]] = {}
        for found in rank_all(searches, model, model.measures[:1], threads=threads):
            figure = criterion.of_ranks(found.answers["rank"].to_numpy())
            by_pair.setdefault(found.query, {})[found.target] = figure
        if not by_pair:
            raise LeftOutError(
                f"no validation query for {', '.join(languages)}: raise "
                "splits.max_share.validation, or give every option one value"
            )
        return Score(
            np.mean([x for of_query in by_pair.values() for x in of_query.values()]), by_pair
        )

    return score
