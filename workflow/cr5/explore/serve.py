"""Serve the page on this machine, where words of one's own are searched for too."""

import json
from collections.abc import Callable, Iterable
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from cr5.base.errors import UserError
from cr5.contracts.model import Model
from cr5.explore.page import beginning
from cr5.retrieval.index import Index
from cr5.retrieval.opening import open_index

Responder = Callable[[dict[str, str]], Any]  # what to tell as JSON; of a UserError, its sentence


def server(page: Path, respond: Responder) -> ThreadingHTTPServer:
    """Return what serves the folder of a page, and answers what is asked of `search`."""

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            if address.path != "/search":
                super().do_GET()
                return
            status = 200
            request = dict(parse_qsl(address.query))
            try:
                content = respond(request)
            except (UserError, OSError) as error:
                status = 400
                content = str(error)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            body = json.dumps(content)
            self.wfile.write(body.encode())

        def log_message(self, *_: Any) -> None:  # says nothing of what is asked
            pass

    handler = partial(Handler, directory=str(page))
    return ThreadingHTTPServer(("127.0.0.1", 0), handler)


def answers(run: Path, setting: str, classes: Iterable[type[Model]] = ()) -> Responder:
    """Return what searches all documents of a run, as `cr5 search` does, by models of a setting.

    It is asked for `words`, the language `from` which they are, those to search, `to`, `system` and
    `measure`; a model without that takes its own first. It tells `found`, by language and measure
    as in the page's files of ranks, and `documents`, by language and concept as in those of
    documents.
    """

    @cache
    def index_of(system: str) -> Index:
        return open_index(run, system=system, setting=setting, classes=classes)

    def respond(request: dict[str, str]) -> Any:
        index = index_of(request.get("system", ""))
        scoring = index.model.scoring_of_run(request.get("measure", ""))
        measure = scoring.measure.name
        words = request.get("words", "")
        query_language = request.get("from", "")
        target_languages = request.get("to", "").split(",")
        results = {}
        documents = {}
        for language in target_languages:
            [hits] = index.search(
                words, query_language, measure=scoring.name, target_language=language
            )
            ids = [hit.id for hit in hits]
            scores = [hit.score for hit in hits]
            results[language] = {measure: {"nearest": ids, "scores": scores}}
            shown = {}
            for hit in hits:
                title = hit.title or hit.id
                shown[hit.id] = (title, beginning(hit.text))
            documents[language] = shown
        return {"found": results, "documents": documents}

    return respond
