"""Draw queries and candidates of one repetition, for all settings."""

from cr5.base.errors import UserError
from cr5.base.job import job
from cr5.counts import bags
from cr5.counts.documents import stream
from cr5.splits import copies
from cr5.splits.draw import draw
from cr5.splits.options import TOGETHER, Sizes


def groups_of_equal_texts():
    """Return the concepts that are drawn together."""
    folders = zip(documents.items(), snakemake.input.documents, strict=True)
    texts = (copies.read_folded(folder, kept, language) for (language, kept), folder in folders)
    return copies.groups(texts)


with job(snakemake) as log:
    made_with = snakemake.params.made_with
    sizes = Sizes(**made_with["splits"])
    documents = {
        language: bags.read_documents(folder, language, ["concept", "n_tokens", "n_unique"])
        for language, folder in zip(made_with["languages"], snakemake.input.bags, strict=True)
    }
    concepts = set()
    for folder in snakemake.input.documents:
        concepts.update(concept for (concept,) in stream(folder, ["concept"]))
    counted = set().union(*(each["concept"] for each in documents.values()))
    pairs = made_with["pairs"]
    groups = groups_of_equal_texts() if sizes.duplicates == TOGETHER else None
    drawn = draw(documents, pairs, sizes, made_with["seed"], groups, concepts - counted)
    for said in drawn.told:
        log.warning("%s", said)
    if reason := drawn.lacking(pairs, sizes):
        raise UserError(f"In the whole corpus {reason}")
    log.info("\n%s", drawn.pairs.to_string(index=False))
    if groups is not None:
        said = "%d concepts have the text of another; %d of them neither train nor are searched"
        log.info(said, len(groups), len(drawn.copies))
    drawn.save(snakemake.output[0])
