"""Archives: tar, ar and Debian packages."""

import io
import tarfile
from collections.abc import Callable


def tar(files: dict[str, bytes]) -> bytes:
    """Return an archive with a folder, a link and files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        folder = tarfile.TarInfo("./usr")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        link = tarfile.TarInfo("./link")
        link.type = tarfile.SYMTYPE
        link.linkname = "../../etc"
        archive.addfile(link)
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def ar(members: dict[str, bytes]) -> bytes:
    """Return an archive of the kind that packages are."""
    parts = [b"!<arch>\n"]
    for name, content in members.items():
        header = f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n"
        parts += [header.encode(), content, b"\n" * (len(content) % 2)]
    return b"".join(parts)


def deb(
    files: dict[str, bytes],
    name: str = "data.tar",
    pack: Callable[[bytes], bytes] = bytes,
) -> bytes:
    """Return a package; one member is of odd size, and the next begins at an even place."""
    data = pack(tar(files))
    return ar({"debian-binary": b"2.0\n", "control.tar": b"odd", name: data})
