"""Speed and memory of counting the words of parts and of assembling the bags of a language.

    .venv/bin/python -m benchmarks.wikipedia_counts [--documents 100000] [--parts 4]

Documents are made up: 400 tokens of a Zipf-like distribution over four million words, which gives
about 240 distinct words each, as in articles. Each step is its own process, as in the workflow.
Rates are per CPU-second.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from cr5.counts import bags
from cr5.counts.assembly import assemble
from cr5.counts.counting import Record, count

TOKENS = 400
WORDS = 4_000_000
LANGUAGE = "xx"


def documents(part: int, number: int) -> Iterator[Record]:
    """Documents of a part; page ids ascend from part to part."""
    generator = np.random.default_rng(part)
    letters = [f"{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(400)]
    for page_id in range(part * number, (part + 1) * number):
        ranks = (WORDS ** generator.random(TOKENS)).astype(int).tolist()
        words = [letters[r % 400] + letters[r // 400 % 400] + letters[r // 160_000] for r in ranks]
        yield page_id, f"Q{page_id + 1}", f"Title {page_id}", " ".join(words)


def count_part(folder: Path, part: int, number: int) -> str:
    """The job of a part; making the documents is not in the rate."""
    begun = time.process_time()
    for _ in documents(part, number):
        pass
    made = time.process_time()
    n_tokens = count(folder, documents(part, number), language=LANGUAGE)
    seconds = (time.process_time() - made) - (made - begun)
    rate = n_tokens / 1e6 / seconds
    return f"count: {rate:.1f} million tokens/s"


def assemble_all(folders: list[Path], out: Path) -> str:
    """The job of a language."""
    begun = time.process_time()
    summary = assemble(folders, out, bags.Rules(), LANGUAGE)
    seconds = time.process_time() - begun
    rate = summary["nonzeros"] / 1e6 / seconds
    return f"assemble: {rate:.1f} million nonzeros/s, {seconds:.1f} s; {summary}"


def reported(job: Callable[..., str], *arguments) -> str:
    """Run a job; its report and its peak of memory."""
    report = job(*arguments)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{report}; peak {peak:.0f} MiB"


def main() -> None:
    """Count the parts, assemble them, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--parts", type=int, default=4)
    options = parser.parse_args()
    number = options.documents // options.parts
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / str(part) for part in range(options.parts)]
        jobs = [(count_part, folder, part, number) for part, folder in enumerate(folders)]
        for job in (*jobs, (assemble_all, folders, Path(name) / "bags")):
            with ProcessPoolExecutor(1, get_context("spawn")) as process:
                print(process.submit(reported, *job).result(), flush=True)
        for folder in (*folders, Path(name) / "bags"):
            size = sum(file.stat().st_size for file in folder.iterdir())
            print(f"{folder.name}: {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
