"""Gives mutilated files to every reader of strangers' input; prints what was found, by reader.

    .venv/bin/python -m benchmarks.fuzz_readers --minutes 1 [--targets jsonl,xml] [--keep FOLDER]

atheris mutates valid files such that more and more of a reader's code is run (coverage-guided).
Whatever the bytes: a reader reads them or raises `UserError`, within `--seconds` an input and in
`--megabytes` of memory. Other exceptions are findings, of which one of each kind is kept in
`--keep`/NAME/findings; so are inputs that take too long or too much. `--keep`/NAME/inputs has what
reached new code: the next run goes on from there.

atheris is no dependency of ours, as it is built for few versions of Python. Where it is missing:
.venv/bin/python -m pip install atheris
"""

import argparse
import hashlib
import logging
import re
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

ONE = "--one"  # the option by which this program starts itself
FATAL = {70: "takes too long", 71: "takes too much memory", 77: "ends the process"}
OPTIONS = (
    "-timeout={0.seconds} -rss_limit_mb={0.megabytes} -max_len={0.bytes} -print_final_stats=1 "
    "-timeout_exitcode=70 -error_exitcode=77 -seed={0.seed} -verbosity=1"
)
EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")
COVERED = re.compile(r"cov: (\d+) ft: (\d+)")
PULSE = re.compile(r"^#(\d+)\s", re.MULTILINE)


@dataclass
class Result:
    """What came out for a reader.

    Attributes:
        executions: inputs that it was given.
        covered: edges of code that were reached.
        minutes: that it took.
        findings: what no reader may do, each once.
    """

    executions: int = 0
    covered: int = 0
    minutes: float = 0.0
    findings: list[str] = field(default_factory=list)


def one(name: str, keep: Path, arguments: list[str]) -> None:
    """Fuzz a reader in this process, which libFuzzer ends."""
    import atheris

    with atheris.instrument_imports(include=["cr5"]):
        from benchmarks.readers import TARGETS

    logging.disable(logging.CRITICAL)
    target, known = TARGETS[name], set()
    path = target.prepare(Path(tempfile.mkdtemp(prefix="fuzz.", dir=keep)))

    def try_one(content: bytes) -> None:
        try:
            target.outcome(path, content)
        except Exception as error:
            if (kind := _kind(error)) not in known:
                known.add(kind)
                _keep(keep, content, "".join(traceback.format_exception(error)))

    atheris.Setup([sys.argv[0], *arguments], try_one)
    atheris.Fuzz()


def _kind(error: Exception) -> tuple:
    """Exceptions of one type from one place of ours are one finding."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [(x.filename, x.lineno) for x in frames if "/cr5/" in x.filename]
    return type(error), ours[-1] if ours else None


def _keep(keep: Path, content: bytes, said: str) -> None:
    folder = keep / "findings"
    folder.mkdir(exist_ok=True)
    name = hashlib.sha256(content).hexdigest()[:12]
    (folder / name).write_bytes(content)
    (folder / f"{name}.txt").write_text(said, encoding="utf-8", errors="backslashreplace")


def fuzz(name: str, folder: Path, options: argparse.Namespace) -> Result:
    """Fuzz a reader in processes of its own, until its time is over."""
    from benchmarks.readers import TARGETS

    keep = folder / name
    (keep / "inputs").mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(TARGETS[name].seeds):
        (keep / "inputs" / f"seed{number}").write_bytes(seed)
    tokens = [_token(x) for x in TARGETS[name].tokens]
    (keep / "tokens").write_text("\n".join(tokens) + "\n", encoding="ascii")
    result, begun = Result(), time.monotonic()
    end = begun + 60 * options.minutes
    while (left := end - time.monotonic()) > 1:
        _run(name, keep, options, left, result)
    result.minutes = (time.monotonic() - begun) / 60
    result.findings += [
        f"{x.stem}: {x.read_text(encoding='utf-8').strip().splitlines()[-1][:150]}"
        for x in sorted((keep / "findings").glob("*.txt"))
    ]
    return result


def _run(name: str, keep: Path, options: argparse.Namespace, left: float, result: Result) -> None:
    (keep / "stopped").mkdir(exist_ok=True)
    command = [
        sys.executable,
        "-m",
        "benchmarks.fuzz_readers",
        ONE,
        name,
        "--keep",
        str(keep),
        "--",
    ]
    command += OPTIONS.format(options).split()
    command += [f"-max_total_time={int(left) + 1}", f"-artifact_prefix={keep}/stopped/"]
    if (keep / "tokens").read_text(encoding="ascii").strip():
        command.append(f"-dict={keep}/tokens")
    begun = time.monotonic()
    done = subprocess.run([*command, str(keep / "inputs")], capture_output=True, text=True)
    said = done.stderr + done.stdout
    counts = [int(x) for x in EXECUTED.findall(said) or PULSE.findall(said)]
    result.executions += max(counts, default=0)
    result.covered = max([result.covered, *(int(x) for x, _ in COVERED.findall(said))])
    if done.returncode:
        reason = FATAL.get(done.returncode, f"ends with status {done.returncode}")
        result.findings.append(f"{reason}: see {keep}/stopped; {said.strip()[-150:]!r}")
        if time.monotonic() - begun < 1:
            raise SystemExit(f"{name}: cannot be fuzzed:\n{said[-2000:]}")


def _token(token: bytes) -> str:
    """A line of libFuzzer's dictionary."""
    return '"' + "".join(f"\\x{byte:02x}" for byte in token) + '"'


def main() -> None:
    """Fuzz readers one after the other, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1, help="for each reader")
    parser.add_argument("--targets", default="", help="names with commas between; all if not given")
    parser.add_argument("--keep", type=Path, default=Path("results/fuzz_readers"))
    parser.add_argument("--seconds", type=int, default=10, help="for an input; more is a finding")
    parser.add_argument("--megabytes", type=int, default=1024, help="of memory, likewise")
    parser.add_argument("--bytes", type=int, default=16384, help="of an input at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(ONE, help=argparse.SUPPRESS)
    options, arguments = parser.parse_known_args()
    try:
        import atheris  # noqa: F401
    except ImportError:
        raise SystemExit(
            "atheris is not installed: .venv/bin/python -m pip install atheris"
        ) from None
    if options.one:
        return one(options.one, options.keep, [x for x in arguments if x != "--"])
    from benchmarks.readers import TARGETS

    names = options.targets.split(",") if options.targets else list(TARGETS)
    if strange := set(names) - set(TARGETS):
        raise SystemExit(f"no reader {min(strange)!r}; there are {', '.join(TARGETS)}")
    print("| reader | minutes | executions | edges | findings |\n|---|---|---|---|---|")
    for name in names:
        found = fuzz(name, options.keep.absolute(), options)
        print(
            f"| `{name}` | {found.minutes:.1f} | {found.executions} | {found.covered} | "
            f"{len(found.findings)} |",
            flush=True,
        )
        for line in found.findings:
            print(f"    {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
