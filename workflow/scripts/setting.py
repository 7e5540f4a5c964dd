"""Choose the training documents of one setting."""

from cr5.steps.script import run
from cr5.steps.setting import SettingStep

run(SettingStep, snakemake)
