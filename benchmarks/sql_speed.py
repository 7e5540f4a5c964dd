"""Speed of the reader of page_props, on a made-up table of 250 MB.

    .venv/bin/python -m benchmarks.sql_speed [--megabytes 250] [--runs 3]

Rows, lengths and shares of properties are like English Wikipedia's; the table is in both layouts
of today's tools, plain and compressed with gzip. Megabytes (10^6 bytes) of SQL per CPU-second.
"""

import argparse
import gzip
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from cr5.base.compressed import open_stream
from cr5.corpora.wikimedia.concepts import page_props

HEAD = b"""/*M!999999\\- enable the sandbox mode */
CREATE TABLE `page_props` (
  `pp_page` int(10) unsigned NOT NULL,
  `pp_propname` varbinary(60) NOT NULL,
  `pp_value` blob NOT NULL,
  `pp_sortkey` float DEFAULT NULL
);
"""
TAIL = b"-- Dump completed on 2026-01-01 13:22:16\n"
ROWS = (  # share, row
    (0.40, b"(%d,'wikibase_item','Q%d',NULL)"),
    (0.03, b"(%d,'disambiguation','',NULL)"),
    (0.25, b"(%d,'wikibase-shortdesc','It\\'s an American film (%d), and so on',NULL)"),
    (0.17, b"(%d,'page_image_free','A_picture_\xc3\xa9_(%d).jpg',NULL)"),
    (0.15, b"(%d,'templatedata','{\\\"a\\\":(%d)}',1)"),
)


def statements(size: int, space: bytes) -> Iterator[bytes]:
    """INSERT statements of about 1 MB, until there are so many bytes."""
    generator = random.Random(1)
    shares, rows = zip(*ROWS, strict=True)
    page_id = written = 0
    while written < size:
        chosen = generator.choices(rows, shares, k=20_000)
        values = []
        for row in chosen:
            page_id += 1
            numbers = (page_id, generator.randrange(1, 140_000_000))
            values.append(row % numbers[: row.count(b"%d")])
        statement = (
            b"INSERT INTO `page_props` VALUES" + space + (b"," + space).join(values) + b";\n"
        )
        written += len(statement)
        yield statement


def make(path: Path, size: int, space: bytes) -> None:
    """Write the table, plain and compressed."""
    with path.open("wb") as plain, gzip.open(f"{path}.gz", "wb", 6) as compressed:
        for piece in (HEAD, *statements(size, space), TAIL):
            plain.write(piece)
            compressed.write(piece)


def measure(path: Path) -> tuple[float, int]:
    """CPU-seconds, and Q-ids found."""
    begun = time.process_time()
    with open_stream(path) as stream:
        found = page_props(stream, str(path))
    return time.process_time() - begun, len(found.page_ids)


def main() -> None:
    """Make the tables, read each some times, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=250)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, space in (("one line", b""), ("a line per row", b"\n")):
            path = Path(folder) / "page_props.sql"
            make(path, options.megabytes * 1_000_000, space)
            size = path.stat().st_size / 1e6
            for file in (path, Path(f"{path}.gz")):
                runs = [measure(file) for _ in range(options.runs)]
                speeds = " ".join(f"{size / seconds:.0f}" for seconds, _ in runs)
                print(f"{name}, {file.suffix}: {size:.0f} MB, {runs[0][1]} Q-ids: {speeds} MB/s")
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
