"""Makes the figures that a change of the inside must not change: runs, and a tidy file of them.

    .venv/bin/python -m benchmarks.figures OUT [NAMES ...] --data ../shared/data --cores 2

OUT/runs/NAME is a run, which goes on where it was interrupted, OUT/figures.csv.xz has the scores of
all that are there. Names are `default`, `full` and `xcnn_small`, which take minutes, half an hour
and hours; `mappings` (`benchmarks.mappings` on vectors of others); and those of the papers, as
tests/kit/papers.yaml shrinks them, on made-up files, which take a minute each.
`benchmarks.same_figures` compares.

`xcnn_small` is without the rows of Apertium. It reads OUT/data, which is made once, also for a dry
run: keep it, as the help pages of another release are others.
"""

import argparse
import json
import lzma
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
import yaml

from tests.kit import papers
from tests.kit.run import KEYS, PROFILE, ROOT, ended, merged, path_with_aligner, scores

OURS = {"default": "config/config.yaml", "full": "config/full.yaml"}
XCNN = ROOT / "config" / "examples" / "xcnn_small.yaml"
APERTIUM = {"settings": ["translated"], "tasks": ["flores_translated", "xquad_translated"]}
FLORES = {"en": "eng_Latn", "es": "spa_Latn"}
HELD_OUT = {"test": 1000, "validation": 500}  # paragraphs that search, of both languages
SPACES = {"vectors_es_en": ("en", "es"), "vectors_it_en": ("en", "it")}  # published vectors
NAMES = [*OURS, "xcnn_small", *papers.NAMES, "mappings"]


def workflow(
    config: dict,
    folder: Path,
    given: argparse.Namespace,
    made: Sequence[str] = ("tables",),
) -> Path:
    """Run the workflow in a folder, to which relative paths are; return that of the results.

    A word aligner that gives the same links on any machine stands first on the PATH.

    Args:
        config: the configuration.
        folder: that gets it, and results/.
        given: cores; a dry run makes only what others are prepared from.
        made: below the results.

    Raises:
        SystemExit: it failed; its output is in run.log of its folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    results = Path(config.get("results", "results")) / config["corpus"]["name"]
    command = [sys.executable, "-m", "snakemake", *(str(results / x) for x in made)]
    command += ["--dry-run"] * (given.dry_run and made == ("tables",))
    command += ["--cores", str(given.cores), *PROFILE, "--directory", str(folder)]
    command += ["--configfile", str(path)]
    done = ended(command, ROOT, PATH=path_with_aligner(folder))
    (folder / "run.log").write_text(done.stdout)
    if done.returncode:
        sys.exit(f"{folder.name} failed:\n{done.stdout[-3000:]}")
    return folder / results


def ours(name: str, folder: Path, given: argparse.Namespace) -> None:
    """Run a configuration that fetches its text."""
    workflow(merged(ROOT / OURS[name]), folder, given)


def paper(name: str, folder: Path, given: argparse.Namespace) -> None:
    """Run a paper's configuration, shrunken, on made-up files."""
    if not (folder / "data").exists():
        papers.give(name, folder / "part")
        (folder / "part" / "data").rename(folder / "data")
    workflow(papers.configuration(name), folder, given)


def xcnn_small(name: str, folder: Path, given: argparse.Namespace) -> None:
    """Run the networks on help pages, XQuAD and FLORES-200."""
    data = given.out.resolve() / "data"
    if not (data / "xcnn").exists():
        prepare_xcnn(data, folder.with_name("pages"), given)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "data").is_symlink() or (folder / "data").symlink_to(data)
    config = merged(XCNN)
    for section, left_out in APERTIUM.items():
        config[section] = {k: x for k, x in config[section].items() if k not in left_out}
    workflow(config, folder, given)


def prepare_xcnn(data: Path, folder: Path, given: argparse.Namespace) -> None:
    """Write what `xcnn_small` reads: a split, help pages without its paragraphs, FLORES, XQuAD."""
    part = data / "part"
    part.mkdir(parents=True, exist_ok=True)
    pages, paragraphs = (help_pages(x, folder / x, given) for x in ("all", "documents"))
    split = split_of([set(paragraphs[x]["concept"]) for x in FLORES])
    _write(part / "split.tsv", ["concept\tsplit", *("\t".join(x) for x in split.items())])
    known = set()
    for language, code in FLORES.items():
        own = paragraphs[language]
        searched = set(own.loc[own["concept"].isin([*split]), "text"])
        for concept, title, text in pages[language][["concept", "title", "text"]].itertuples(False):
            if rest := [x for x in text.splitlines() if x not in searched]:
                known.add(concept)
                _append(part / f"pages.{language}.jsonl", concept, "\n".join(rest))
                if title not in searched:
                    _append(part / f"titles.{language}.jsonl", concept, title)
        places = (
            given.data / "sentences" / "flores200" / f"{code}.{x}.xz" for x in ("dev", "devtest")
        )
        sentences = [x for place in places for x in _read(place).splitlines()]
        _write(part / f"flores.{language}.tsv", (f"{k}\t{x}" for k, x in enumerate(sentences, 1)))
    _write(part / "titles.qrels", (f"{x} 0 {x} 1" for x in sorted(known)))
    _write(part / "flores.qrels", (f"{k} 0 {k} 1" for k in range(1, len(sentences) + 1)))
    (data / "adhoc").is_symlink() or (data / "adhoc").symlink_to(given.data.resolve() / "adhoc")
    part.rename(data / "xcnn")


def help_pages(paragraphs: str, folder: Path, given: argparse.Namespace) -> dict[str, pd.DataFrame]:
    """Return the help pages of both languages, or their paragraphs (`documents`)."""
    corpus = {"name": "pages", "source": "libreoffice_help", "paragraphs": paragraphs}
    config = {"corpus": corpus, "languages": list(FLORES)}
    texts = [f"documents/{x}" for x in FLORES]
    made = workflow(config, folder, given, texts) / "documents"
    return {x: pd.read_parquet(made / x / "documents.parquet") for x in FLORES}


def split_of(concepts: Sequence[set[str]]) -> dict[str, str]:
    """Draw paragraphs of both languages to test and to validate by, alike in every repetition."""
    parts = [part for part, size in HELD_OUT.items() for _ in range(size)]
    drawn = random.Random(0).sample(sorted(set.intersection(*concepts)), len(parts))
    return dict(zip(drawn, parts, strict=True))


def _append(path: Path, identity: str, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": identity, "text": text}) + "\n")


def _read(path: Path) -> str:
    return lzma.decompress(path.read_bytes()).decode()


def _write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def mappings(name: str, folder: Path, given: argparse.Namespace) -> None:
    """Map published vectors by every method, both ways."""
    for space, pair in SPACES.items():
        path = folder / f"{space}.csv"
        command = [sys.executable, "-m", "benchmarks.mappings", "--csv", str(path)]
        command += ["--vectors", str(given.data / space / "word2vec.{language}.xz"), "--seeds", "2"]
        for source, target in (pair, pair[::-1]):
            words = given.data / "dictionaries" / "muse_full" / f"{source}-{target}.dict.xz"
            command += ["--dictionary", source, target, str(words)]
        print(*command)
        if not given.dry_run:
            folder.mkdir(parents=True, exist_ok=True)
            subprocess.run(command, cwd=ROOT, check=True)


def collected(runs: Path) -> pd.DataFrame:
    """Read the figures of all runs that are there."""
    found = [
        *(
            (path.parents[2].name, scores(path.parent, "query != 'all'"))
            for path in runs.glob("*/results/*/tables")
        ),
        *(("mappings", pd.read_csv(path)) for path in runs.glob("mappings/*.csv")),
    ]
    table = pd.concat(each.assign(run=name) for name, each in found)
    columns = ["run", *KEYS, "repetition"]
    return table[[*columns, "value"]].sort_values(columns, key=lambda x: x.astype(str))


def main() -> None:
    """Run what is asked for, and write the figures of each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAMES", help=f"all, or of: {', '.join(NAMES)}")
    parser.add_argument("--data", type=Path, default=ROOT / ".." / "shared" / "data")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--dry-run", action="store_true")
    given = parser.parse_args()
    if unknown := set(given.names) - set(NAMES):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    makers: dict[str, Callable] = dict.fromkeys(OURS, ours)
    makers |= {"xcnn_small": xcnn_small, "mappings": mappings}
    runs = given.out.resolve() / "runs"
    for name in given.names or NAMES:
        start = time.perf_counter()
        makers.get(name, paper)(name, runs / name, given)
        if not given.dry_run:
            collected(runs).to_csv(given.out / "figures.csv.xz", index=False)
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
