"""How settings, systems and directions are called in tables and figures."""

SYSTEMS = {
    "cr5": "Cr5",
    "advrefine": "AdvRefine",
    "procrustes_identical": "Procrustes (identical strings)",
    "untranslated": "Untranslated",
}
SIMILARITIES = {"cosine": "cosine", "csls": "CSLS"}


def setting_kind(setting: str) -> str:
    """Give `pairwise` for `pairwise_da-en`, `joint` for `joint`."""
    return setting.partition("_")[0]


def system_name(system: str) -> str:
    """Give the name to print; a system that is not known here keeps its own."""
    return SYSTEMS.get(system, system)


def curve_name(system: str, kind: str) -> str:
    """Name a system in a kind of setting, such as `Cr5, joint`."""
    return f"{system_name(system)}, {kind}"


def direction(query: str, target: str) -> str:
    """Name a directed pair, such as `da→en`."""
    return f"{query}→{target}"


def direction_order(pair: tuple[str, str]) -> tuple[str, ...]:
    """Sort key that puts the two directions of a pair next to each other."""
    return (*sorted(pair), *pair)
