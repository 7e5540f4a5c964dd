"""What the tests of comparisons with published figures share."""

import pandas as pd

from cr5.report.reproduction import COLUMNS, SCORES, reproduction

NOTHING_LEFT_OUT = pd.DataFrame(columns=["setting", "system", "task", "reason"])
FOUR = ["da", "en", "it", "vi"]
ABSENT = {"kind": ["transitive"], "system": ["procrustes"], "task": ["sentences"]}
OPCA = ("opca_europarl", "opca_wikipedia", "opca_reuters", "opca_reuters_mt")
XCNN = ("xcnn_sentences", "xcnn_sentences_mt", "xcnn_fire", "xcnn_fire_mt")
NO_PAIRS = pd.DataFrame(columns=["setting", "query", "target", "train"])


def fit(
    setting="joint",
    kind="joint",
    languages=FOUR,
    system="cr5",
    unlike=(),
    task="documents",
    task_options=(),
    **options,
):
    return {
        **{"setting": setting, "kind": kind, "languages": list(languages), "options": options},
        **{"system": system, "system_module": system, "task": task, "task_module": task},
        "task_options": dict(task_options),
        "defaults": {"directed": False, "rounds": 5, "centre": False, "sigma": "paper"},
        "unlike": {"cr5": list(unlike), "muse": [], "dinu": [], "wacky": ["other vectors"]}
        | {protocol: list(unlike) for protocol in (*OPCA, *XCNN)},
    }


def scores(*rows, n_candidates=200_000, task="documents"):
    """Setting, system, query, target, similarity, metric and value of each."""
    names = ["setting", "system", "query", "target", "similarity", "metric", "value"]
    frame = pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows], columns=names)
    ends = {"ci_low": frame["value"] - 0.03, "ci_high": frame["value"] + 0.03}
    counts = {"n_queries": 1000, "n_candidates": n_candidates}
    return frame.assign(task=task, **ends, **counts)[SCORES]


def compare(found, fits, pairs=NO_PAIRS, left_out=NOTHING_LEFT_OUT):
    return reproduction(found, pairs, fits, ABSENT, left_out)


def cell(compared, *place, paper="Cr5"):
    wanted = dict(zip(COLUMNS, (paper, *place), strict=False))
    chosen = compared
    for column, value in wanted.items():
        chosen = chosen[chosen[column] == value]
    [found] = chosen.to_dict("records")
    return found
