"""The training sentences of word vectors, read from a file so that none is held in memory.

A token in a Python list takes about 108 bytes; on disk, its letters and a space.
"""

import logging
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cr5.base.files import scratch_file
from cr5.counts import documents
from cr5.counts.tokens import Tokens, tokenise

log = logging.getLogger(__name__)


class Sentences:
    """The sentences of a file, one per line, read again for each iteration.

    gensim's LineSentence would cut a line after 10,000 words; gensim itself ignores the part of a
    sentence beyond 10,000 words of its vocabulary.
    """

    def __init__(self, path: Path):
        self.path = path

    def __iter__(self) -> Iterator[list[str]]:
        """Yield the words of each line, from the first."""
        with self.path.open(encoding="utf-8", newline="\n") as file:
            for line in file:
                yield line[:-1].split(" ")


def of_documents(
    path: str | Path, language: str, held_out: Collection[str], tokens: Tokens = tokenise
) -> Iterator[list[str]]:
    """Yield the words of each paragraph that has any, document by document; see `of_texts`.

    Args:
        path: of documents, as `counts.documents` writes them.
        language: ISO 639-1 code.
        held_out: concepts whose documents are skipped; a set.
        tokens: how texts become words.
    """
    stored = documents.stream(path, ["concept", "text"], language=language)
    return of_texts(stored, language, held_out, tokens)


def of_texts(
    texts: Iterable[tuple[str, str]],
    language: str,
    held_out: Collection[str],
    tokens: Tokens = tokenise,
) -> Iterator[list[str]]:
    """Yield the words of each paragraph that has any, text by text.

    Args:
        texts: concept and text of each document.
        language: ISO 639-1 code.
        held_out: concepts whose documents are skipped; a set.
        tokens: how texts become words.
    """
    for concept, text in texts:
        if concept not in held_out:
            yield from filter(None, (tokens(line, language) for line in text.splitlines()))


@contextmanager
def on_disk(sentences: Iterable[list[str]], beside: str | Path) -> Iterator[Sentences]:
    """Keep sentences in a file while they are needed.

    Args:
        sentences: each at least one word, no white space in a word; iterated once.
        beside: the output that they are for: the file goes into its folder, hence on its disk.

    Yields:
        The same sentences, which can be iterated any number of times.
    """
    with scratch_file(beside) as path:
        n_sentences = n_words = 0
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for sentence in sentences:
                file.write(" ".join(sentence) + "\n")
                n_sentences += 1
                n_words += len(sentence)
        log.info("%d words in %d paragraphs", n_words, n_sentences)
        yield Sentences(path)
