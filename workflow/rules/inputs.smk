# What rules read: functions from wildcards to files. The user's are marked by `by_content`.
from itertools import permutations

from cr5.fitting.seeds import DICTIONARY


def given(task, language):
    """Return a task's own files for one language, by name."""
    part = RUN.readers[task].part
    if part.parallel:
        return {"aligned": aligned_of(task)}
    return part.files(language, RUN.written)


def read_by_task(wildcards):
    """Return what the texts of a task are read from in one language, by name."""
    files_of_task = given(wildcards.task, wildcards.language)
    return {name: by_content(paths) for name, paths in files_of_task.items()}


def files_of_tests(wildcards):
    """Return the files of all tasks that have some."""
    found = []
    for task, language in MADE_WITH.tested():
        for paths in given(task, language).values():
            found += by_content([paths] if isinstance(paths, str) else paths)
    return found


def files_of_channels(wildcards):
    """Return the files of all channels."""
    found = []
    for files_of_language in MADE_WITH.channels.values():
        found += by_content(files_of_language.values())
    return found


def stop_words(languages=None):
    """Return the files of stop words, of all languages or some."""
    return by_content(files.stop_words(RUN, languages))


def dictionary_files(wildcards):
    """Return a task's own files of language pairs, or the folder they are fetched to."""
    place = PLACES[wildcards.task]
    if place.is_elsewhere:
        return rules.dictionaries.output
    return by_content(map(str, place.here))


def aligned_of(task):
    """Return what was aligned for a task; empty for a task without parallel text."""
    return expand(ALIGNED, task=task, bundle=BUNDLES.get(task, ()))


def files_of_bundle(wildcards):
    """Return where the sentences of each language are: a file, or paragraphs of the corpus."""
    places = BUNDLES[wildcards.task][wildcards.bundle]
    found = [
        on_this_machine(place.file) if place.file else PARAGRAPHS.format(language=x)
        for x, place in places.items()
    ]
    return by_content(found)


def sentences_to_align(wildcards):
    """Return what was joined from files, or else the paragraphs of both languages."""
    pair = wildcards.first, wildcards.second
    if ALIGNED_FILES:
        name = files.bundle_of(ALIGNED_FILES, pair)
        return [ALIGNED.format(task=ALIGNMENTS_SECTION, bundle=name)]
    return [PARAGRAPHS.format(language=language) for language in pair]


def word_tables(wildcards):
    """Return the word translation tables of each directed pair of a setting."""
    languages = RUN.trained[wildcards.setting].languages
    if not ARE_ALIGNED:
        return by_content(RUN.alignments.files(languages, RUN.written))
    pairs = (sorted(pair) for pair in permutations(languages, 2))
    return [ALIGNMENTS.format(first=x, second=y, **wildcards) for x, y in pairs]


def bags_of_setting(wildcards):
    """Return the bags of the languages of a setting."""
    return expand(BAGS, language=RUN.trained[wildcards.setting].languages)


def read_by_fit(wildcards):
    """Return what a fit reads because its system needs it, or validates by it, by name."""
    languages = RUN.trained[wildcards.setting].languages
    part = RUN.systems[wildcards.system].part
    needed, task = part.needs, RUN.validated_by(wildcards.system)
    channels = MADE_WITH.channels.keys() & {*languages} if "channels" in needed else ()

    def if_needed(pattern, need):
        return (
            expand(pattern, language=languages, **wildcards) if need in needed else []
        )

    return {
        "vectors": if_needed(VECTORS, "vectors"),
        "seeds": expand(
            rules.task_tables.output[0],
            task=MADE_WITH.read_for_seeds(wildcards.setting, wildcards.system),
        ),
        "texts": if_needed(DOCUMENTS, "texts"),
        "data": data_of(task, languages) if task else [],
        "tables": expand(
            rules.task_tables.output[0],
            task=[DICTIONARY, task.name] if task and task.part.of_pairs else [],
        ),
        "alignments": word_tables(wildcards) if "alignments" in needed else [],
        "channels": expand(
            rules.task_data.output[0], task=CHANNELS, language=sorted(channels)
        ),
        "judgements": by_content(
            [RUN.channels.qrels] if channels and RUN.channels.qrels else []
        ),
        "files": by_content(
            on_this_machine(path)
            for language in languages
            for path in part.files(language, RUN.written).values()
        ),
        "stop_words": stop_words(languages),
    }


def data_of(task, languages):
    """Return the counts of a task's own files, if it has any."""
    pattern = rules.task_data.output[0]
    return expand(
        pattern, task=task.name, language=languages if task.part.reads_files else []
    )


def read_by_rank(wildcards):
    """Return what a ranking reads because its system needs it, or its task has it, by name."""
    languages, task = (
        RUN.trained[wildcards.setting].languages,
        RUN.tasks[wildcards.task],
    )
    with_texts = "texts" in RUN.systems[wildcards.system].part.needs
    return {
        "texts": expand(DOCUMENTS, language=languages if with_texts else []),
        "data": data_of(task, languages),
        "others": (
            data_of(task, [x for x in LANGUAGES if x not in languages])
            if task.part.is_judged
            else []
        ),
        "tables": (
            rules.task_tables.output[0].format(task=task.name)
            if PLACES[task.name]
            else []
        ),
    }


def read_by_report(rows):
    """Return what the report of these rows reads, by name."""
    tasks = {row.task for row in rows}
    readers = [x for x in PLACES if rows == MATRIX or x in tasks]
    examples = [row for row in rows if row == EXAMPLES]
    of_tasks = [x for x in readers if x in RUN.tasks]
    return {
        "tables": expand(rules.task_tables.output[0], task=filter(PLACES.get, readers)),
        "aligned": [path for x in of_tasks for path in aligned_of(x)],
        "ranks": made_by_rows(rules.rank, examples),
        "bags": expand(BAGS, language=LANGUAGES),
        "documents": expand(DOCUMENTS, language=LANGUAGES),
        "draws": made_by_rows(rules.draw, rows),
        "trained": made_by_rows(rules.setting, rows),
        "models": made_by_rows(rules.fit, rows),
    }


def pinned(pattern, role):
    """Return a function from wildcards to a file for each published file of a role."""

    from cr5.texts.sources.wikipedia import read

    def files(wildcards):
        table = checkpoints.pins.get(language=wildcards.language).output[0]
        names = [pin.name for pin in read(table) if pin.role == role]
        return expand(pattern, file=names, language=wildcards.language)

    return files


def of_mirror(wildcards):
    """Return the checksums of a dump, or of a language's page_props, in a mirror that is a folder.

    Those that were published, by which the files are verified, are not computed again.
    """
    from cr5.texts.sources.wikipedia import PAGE_PROPS, read

    pins = read(checkpoints.pins.get(language=wildcards.language).output[0])
    name = wildcards.get("file")
    chosen = [x for x in pins if name == x.name or (not name and x.role == PAGE_PROPS)]
    return [x.checksum or CONTENTS.checksum(as_folder(x.address)) for x in chosen]
