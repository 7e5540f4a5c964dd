# Wikimedia's dumps: find the files, fetch them, turn each into documents, join these.
# Planning does not use the network: a checkpoint finds the files.

FOUND_BY = "date", "sql_date", "base"
DUMP = f"{RESULTS}/dumps/{{language}}/{{file}}"
PART = f"{RESULTS}/parts/{{language}}/{{file}}"

# The servers allow few connections; --resources downloads=N takes another number.
workflow.global_resources.setdefault("downloads", 2)


checkpoint pins:
    output:
        f"{RESULTS}/pins/{{language}}.json",
    resources:
        **requested(1000, 600),
        downloads=1,
    # Only what finds files: changes of anything else, of the contact or of the package's code, must
    # not look for newer dumps or fetch gigabytes again.
    params:
        finding={x: config["corpus"][x] for x in FOUND_BY if config["corpus"][x]},
    script:
        "../scripts/wikipedia_pins.py"


# A partial download stays beside the file as .part, which snakemake does not know and so keeps.
rule download:
    input:
        pins=ancient(rules.pins.output[0]),
    output:
        DUMP,
    resources:
        **requested(1000, 600),
        downloads=1,
    script:
        "../scripts/wikipedia_download.py"


# Those of a mirror that is a folder are links to files of the user, which count by their content.
IS_MIRRORED = bool(TEXT.base) and as_folder(TEXT.base) is not None


def dated(dumps):
    """Return dumps whose dates count if they were fetched."""
    return ancient(dumps) if IS_MIRRORED else dumps


rule concepts:
    input:
        dated(pinned(DUMP, "page_props")),
    output:
        directory(f"{RESULTS}/concepts/{{language}}"),
    resources:
        **requested(2000, 120),
    params:
        **({"mirror": of_mirror} if IS_MIRRORED else {}),
    script:
        "../scripts/wikipedia_concepts.py"


rule part:
    input:
        file=dated(DUMP),
        concepts=rules.concepts.output[0],
    output:
        temp(directory(PART)),
    resources:
        **requested(1000, 240),
    params:
        **({"mirror": of_mirror} if IS_MIRRORED else {}),
    script:
        "../scripts/wikipedia_part.py"


rule documents:
    input:
        parts=pinned(PART, "text"),
        pins=ancient(rules.pins.output[0]),
    output:
        directory(DOCUMENTS),
    resources:
        **requested(2000, 120),
    script:
        "../scripts/wikipedia_documents.py"
