# Data about words, not documents: vectors, translation tables, pairs for training.
from itertools import permutations

from cr5.plan.parallel_tasks import is_made, is_of_corpus, options_of
from cr5.plan.words import TABLES


def vector_files(wildcards):
    """Return word vectors of each language, for systems that start from them."""
    if "vectors" not in configuration.needs(config, wildcards.system):
        return []
    return of_languages(VECTORS)(wildcards)


def path_of_vectors(language):
    """Return the path or URL of a language's given vectors."""
    return config["vectors"]["path"].replace("{language}", language)


def given_vectors(language):
    """Return where they are, or are fetched to."""
    path = path_of_vectors(language)
    folder = as_folder(path)
    return fetched_from(path) if folder is None else ancient(str(folder))


def content_of_vectors(languages):
    """Return checksums of given ones on this machine; a URL identifies its file."""
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
    """Return word translation tables of each directed pair, if they are given."""
    path = config["alignments"]["path"]
    return [
        path.replace("{source}", a).replace("{target}", b)
        for a, b in permutations(languages, 2)
    ]


def alignment_files(wildcards):
    """Return word translation tables, for systems that start from them."""
    if "alignments" not in configuration.needs(config, wildcards.system):
        return []
    languages = languages_of(wildcards.setting)
    if is_made(config):
        return [table_of(a, b, wildcards) for a, b in permutations(languages, 2)]
    return [ancient(x) for x in alignment_tables(languages)]


def aligned_with(wildcards):
    """Return settings that tables depend on, and checksums of given ones."""
    if "alignments" not in configuration.needs(config, wildcards.system):
        return []
    if is_made(config):
        return [config["alignments"]]
    return [content(x) for x in alignment_tables(languages_of(wildcards.setting))]


# The corpus's paragraphs are those of training documents: tables differ by setting and repetition.
ALIGNMENTS = f"{RESULTS}/alignments/" + (
    "{first}-{second}"
    if is_made(config) and not is_of_corpus(options_of(config, TABLES))
    else "{setting}/{repetition}/{first}-{second}"
)


def table_of(source, target, wildcards):
    """Return the table of a directed pair that the aligner makes."""
    first, second = sorted((source, target))
    name = "forward" if source == first else "reverse"
    return f"{ALIGNMENTS}/{name}.tsv".format(first=first, second=second, **wildcards)


def sentences_to_align(wildcards):
    """Return what was joined from files, or else the paragraphs of both languages."""
    pair = wildcards.first, wildcards.second
    if ALIGNED_FILES:
        name = bundle_with(ALIGNED_FILES, pair)
        return [ALIGNED.format(task=TABLES, bundle=name)]
    return [PARAGRAPHS.format(language=language) for language in pair]


for row in MATRIX:
    if "alignments" in configuration.needs(config, row.system) and not is_made(config):
        for path in alignment_tables(row.setting.languages):
            require(path, "alignments.path")


def seed_readers(wildcards):
    """Return the word pairs for a system that starts from them: for training, and of tests."""
    if "seeds" not in configuration.needs(config, wildcards.system):
        return []
    tested = [task for task in SETTINGS[wildcards.setting].tasks if PLACES[task]]
    return [*([pair_files.SECTION] if pair_files.SECTION in PLACES else []), *tested]


def seed_tables(wildcards):
    """Return their tables."""
    readers = seed_readers(wildcards)
    return [rules.task_tables.output[0].format(task=task) for task in readers]


def seeded_with(wildcards):
    """Return settings and checksums of these."""
    return [
        [READERS[task], *map(content, PLACES[task].here)]
        for task in seed_readers(wildcards)
    ]
