"""Tables and figures from scores, curves and statistics; published figures beside ours.

- `published`: figures printed in the paper, looked up for our settings and systems
- `frames`, `names`: what a frame must hold, and how its settings and systems are called
- `compared`: means over directions, and tests between systems; `best` marks the best of a column
- `reproduction`: each published figure beside ours, with a verdict where one is due
- `table1`, `table2`, `systems`, `corpus`, `reproduction_table`: frames to a `Table`; `notes` says
  what its figures are worth
- `examples`: ranks to the frame of `table2`
- `table`: a `Table` to CSV, Markdown, LaTeX and HTML
- `validation`, `validation_figure`: what was tried on validation queries, as table and figure
- `figures`: precision-at-k curves, in small multiples
"""
