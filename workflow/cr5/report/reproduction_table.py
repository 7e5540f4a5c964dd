"""The published figures beside ours as a table, a block per row of the paper's tables."""

import pandas as pd

from cr5.report.markup import MISSING as NOTHING
from cr5.report.markup import count_cell
from cr5.report.names import direction, similarity_name
from cr5.report.reproduction import (
    BOTH,
    COLUMNS,
    DOCUMENTS,
    EQUAL,
    HIGHER,
    LOWER,
    MISSING,
    OTHER,
    UNJUDGED,
)
from cr5.report.table import Table

HEADER = ["Direction", "Measure", "Metric", "Published", "Ours", "Difference", "Tolerance"]
HEADER += ["Queries", "Candidates", "Verdict"]
METRICS = {DOCUMENTS: "Documents"}
MEAN = "both"
VERDICTS = (EQUAL, HIGHER, LOWER, UNJUDGED)


def reproduction_table(compared: pd.DataFrame, corpus: str) -> Table:
    """Lay out the output of `reproduction.reproduction`; figures with a verdict come first.

    Args:
        compared: with `COLUMNS`.
        corpus: name of the corpus.
    """
    keys = ["paper", "table", "row_system", "setting", "system"]
    groups = [group for _, group in compared.groupby(keys, sort=False)]
    groups.sort(key=lambda group: not _has_verdict(group))
    return Table(
        title=f"Published figures, and those on {corpus}",
        header=HEADER,
        align="lll" + "r" * 6 + "l",
        blocks=[
            (_heading(group), [_cells(row) for row in group.to_dict("records")]) for group in groups
        ],
        data=compared[COLUMNS],
        notes=_notes(compared),
        folded=sum(not _has_verdict(group) for group in groups),
    )


def _has_verdict(group: pd.DataFrame) -> bool:
    return bool(group["verdict"].isin(VERDICTS).any())


def _notes(compared: pd.DataFrame) -> list[str]:
    if compared.empty:
        return ["None of the papers has figures for pairs of these languages."]
    counts = compared["verdict"].value_counts()
    numbers = ", ".join(f"{name} {count}" for name, count in counts.items())
    other = compared.loc[compared["verdict"] == OTHER, "remark"].str.split("; ").explode().unique()
    because = [each for each in compared["because"].unique() if each]
    return [
        f"Of {len(compared)} figures: {numbers}.",
        "Figures are percent, or numbers of documents in both languages that train. Of Cr5's paper "
        "(Josifoski et al., WSDM 2019) Tables 1, 3 and 4, Table 2 shows examples; of RCSLS's "
        "(Joulin et al. 2018, preprint) Tables 1 to 3 without their averages; of OPCA's (Platt et "
        "al., EMNLP 2010) Tables 1 to 3 and two figures of the text; of XCNN's (Gupta et al., "
        "IP&M 2017) Tables 1 to 4. Metrics have the papers' names: P@k is Success@k here, accuracy "
        "Success@1, MRR RR, MAP AP.",
        "A difference within the tolerance is equal. Tolerances: " + ". ".join(because) + ".",
        *(["Other corpus: no verdict, as " + "; ".join(other) + "."] if len(other) else []),
    ]


def _heading(group: pd.DataFrame) -> str:
    """Name the row as printed, what makes it here, and what is missing, if anything."""
    first = group.iloc[0]
    place = first["table"] if first["table"] == "text" else f"Table {first['table']}"
    parts = [f"{first['paper']}, {place}, {first['row_system']}"]
    if first["system"]:
        languages = "both languages" if first["languages"] == "pair" else first["languages"]
        setting = f"{first['kind'].replace(' ', ' or ')} ({languages})"
        system = f"{first['system']} {first['options']}".strip()
        parts.append(f"{system}, {setting}, {first['task']}, by {first['command']}")
    lacks = group.loc[group["verdict"] == MISSING, "remark"].unique()
    return ": ".join(parts) + "".join(f". Missing: {each}" for each in lacks)


def _cells(row: dict) -> list[str]:
    shown, form = (count_cell, "+,.0f") if row["metric"] == DOCUMENTS else (_percent, "+.1f")
    signed = NOTHING if pd.isna(row["difference"]) else format(row["difference"], form)
    return [
        MEAN if row["query"] == BOTH else direction(row["query"], row["target"]),
        similarity_name(row["similarity"]) or NOTHING,
        METRICS.get(row["metric"], row["metric"]),
        shown(row["published"]),
        shown(row["ours"]),
        signed,
        NOTHING if pd.isna(row["tolerance"]) else f"{row['tolerance']:g}",
        count_cell(row["n_queries"]),
        count_cell(row["n_candidates"]),
        row["verdict"],
    ]


def _percent(value: float) -> str:
    return NOTHING if pd.isna(value) else f"{value:.1f}"
