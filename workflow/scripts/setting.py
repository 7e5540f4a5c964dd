"""Choose the training documents of one setting."""

import pandas as pd

from cr5.base import console, csv_files, files, origin
from cr5.base.artefacts import check_consistent
from cr5.base.errors import LeftOutError
from cr5.counts import bags
from cr5.splits.drawn import Draw
from cr5.splits.options import Cut, Sizes
from cr5.splits.settings import NO_TRAINING, save, sizes_by_pair, training


def main() -> None:
    """Choose them, and count the concepts that each pair of languages shares."""
    params, keys = snakemake.params, snakemake.params.names
    with console.job(snakemake.log[0], f"setting {keys['setting']}") as log:
        documents = {
            language: pd.Index(bags.read_documents(folder, language, ["concept"])["concept"])
            for language, folder in zip(params.languages, snakemake.input.bags, strict=True)
        }
        depends_on = check_consistent([snakemake.input.draw, *snakemake.input.bags])
        drawn = Draw.load(snakemake.input.draw)
        left_out = ""
        try:
            trained = training(
                documents,
                drawn,
                Sizes(**params.sizes),
                keys["setting"],
                params.pairs,
                Cut(**params.cut) if params.cut else None,
                params.seed,
            )
        except LeftOutError as error:
            trained, left_out = NO_TRAINING, str(error)
            log.warning("left out: %s", left_out)
        pairs = sizes_by_pair(trained, documents, drawn, params.pairs)
        log.info("\n%s", pairs.to_string(index=False))
        save(snakemake.output.trained, trained, dict(snakemake.wildcards), depends_on)
        with files.atomic_file(snakemake.output.pairs) as path:
            pairs.assign(**keys, left_out=left_out).to_csv(path, index=False)
        csv_files.describe(snakemake.output.pairs, origin.read(snakemake.input.draw)[0])


main()
