"""Damaged recordings are refused or read right: a sample of the long run."""

import random

import fuzz_recordings as fuzz
import pytest


@pytest.fixture
def worker():
    made = fuzz.Worker()
    yield made
    made.end()


def test_a_damaged_file_is_refused_or_read_right(tmp_path, worker):
    chance = random.Random(11)
    path, canary = tmp_path / "damaged.vtkhdf", tmp_path / "executed"
    sources = fuzz.originals(tmp_path)
    seen = set()
    for k in range(60):
        original = chance.choice(sources)
        if k % 8:
            data = bytearray(original.read_bytes())
            fuzz.DAMAGES[k % len(fuzz.DAMAGES)](data, chance)
        else:
            data = fuzz.foreign(canary, chance)[1]
        path.write_bytes(data)
        said, trusted = worker.judge(path, original)
        seen.add(said)
        assert not said.startswith("FAULT"), (k, original.name)
        assert said not in ("crashed", "hung") or trusted is False
    assert {"refused", "read whole"} <= seen
    assert not canary.exists()
