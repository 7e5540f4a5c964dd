"""Read a task's own files of language pairs."""

from cr5.steps.script import run
from cr5.steps.task_tables import TaskTablesStep

run(TaskTablesStep, snakemake)
