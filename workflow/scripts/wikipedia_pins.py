"""Find out which files Wikimedia publishes for one language."""

from cr5.base.job import job
from cr5.base.parts import SOURCES
from cr5.texts.sources import wikipedia


@job
def main(log) -> None:
    """Write which they are; dates that say `latest` are resolved here, once."""
    # Not from parameters: another contact is no reason to look again.
    source = SOURCES.part("corpus", snakemake.config["corpus"])
    found = source.published(snakemake.wildcards.language)
    wikipedia.write(snakemake.output[0], found)
    log.info("%d files of %s", len(found), found[0].date)


if __name__ == "__main__":
    main(snakemake)
