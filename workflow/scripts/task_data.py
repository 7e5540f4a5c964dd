"""Count the texts of a task's own files."""

from cr5.steps.script import run
from cr5.steps.task_data import TaskDataStep

run(TaskDataStep, snakemake)
