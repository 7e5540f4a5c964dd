"""Tables and figures from scores, curves and statistics; published figures beside ours.

- `published`: figures printed in the paper, looked up for our settings and systems
- `table1`, `table2`, `corpus`: frames to a `Table`
- `table`: a `Table` to CSV, Markdown, LaTeX and HTML
- `figures`: precision-at-k curves, in small multiples
"""
