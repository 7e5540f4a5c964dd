"""Documents that are weights of numbered words, with a class each; see `corpora.weighted`."""

TITLE = "weights of words of your own"
OPTIONS = {
    "path": (
        "",
        "{path}",
        "the files, with `{language}` in it, and with `{original}`, the language that documents "
        "were written in, where files have translations; plain or compressed",
    ),
    "codes": ({}, "what the path calls a language"),
    "originals": (
        [],
        "{language}",
        "languages whose documents exist in all languages, by translation; needed where the path "
        "has `{original}` in it",
    ),
}
FILES = ("path",)
RULES = "matrix.smk"
HAS_TEXT = False
