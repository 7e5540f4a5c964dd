"""Draw queries and candidates of one repetition, for all settings."""

from cr5.base.errors import UserError
from cr5.base.job import job
from cr5.counts import bags
from cr5.counts.documents import stream
from cr5.splits import copies
from cr5.splits.asked import concept_of
from cr5.splits.draw import draw
from cr5.splits.options import TOGETHER, Sizes


def groups_of_equal_texts():
    """Return the concepts that are drawn together."""
    folders = zip(documents.items(), snakemake.input.documents, strict=True)
    texts = (copies.read_folded(folder, kept, language) for (language, kept), folder in folders)
    return copies.groups(texts)


with job(snakemake) as (this_job, log):
    made_with = snakemake.params.made_with
    sizes = Sizes(**made_with["splits"])
    asked = made_with.get("asked", [])
    columns = ["concept", "n_tokens", "n_unique", *(["title"] if asked else [])]
    documents = {
        language: bags.read_documents(folder, language, columns)
        for language, folder in zip(made_with["languages"], snakemake.input.bags, strict=True)
    }
    concepts = set()
    for folder in snakemake.input.documents:
        concepts.update(concept for (concept,) in stream(folder, ["concept"]))
    counted = set().union(*(each["concept"] for each in documents.values()))
    wanted = []
    for query in asked:
        of_language = documents[query["query_language"]].set_index("concept")
        concept = concept_of(of_language["title"], query["document"])
        if concept is None:
            log.warning("evaluation.examples.queries: no document %s", query)
        else:
            wanted.append(concept)
    pairs = made_with["pairs"]
    groups = groups_of_equal_texts() if sizes.duplicates == TOGETHER else None
    dropped = concepts - counted
    drawn = draw(documents, pairs, sizes, made_with["seed"], groups, dropped, wanted)
    for said in drawn.told:
        log.warning("%s", said)
    if reason := drawn.lacking(pairs, sizes):
        raise UserError(f"In the whole corpus {reason}")
    log.info("\n%s", drawn.pairs.to_string(index=False))
    if groups is not None:
        said = "%d concepts have the text of another; %d of them neither train nor are searched"
        log.info(said, len(groups), len(drawn.copies))
    drawn.save(snakemake.output[0], this_job)
