"""What the configuration files in an encoder's folder say, as sentence-transformers writes them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError

LONGEST = 512  # tokens, where nothing is said
UNLIMITED = 10**6  # libraries write numbers above for "no limit"
# Keys of old files that are true, and what newer ones say: how rows of tokens become one.
POOLING = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "lasttoken",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len",
    "pooling_mode_weightedmean_tokens": "weightedmean",
}
READ = ("mean", "cls", "max", "lasttoken")
MODULES = ("Transformer", "Pooling", "Normalize", "StaticEmbedding")


@dataclass(frozen=True)
class Settings:
    """How a text becomes a row.

    Attributes:
        folder: of the encoder.
        pooling: how the rows of a text's tokens become one; one of `READ`.
        longest: how many tokens it takes at once.
        has_unit_rows: whether rows are scaled to length one.
        query_prefix: to be put before queries.
        document_prefix: to be put before documents.
        static_folder: that of a static model within the encoder's; None if there is none.
    """

    folder: Path
    pooling: str
    longest: int
    has_unit_rows: bool
    query_prefix: str
    document_prefix: str
    static_folder: Path | None

    @classmethod
    def read(cls, folder: Path) -> "Settings":
        """Read the files that are there; UserError if one says what is not read here."""
        modules = _modules(folder)
        unknown = [kind for kind in modules if kind not in MODULES]
        if unknown:
            raise UserError(
                f"{folder}/modules.json: the module {unknown[0]} is not read here; install "
                "sentence-transformers, or take another encoder"
            )
        config = _json(folder / "config.json")
        prompts = _prompts(folder)
        pooling_folder = folder / modules.get("Pooling", "1_Pooling")
        static = None
        if "StaticEmbedding" in modules:
            static = folder / modules["StaticEmbedding"]
        return cls(
            folder=folder,
            pooling=_pooling(pooling_folder / "config.json"),
            longest=_longest(folder, config),
            has_unit_rows="Normalize" in modules or config.get("normalize") is True,
            query_prefix=prompts[0],
            document_prefix=prompts[1],
            static_folder=static,
        )

    @property
    def is_static(self) -> bool:
        """Whether it is a table of tokens' vectors."""
        model_type = _json(self.folder / "config.json").get("model_type")
        return self.static_folder is not None or model_type == "model2vec"

    def tokenizer(self, beside: Path) -> Path:
        """Return the file tokenizer.json, of the folder of the weights or of this; or UserError."""
        for folder in (beside, self.folder):
            path = folder / "tokenizer.json"
            if path.is_file():
                return path
        raise UserError(f"{self.folder}: expected a file tokenizer.json beside the model")


def _json(path: Path) -> dict[str, Any]:
    """Return an object in a file; an empty one if there is no such file."""
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise UserError(f"{path}: not JSON ({error})") from error
    if not isinstance(content, dict):
        raise UserError(f"{path}: expected an object, {{...}}")
    return content


def _modules(folder: Path) -> dict[str, str]:
    """Return by kind the folder of each module; kinds are named without their package."""
    path = folder / "modules.json"
    if not path.is_file():
        return {}
    folder_of = {}
    try:
        for module in json.loads(path.read_text("utf-8")):
            _, _, kind = module["type"].rpartition(".")
            folder_of[kind] = module["path"]
        return folder_of
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path}: not a list of modules ({error!r})") from error


def _pooling(path: Path) -> str:
    config = _json(path)
    modes = []
    for key, mode in POOLING.items():
        if config.get(key) is True:
            modes.append(mode)
    named = config.get("pooling_mode")
    if isinstance(named, str):
        modes = [named]
    if len(modes) > 1 or not set(modes) <= set(READ):
        expected = ", ".join(READ)
        found = " and ".join(modes)
        raise UserError(f"{path}: expected one of {expected}, found {found}")
    if config.get("include_prompt") is False:
        raise UserError(f"{path}: it leaves out the prefix's tokens, which is not read here")
    if not modes:
        return "mean"
    return modes[0]


def _longest(folder: Path, config: dict[str, Any]) -> int:
    """Return the first length that is told, by the file that tells it most exactly."""
    of_sentences = _json(folder / "sentence_bert_config.json")
    of_tokenizer = _json(folder / "tokenizer_config.json")
    lengths = (
        of_sentences.get("max_seq_length"),
        of_tokenizer.get("model_max_length"),
        config.get("max_position_embeddings"),
    )
    for length in lengths:
        if isinstance(length, int | float) and 0 < length < UNLIMITED:
            return int(length)
    return LONGEST


def _prompts(folder: Path) -> tuple[str, str]:
    """Return the prefixes of queries and of documents."""
    config = _json(folder / "config_sentence_transformers.json")
    prompts = config.get("prompts") or {}
    default = prompts.get(config.get("default_prompt_name"), "")
    document = prompts.get("document", prompts.get("passage", default))
    return prompts.get("query", default), document
