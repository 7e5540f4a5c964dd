"""What each table and figure of a run shows, in the report's order."""

from collections.abc import Sequence
from dataclasses import dataclass

from cr5.report.names import similarity_name

RESULTS, CORPUS, HYPERPARAMETERS = "Results", "Corpus", "Hyperparameters"
TABLE, FIGURE = ".html", ".svg"


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


# By kind, see `plan.shown`: suffix, heading, title and caption; {} is the task or measure in words.
KINDS = {
    "systems": (
        *(TABLE, RESULTS, "All systems"),
        "Means over the directions of a setting with 95 % intervals. Bold: the best systems of a "
        "setting, and those that do not differ from them significantly.",
    ),
    "first": (FIGURE, RESULTS, "Success@k", "Four systems, means over all directions."),
    "table1": (
        *(TABLE, RESULTS, "Each direction"),
        "Success@1, 5 and 10 of each system, setting and direction, in the layout of Table 1 "
        "of the Cr5 paper. Figures in parentheses, where there are any, are that paper's.",
    ),
    "precision_at_k_pairs": (
        *(FIGURE, RESULTS, "Success@k, each pair"),
        "All systems and settings, means of both directions, in the layout of Figure 2 of the "
        "Cr5 paper.",
    ),
    "task": (TABLE, RESULTS, "Task: {}", "Each system, setting and direction."),
    "by_accuracy": (
        *(TABLE, RESULTS, "By accuracy: {}"),
        "Systems by falling accuracy, in the layout of Tables 1 to 3 of Platt et al. (EMNLP 2010).",
    ),
    "add_data": (
        *(FIGURE, RESULTS, "More training data"),
        "Success@1 over the number of training concepts of a pair: what more of them bring, "
        "without other languages and with them.",
    ),
    "table2": (
        *(TABLE, RESULTS, "Examples"),
        "Some queries and the documents nearest to them, by title; the right one is in bold.",
    ),
    "reproduction": (
        *(TABLE, RESULTS, "Published figures"),
        "Every figure of three papers beside ours, with a verdict where corpus and setting are "
        "the paper's.",
    ),
    "languages": (
        *(TABLE, CORPUS, "Languages"),
        "Documents, tokens and vocabulary of each language.",
    ),
    "pairs": (
        *(TABLE, CORPUS, "Pairs of languages"),
        "Concepts that two languages share: how many train, validate and test in each setting.",
    ),
    "overlap": (
        *(FIGURE, CORPUS, "Overlap of languages"),
        "Concepts by the languages that have them, and how many of these train in each setting, "
        "after Figure 1 of the Cr5 paper.",
    ),
    "dictionaries": (
        *(TABLE, CORPUS, "Dictionaries: {}"),
        "How many entries are searched for, and why the others are not.",
    ),
    "validation": (
        *(FIGURE, HYPERPARAMETERS, "Validation"),
        "The criterion on validation queries over each hyperparameter; a ring marks what was "
        "chosen.",
    ),
    "dimensions": (
        *(FIGURE, HYPERPARAMETERS, "Dimensions"),
        "The same over the number of dimensions, after Figures 3 and 4 of Platt et al. (2010).",
    ),
}


def items(shown: Sequence[tuple[str, str, str]]) -> list[Item]:
    """Describe tables and figures.

    Args:
        shown: path without suffix, kind, and task or measure of each, see `plan.shown.Shown`.
    """
    order = list(KINDS)
    return [_item(*each) for each in sorted(shown, key=lambda x: (order.index(x[1]), x[0]))]


def _item(stem: str, kind: str, of: str) -> Item:
    ending, group, title, caption = KINDS[kind]
    named = title.format(similarity_name(of).replace("_", " "))
    return Item(f"{stem}{ending}", group, named, caption)
