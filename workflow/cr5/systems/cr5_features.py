"""Cr5 with a prior over given features of words.

It uses the fit of `cr5_spelling`: words with features in common, in one language or in two, get
similar vectors. The features come not from their spelling but from a file for each language
(`cr5.systems.spelling.feature_files`): subword units, stems, neighbours among word vectors.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.spelling.feature_files import entries, read_features
from cr5.systems.spelling.fits import OPTIONS as SPELLED
from cr5.systems.spelling.fits import fit_with

TITLE = "Cr5 + features"
NEEDS = ("seeds",)
FILES = ("path",)

OPTIONS = {
    "path": ("", "{path}", "files of features, lines of word, feature and weight, with {language}"),
    **SPELLED,
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Make the prior from the files, and fit with it; see `fit_with`.

    Raises:
        UserError: a file is invalid, with file and line; or the documents cannot be fitted.
    """
    files = {language: found["path"] for language, found in training.files.items()}
    return fit_with(training, options, read_features(files, training.words))


def records(files: dict, options: dict, language: str) -> dict:
    """Read the files of a language line by line, to check them before any job."""
    return {"path": entries(files["path"])}
