# What is known of words, not documents: vectors, translation tables, pairs to learn from.


def vector_files(wildcards):
    """Word vectors of each language, for systems that start from them."""
    if "vectors" not in configuration.needs(config, wildcards.system):
        return []
    return of_languages(VECTORS)(wildcards)


def path_of_vectors(language):
    """Path or address of given ones of a language."""
    return config["vectors"]["path"].replace("{language}", language)


def given_vectors(language):
    """Where they are, or are fetched to."""
    path = path_of_vectors(language)
    folder = as_folder(path)
    return fetched_from(path) if folder is None else ancient(str(folder))


def content_of_vectors(languages):
    """Checksums of given ones on this machine; an address says which file it is."""
    if not VECTORS_ARE_GIVEN:
        return []
    paths = [as_folder(path_of_vectors(language)) for language in languages]
    return [content(path) for path in paths if path is not None]


if VECTORS_ARE_GIVEN:
    for language in LANGUAGES:
        try:
            given_vectors(language)
            if path := as_folder(path_of_vectors(language)):
                require(path, "vectors.path")
        except UserError as error:
            raise WorkflowError(str(error))


def alignment_tables(languages):
    """Word translation tables of each directed pair."""
    path = config["alignments"]["path"]
    return [
        path.replace("{source}", a).replace("{target}", b)
        for a in languages
        for b in languages
        if a != b
    ]


def alignment_files(wildcards):
    """Word translation tables, for systems that start from them."""
    if "alignments" not in configuration.needs(config, wildcards.system):
        return []
    return [ancient(x) for x in alignment_tables(languages_of(wildcards.setting))]


for row in MATRIX:
    if "alignments" in configuration.needs(config, row.system):
        for path in alignment_tables(row.setting.languages):
            require(path, "alignments.path")


def seed_readers(wildcards):
    """What a system that begins with word pairs is told of: those to learn from, and of tests."""
    if "seeds" not in configuration.needs(config, wildcards.system):
        return []
    tested = [task for task in SETTINGS[wildcards.setting].tasks if PLACES[task]]
    return [*([pair_files.SECTION] if pair_files.SECTION in PLACES else []), *tested]


def seed_tables(wildcards):
    """Their tables."""
    readers = seed_readers(wildcards)
    return [rules.task_tables.output[0].format(task=task) for task in readers]


def seeded_with(wildcards):
    """Settings and checksums of these."""
    return [
        [READERS[task], *map(content, PLACES[task].here)]
        for task in seed_readers(wildcards)
    ]
