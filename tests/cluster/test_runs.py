"""The workflow by the profiles of clusters, on a real Slurm and by a submit command of ours."""

import json
import re
import signal
import sys

import pytest

from tests.cluster import background, slurm
from tests.cluster.runs import CHANGES, PATIENCE, TABLES, Cluster, differing, wait

LANGUAGES, SYSTEMS = len(CHANGES["languages"]), CHANGES["systems"]
SCHEDULER = background.__file__
MISSING = slurm.missing()


@pytest.fixture(scope="module")
def cluster():
    """Three nodes."""
    with slurm.Slurm() as started:
        yield started


def fits(cluster, system):
    """Jobs of Slurm, in their order, in which a system was fitted."""
    return [job for job in cluster.jobs() if job.comment == f"rule_fit_wildcards_joint_{system}_1"]


def states(jobs):
    return [job.state for job in jobs]


@pytest.fixture(scope="module")
def finished(cluster, corpus, tmp_path_factory):
    """A run whose main process is killed, and what is then to be done; of its fits one takes too
    much memory, one too much time, one is cancelled, and one fails.
    """
    options = ("--slurm-init-seconds-before-status-checks", "6", "--latency-wait", "5")
    folder = tmp_path_factory.mktemp("slurm")
    with Cluster(folder, corpus, "slurm", cluster.environment, *options) as run:
        run.start(*TABLES)
        wait(lambda: "RUNNING" in states(cluster.jobs()), "a job", run)
        run.kill()
        run.orphans = cluster.active()
        cluster.call("scancel", "--name", re.search(r"SLURM run ID: (\S+)", run.printed())[1])
        wait(lambda: not cluster.active(), "jobs to be cancelled")
        run.finish("--unlock")
        run.ask_for("memory", "time", "sleep", "error")
        run.start(*TABLES)
        run.happened("time")
        late = fits(cluster, "slow")[-1].id
        cluster.call("scontrol", "update", f"JobId={late}", "EndTime=now")
        run.happened("sleep")
        cluster.call("scancel", fits(cluster, "sleeper")[-1].id)
        run.finish()
        yield run


@pytest.mark.skipif(bool(MISSING), reason=f"Slurm is not installed: no {', '.join(MISSING)}")
class TestSlurm:
    def test_tables_are_those_of_one_machine(self, finished, made_here):
        assert len(made_here) > 30
        assert differing(finished, made_here) == set()

    def test_jobs_go_on_without_the_main_process_until_they_are_cancelled(self, finished, cluster):
        before = {job.id for job in finished.orphans}
        assert before
        assert {job.state for job in cluster.jobs() if job.id in before} == {"CANCELLED"}

    def test_too_much_memory_is_asked_for_again_and_more_of_it(self, cluster, finished):
        first, second = fits(cluster, "greedy")
        assert (first.state, second.state) in {
            ("FAILED", "COMPLETED"),  # as this version of Slurm says, or as others do
            ("OUT_OF_MEMORY", "COMPLETED"),
        }
        assert (first.memory, second.memory) == ("1000M", "2000M")

    def test_too_little_time_is_asked_for_again_and_more_of_it(self, cluster, finished):
        first, second = fits(cluster, "slow")
        assert (first.state, second.state) == ("TIMEOUT", "COMPLETED")
        assert second.limit == "1:20:00"  # twice four times `minutes`

    def test_a_cancelled_job_is_done_again(self, cluster, finished):
        assert states(fits(cluster, "sleeper")) == ["CANCELLED", "COMPLETED"]

    def test_a_failed_job_is_done_again(self, cluster, finished):
        assert states(fits(cluster, "unlucky")) == ["FAILED", "COMPLETED"]

    def test_small_jobs_go_together(self, cluster, finished):
        comments = [job.comment for job in cluster.jobs() if job.state == "COMPLETED"]
        assert sum(x.startswith("rule_ending_") for x in comments) == 1
        assert sum(x == "rule_ranked_rank_score" for x in comments) == len(SYSTEMS)
        assert len(comments) == LANGUAGES + 1 + 2 * len(SYSTEMS) + 1


# In sh, and not waited for: the executor gives up a cancel command after two seconds.
CANCEL = """#!/bin/sh
for job; do kill -KILL "-$(cat "{jobs}/$job.pid")" & done
"""


@pytest.fixture(scope="module")
def by_commands(corpus, tmp_path_factory):
    """A run by commands of ours, of whose fits one fails and one is killed."""
    jobs = tmp_path_factory.mktemp("jobs")
    cancel = jobs / "cancel"
    cancel.write_text(CANCEL.format(jobs=jobs))
    cancel.chmod(0o755)
    asked = "{resources.mem_mb} {resources.runtime}"
    prefix = "--cluster-generic"
    options = [f"{prefix}-submit-cmd", f"{sys.executable} {SCHEDULER} {jobs} submit {asked}"]
    options += [f"{prefix}-status-cmd", f"{sys.executable} {SCHEDULER} {jobs} status"]
    options += [f"{prefix}-cancel-cmd", str(cancel)]
    options += ["--seconds-between-status-checks", "1", "--latency-wait", "5"]
    folder = tmp_path_factory.mktemp("commands")
    with Cluster(folder, corpus, "cluster", {}, *options) as run:
        run.ask_for("time", "error", "sleep")
        run.start(*TABLES)
        run.happened("sleep")
        background.cancel(jobs, *asked_for(jobs, fit("sleeper")))
        run.happened("time")
        names = [fit("sleeper"), fit("unlucky")]
        wait(lambda: all(len(asked_for(jobs, x)) > 1 for x in names), "second attempts", run)
        run.process.send_signal(signal.SIGINT)
        run.process.wait(PATIENCE)
        run.interrupted = {x: background.status(jobs, x) for x in asked_for(jobs)}
        run.finish(*TABLES)
        run.jobs = jobs
        yield run
    background.cancel(jobs, *asked_for(jobs))


def asked_for(jobs, name=None):
    """What each job asked for, by its id; or those of one rule and wildcards."""
    paths = sorted(jobs.glob("*.json"), key=lambda path: int(path.stem))
    found = {path.stem: json.loads(path.read_text()) for path in paths}
    return {key: about for key, about in found.items() if name in (None, about["name"])}


def fit(system):
    return f"fit_joint_{system}_1"


class TestCommands:
    def test_tables_are_those_of_one_machine(self, by_commands, made_here):
        assert differing(by_commands, made_here) == set()

    @pytest.mark.parametrize("system", ["sleeper", "unlucky"])
    def test_what_is_killed_or_fails_is_done_again_with_more(self, by_commands, system):
        asked = [*asked_for(by_commands.jobs, fit(system)).values()]
        assert [job["memory"] for job in asked[:2]] == ["1000", "2000"]
        assert [job["minutes"] for job in asked[:2]] == ["40", "80"]

    def test_an_interrupted_run_cancels_its_jobs(self, by_commands):
        assert "running" not in by_commands.interrupted.values()
