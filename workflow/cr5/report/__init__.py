"""Tables and figures from scores, curves and statistics, and the page that shows them.

- `run_files`: what tables and figures are laid out from; `all_tables`, `all_figures` by their kind
- `collected`, `compared`: scores of all fits; means over directions and tests between systems
- `table1`, `table2`, `systems`, `by_accuracy`, `corpus`, `dictionaries`, `reproduction_table`:
  frames to a `Table`; `notes` says how far its figures can be trusted, `best` what is in bold
- `table`, `markup`: a `Table` to CSV, Markdown, LaTeX and HTML
- `first_figure`, `figures`, `add_data`, `overlap`, `validation_figure`, `dimension_figure`: figures
- `canvas`, `names`: the look and the name of each system in all of these
- `published`, `reproduction`: figures printed in papers, and ours beside them with verdicts
- `page`, `items`: report.html; `jobs`, `rule_graph`: jobs.html
- `unfinished`: what a run that failed has finished
"""
