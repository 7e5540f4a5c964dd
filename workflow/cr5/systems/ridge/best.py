"""The best of this package, with nothing to set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import Field, NonNegativeInt, ValidationInfo, field_validator, model_validator

from cr5.base.errors import UserError
from cr5.contracts.keys import File
from cr5.contracts.system import System
from cr5.systems.encoders.family import folder_of, refuse_if_hindered
from cr5.systems.ridge.cr5_spelling import Cr5Spelling

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet

Packaged = Literal["e5_small", "use_multilingual"]
SECOND_STAGE = (0, 0.5, 1)  # weights of the matches of words to choose from
# What `best` chooses from; ridges beyond these follow where validation wants them.
CHOICES = Cr5Spelling(
    ranks=(300,),
    ridges=(0.3, 1.0),
    gammas=(3.0,),
    dictionary_weights=(1.0, 3.0),
    string_weights=(0, 0.25, 0.5, 1, 2, 4),
)


class Best(System):
    """The best of this package, with nothing to set: validation chooses what the corpus needs.

    It is `cr5_spelling`, with the choices that it leaves to the user made on validation queries:
    how strong the prior is, how much a dictionary counts in it (if the configuration has one), how
    much the beginnings of words count beside what is learned, and how much the matches of words
    count in a second stage of the search. An encoder of others may help, by its rows of texts or of
    words: then validation also chooses their weight, possibly 0, and how much rows of texts count
    beside what is learned from them (see `e5_small`).
    """

    title = "Best"
    colour = "#56B4E9"

    term_frequency: Literal["log"] = "log"
    """How counts enter the features; not a choice."""
    encoder: Packaged | None = None
    """An encoder whose rows of texts are further features; null: none, or that of `encoder_path`.
    """
    encoder_path: Annotated[File, Field(pattern=r"^[^{}]*$")] | None = None
    """Of the folder of any other encoder, as the system `encoder` reads it; null: none."""
    encoder_words: Packaged | None = None
    """An encoder whose nearest words of other languages enter the prior, as pairs of a dictionary
    do: a search then needs no encoder; null: none, or that of `encoder_words_path`."""
    encoder_words_path: Annotated[File, Field(pattern=r"^[^{}]*$")] | None = None
    """Of the folder of any other encoder of words; null: none."""
    self_training: NonNegativeInt = 0
    """Rounds in which documents without a counterpart (`splits.unpaired`) are paired, as of `cr5`.
    """
    word_pairs: bool = False
    """Whether words that the section `dictionary` pairs may count by themselves, too, one by one:
    validation chooses their weight, possibly 0."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Texts, too, if an encoder reads them."""
        if self.encoder or self.encoder_path:
            return ("seeds", "texts")
        return ("seeds",)

    @field_validator("encoder", "encoder_words", mode="before")
    @classmethod
    def _is_no_folder(cls, name: Any, info: ValidationInfo) -> Any:
        """Say of a folder, or another name, which key it is for."""
        names = get_args(Packaged)
        if isinstance(name, str) and name not in names:
            raise ValueError(
                f"Input should be {' or '.join(map(repr, names))}; the folder of any other encoder "
                f"is named by `{info.field_name}_path`"
            )
        return name

    @model_validator(mode="after")
    def _encoders_are_there(self, info: ValidationInfo) -> Best:
        """Refuse, before any job, two encoders for one thing, and one that cannot be used here."""
        if self.encoder and self.encoder_path:
            raise UserError("encoder and encoder_path name two encoders: leave one out")
        if self.encoder_words and self.encoder_words_path:
            raise UserError("encoder_words and encoder_words_path name two encoders: leave one out")
        of_texts = self.encoder or self.encoder_path
        of_words = self.encoder_words or self.encoder_words_path
        for name_or_folder in (of_texts, of_words):
            if info.context is not None and name_or_folder:
                refuse_if_hindered(name_or_folder)
        return self

    def fit(self, training: TrainingSet) -> Fit:
        """Choose by validation queries, one after the other, and say what was chosen.

        Grids that nobody can extend are not warned of.
        """
        from cr5.fitting.choose import with_second_stage, without_edges
        from cr5.systems.ridge import encoder_help
        from cr5.systems.ridge.word_pairs import with_word_pairs

        of_texts = self.encoder
        if self.encoder_path:
            of_texts = folder_of(training, "encoder_path")
        of_words = self.encoder_words
        if self.encoder_words_path:
            of_words = folder_of(training, "encoder_words_path")
        if of_words:
            training = encoder_help.with_near_words(training, of_words)
        choices = CHOICES.model_copy(update={"self_training": self.self_training})
        fitted = choices.fit(training)
        if of_texts:
            fitted = encoder_help.with_encoder(training, fitted, of_texts, choices.fit)
        if self.word_pairs:
            fitted = with_word_pairs(training, fitted, SECOND_STAGE)
        if of_texts:
            fitted = encoder_help.with_own_rows(training, fitted)
        if of_words:
            fitted = encoder_help.with_source_of_words(training, fitted, of_words)
        return without_edges(with_second_stage(training, fitted, SECOND_STAGE))
