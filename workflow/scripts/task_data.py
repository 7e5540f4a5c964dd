"""The texts of a task's own files, counted with the vocabulary of one language."""

from pathlib import Path

from cr5.base import console
from cr5.base.modules import load_module
from cr5.base.tables import read_parquet
from cr5.tasks import texts


def main() -> None:
    """Count them."""
    language, options = snakemake.wildcards.language, snakemake.params.options
    with console.job(snakemake.log[0], " ".join(["task", *snakemake.wildcards])):
        task = load_module(snakemake.params.task, "records")
        words = read_parquet(Path(snakemake.input.bags) / "words.parquet", ["word"])["word"]
        files = {name: snakemake.input.get(name) for name in task.FILES}
        found = task.records(files, options, language)
        texts.save(snakemake.output[0], texts.count(found, language, words.tolist()))


main()
