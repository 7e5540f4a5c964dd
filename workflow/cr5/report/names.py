"""Names of systems, measures and directions in tables and figures."""

import re
from collections.abc import Iterable

# Their order decides colours and markers, see `canvas.look`: add at the end.
SYSTEMS = {
    "cr5": "Cr5",
    "cr5_log": "Cr5 (log tf)",
    "cr5_ranks": "Cr5 (r validated)",
    "cr5_spelling": "Cr5 + spelling",
    "cr5_spelling_strings": "Cr5 + spelling + strings",
    "advrefine": "AdvRefine",
    "procrustes_identical": "Procrustes (identical strings)",
    "opca": "OPCA",
    "lexical_overlap": "Lexical overlap",
    "prefix_overlap": "Prefix overlap",
    "cr5_features": "Cr5 + features",
    "least_squares": "Least squares",
    "procrustes": "Procrustes",
    "procrustes_refined": "Procrustes, refined",
    "word_cca": "CCA (words)",
    "vecmap_supervised": "VecMap, supervised",
    "vecmap_self_learning": "VecMap, self-learning",
    "rcsls": "RCSLS",
    "rcsls_frobenius": "RCSLS (Frobenius)",
    "rcsls_seeds": "RCSLS (among the seeds)",
    "vecmap_unsupervised": "VecMap, unsupervised",
    "wasserstein": "Wasserstein-Procrustes",
    "icp": "Closest points",
    "pretrained": "Pretrained vectors",
    "lexical_overlap_paper": "Lexical overlap (Platt et al.'s weights)",
    "word_by_word": "Word by word",
    "word_by_word_lsa": "Word by word + LSA",
    "cl_lsi": "CL-LSI",
    "opca_separate": "OPCA (separate columns)",
    "document_cca": "CCA (documents)",
    "jplsa": "JPLSA",
    "cplsa": "CPLSA",
    "cplsa_published": "CPLSA (sigma 1)",
}
# What a first figure shows: the best, Cr5, the best of those that map word vectors, the floor.
OURS, FLOOR = "cr5", "lexical_overlap"
WORD_VECTORS = (
    *("advrefine", "procrustes_identical", "least_squares", "procrustes", "procrustes_refined"),
    *("word_cca", "vecmap_supervised", "vecmap_self_learning", "vecmap_unsupervised", "rcsls"),
    *("rcsls_frobenius", "rcsls_seeds", "wasserstein", "icp", "pretrained"),
)
SIMILARITIES = {
    "cosine": "cosine",
    "csls": "CSLS",
    "inverted_softmax": "inverted softmax",
    "globally_corrected": "globally corrected",
}


def system_name(system: str) -> str:
    """Return the name to print; an unknown system keeps its own."""
    return SYSTEMS.get(system, system)


def similarity_name(similarity: str) -> str:
    """Return the name to print; an unknown measure keeps its own."""
    return SIMILARITIES.get(similarity, similarity)


def curve_name(system: str, label: str) -> str:
    """Name a system in a setting by its label (see `frames.labelled`), such as `Cr5, joint`."""
    return f"{system_name(system)}, {label}"


def direction(query: str, target: str) -> str:
    """Name a directed pair, such as `da→en`."""
    return f"{query}→{target}"


def direction_order(pair: tuple[str, str]) -> tuple[str, ...]:
    """Return a sort key that puts the two directions of a pair next to each other."""
    return (*sorted(pair), *pair)


def known_first(known: Iterable[str], found: Iterable[str]) -> list[str]:
    """Order `found` without duplicates: as in `known`, then the others as they appear."""
    found = dict.fromkeys(found)
    known = [name for name in known if name in found]
    return [*known, *(name for name in found if name not in known)]


def setting_name(setting: str) -> str:
    """Name a setting or series in words, such as `low resource, da–vi, 50 concepts`."""
    words, *of_pair = re.split(r"_([a-z]{2,}-[a-z]{2,})(?:_(\d+))?$", setting)
    pair, concepts, _ = of_pair or ("", "", "")
    parts = [words.replace("_", " "), pair.replace("-", "–"), concepts and f"{concepts} concepts"]
    return ", ".join(filter(None, parts))


def legend_name(system: str, label: str) -> str:
    """Name a system in a setting in words, such as `Cr5, low resource`."""
    return f"{system_name(system)}, {setting_name(label)}"
