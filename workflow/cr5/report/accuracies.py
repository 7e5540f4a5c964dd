"""The figures of tables by accuracy: ours per direction or as means, and those of Platt et al."""

import pandas as pd

from cr5.report.published import our_name
from cr5.report.reproduction import BOTH, EQUAL, HIGHER, LOWER, UNJUDGED
from cr5.scores.comparisons import ALL

PLACE = ["query", "target", "metric"]
FIGURES = ["setting", "series", "kind", "task", "languages", "system", "similarity", *PLACE]
FIGURES += ["value", "ci_low", "ci_high", "n_queries", "n_candidates", "repetitions"]
PUBLISHED = ["setting", "system", "task", *PLACE]
SETTING = ["series", "task", "setting"]


def of_directions(scores: pd.DataFrame) -> pd.DataFrame:
    """Return scores, with the languages of their setting.

    Args:
        scores: see `scores.summary.scores`.

    Returns:
        `FIGURES`.
    """
    return scores.merge(_languages(scores).reset_index())[FIGURES]


def of_means(means: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Return means over directions, with the languages of their setting.

    Args:
        means: see `compared.Compared`; several settings of a series may count as one.
        scores: scores of the same run.

    Returns:
        `FIGURES`; query and target are `ALL`.
    """
    of, found = _languages(scores), []
    for name, series, task in means[["setting", "series", "task"]].itertuples(index=False):
        every = of[series, task]
        found.append(every[name] if name in every else "; ".join(sorted(set(every))))
    return means.assign(query=ALL, target=ALL, languages=found)[FIGURES]


def published(compared: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Return the figures of Platt et al. (EMNLP 2010) that are comparable with ours.

    Args:
        compared: from `reproduction`; figures of another corpus or setting are left out.
        scores: scores of the same run.

    Returns:
        `PUBLISHED` and published, fractions. Settings have the same names as in tables of means.
    """
    there = compared["verdict"].isin([EQUAL, HIGHER, LOWER, UNJUDGED])
    found = compared[there & (compared["paper"] == "OPCA")]
    found = found.drop(columns=["system", "task"])
    found = found.rename(columns={"our_system": "system", "our_task": "task"})
    found = found.replace({"query": BOTH, "target": BOTH}, ALL)
    ours = {"metric": found["metric"].map(our_name), "published": found["published"] / 100}
    found = found.assign(**ours)[[*PUBLISHED, "published"]]
    of = scores[SETTING].drop_duplicates()
    alone = of[~of.duplicated(["series", "task"], keep=False)]
    named = found.merge(alone).drop(columns="setting").rename(columns={"series": "setting"})
    return pd.concat([found, named[found.columns]]).drop_duplicates(ignore_index=True)


def _languages(scores: pd.DataFrame) -> pd.Series:
    """Return the languages of each setting and task, as text."""
    long = scores.melt(SETTING, ["query", "target"], value_name="languages")
    unique = long.drop_duplicates([*SETTING, "languages"]).sort_values("languages")
    return unique.groupby(SETTING)["languages"].agg(", ".join)
