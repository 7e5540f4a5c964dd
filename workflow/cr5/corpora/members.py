"""Opens one file in a tar archive, by its name or the end of it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

from cr5.base.archives import BROKEN, regular_files
from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.base.refusals import pass_on

SHOWN = 5  # members of an archive shown in messages
READ = 1 << 20


@contextmanager
def member_of(path: str, wanted: str) -> Iterator[IO[bytes]]:
    """Open a member.

    Args:
        path: of the archive; it is first read to its end, to verify its checksums.
        wanted: the member's name; or the end of it after a slash, if that is unique.

    Raises:
        UserError: the archive is damaged, or has no such member, or several.
    """
    with _readable(path):
        number = _number(_names(path), wanted, path)
        with open_stream(path) as stream:
            for place, (_, file) in enumerate(regular_files(stream)):
                if place == number:
                    yield file
                    return


def _names(path: str) -> list[str]:
    with open_stream(path) as stream:
        names = [name for name, _ in regular_files(stream)]
        while stream.read(READ):
            pass
    return names


def _number(names: Sequence[str], wanted: str, path: str) -> int:
    exact = [i for i, name in enumerate(names) if name == wanted]
    found = exact or [i for i, name in enumerate(names) if name.endswith(f"/{wanted}")]
    if not found:
        raise UserError(
            f"{path}: has no file {wanted!r}; it has {_listed(names) or 'nothing'}; correct `path`"
        )
    if len(found) > 1:
        raise UserError(
            f"{path}: has {len(found)} files {wanted!r}: {_listed([names[i] for i in found])}; "
            "name one in full in `path`, and of those with the same name pack one only"
        )
    return found[0]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (" and more" if len(names) > SHOWN else "")


@contextmanager
def _readable(path: str) -> Iterator[None]:
    try:
        yield
    except BROKEN as error:
        pass_on(error)
        raise UserError(
            f"{path}: not a whole tar archive ({error}); fetch it again, or leave out `path` "
            "if the file is the text itself"
        ) from error
