"""Tables, figures and report.html of a run, made in one job from scores and the notes of jobs."""
