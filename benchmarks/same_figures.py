"""Are the figures of two versions the same?

    .venv/bin/python -m benchmarks.same_figures benchmarks/reference.csv.xz NEW/figures.csv.xz

Both are files of `benchmarks.figures`; the first one is kept with the code. For each run that
both have, it prints the rows that are missing, new, or differ by more than 0.0005, and exits with 1
where one is missing or differs for which benchmarks/differences.csv has no reason. An empty cell
there stands for anything.

Rows of systems in `CHAOTIC`, in which the last digit of a sum decides, are held to the mean of
their repetitions, which may differ by as much as the repetitions do; where there is only one, they
are held as all others are.
"""

import argparse
import sys
from fnmatch import fnmatch
from pathlib import Path

import pandas as pd

from tests.kit.run import KEYS

ALLOWED = 0.0005
CHAOTIC = ("advrefine*", "xcnn*", "mono_xcnn*", "s2net*", "bae*")
DIFFERENCES = Path(__file__).with_name("differences.csv")
MEAN = "mean"  # stands for all repetitions
SHOWN = 40  # rows of a run


def compared(old: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """Join two tables of figures.

    Returns:
        `KEYS`, repetition, old, new, difference and `kind`: missing, new, differs or same.
    """
    on = [*KEYS, "repetition"]
    old, new = (frame.astype(dict.fromkeys(on, str)) for frame in (old, new))
    both = old.merge(new, how="outer", on=on, suffixes=("_old", "_new"), indicator=True)
    both = both.rename(columns={"value_old": "old", "value_new": "new"})
    both["difference"] = (both["new"] - both["old"]).abs()
    repeated = both[both["repetition"] != MEAN].groupby(KEYS)[["old", "new"]]
    spread = (repeated.max().max(axis=1) - repeated.min().min(axis=1)).rename("spread")
    both = both.merge(spread.reset_index(), how="left", on=KEYS)
    chaotic = both["system"].map(lambda x: any(fnmatch(x, y) for y in CHAOTIC))
    held = chaotic & both["spread"].notna()
    both = both[~held | (both["repetition"] == MEAN)]
    allowed = both["spread"].where(held).fillna(0).clip(lower=ALLOWED)
    same = (both["difference"] <= allowed) | (both["old"].isna() & both["new"].isna())
    both["kind"] = both["_merge"].map({"left_only": "missing", "right_only": "new"}).astype(object)
    both["kind"] = both["kind"].fillna(same.map({True: "same", False: "differs"}))
    return both[[*on, "old", "new", "difference", "kind"]]


def reasons(rows: pd.DataFrame, run: str, listed: pd.DataFrame) -> pd.Series:
    """Return the reason that is listed for each row, or nothing."""
    found = pd.Series("", rows.index, dtype=object)
    for row in listed.itertuples(index=False):
        named = {key: value for key in KEYS if (value := getattr(row, key))}
        if row.run in ("", run):
            found[(rows[list(named)] == pd.Series(named, dtype=object)).all(axis=1)] = row.reason
    return found


def told(rows: pd.DataFrame, run: str) -> bool:
    """Print what a run has that is not the same, and whether all of it has a reason."""
    counts = rows["kind"].value_counts()
    print(f"{run}: " + ", ".join(f"{n} {kind}" for kind, n in counts.items()))
    unlike = rows[rows["kind"] != "same"].sort_values("difference", ascending=False)
    if len(unlike):
        print(unlike.head(SHOWN).to_string(index=False, na_rep=""))
        print(f"... and {len(unlike) - SHOWN} more\n" * (len(unlike) > SHOWN), end="")
    return not (unlike["kind"].isin(["missing", "differs"]) & (unlike["reason"] == "")).any()


def _read(path: Path) -> pd.DataFrame:
    names = dict.fromkeys(["run", *KEYS, "repetition"], str)
    return pd.read_csv(path, keep_default_na=False, na_values={"value": ""}, dtype=names)


def main(arguments: list[str] | None = None) -> int:
    """Compare two files; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--differences", type=Path, default=DIFFERENCES, help="with reasons")
    given = parser.parse_args(arguments)
    listed = pd.read_csv(given.differences, dtype=str, keep_default_na=False)
    old, new = (dict(iter(_read(path).groupby("run"))) for path in (given.old, given.new))
    fine = bool(old.keys() & new.keys())
    for run, rows in old.items():
        if run not in new:
            print(f"{run}: not run")
            continue
        rows = compared(rows, new[run])
        rows["reason"] = reasons(rows, run, listed)
        fine &= told(rows, run)
    print("The same." if fine else "Not the same.")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
