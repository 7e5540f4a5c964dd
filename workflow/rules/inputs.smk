# What rules read: functions from wildcards to files.


def source_of_system(wildcards):
    """Return the file of a system."""
    return RUN.systems[wildcards.system].source


def source_of_task(wildcards):
    """Return the file of a task."""
    return RUN.readers[wildcards.task].source


def given(task, language):
    """Return a task's own files for one language, by name."""
    part = RUN.tasks[task].part
    return {"aligned": aligned_of(task)} if part.parallel else part.files(language)


def dictionary_files(wildcards):
    """Return a task's own files of language pairs, or the folder they are fetched to."""
    place = PLACES[wildcards.task]
    if place.is_elsewhere:
        return [rules.dictionaries.output[0]]
    return [str(path) for path in place.here]


def aligned_of(task):
    """Return what was aligned for a task; empty for a task without parallel text."""
    return expand(ALIGNED, task=task, bundle=BUNDLES.get(task, ()))


def files_of_bundle(wildcards):
    """Return where the sentences of each language are: a file, or paragraphs of the corpus."""
    places = BUNDLES[wildcards.task][wildcards.bundle]
    return [
        on_this_machine(place.file) if place.file else PARAGRAPHS.format(language=x)
        for x, place in places.items()
    ]


def sentences_to_align(wildcards):
    """Return what was joined from files, or else the paragraphs of both languages."""
    pair = wildcards.first, wildcards.second
    if ALIGNED_FILES:
        name = files.bundle_of(ALIGNED_FILES, pair)
        return [ALIGNED.format(task=ALIGNMENTS_SECTION, bundle=name)]
    return [PARAGRAPHS.format(language=language) for language in pair]


def alignment_files(wildcards):
    """Return the word translation tables of each directed pair, for systems that need them."""
    if not needs("alignments")(wildcards):
        return []
    languages = languages_of(wildcards.setting)
    if not ARE_ALIGNED:
        return RUN.alignments.files(languages)
    pairs = (sorted(pair) for pair in permutations(languages, 2))
    return [ALIGNMENTS.format(first=x, second=y, **wildcards) for x, y in pairs]


def channels_of(wildcards):
    """Return the channels of a setting's languages, for systems that learn from them."""
    languages = languages_of(wildcards.setting) if needs("channels")(wildcards) else []
    languages = [x for x in languages if files.channel(RUN, x)]
    return expand(rules.channel.output[0], language=languages)


def judgements_of_channels(wildcards):
    """Return the file of judgements that goes with them, if there is one."""
    return (
        files.judgements(RUN, languages_of(wildcards.setting))
        if needs("channels")(wildcards)
        else []
    )


def system_files(wildcards):
    """Return a system's own files, of each language and option."""
    languages = languages_of(wildcards.setting)
    found = files.of_system(RUN, wildcards.system, languages)
    return [on_this_machine(path) for path in found.values()]


def seed_tables(wildcards):
    """Return the word pairs for a system that starts from them: for training, and of tests."""
    readers = MADE_WITH.read_for_seeds(wildcards.setting, wildcards.system)
    return expand(rules.task_tables.output[0], task=readers)


def validation_part(wildcards):
    """Return the entry of the task that chooses hyperparameters; None of drawn documents."""
    task = RUN.validated_by(wildcards.system)
    return None if task == DRAWN else RUN.tasks[task]


def validation_source(wildcards):
    """Return the file of that task; of drawn documents, the system's own again."""
    return (validation_part(wildcards) or RUN.systems[wildcards.system]).source


def validation_data(wildcards):
    """Return the counts of its own files, for each language of the setting."""
    task = validation_part(wildcards)
    if not (task and task.part.reads_files):
        return []
    return expand(
        rules.task_data.output[0],
        task=task.name,
        language=languages_of(wildcards.setting),
    )


def validation_tables(wildcards):
    """Return what was made of the section `dictionary`, and of the task's own, if it has them."""
    task = validation_part(wildcards)
    names = [DICTIONARY, task.name] if task and task.part.of_pairs else []
    return expand(rules.task_tables.output[0], task=names)


def task_data(wildcards):
    """Return the counts of a task's own files, for each language of the setting."""
    if not RUN.tasks[wildcards.task].part.reads_files:
        return []
    return of_languages(rules.task_data.output[0])(wildcards)


def task_tables(wildcards):
    """Return what was made of a task's own files of language pairs."""
    return rules.task_tables.output[0] if PLACES[wildcards.task] else []


def read_by_report(rows):
    """Return what the report of these rows reads, by name."""
    tasks = {row.task for row in rows}
    readers = [x for x in PLACES if rows == MATRIX or x in tasks]
    examples = [row for row in rows if row == EXAMPLES]
    of_tasks = [x for x in readers if x in RUN.tasks]
    return {
        "tables": expand(rules.task_tables.output[0], task=filter(PLACES.get, readers)),
        "aligned": [path for x in of_tasks for path in aligned_of(x)],
        "ranks": ranks_of(examples),
        "bags": expand(BAGS, language=LANGUAGES),
        "documents": expand(DOCUMENTS, language=LANGUAGES),
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
