"""What the report of a run knows of its configuration, as one model that JSON makes again."""

from pydantic import BaseModel, ConfigDict

from cr5.report.names import Systems
from cr5.report.options import Comparison, ExampleOptions


class Facts(BaseModel):
    """Values that are checked, and do not change."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class FitFacts(Facts):
    """A system in a setting, and a task in which it is scored."""

    setting: str
    system: str
    task: str


class CurvePoint(Facts):
    """A setting on the curve of a series over the number of training concepts of a pair."""

    series: str
    query_language: str
    target_language: str
    setting: str


class RunFacts(Facts):
    """What a report shows of a configuration, and of the rows of its matrix that it is about."""

    configuration: str  # a short checksum, without what changes no result
    corpus: str
    seed: int
    repetitions: int
    languages: tuple[str, ...]
    main_task: str  # of the main table
    tasks: tuple[str, ...]
    fits: tuple[FitFacts, ...]
    measure: str  # the first one, by which the first tables are
    examples: ExampleOptions
    published: tuple[Comparison, ...]  # tables of papers that ours are compared with
    unique_words: tuple[int, int]  # least and most of a document
    points: tuple[CurvePoint, ...]  # of all curves of more data, in order
    crowding: tuple[str, ...]  # settings that are in these curves alone
    systems: Systems  # in the order of the configuration
