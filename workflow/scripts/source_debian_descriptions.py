"""Fetch the descriptions of Debian's packages."""

from cr5.base import console, files
from cr5.corpora import translations


def main() -> None:
    """Fetch the files of the languages, and of English to detect untranslated text."""
    with console.job(snakemake.log[0], "source") as log:
        languages = [*snakemake.params.languages, "en"]
        with files.atomic_folder(snakemake.output[0]) as folder:
            for path in translations.fetch(languages, folder):
                log.info("%s: %d bytes", path.name, path.stat().st_size)


main()
