"""Find out which files Wikimedia publishes for one language."""

from cr5.base.job import job
from cr5.base.parts import SOURCES
from cr5.corpora.wikimedia import sources


@job
def main(log) -> None:
    """Write the table of pinned files; dates that say `latest` are resolved here, once."""
    language = snakemake.wildcards.language
    # Not from parameters: a change of patience or contact is no reason to look again.
    settings = SOURCES.part("corpus", snakemake.config["corpus"])
    found = sources.pins(sources.wiki_name(language), settings)
    sources.write_pins(snakemake.output[0], found)
    log.info("%d files of %s", len(found), found[0].date)


if __name__ == "__main__":
    main(snakemake)
