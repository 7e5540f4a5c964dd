# Wikimedia's dumps: find the files, fetch them, turn each into documents, join these.
# Planning does not use the network: a checkpoint finds the files.

from cr5.steps.wikipedia_part import PartStep
from cr5.texts.fetch import local_path

FOUND_BY = ("date", "sql_date", "base")  # keys of the corpus
# Those of a mirror that is a folder are links to files of the user, which count by their content.
IS_MIRRORED = bool(TEXT.base) and local_path(TEXT.base) is not None

# The servers allow few connections; --resources downloads=N takes another number.
workflow.global_resources.setdefault("downloads", 2)


def pinned(place, role):
    """Return a function from wildcards to a path for each published file of a role."""
    from cr5.texts.sources.wikipedia import read  # imports what computes

    def files(wildcards):
        table = checkpoints.pins.get(language=wildcards.language).output[0]
        names = [pin.name for pin in read(table) if pin.role == role]
        return expand(place, file=names, language=wildcards.language)

    return files


def dated(dumps):
    """Return dumps whose dates count if they were fetched."""
    if IS_MIRRORED:
        return ancient(dumps)
    return dumps


def of_mirror(wildcards):
    """Return the checksums of a dump, or of a language's page_props, in a mirror that is a folder.

    Those that were published, by which the files are verified, are not computed again.
    """
    from cr5.texts.sources.wikipedia import PAGE_PROPS, read

    pins = read(checkpoints.pins.get(language=wildcards.language).output[0])
    name = wildcards.get("file")
    if name:
        pins_of_job = [pin for pin in pins if pin.name == name]
    else:
        pins_of_job = [pin for pin in pins if pin.role == PAGE_PROPS]
    return [
        pin.checksum or CONTENTS.checksum(local_path(pin.address))
        for pin in pins_of_job
    ]


checkpoint pins:
    output:
        PLACES.pins,
    log:
        f"{LOGS}/pins/{{language}}.log",
    conda:
        ENVIRONMENT
    resources:
        **requested(1000, 600),
        downloads=1,
    # Only what finds files: changes of anything else, of the contact or of the package's code, must
    # not look for newer dumps or fetch gigabytes again.
    params:
        finding={
            key: config["corpus"][key] for key in FOUND_BY if config["corpus"][key]
        },
    script:
        "../scripts/wikipedia_pins.py"


# A partial download stays beside the file as .part, which snakemake does not know and so keeps.
rule download:
    input:
        pins=ancient(rules.pins.output[0]),
    output:
        PLACES.dump,
    log:
        f"{LOGS}/dumps/{{language}}/{{file}}.log",
    conda:
        ENVIRONMENT
    resources:
        **requested(1000, 600),
        downloads=1,
    script:
        "../scripts/wikipedia_download.py"


rule concepts:
    input:
        page_props=dated(pinned(PLACES.dump, "page_props")),
    output:
        concepts=directory(PLACES.concepts),
    log:
        f"{LOGS}/concepts/{{language}}.log",
    conda:
        ENVIRONMENT
    resources:
        **requested(2000, 120),
    params:
        **({"mirror": of_mirror} if IS_MIRRORED else {}),
        **made_by("wikipedia_concepts", PLACES.concepts),
    script:
        "../scripts/wikipedia_concepts.py"


rule part:
    input:
        dump=dated(PLACES.dump),
        concepts=rules.concepts.output[0],
    output:
        part=temp(directory(PLACES.part)),
    log:
        f"{LOGS}/parts/{{language}}/{{file}}.log",
    conda:
        ENVIRONMENT
    resources:
        **requested(1000, 240),
    params:
        **({"mirror": of_mirror} if IS_MIRRORED else {}),
        step=lambda w: PartStep(language=w.language).as_json(),
        code=lambda w: code(source_of("wikipedia_part")),
        reads=expected,
    script:
        "../scripts/wikipedia_part.py"


rule documents:
    input:
        parts=pinned(PLACES.part, "text"),
        pins=ancient(rules.pins.output[0]),
    output:
        documents=directory(PLACES.documents),
    log:
        f"{LOGS}/documents/{{language}}.log",
    conda:
        ENVIRONMENT
    resources:
        **requested(2000, 120),
    params:
        **made_by("wikipedia_documents", PLACES.documents),
    script:
        "../scripts/wikipedia_documents.py"
