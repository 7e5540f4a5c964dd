# Data about words, not documents: vectors, translation tables, pairs for training.
from itertools import permutations

from cr5.plan.files import is_made, is_of_corpus, sentences_of
from cr5.plan.words import TABLES


def vector_files(wildcards):
    """Return word vectors of each language, for systems that start from them."""
    if "vectors" not in configuration.needs(config, wildcards.system):
        return []
    return of_languages(VECTORS)(wildcards)


def given_vectors(language):
    """Return where given ones are, or are fetched to."""
    return on_this_machine(files.vectors(config, language))


if VECTORS_ARE_GIVEN:
    for language in LANGUAGES:
        given_vectors(language)


def channels_of(wildcards):
    """Return the channels of a setting's languages, for systems that learn from them."""
    if "channels" not in configuration.needs(config, wildcards.system):
        return []
    languages = languages_of(wildcards.setting)
    return [CHANNEL.format(language=x) for x in languages if files.channel(config, x)]


def judgements_of_channels(wildcards):
    """Return the file of judgements that goes with them, if there is one."""
    found = [config["channels"]["qrels"]] if channels_of(wildcards) else []
    return [ancient(path) for path in found if path]


def channel_files(wildcards):
    """Return the files of a language's channel."""
    found = files.channel(config, wildcards.language)
    return {name: ancient(path) for name, path in found.items()}


def channel_of_vectors(wildcards):
    """Return the documents of a language's channel, if word vectors read them."""
    if not files.vectors_read_channels(config):
        return []
    found = files.channel(config, wildcards.language)
    return [ancient(found["documents"])] if found else []


def alignment_files(wildcards):
    """Return word translation tables, for systems that start from them."""
    if "alignments" not in configuration.needs(config, wildcards.system):
        return []
    languages = languages_of(wildcards.setting)
    if is_made(config):
        return [table_of(a, b, wildcards) for a, b in permutations(languages, 2)]
    return [ancient(x) for x in files.alignments(config, languages)]


# The corpus's paragraphs are those of training documents: tables differ by setting and repetition.
ALIGNMENTS = f"{RESULTS}/alignments/" + (
    "{first}-{second}"
    if is_made(config) and not is_of_corpus(sentences_of(config, TABLES))
    else "{setting}/{repetition}/{first}-{second}"
)


def table_of(source, target, wildcards):
    """Return the tables of a directed pair and its reverse that the aligner makes."""
    first, second = sorted((source, target))
    return ALIGNMENTS.format(first=first, second=second, **wildcards)


def sentences_to_align(wildcards):
    """Return what was joined from files, or else the paragraphs of both languages."""
    pair = wildcards.first, wildcards.second
    if ALIGNED_FILES:
        name = bundle_with(ALIGNED_FILES, pair)
        return [ALIGNED.format(task=TABLES, bundle=name)]
    return [PARAGRAPHS.format(language=language) for language in pair]


def seed_tables(wildcards):
    """Return the word pairs for a system that starts from them: for training, and of tests."""
    readers = MADE_WITH.read_for_seeds(wildcards.setting, wildcards.system)
    return [rules.task_tables.output[0].format(task=task) for task in readers]
