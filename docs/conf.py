"""How Sphinx builds these pages: `./run docs`."""

import subprocess
from pathlib import Path

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.errors import ExtensionError

PAGES = Path(__file__).parent

project = "Cr5"
author = copyright = "The authors of Cr5"
html_title = "Cr5"

extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4  # headings can be linked to, as on GitHub
nitpicky = True

html_theme = "furo"
html_math_renderer = "mathml"
html_copy_source = html_use_index = False
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["tables.css"]
suppress_warnings = ["config.cache"]


def _write(writer, node: nodes.Element) -> None:
    """Formulas as MathML, which browsers show by themselves: no script, no network."""
    as_block = isinstance(node, nodes.math_block)
    try:
        writer.body.append(tex2mathml(node.astext(), as_block=as_block))
    except MathError as error:
        raise ExtensionError(f"{node.source}: {node.astext()}: {error}") from error
    raise nodes.SkipNode


def _fill(app, name: str, source: list[str]) -> None:
    """Tables from the classes of the package, which has an environment of its own."""
    python = PAGES.parent / ".venv" / "bin" / "python"
    command = [python, "-P", PAGES / "fill_tables.py"]
    filled = subprocess.run(command, input=source[0], capture_output=True, encoding="utf-8")
    if filled.returncode:
        raise ExtensionError(f"{name}: {filled.stderr}")
    source[0] = filled.stdout


def setup(app) -> None:
    """Called by Sphinx."""
    app.connect("source-read", _fill)
    app.add_html_math_renderer("mathml", (_write, None), (_write, None))
