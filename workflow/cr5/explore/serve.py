"""Serve the page on this machine, where words of one's own are searched for too."""

import json
from collections.abc import Callable, Iterable
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from cr5.base.errors import UserError
from cr5.explore.page import beginning
from cr5.models.contract import Model
from cr5.retrieval.index import Index, of_run
from cr5.retrieval.loading import load

ASKED = "words", "from", "to", "system", "measure"
Answer = Callable[[dict[str, str]], Any]  # what to tell as JSON; of a UserError, its sentence


def server(page: Path, answer: Answer) -> ThreadingHTTPServer:
    """Return what serves the folder of a page, and answers what is asked of `search`."""
    handler = partial(_Handler, directory=str(page), answer=answer)
    return ThreadingHTTPServer(("127.0.0.1", 0), handler)


def answers(run: Path, setting: str, classes: Iterable[type[Model]] = ()) -> Answer:
    """Return what searches all documents of a run, as `cr5 search` does, by models of a setting.

    It is asked for `words`, the language `from` which they are, those to search, `to`, `system` and
    `measure`; a model without that takes its own first. It tells `found`, by language and measure
    as in the page's files of ranks, and `documents`, by language and concept as in those of
    documents.
    """
    lock = Lock()

    @cache
    def index(system: str) -> Index:
        model = load(run, system, setting, classes=classes)
        return of_run(run, model, model.languages)

    def answer(asked: dict[str, str]) -> Any:
        words, language, to, system, named = (asked.get(x, "") for x in ASKED)
        with lock:
            searched = index(system)
        measure = named if named in searched.model.measures else searched.model.measure
        found, documents = {}, {}
        for target in to.split(","):
            (hits,) = searched.search([words], language, measure=measure, to=target)
            places = [(rank, x.id, round(x.score, 4)) for rank, x in enumerate(hits, start=1)]
            found[target] = {measure: {"hits": places}}
            documents[target] = {x.id: (x.title or x.id, beginning(x.text)) for x in hits}
        return {"found": found, "documents": documents}

    return answer


class _Handler(SimpleHTTPRequestHandler):
    """Files of the page, and answers."""

    def __init__(self, *args: Any, answer: Answer, **more: Any) -> None:
        self._answer = answer
        super().__init__(*args, **more)

    def do_GET(self) -> None:
        """Tell what is asked for."""
        asked = urlsplit(self.path)
        if asked.path != "/search":
            super().do_GET()
            return
        try:
            status, told = 200, self._answer(dict(parse_qsl(asked.query)))
        except (UserError, OSError) as error:
            status, told = 400, str(error)
        content = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing of what is asked."""
