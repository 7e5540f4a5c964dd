"""Each row of the papers' tables has a configuration whose figures get a verdict, of two sides.

Rows of systems that this project lacks are left out: `tables/reproduction` names them.
"""

from functools import cache
from itertools import permutations
from pathlib import Path

import pandas as pd
import pytest
import yaml

from cr5.plan.config import validated
from cr5.plan.told import absent, fits
from cr5.report.collected import LEFT_OUT
from cr5.report.published import our_name
from cr5.report.reproduction import DOCUMENTS, SCORES, cells, reproduction

ROOT = Path(__file__).parents[2]
ROW = ["paper", "table", "row_system"]
# Of Multilingual Reuters (UCI 259) words are numbers, so nothing translates them word by word.
NOT_MADE = [("OPCA", "3", f"Word-by-word (dim={x})") for x in ("N/A", 50)]
PLANNED = cells()[~cells()["system"].isin(absent()["system"]) & (cells()["metric"] != DOCUMENTS)]
ROWS = {row: each for row, each in PLANNED.groupby(ROW, sort=False) if row not in NOT_MADE}


@cache
def planned(command):
    """The measures of the configuration that a command names, and what it runs."""
    path = ROOT / command.split()[-1]
    config = validated(yaml.safe_load(path.read_text(encoding="utf-8")))
    return config["evaluation"]["measures"], fits(config)


def scores_of(cell, fit, value):
    """What a run would have of a figure if it found `value` percent; of a mean, both ways."""
    own = cell["query"], cell["target"]
    both = permutations(cell["languages"].split())
    directions = both if any("_" in x or x == "unstated" for x in own) else [own]
    found = {x: fit[x] for x in ("setting", "system", "task")}
    found |= {"similarity": cell["measure"] or cell["similarity"], "value": value / 100}
    found |= {"metric": our_name(cell["metric"]), "n_candidates": 400_000}
    return [{**found, "query": query, "target": target} for query, target in directions]


def verdicts(figures, runs, shift):
    """The verdicts on a row's figures if ours are `shift` points off, the best of its fits."""
    scores = [y for x in figures for fit in runs for y in scores_of(x, fit, x["published"] + shift)]
    train = {"query": "en", "target": "es", "train": figures[0]["concepts"]}
    train["query"], train["target"] = (figures[0]["languages"].split() * 2)[:2]
    pairs = pd.DataFrame([{"setting": x, **train} for x in sorted({x["setting"] for x in runs})])
    scores = pd.DataFrame(scores, columns=SCORES).drop_duplicates(SCORES[:7])
    found = reproduction(scores, pairs, runs, absent(), pd.DataFrame(columns=LEFT_OUT))
    cell = [*ROW, "query", "target", "similarity", "metric"]
    found = found.merge(pd.DataFrame(figures)[cell])
    assert len(found.drop_duplicates(cell)) == len(figures)
    return set(found.groupby(cell)["verdict"].min()), set(found["remark"])


def test_only_two_rows_of_our_systems_have_no_configuration():
    assert len(ROWS) + len(NOT_MADE) == PLANNED.groupby(ROW).ngroups


@pytest.mark.parametrize("row", ROWS, ids="-".join)
def test_each_row_is_made_and_judged_from_both_sides(row):
    """Of several fits that make a row at least one is as published: `equal` sorts first."""
    figures = ROWS[row].to_dict("records")
    measures, every = planned(figures[0]["command"])
    runs = [x for x in every if x["system_module"] == figures[0]["system"]]
    assert runs, f"{figures[0]['command']} has no system {figures[0]['system']}"
    # systems whose rows no measure fits are compared by their own
    own = {"l1", "dot"}
    assert {x["measure"] or x["similarity"] for x in figures} <= {*measures, *own}
    tolerance = figures[0]["tolerance"]
    sides = {0: "equal", tolerance + 0.1: "higher", -tolerance - 0.1: "lower"}
    if pd.isna(tolerance):
        sides = {0: "not judged"}
    for shift, verdict in sides.items():
        assert verdicts(figures, runs, shift)[0] == {verdict}, verdicts(figures, runs, shift)[1]
