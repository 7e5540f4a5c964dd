"""Find out which files Wikimedia publishes for one language."""

from cr5.base import console
from cr5.base.parts import SOURCES
from cr5.corpora.wikimedia import dump


def main() -> None:
    """Write which they are; dates that say `latest` are resolved here, once."""
    language = snakemake.wildcards.language
    with console.job(snakemake.log[0], f"pins {language}") as log:
        # Not from parameters: another contact is no reason to look again.
        source = SOURCES.part("corpus", snakemake.config["corpus"])
        found = dump.find(source.place, language, source.date, source.sql_date)
        dump.write(snakemake.output[0], found)
        log.info("%d files of %s", len(found), found[0].date)


main()
