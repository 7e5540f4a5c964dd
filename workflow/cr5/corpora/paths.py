"""Files with a language and a part in their path, compressed or not."""

from collections.abc import Mapping
from pathlib import Path

LANGUAGE, PART = "{language}", "{part}"
ENDINGS = (".xz", ".gz", ".bz2")


def find(path: str, language: str, codes: Mapping[str, str], part: str = "") -> str:
    """Return the path of the file of a language and part.

    Args:
        path: with `{language}`, and with `{part}` if there are parts.
        language: of the file.
        codes: names of languages in the path, if different.
        part: what the path calls the part.

    Returns:
        The path filled in; if there is no such file, the same with another compression ending, or
        none, if that exists.
    """
    filled = path.replace(LANGUAGE, str(codes.get(language, language))).replace(PART, part)
    plain = next((filled.removesuffix(x) for x in ENDINGS if filled.endswith(x)), filled)
    names = (filled, plain, *(plain + ending for ending in ENDINGS))
    return next((name for name in names if Path(name).is_file()), filled)
