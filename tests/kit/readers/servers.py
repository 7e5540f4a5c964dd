"""Readers of what servers answer: listings, their status of dumps, headers, tables of pins."""

import json
from dataclasses import replace
from email.parser import HeaderParser
from pathlib import Path
from types import SimpleNamespace

from cr5.base.errors import UserError
from cr5.corpora.fetch import pins, remote
from cr5.corpora.fetch.partial import Partial, WrongError
from cr5.corpora.wikimedia import sources
from cr5.corpora.wikimedia.settings import Settings
from tests.kit.readers.target import Target

LISTING = (
    b'<html><head><title>Index of /dawiki/</title></head><body><pre><a href="../">../</a>\n'
    b'<a href="20260101/">20260101/</a>  02-Jan-2026 03:04   -\n'
    b'<a href="a%20b.bz2">a b.bz2</a>  02-Jan-2026 03:04   123456\n</pre></body></html>\n'
)
DAY = "20260101"
SUM = "a" * 40
STATUS = json.dumps(
    {
        "jobs": {
            "pagepropstable": {
                "status": "done",
                "files": {f"dawiki-{DAY}-page_props.sql.gz": {"size": 5, "md5": "b" * 32}},
            },
        }
    }
).encode()
FOLDER = f"dawiki/{DAY}"
CONTENT = "other/mediawiki_content_current/dawiki/2026-01-01/xml/bzip2"
PART = "dawiki-2026-01-01-p1p99.xml.bz2"
SUMS = f"{'0' * 64}  {PART}\n".encode()
HEADERS = (
    b'206\nContent-Range: bytes 5-9/10\nETag: "abc"\n\n',
    b"200\nContent-Length: 10\nLast-Modified: Fri, 02 Jan 2026 03:04:05 GMT\n\n",
    b"429\nRetry-After: Fri, 02 Jan 2026 03:04:05 GMT\n\n",
    b"503\nRetry-After: 120\n\n",
)
PIN = pins.Pin("dawiki", "2026-01-01", "text", "a.bz2", "https://example.org/a.bz2", 10)
PIN = replace(PIN, checksum_kind="sha1", checksum=SUM)  # so that what has come is gone on with
TABLE = (
    "\t".join(pins.COLUMNS)
    + f"\ndawiki\t2026-01-01\ttext\ta.bz2\thttps://example.org/a\t10\tsha1\t{SUM}\n"
).encode()


def _pins_below(depth: int):
    def read(path: Path) -> None:
        base = path.parents[depth]
        found = sources.pins("dawiki", Settings(base=str(base)))
        pins.write_pins(base / "pins.tsv", found)
        pins.read_pins(base / "pins.tsv")

    return read


def _headers(path: Path) -> None:
    """Give the beginning of an answer to what looks at it."""
    status, _, text = path.read_bytes().decode("latin-1").partition("\n")
    code = int(status) if status.isascii() and status.isdigit() and len(status) == 3 else 200
    answer = SimpleNamespace(
        status_code=code,
        reason="",
        url=PIN.url,
        headers=dict(HeaderParser().parsestr(text).items()),
    )
    answer.headers = {key: str(value) for key, value in answer.headers.items()}
    remote._check(answer)
    target = path.parent / "a.bz2"
    (path.parent / "a.bz2.part").write_bytes(b"12345")
    with Partial(target, PIN) as part:
        part.begin(answer)
        _ = part.is_complete
        part.headers()


TARGETS = [
    Target(
        "listing",
        "index.html",
        lambda path: remote.parse_listing(path.read_text("utf-8", "replace"), str(path)),
        (LISTING,),
        tokens=(b'<a href="', b'">', b"</a>", b"href=", b"%2F", b"&#x2f;"),
    ),
    Target(
        "dumpstatus",
        f"{FOLDER}/dumpstatus.json",
        _pins_below(len(Path(FOLDER).parts)),
        (STATUS,),
        {f"{CONTENT}/{PART}": b"x", f"{CONTENT}/SHA256SUMS": SUMS},
    ),
    Target(
        "checksums",
        f"{CONTENT}/SHA256SUMS",
        _pins_below(len(Path(CONTENT).parts)),
        (SUMS,),
        {f"{CONTENT}/{PART}": b"x", f"{FOLDER}/dumpstatus.json": STATUS},
    ),
    Target(
        "headers",
        "headers",
        _headers,
        HEADERS,
        allowed=(UserError, remote.LaterError, remote.MissingError, WrongError),
    ),
    Target("pins", "pins.tsv", pins.read_pins, (TABLE,)),
]
