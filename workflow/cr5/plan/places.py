"""Where each result of a run is."""

from cr5.plan.config import Configuration
from cr5.plan.words import GivenVectors, MadeAlignments
from cr5.texts.fetch import local_path


class Places:
    """Paths with wildcards in braces, as rules have them and `str.format` fills them."""

    def __init__(self, config: Configuration):
        results = f"{config.results}/{config.corpus.own_keys.name}"
        self.results = results

        # texts
        self.source = f"{results}/source"  # of a corpus, fetched
        self.fetched = f"{results}/fetched/{{file}}"  # by scheme, host and path of the address
        self.pins = f"{results}/pins/{{language}}.json"  # which files of a dump there are
        self.dump = f"{results}/dumps/{{language}}/{{file}}"
        self.concepts = f"{results}/concepts/{{language}}"  # of the pages of a dump
        self.part = f"{results}/parts/{{language}}/{{file}}"  # documents of a file of a dump
        self.documents = f"{results}/documents/{{language}}"
        self.paragraphs = f"{results}/paragraphs/{{language}}"  # that are parallel
        self.bags = f"{results}/bags/{{language}}"

        # files of tasks
        self.dictionaries = f"{results}/dictionaries/{{task}}"  # fetched
        self.task_data = f"{results}/tasks/{{task}}/{{language}}"
        self.task_tables = f"{results}/tasks/{{task}}/tables"
        self.aligned = f"{results}/aligned/{{task}}/{{bundle}}"

        # training
        self.draw = f"{results}/draws/{{repetition}}"
        self.setting = f"{results}/settings/{{setting}}/{{repetition}}"
        self.vectors = f"{results}/vectors/{{language}}/{_of_vectors(config)}"
        self.alignments = f"{results}/alignments/{_of_alignments(config)}"
        self.model = f"{results}/models/{{setting}}/{{system}}/{{repetition}}"

        # evaluation
        self.seen = f"{results}/seen"  # test texts among what trains
        self.ranks = f"{results}/ranks/{{setting}}/{{system}}/{{repetition}}/{{task}}"
        self.scores = f"{results}/{{look}}tables"  # of the run, or of a first look
        self.report = f"{results}/{{look}}report"
        self.runs = f"{results}/runs"  # for other programs
        self.explore = f"{results}/explore"

    def is_result(self, path: str) -> bool:
        """Whether a path is of the run, and not a file or folder of the user."""
        return path.startswith(f"{self.results}/")

    def on_this_machine(self, path: str) -> str:
        """Return a file of the user, or where it is fetched to."""
        folder = local_path(path)
        if folder is not None:
            return str(folder)
        scheme, _, host_and_path = path.partition("://")
        return self.fetched.format(file=f"{scheme.lower()}/{host_and_path}")


def _of_vectors(config: Configuration) -> str:
    """Return the last folder of vectors.

    Trained vectors leave out the queries of a repetition; given ones are those of all.
    """
    if isinstance(config.vectors, GivenVectors):
        return "given"
    return "{repetition}"


def _of_alignments(config: Configuration) -> str:
    """Return the last folders of alignments.

    Of the corpus, only paragraphs of documents that train are aligned; of files, all.
    """
    alignments = config.alignments
    if isinstance(alignments, MadeAlignments) and not alignments.sentences.of_corpus:
        return "{first}-{second}"
    return "{setting}/{repetition}/{first}-{second}"
