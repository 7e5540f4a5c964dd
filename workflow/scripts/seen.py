"""Look for test and validation texts among what trains."""

from cr5.steps.script import run
from cr5.steps.seen import SeenStep

run(SeenStep, snakemake)
