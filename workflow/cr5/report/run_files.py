"""The files behind a run's tables and figures: each is read once, when needed."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from cr5.base import origin, sealed_json
from cr5.base.origin import Origin
from cr5.base.tables import load_csv
from cr5.counts import bags
from cr5.report import examples, validation
from cr5.report.corpus import pair_table
from cr5.report.names import Systems
from cr5.report.reproduction import reproduction


class RunFiles:
    """A run's files, and the settings of its configuration.

    Args:
        read: paths by name; those that a table does not need may be left out. The other frames are
            beside `scores`, the file scores.csv.
        told: settings by name, see `plan.told`; and `systems`, see `plan.shown`.
    """

    def __init__(self, read: Mapping[str, Any], told: Mapping[str, Any]) -> None:
        """Store them; nothing is read yet."""
        self.read, self.told = read, told
        self.corpus, self.systems = told["corpus"], Systems(told["systems"])
        self._frames: dict[str, pd.DataFrame] = {}

    def frame(self, name: str) -> pd.DataFrame:
        """Read a table beside scores.csv."""
        if name not in self._frames:
            self._frames[name] = load_csv(Path(self.read["scores"]).with_name(f"{name}.csv"))
        return self._frames[name]

    def source(self) -> Origin:
        """Return the origin of all files.

        Raises:
            UserError: files are from different runs or configurations.
        """
        scores, whole = Path(self.read["scores"]).with_suffix(".json"), self.told["configuration"]
        parts = [*self.read.get("draws", []), *self.read.get("ranks", [])]
        return origin.of_run({scores: whole, **dict.fromkeys(parts)}, whole)

    def of_task(self, name: str, task: str) -> Sequence[str]:
        """Return a task's own files, possibly none."""
        owners = self.told[f"{name}_of"]
        pairs = zip(owners, self.read.get(name, []), strict=True)
        return [path for owner, path in pairs if owner == task]

    @cached_property
    def bags(self) -> dict[str, str]:
        """Return the folders of bags by language."""
        return dict(zip(self.told["languages"], self.read["bags"], strict=True))

    @cached_property
    def titles(self) -> dict[str, pd.Series]:
        """Return titles of documents by concept, for each language of the examples."""
        return examples.titles({x: self.bags[x] for x in self.told["shown"]})

    @cached_property
    def concepts(self) -> dict[str, pd.Index]:
        """Return the concepts of each language's documents, languages in alphabetical order."""
        return {
            x: pd.Index(bags.read_documents(self.bags[x], x, ["concept"])["concept"])
            for x in sorted(self.bags)
        }

    @cached_property
    def paragraphs(self) -> pd.DataFrame | None:
        """Return a row per language if documents are made of paragraphs."""
        found = [sealed_json.read(path) for path in self.read["documents"]]
        rows = [each["paragraphs"] for each in found if "paragraphs" in each]
        return pd.DataFrame(rows) if rows else None

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Return what pairs of languages share in each setting, see `corpus.PAIRS`."""
        return pd.concat([load_csv(path) for path in self.read["pairs"]], ignore_index=True)

    @cached_property
    def pairs_shown(self) -> pd.DataFrame:
        """Return the same as shown in the table of pairs."""
        return pair_table(self.pairs, self.corpus).data

    @cached_property
    def reproduced(self) -> pd.DataFrame:
        """Return published figures beside ours."""
        scores, left_out = self.frame("scores"), self.frame("left_out")
        told = self.told["fits"], self.told["absent"]
        return reproduction(scores, self.pairs_shown, *told, left_out)

    @cached_property
    def grids(self) -> pd.DataFrame:
        """Return all validation results."""
        return validation.grids(self.read["models"], self.told["names"])

    @cached_property
    def dimensions(self) -> pd.DataFrame:
        """Return the numbers of dimensions of all fits, chosen or given."""
        return validation.dimensions(self.read["models"], self.told["names"])
