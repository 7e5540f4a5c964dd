"""Serve the page on this machine, where words of one's own are searched for too."""

import json
from collections.abc import Callable, Iterable
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from cr5.base.errors import UserError
from cr5.explore.page import beginning
from cr5.models.contract import Model
from cr5.retrieval.opening import open_index

ASKED = "words", "from", "to", "system", "measure"
Answer = Callable[[dict[str, str]], Any]  # what to tell as JSON; of a UserError, its sentence


def server(page: Path, answer: Answer) -> ThreadingHTTPServer:
    """Return what serves the folder of a page, and answers what is asked of `search`."""

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            if asked.path != "/search":
                super().do_GET()
                return
            try:
                status, told = 200, answer(dict(parse_qsl(asked.query)))
            except (UserError, OSError) as error:
                status, told = 400, str(error)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(told).encode())

        def log_message(self, *_: Any) -> None:  # says nothing of what is asked
            pass

    return ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(page)))


def answers(run: Path, setting: str, classes: Iterable[type[Model]] = ()) -> Answer:
    """Return what searches all documents of a run, as `cr5 search` does, by models of a setting.

    It is asked for `words`, the language `from` which they are, those to search, `to`, `system` and
    `measure`; a model without that takes its own first. It tells `found`, by language and measure
    as in the page's files of ranks, and `documents`, by language and concept as in those of
    documents.
    """
    index = cache(lambda system: open_index(run, system=system, setting=setting, classes=classes))

    def answer(asked: dict[str, str]) -> Any:
        words, language, to, system, named = (asked.get(x, "") for x in ASKED)
        searched = index(system)
        measure = named if named in searched.model.measures else searched.model.measure
        found, documents = {}, {}
        for target in to.split(","):
            (hits,) = searched.search([words], language, measure=measure, to=target)
            near = {"nearest": [x.id for x in hits], "scores": [x.score for x in hits]}
            found[target] = {measure: near}
            documents[target] = {x.id: (x.title or x.id, beginning(x.text)) for x in hits}
        return {"found": found, "documents": documents}

    return answer
