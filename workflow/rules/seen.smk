# Whether text of other files that trains, of channels and of the aligner, is text of tests.
TESTED = [
    SimpleNamespace(task=task, language=language)
    for task in config["tasks"]
    if configuration.part(config, "tasks", task).reads_files
    for language in sorted(LANGUAGES)
]
OTHER_CHANNELS = {
    language: files.channel(config, language)
    for language in sorted(LANGUAGES)
    if files.channel(config, language)
}
OTHER_SENTENCES = aligned_of(TABLES)
# Wikipedia's are only there to be explored.
HAS_DOCUMENTS = HAS_TEXT and (EXPLORED or not TEXT.own_rules)

SEEN = [f"{RESULTS}/seen"] if OTHER_CHANNELS or OTHER_SENTENCES else []
if SEEN:

    rule seen:
        input:
            documents=(
                expand(DOCUMENTS, language=sorted(LANGUAGES)) if HAS_DOCUMENTS else []
            ),
            draws=expand(rules.draw.output[0], repetition=REPETITIONS),
            tests=[x for asked in TESTED for x in files_of_task(asked).values()],
            sentences=OTHER_SENTENCES,
            channels=[
                ancient(x) for own in OTHER_CHANNELS.values() for x in own.values()
            ],
        output:
            directory(SEEN[0]),
        log:
            f"{RESULTS}/logs/seen.log",
        priority: 100  # before the fits
        conda:
            "../../envs/environment.yaml"
        resources:
            **requested("task_data"),
        params:
            code=lambda w: [
                code("seen.py"),
                *(fingerprint(source_of_task(asked)) for asked in TESTED),
            ],
            content=lambda w: [
                *(content_of_task(asked) for asked in TESTED),
                *(content(x) for own in OTHER_CHANNELS.values() for x in own.values()),
            ],
            languages=sorted(LANGUAGES),
            tests=[
                (
                    asked.task,
                    config["tasks"][asked.task],
                    asked.language,
                    {
                        name: found if isinstance(found, list) else str(found)
                        for name, found in files_of_task(asked).items()
                    },
                )
                for asked in TESTED
            ],
            channels=OTHER_CHANNELS,
        script:
            "../scripts/seen.py"
