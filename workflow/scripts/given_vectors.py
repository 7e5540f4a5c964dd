"""Read given word vectors of one language, for the most frequent words."""

from cr5.base.job import job
from cr5.fitting import vectors

with job(snakemake) as (this_job, _):
    words, rows = vectors.read(snakemake.input[0], snakemake.params.made_with["most_frequent"])
    language = snakemake.wildcards.language
    vectors.save(snakemake.output[0], words, rows, language, this_job)
