# The user's own documents, one file per language: FILES has them, DOCUMENTS_SCRIPT reads them.

for language, path in FILES.items():
    if not Path(path).is_file():
        raise WorkflowError(
            f"corpus.path: there is no file {path} for language {language!r}. Relative paths "
            f"start at {Path.cwd()}; the key is {config['corpus']['path']!r}."
        )

for language, path in FILES.items():
    same = next(x for x in FILES if content(FILES[x]) == content(path))
    if same != language:
        raise WorkflowError(
            f"corpus.path: {FILES[same]} and {path} are the same text: each document would be "
            f"found by its very copy. Give {same!r} and {language!r} files of their own."
        )
