"""AdvRefine with OpenBLAS's kernels for two kinds of processor: what is equal and what is not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from conftest import rotated_copy_of
from cr5.base.machine import kernels
from cr5.systems.advrefine import AdvRefine
from cr5.systems.mapping import csls, game
from cr5.systems.mapping.maps import apply_map
from cr5.systems.mapping.refinement import refine, score

X, Y, Q = rotated_copy_of(400, 5, seed=100)
system = AdvRefine(epochs=3, samples=8000, hidden=32, rate=0.3, rounds=10)
criterion = lambda W: score(X, Y, W, system)
games = [game.train(3 * X, 3 * Y, criterion, system, seed) for seed in (0, 1)]
refined = [refine(X, Y, found.W, system) for found in games]
best = max(refined, key=lambda found: found.criterion)
hits = csls.translate(apply_map(X, best.W), Y) == np.arange(len(X))
print(json.dumps({
    "kernels": kernels(),
    "games": [hashlib.sha256(found.W.tobytes()).hexdigest() for found in games],
    "history": [found.report["adversarial"] for found in games],
    "criteria": [found.criterion for found in refined],
    "criterion": best.criterion,
    "hits": hits.mean(),
    "off": float(np.abs(best.W - Q).max()),
    "bytes": hashlib.sha256(best.W.tobytes()).hexdigest(),
}))
"""


def outcome(kind):
    """What a process finds that computes as this kind of processor, or None where it cannot."""
    wanted = {"OPENBLAS_CORETYPE": kind, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(Path(__file__).parents[1])],
        capture_output=True,
        text=True,
        env=os.environ | wanted,
    )
    if done.returncode < 0:  # a signal: an instruction that is not there
        return None
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def kinds():
    """Outcomes as a Haswell, again, and as an older Nehalem."""
    found = [outcome(kind) for kind in ("Haswell", "Haswell", "Nehalem")]
    told = [each and each["kernels"] for each in found]
    if told != [["Haswell"], ["Haswell"], ["Nehalem"]]:
        pytest.skip(f"OpenBLAS computes here as {told}, not as it was told")
    return found


def test_the_same_kind_gives_the_same_bytes(kinds):
    haswell, again, _ = kinds
    assert haswell == again


def test_another_kind_gives_other_bytes_and_the_same_outcome(kinds):
    """Refined games end at one map: which of them is chosen is the only thing left to chance."""
    haswell, _, nehalem = kinds
    assert haswell["games"] != nehalem["games"]  # else this would show nothing
    assert haswell["criterion"] == pytest.approx(nehalem["criterion"], abs=1e-4)
    assert haswell["hits"] == pytest.approx(nehalem["hits"], abs=0.005)
    for each in (haswell, nehalem):
        assert each["criterion"] == max(each["criteria"])
        assert each["hits"] > 0.95  # two in a hundred are noise: rows that changed places
        assert each["off"] < 0.02  # from the rotation that was planted
