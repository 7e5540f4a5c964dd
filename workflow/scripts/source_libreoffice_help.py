"""Fetch the packages of the help pages."""

from cr5.base import console, files
from cr5.corpora import debian
from cr5.corpora.help_packages import package


def main() -> None:
    """Fetch one package per language, and English to detect untranslated text."""
    with console.job(snakemake.log[0], "source") as log:
        packages = sorted({package(x) for x in (*snakemake.params.languages, "en")})
        with files.atomic_folder(snakemake.output[0]) as folder:
            for path in debian.download(packages, folder):
                log.info("%s: %d bytes", path.name, path.stat().st_size)


main()
