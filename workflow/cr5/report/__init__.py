"""Tables and figures from scores, curves and statistics, with published figures beside ours.

- `published`: figures printed in the paper, looked up for our settings and systems
- `frames`, `names`: rows and labels of a frame, and the names of its settings and systems
- `compared`: means over directions, and tests between systems; `best` marks the best of a column
- `reproduction`: each published figure beside ours, with a verdict if the two are comparable
- `table1`, `table2`, `systems`, `corpus`, `reproduction_table`: frames to a `Table`; `notes` says
  how far its figures can be trusted
- `examples`: ranks to the frame of `table2`
- `table`: a `Table` to CSV, Markdown, LaTeX and HTML
- `validation`, `validation_figures`: all validation results, as tables and figures
- `first_figure`, `figures`: curves of Success@k, as means and in small multiples
"""
