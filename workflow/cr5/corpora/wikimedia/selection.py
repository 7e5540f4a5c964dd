"""The configuration section `corpus` for the source wikipedia: which pages are documents."""

from dataclasses import dataclass

from cr5.base.options import settings_class

OPTIONS = {
    "namespaces": ([0], {"ge": 0}, "of pages; 0 is that of articles"),
    "redirects": (False, "whether pages that only point to another one are kept"),
    "disambiguation": (
        False,
        "whether pages that tell the meanings of a title apart are kept",
    ),
    "exclude_titles": (
        "",
        "{pattern}",
        "a regular expression; pages whose title begins so are dropped. Lists are kept unless it "
        "names them, as only their titles mark them",
    ),
    "allow_truncated": (
        False,
        "use what a truncated file has, with a warning, instead of failing",
    ),
}


@dataclass(frozen=True)
class Selection(settings_class("PageOptions", OPTIONS)):
    """Which pages are documents, by default all articles that have a concept: the `OPTIONS`."""
