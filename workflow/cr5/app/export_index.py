"""`cr5 export` of an index: its vectors as a table for databases."""

import argparse
from pathlib import Path

from cr5.app import output, place
from cr5.base.errors import UserError
from cr5.base.files import check_free
from cr5.retrieval import parquet
from cr5.retrieval.index import open_index

FORMAT = "parquet"
PURPOSE = "of an index, a table of id, language, title and vector for databases"
COLUMNS = ("path", "format", "bytes", "texts", "measures")


def run(given: argparse.Namespace) -> None:
    """Write the table, and say which measure compares its vectors."""
    if given.format != FORMAT:
        raise UserError(f"{given.place}: an index is exported as {FORMAT}, not as {given.format}")
    check_free(given.out)
    index = open_index(given.place, classes=place.classes(given))
    left_out = parquet.write(given.out, index)
    if left_out:
        place.say(f"left out, as they have no word that the model knows: {left_out:,} texts")
    row = {"path": given.out, "format": FORMAT, "bytes": Path(given.out).stat().st_size}
    row |= {"texts": len(index) - left_out, "measures": ", ".join(index.model.measures)}
    output.write([row], given, COLUMNS)
