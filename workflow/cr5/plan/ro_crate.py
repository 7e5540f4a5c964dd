"""A run's manifest as an RO-Crate, for archives: `python -m cr5.plan.ro_crate results/NAME`.

Written beside it, ro-crate-metadata.json makes the folder of results a crate of version 1.1 (Sefton
et al., https://w3id.org/ro/crate/1.1) of the profile Process Run Crate (https://w3id.org/ro/wfrun):
every file with size and checksum, and every job with what it read and made.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import quote

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.corpora.licences import licence_of
from cr5.plan import manifest
from cr5.plan.manifest_file import Job, Manifest, place_of

NAME = "ro-crate-metadata.json"
CRATE = "https://w3id.org/ro/crate/1.1"
PROFILES = ["https://w3id.org/ro/wfrun/process/0.5"]
CONTEXT = [f"{CRATE}/context", "https://w3id.org/ro/terms/workflow-run/context"]
PROGRAM, LICENCE = "#cr5", "#licence"

FORMATS = {  # that the standard library does not know everywhere
    ".js": "text/javascript",
    ".md": "text/markdown",
    ".parquet": "application/vnd.apache.parquet",
    ".tex": "application/x-tex",
    ".yaml": "application/yaml",
}

Entity = dict[str, Any]


def write(results: str | Path) -> Path:
    """Write the metadata of a finished run beside its manifest; return the file.

    Raises:
        UserError: there is no manifest, or it is damaged.
    """
    made, path = manifest.read(results), Path(results) / NAME
    ended = datetime.fromtimestamp((Path(results) / manifest.NAME).stat().st_mtime, UTC)
    with atomic_file(path) as temporary:
        text = json.dumps(metadata(made, ended), indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8")
    return path


def metadata(made: Manifest, ended: datetime) -> Entity:
    """Return the content of the file.

    Args:
        made: the run's manifest.
        ended: when the run ended; with a time zone.
    """
    folders = {path for path in made.outputs() if path not in made.files}
    licence = licence_of(made.about)
    actions = [_action(number, job, folders) for number, job in enumerate(made.jobs, 1)]
    graph = [
        {
            "@id": NAME,
            "@type": "CreativeWork",
            "conformsTo": _reference(CRATE),
            "about": _reference("./"),
        },
        _root(made, folders, [x["@id"] for x in actions], ended),
        *({"@id": x, "@type": "CreativeWork", "name": "Process Run Crate"} for x in PROFILES),
        {
            "@id": PROGRAM,
            "@type": "SoftwareApplication",
            "name": "cr5",
            "version": made.about["code"],
        },
        {
            "@id": LICENCE,
            "@type": "CreativeWork",
            "name": licence.id,
            "description": licence.text,
        },
        *actions,
        *_folders(made, folders),
        *_files(made),
        *_from_outside(made),
    ]
    return {"@context": CONTEXT, "@graph": graph}


def _root(made: Manifest, folders: set[str], actions: list[str], ended: datetime) -> Entity:
    alone = [path for path in made.files if not place_of(path, folders)]
    name, languages = made.about["corpus"]["name"], ", ".join(made.about.get("languages", []))
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": f"Results of cr5 on {name}",
        "description": f"Models, ranks, tables and figures of crosslingual retrieval: {languages}",
        "datePublished": ended.isoformat(timespec="seconds"),
        "license": _reference(LICENCE),
        "conformsTo": _references(PROFILES),
        "hasPart": _references(_id(x, folders) for x in [*sorted(folders), *sorted(alone)]),
        "mentions": _references(actions),
    }


def _action(number: int, job: Job, folders: set[str]) -> Entity:
    return {
        "@id": f"#job-{number}",
        "@type": "CreateAction",
        "name": str(job),
        "instrument": _reference(PROGRAM),
        "object": _references(_id(x, folders) for x in job.inputs),
        "result": _references(_id(x, folders) for x in job.outputs),
    }


def _folders(made: Manifest, folders: set[str]) -> Iterator[Entity]:
    for folder in sorted(folders):
        parts = _references(_id(x, folders) for x in sorted(made.files) if place_of(x, {folder}))
        yield {"@id": _id(folder, folders), "@type": "Dataset", "name": folder, "hasPart": parts}


def _files(made: Manifest) -> Iterator[Entity]:
    for path, (size, sha256) in sorted(made.files.items()):
        about = {"name": path, "contentSize": str(size), "sha256": sha256}
        form = FORMATS.get(Path(path).suffix) or guess_type(path)[0] or "application/octet-stream"
        yield {"@id": _id(path, set()), "@type": "File", "encodingFormat": form, **about}


def _from_outside(made: Manifest) -> Iterator[Entity]:
    """Describe what jobs read that no job made: it is not in the crate."""
    known = {*made.outputs(), *made.files}
    read = {path: sha256 for job in made.jobs for path, sha256 in job.inputs.items()}
    for path, sha256 in sorted(read.items()):
        if path not in known:
            about = {"name": path, "sha256": sha256} if sha256 else {"name": path}
            yield {"@id": _id(path, set()), "@type": "CreativeWork", **about}


def _id(path: str, folders: set[str]) -> str:
    """Return the identifier of a path: a folder's ends with a slash, one outside is no path."""
    outside = path.startswith(("..", "/"))
    return f"{'#' * outside}{quote(path)}{'/' * (path in folders)}"


def _reference(name: str) -> Entity:
    return {"@id": name}


def _references(names: Iterable[str]) -> Entity | list[Entity]:
    """Return references; the specification wants a single one without a list."""
    found = [_reference(x) for x in names]
    return found[0] if len(found) == 1 else found


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m cr5.plan.ro_crate FOLDER, the results of a finished run")
    try:
        print(write(sys.argv[1]))
    except UserError as error:
        sys.exit(str(error))
