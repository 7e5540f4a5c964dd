"""Which texts of an index are removed; nothing is written here."""

from collections.abc import Iterable

import pyarrow as pa

from cr5.base.errors import UserError
from cr5.retrieval.given import known_identity, several
from cr5.retrieval.indexes.memory import Contents


def without(contents: Contents, ids: Iterable[str], language: str | None, name: str) -> tuple:
    """Give the contents of an index without some texts.

    Args:
        contents: of the index; they stay as they are.
        ids: of the texts.
        language: in which they are; in all if not given.
        name: of the index, for messages.

    Returns:
        Contents, of which segments that lose nothing are the same objects; how many texts go.

    Raises:
        UserError: an id is none, or not there.
    """
    asked = dict.fromkeys(known_identity(x) for x in several("ids", ids))
    wanted = pa.array(list(asked), pa.large_string())
    changed = {x: list(segments) for x, segments in contents.items()}
    missing, n = set(wanted.to_pylist()), 0
    for each in changed if language is None else [language]:
        for place, segment in enumerate(changed.get(each, ())):
            numbers = segment.numbers_of(wanted)
            if len(numbers):
                missing -= set(segment.ids.take(pa.array(numbers)).to_pylist())
                changed[each][place] = segment.without(numbers)
                n += len(numbers)
    if missing:
        where = f"in {language!r}" if language else "in any language"
        raise UserError(f"{name}: there is no text {min(missing)!r} {where}")
    return {x: tuple(segments) for x, segments in changed.items()}, n
