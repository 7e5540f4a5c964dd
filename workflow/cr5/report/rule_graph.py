"""The rules of a run as a graph, drawn from top to bottom."""

from collections.abc import Iterable, Mapping
from html import escape

# pixels
WIDTH, HEIGHT = 128, 26  # of a box
APART, BELOW = 14, 34  # between boxes of a layer, and between layers
MARGIN = 6

Edges = set[tuple[str, str]]


def svg(edges: Iterable[tuple[str, str]]) -> str:
    """Draw an acyclic graph.

    Args:
        edges: pairs of names; a pair of equal names is a node without an edge.
    """
    edges = set(edges)
    nodes = sorted({name for edge in edges for name in edge})
    edges = _direct({(one, other) for one, other in edges if one != other})
    places = _places(_layers(nodes, edges), edges)
    lines = [_line(places[one], places[other]) for one, other in sorted(edges)]
    boxes = [_box(name, *places[name]) for name in nodes]
    width = max((x for x, _ in places.values()), default=0) + WIDTH / 2 + MARGIN
    height = max((y for _, y in places.values()), default=0) + HEIGHT + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="Graph of rules" '
        'font-family="sans-serif" font-size="12" fill="none" stroke="currentColor">'
        f"{''.join(lines + boxes)}</svg>"
    )


def _direct(edges: Edges) -> Edges:
    """Drop edges implied by others: those beside a longer path."""
    below: dict[str, set[str]] = {}
    for one, other in edges:
        below.setdefault(one, set()).add(other)
    reached = {name: _reached(name, below) for name in below}
    return {
        (one, other)
        for one, other in edges
        if not any(other in reached.get(x, ()) for x in below[one] if x != other)
    }


def _reached(name: str, below: Mapping[str, set[str]]) -> set[str]:
    found, waiting = set(), list(below.get(name, ()))
    while waiting:
        if (node := waiting.pop()) not in found:
            found.add(node)
            waiting += below.get(node, ())
    return found


def _layers(nodes: list[str], edges: Edges) -> list[list[str]]:
    """Group nodes by the length of the longest path from the top."""
    depth = dict.fromkeys(nodes, 0)
    for _ in nodes:
        for one, other in edges:
            depth[other] = max(depth[other], min(depth[one] + 1, len(nodes) - 1))
    used = sorted(set(depth.values()))
    return [[name for name in nodes if depth[name] == level] for level in used]


def _places(layers: list[list[str]], edges: Edges) -> dict[str, tuple[float, float]]:
    """Return the centre of each box's upper edge; layers are ordered by what is above them."""
    widest = max(map(len, layers), default=0)
    places: dict[str, tuple[float, float]] = {}
    for level, names in enumerate(layers):
        above = {x: [places[one][0] for one, other in edges if other == x] for x in names}
        names = sorted(names, key=lambda x: (sum(above[x]) / max(len(above[x]), 1), x))
        left = MARGIN + WIDTH / 2 + (widest - len(names)) * (WIDTH + APART) / 2
        for i, name in enumerate(names):
            places[name] = (left + i * (WIDTH + APART), MARGIN + level * (HEIGHT + BELOW))
    return places


def _line(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x, y), (to_x, to_y) = (start[0], start[1] + HEIGHT), end
    half = (y + to_y) / 2
    return (
        f'<path d="M{x:.1f} {y:.1f}C{x:.1f} {half:.1f} {to_x:.1f} {half:.1f} {to_x:.1f} {to_y:.1f}"'
        ' stroke-opacity=".45"/>'
    )


def _box(name: str, x: float, y: float) -> str:
    return (
        f'<rect x="{x - WIDTH / 2:.1f}" y="{y:.1f}" width="{WIDTH}" height="{HEIGHT}" rx="6" '
        'style="fill:var(--card,#fff)"/>'
        f'<text x="{x:.1f}" y="{y + HEIGHT / 2 + 4:.1f}" text-anchor="middle" fill="currentColor" '
        f'stroke="none">{escape(name.replace("_", " "))}</text>'
    )
