"""Read given word vectors of one language, for the most frequent words."""

from cr5.base import console, provenance
from cr5.fitting import vectors


def main() -> None:
    """Store them in the same form as trained ones."""
    params, (source,), (output,) = snakemake.params, snakemake.input, snakemake.output
    with console.job(snakemake.log[0], f"vectors {snakemake.wildcards.language}"):
        words, rows = vectors.read(source, params.most_frequent)
        made = {"most_frequent": params.most_frequent, "files": provenance.files([source])}
        vectors.save(output, words, rows, made, snakemake.wildcards.language)


main()
