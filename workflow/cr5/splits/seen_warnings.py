"""What is to be told of tests' texts that train, or are asked twice: sentences, on disk.

Apart from `seen`, which finds them, as a plan tells them and has no other need of what computes.
"""

from pathlib import Path

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.files import write_json

KIND = "texts seen before"
FILE = "warnings.json"


def save(folder: str | Path, warnings: list[str], job: Job = NO_JOB) -> None:
    """Write what is to be told of them."""
    with job.making(folder, KIND) as part:
        write_json(part / FILE, warnings)


def read(folder: str | Path) -> list[str]:
    """Read what `save` wrote."""
    return Artefact(folder, KIND).json(FILE)
