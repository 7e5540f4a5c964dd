"""What an encoder of others is to this package."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

REMEDY = "./run encoders"
_threads: ContextVar[int | None] = ContextVar("threads of encoders", default=None)


class Encoder(ABC):
    """Pretrained weights that turn texts of many languages into rows of numbers.

    Attributes:
        package: whose code computes the rows.
        version: of that package.
        query_prefix: what it was trained to find before a query.
        document_prefix: what it was trained to find before a document.
        languages: base codes of those it was trained on; none: it does not say.
    """

    package: str
    version: str
    query_prefix: str = ""
    document_prefix: str = ""
    languages: Sequence[str] = ()

    @abstractmethod
    def encode(self, texts: Sequence[str], prefix: str) -> np.ndarray:
        """Return the rows of texts as the encoder makes them: texts x r, float32.

        The row of a text depends on nothing but the text and the prefix, which is put before it:
        not on its neighbours, and not on the number of threads.
        """


@contextmanager
def encoder_threads(n: int) -> Iterator[None]:
    """Let encoders take so many threads, as `cr5.fit` is told."""
    token = _threads.set(n)
    try:
        yield
    finally:
        _threads.reset(token)


def threads_of_job() -> int:
    """Return how many threads encoders may use: `encoder_threads`, or snakemake's of a job."""
    told = _threads.get()
    if told is not None:
        return told
    chosen = os.environ.get("OMP_NUM_THREADS", "")
    if chosen.isdecimal() and int(chosen):
        return int(chosen)
    return os.cpu_count() or 1


def weighted_mean(rows: Sequence[np.ndarray], lengths: Sequence[int]) -> np.ndarray:
    """Return the mean of the rows of a text's windows, weighted by their lengths: (r,) float32."""
    weights = np.array(lengths, np.float64)
    table = np.asarray(rows, np.float64)
    mean = weights @ table / weights.sum()
    return mean.astype(np.float32)
