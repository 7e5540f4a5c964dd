"""A source of one's own: an almanac, each day a line for each language."""

from pydantic import PositiveInt

from cr5.base.text_files import read_lines
from cr5.contracts.keys import File
from cr5.contracts.source import Document, Source


class Almanac(Source):
    """An almanac, each day a line for each language."""

    name = "an almanac"
    licence = ("cc0-1.0", "The almanac is in the public domain.")

    path: File
    """The almanac."""
    first: PositiveInt = 1
    """Day of the year."""

    def records(self, reading):
        """Yield the document of each day."""
        for _, line in read_lines(reading.path):
            day, language, text = line.split("|")
            if language == reading.language and int(day) >= self.first:
                yield Document(concept=day, title=day, text=text)
