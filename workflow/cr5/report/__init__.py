"""Tables, figures and report.html of a run, made in one job from scores and the notes of jobs.

- `report`: which tables and figures there are; it writes them
- `run`: the files that they are made from, read once; `record`: run.json
- `tables`, `table`: frames to tables, and tables to CSV, Markdown, LaTeX and HTML
- `figures`, `canvas`: frames to figures, by one function of panels
- `published`: figures of papers beside ours
- `page`: report.html
"""
