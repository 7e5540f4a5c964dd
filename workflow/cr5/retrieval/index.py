"""An index: texts in one or several languages, embedded once and searched many times."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from cr5.base.errors import UserError
from cr5.base.languages import folded_code
from cr5.base.text_files import checked_name
from cr5.retrieval.adding import NewTexts, add_new, embedded
from cr5.retrieval.arguments import batches, several, strings, threads_of, whole_number
from cr5.retrieval.base_embedder import BaseEmbedder
from cr5.retrieval.hits import Contents, Hit, Queries
from cr5.retrieval.texts import TextData, Texts, held, joined
from cr5.retrieval.why import N_PAIRS, Why, reasons
from cr5.retrieval.writing import IndexWriter, writing

if TYPE_CHECKING:
    from cr5.retrieval.embedder import Embedder

N_QUERIES = 1024  # searched at a time
N_HITS = 10  # of a query


class Index:
    """Texts embedded by one model, to which others can be added, and which can be searched.

    Any number of threads may use one index: additions and removals wait for each other, searches
    for nothing. Searches are exact: scores are computed in float64 from the two embeddings alone;
    in ties the text added first comes first.
    """

    def __init__(self, model: "Embedder", texts: Mapping[str, Texts] | None = None) -> None:
        """Take a model from `cr5.load` or `cr5.fit`, and texts embedded by it, by language."""
        if not isinstance(model, BaseEmbedder):
            raise UserError(
                f"model: expected what cr5.load or cr5.fit returns, found {model!r:.60}"
            )
        self.model = model
        # Replaced, never changed: a search that has begun goes on with what was there.
        self._contents = Contents(model, dict(texts or {}))
        self._lock = Lock()

    def __len__(self) -> int:
        """Return the number of texts in all languages."""
        return sum(self.sizes.values())

    def __repr__(self) -> str:
        """Say how many texts there are in each language, and by which model."""
        return f"Index({self.sizes}, {self.model!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Let processes of joblib and multiprocessing have a copy, all of it in memory.

        Not for keeping: `save` does that, and many processes may map what is saved into memory, by
        `cr5.open_index`. UserError: files of the index are damaged.
        """
        copies = {}
        for language, texts in self._contents.texts.items():
            # else joblib would only say which file numbers are mapped from, which may be replaced
            copies[language] = deepcopy(texts.checked)
        return _of_copies, (self.model, copies)

    @property
    def sizes(self) -> dict[str, int]:
        """The number of texts in each language."""
        texts = self._contents.texts
        return {language: len(texts[language]) for language in sorted(texts)}

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its texts."""
        return tuple(self.sizes)

    @property
    def measures(self) -> tuple[str, ...]:
        """How texts can be searched, simplest first; see `Embedder.measures`."""
        return self.model.measures

    @property
    def dimension(self) -> int | None:
        """The numbers of a row; see `Embedder.dimension`."""
        return self.model.dimension

    def add(
        self,
        ids: Iterable[str | int],
        texts: Iterable[str],
        language: str,
        titles: Iterable[str] | None = None,
        *,
        batch_size: int | None = None,
        threads: int | None = None,
        show_progress_bar: bool = False,
    ) -> list[str]:
        """Add texts: all of them, or none if there is an error.

        Args:
            ids: one per text; unique within a language, where 2 is the same as "2".
            texts: as many.
            language: of the texts.
            titles: shown with hits; empty by default.
            batch_size: how many texts are embedded at a time; as many as need little memory by
                default.
            threads: one for each core by default; only measures that correct hubs need them here.
            show_progress_bar: show how many texts are done, by tqdm.

        Returns:
            The ids of texts that are empty or have no word with a vector, which are never found.

        Raises:
            UserError: an id exists already; the model does not know the language; an id, text or
                title is invalid; the files of the index are damaged.
        """
        language = self.model.known_language(language)
        new = NewTexts(language, ids, texts, titles)
        parts = list(embedded(self.model, new, batch_size, threads, show_progress_bar))
        unknown_ids = []
        for part in parts:
            unknown_ids += part.unknown_ids
        with self._lock:
            ids_of_language: set[str] = set()
            earlier_texts = self._contents.texts.get(language)
            if earlier_texts is not None:
                ids_of_language.update(earlier_texts.checked.ids)
            n_new = 0
            for part in parts:
                add_new(part.ids, ids_of_language, language, n_new)
                n_new += len(part)
            if earlier_texts is not None:
                parts.insert(0, earlier_texts.checked)
            together = held(joined(parts))
            self._replace({**self._contents.texts, language: together})
        return unknown_ids

    def remove(self, ids: Iterable[str | int], language: str | None = None) -> None:
        """Remove texts, of one language or of all.

        UserError: an id does not exist, or the files of the index are damaged; nothing is removed.
        """
        if language is not None:
            language = self.model.known_language(language)
        unordered = several("ids", ids, have_order=False)
        removed = {checked_name("id", text_id, "texts to remove") for text_id in unordered}
        with self._lock:
            all_texts = self._contents.texts
            languages = [code for code in all_texts if language in (None, code)]
            missing = removed.difference(*(all_texts[code].checked.ids for code in languages))
            if missing:
                where = f"in {language!r}" if language else "in any language"
                raise UserError(f"the index has no text {min(missing)!r} {where}")
            left = dict(all_texts)
            for code in languages:
                left[code] = all_texts[code].without(removed)
            self._replace({code: texts for code, texts in left.items() if len(texts)})

    def _replace(self, texts: Mapping[str, Texts]) -> None:
        self._contents = Contents(self.model, texts)

    def save(self, path: str | Path) -> None:
        """Write the index with its model to a folder, or nothing.

        An index that is there is replaced without a question, also one of another model.
        UserError: there is something else, which is left alone; models of that class cannot be
        stored; or the files that texts are copied from are damaged.
        """
        with self.writing(path):
            pass

    @contextmanager
    def writing(self, path: str | Path) -> Iterator[IndexWriter]:
        """Save the index, and with it texts that it has not: what is yielded has `add`, too.

        As with `save`, an index that is there is replaced, also one of another model.
        Texts that are added there are written some at a time, so that memory never holds all of
        them: `with cr5.Index(model).writing("folder") as folder: folder.add(ids, texts, "en")`.
        If there is an error, nothing is written. UserError: as of `save`.
        """
        with writing(path, self.model, self._contents.texts) as writer:
            yield writer

    def search(
        self,
        queries: str | Iterable[str],
        query_language: str,
        k: int = N_HITS,
        measure: str | None = None,
        target_language: str | Sequence[str] | None = None,
        *,
        batch_size: int = N_QUERIES,
        threads: int | None = None,
        show_progress_bar: bool = False,
    ) -> list[list[Hit]]:
        """Find the nearest texts of each query.

        Args:
            queries: texts, or one.
            query_language: of the queries.
            k: how many to find.
            measure: one of the model's `measures`; defaults to its `measure`. If the model keeps no
                training documents, `csls` needs texts in the language of the queries in the index,
                the more the better. Matches of words are added to the scores of the 30 nearest.
            target_language: language to search, or several; defaults to all of the index except
                that of the queries, which is searched only if the index has no other.
            batch_size: how many queries are searched for at a time.
            threads: one for each core by default.
            show_progress_bar: show how many queries are done, by tqdm.

        Returns:
            The hits of each query, best first; fewer than k if there are no more, none if the model
            knows no word of the query.

        Raises:
            UserError: a query is no string; the model does not know the language or lacks the
                measure; the index has no text in a language; k is not a whole number above 0.
        """
        texts = strings(queries)
        contents = self._contents
        n_hits = whole_number("k", k)
        language = self.model.known_language(query_language)
        target_languages = _targets(contents.texts, language, target_language)
        scoring = self.model.scoring(measure)
        n_threads = threads_of(threads)
        size = whole_number("batch_size", batch_size)
        hits = []
        for part in batches(len(texts), size, "search", show_progress_bar):
            counts = self.model.count(texts[part], language)
            asked = Queries(counts, language, scoring, n_hits, n_threads)
            hits += contents.hits(asked, target_languages)
        return hits

    def why(self, query: str, query_language: str, hit: Hit, n: int = N_PAIRS) -> Why:
        """Say which words brought a hit near to a query: n pairs and matches of its score.

        UserError: the model knows no word of the query, or its score is no sum over words.
        """
        query_text = self.model.embedded([query], query_language, hit.language, "raise")
        text = self.model.embedded([hit.text], hit.language, hit.language, "raise")
        scoring = self.model.scoring(hit.measure)
        return reasons(self.model, query_text, text, scoring, hit.correction, n)


def _of_copies(model: "Embedder", copies: Mapping[str, TextData]) -> Index:
    """Return an index of texts that another process has embedded."""
    texts = {language: held(data) for language, data in copies.items()}
    return Index(model, texts)


def _targets(
    texts: Mapping[str, Texts], query_language: str, named: str | Sequence[str] | None
) -> list[str]:
    if not texts:
        raise UserError("the index is empty: add texts first")
    if named is None:
        others = [language for language in sorted(texts) if language != query_language]
        return others or sorted(texts)
    targets = list(dict.fromkeys(folded_code(language) for language in strings(named, "language")))
    unknown = [language for language in targets if language not in texts]
    if unknown:
        there = ", ".join(sorted(texts))
        raise UserError(
            f"target_language (--to): found {unknown}, expected languages of the index: {there}"
        )
    return targets
