"""What each table and figure of a run shows, in the report's order."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from cr5.report.names import similarity_name

RESULTS, CORPUS, HYPERPARAMETERS, OTHERS = "Results", "Corpus", "Hyperparameters", "Others"


@dataclass(frozen=True)
class Item:
    """A table or figure.

    Attributes:
        path: the file to open, below the results.
        group: the heading it is under.
        title: its title.
        caption: what it shows, in a sentence or two.
    """

    path: str
    group: str
    title: str
    caption: str


# Heading, regular expression of paths, title and caption; {} is its first capture group in words.
KNOWN = [
    (
        *(RESULTS, r"(?:tables|quick)/systems\.html", "All systems"),
        "Means over the directions of a setting with 95 % intervals. Bold: the best systems of a "
        "setting, and those that do not differ from them significantly.",
    ),
    (
        *(RESULTS, r"figures/precision_at_k\.svg", "Precision at k"),
        "Four systems, means over all directions.",
    ),
    (
        *(RESULTS, r"(?:tables|quick)/table1\.html", "Each direction"),
        "Precision at 1, 5 and 10 of each system, setting and direction, in the layout of Table 1 "
        "of the Cr5 paper. Figures in parentheses, where there are any, are that paper's.",
    ),
    (
        *(RESULTS, r"figures/precision_at_k_all\.svg", "Precision at k, each direction"),
        "All systems and settings, a panel per direction, after Figure 2 of the Cr5 paper.",
    ),
    (
        *(RESULTS, r"figures/precision_at_k_(.+)\.svg", "Precision at k, {}"),
        "The same with candidates ordered by this measure.",
    ),
    (RESULTS, r"tables/tasks/(.+)\.html", "Task: {}", "Each system, setting and direction."),
    (
        *(RESULTS, r"tables/by_accuracy/(.+)\.html", "By accuracy: {}"),
        "Systems by falling accuracy, in the layout of Tables 1 to 3 of Platt et al. (EMNLP 2010).",
    ),
    (
        *(RESULTS, r"figures/add_data\.svg", "More training data"),
        "P@1 over the number of training concepts of a pair: what more of them bring, without "
        "other languages and with them.",
    ),
    (
        *(RESULTS, r"tables/table2\.html", "Examples"),
        "Some queries and the documents nearest to them, by title; the right one is in bold.",
    ),
    (
        *(RESULTS, r"tables/reproduction\.html", "Published figures"),
        "Every figure of three papers beside ours, with a verdict where corpus and setting are "
        "the paper's.",
    ),
    (
        *(CORPUS, r"tables/languages\.html", "Languages"),
        "Documents, tokens and vocabulary of each language.",
    ),
    (
        *(CORPUS, r"tables/pairs\.html", "Pairs of languages"),
        "Concepts that two languages share: how many train, validate and test in each setting.",
    ),
    (
        *(CORPUS, r"figures/overlap\.svg", "Overlap of languages"),
        "Concepts by the languages that have them, and how many of these train in each setting, "
        "after Figure 1 of the Cr5 paper.",
    ),
    (
        *(CORPUS, r"tables/dictionaries/(.+)\.html", "Dictionaries: {}"),
        "How many entries are searched for, and why the others are not.",
    ),
    (
        *(HYPERPARAMETERS, r"figures/validation\.svg", "Validation"),
        "The criterion on validation queries over each hyperparameter; a ring marks what was "
        "chosen.",
    ),
    (
        *(HYPERPARAMETERS, r"figures/dimensions\.svg", "Dimensions"),
        "The same over the number of dimensions, after Figures 3 and 4 of Platt et al. (2010).",
    ),
]
SHOWN = (".html", ".svg")


def items(paths: list[str]) -> list[Item]:
    """Describe tables and figures; unknown ones come last, by path.

    Args:
        paths: below the results; only tables (.html) and figures (.svg) count.
    """
    found = [_item(path) for path in paths if path.endswith(SHOWN)]
    return [item for _, _, item in sorted(found, key=lambda x: x[:2])]


def _item(path: str) -> tuple[int, str, Item]:
    for place, (group, pattern, title, caption) in enumerate(KNOWN):
        if match := re.fullmatch(pattern, path):
            named = title.format(*(similarity_name(x).replace("_", " ") for x in match.groups()))
            return place, path, Item(path, group, named, caption)
    return len(KNOWN), path, Item(path, OTHERS, PurePosixPath(path).with_suffix("").name, "")
