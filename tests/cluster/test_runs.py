"""The workflow by the profiles of clusters, on a real Slurm and by a submit command of ours."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cluster import slurm
from tests.cluster.runs import CHANGES, PATIENCE, TABLES, Cluster, differing, wait

pytestmark = pytest.mark.slow

LANGUAGES, SYSTEMS = len(CHANGES["languages"]), CHANGES["systems"]
SCHEDULER = Path(__file__).with_name("background.sh")
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
        assert sum(x == "rule_ranked_rank" for x in comments) == len(SYSTEMS)
        assert len(comments) == LANGUAGES + 1 + 2 * len(SYSTEMS) + 1


class Commands:
    """A folder with the commands of background.sh, and with what they know."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("submit", "status", "cancel"):
            (folder / name).symlink_to(SCHEDULER)

    def call(self, name, *ids):
        done = subprocess.run([self.folder / name, *ids], check=True, stdout=subprocess.PIPE)
        return done.stdout.decode().strip()

    def asked(self, system=None):
        """Memory and minutes of each job by its id, of all or of the fits of a system."""
        paths = sorted(self.folder.glob("*.asked"), key=lambda path: int(path.stem))
        fits = [x.stem for x in paths if system in (None, self._fitted(x))]
        return {x: (self.folder / f"{x}.asked").read_text().split() for x in fits}

    def _fitted(self, path):
        about = json.loads(path.with_suffix(".properties").read_text())
        return about.get("rule") == "fit" and about["wildcards"]["system"]

    def end(self):
        """Cancel what runs, and wait until nothing does."""
        self.call("cancel", *self.asked())
        wait(lambda: not any(self.call("status", x) == "running" for x in self.asked()), "end")


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    commands = Commands(tmp_path_factory.mktemp("commands"))
    yield commands
    commands.end()


@pytest.fixture(scope="module")
def by_commands(commands, corpus, tmp_path_factory):
    """A run of whose fits one is killed and one fails, and which is then interrupted itself."""
    asked = "{resources.mem_mb} {resources.runtime}"
    options = ["--cluster-generic-submit-cmd", f"{commands.folder}/submit {asked}"]
    options += ["--cluster-generic-status-cmd", f"{commands.folder}/status"]
    options += ["--cluster-generic-cancel-cmd", f"{commands.folder}/cancel"]
    options += ["--seconds-between-status-checks", "1", "--latency-wait", "5"]
    folder = tmp_path_factory.mktemp("run")
    with Cluster(folder, corpus, "cluster", {}, *options) as run:
        run.ask_for("time", "error", "sleep")
        run.start(*TABLES)
        run.happened("sleep")
        commands.call("cancel", *commands.asked("sleeper"))
        run.happened("time")
        twice = ("sleeper", "unlucky")
        wait(lambda: all(len(commands.asked(x)) > 1 for x in twice), "second attempts", run)
        run.process.send_signal(signal.SIGINT)
        run.process.wait(PATIENCE)
        commands.end()  # the executor does, but for those of which it was just asking
        run.finish(*TABLES)
        yield run


class TestCommands:
    def test_tables_are_those_of_one_machine(self, by_commands, made_here):
        assert differing(by_commands, made_here) == set()

    @pytest.mark.parametrize("system", ["sleeper", "unlucky"])
    def test_what_is_killed_or_fails_is_done_again_with_more(self, by_commands, commands, system):
        first, second, *_ = commands.asked(system).values()
        assert (first, second) == (["1000", "40"], ["2000", "80"])

    def test_what_was_interrupted_is_done_again(self, by_commands, commands):
        assert [*commands.asked("slow").values()] == [["1000", "40"]] * 2
