"""The package of LibreOffice's help for each language."""

from cr5.base.languages import base_language

# Variants with their own pages; all others use those of their language.
VARIANTS = {"bn-in", "ca-valencia", "en-gb", "en-us", "en-za", "pt-br", "sr-latn", "zh-cn", "zh-tw"}
STANDARD = {"en": "en-us", "zh": "zh-cn"} | dict.fromkeys(("zh-hant", "zh-hk", "zh-mo"), "zh-tw")


def help_code(language: str) -> str:
    """Return the code of a language's pages: `en-us` for en, `pt-br` for pt_BR, `de` for de_at."""
    code = language.lower().replace("_", "-")
    if "-" in code and code not in STANDARD and code not in VARIANTS:
        code = base_language(code)
    return STANDARD.get(code, code)


def package(language: str) -> str:
    """Name of the Debian package with the help of a language, such as `da`, `en` or `pt_br`."""
    return f"libreoffice-help-{help_code(language)}"
