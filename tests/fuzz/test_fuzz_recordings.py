"""Damaged recordings are refused or read right: a sample of the long run."""

import importlib.util
import random
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("fuzz_recordings.py")


@pytest.fixture(scope="module")
def fuzz():
    spec = importlib.util.spec_from_file_location("fuzz_recordings", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def worker(fuzz):
    made = fuzz.Worker()
    yield made
    made.end()


def test_a_damaged_file_is_refused_or_read_right(tmp_path, fuzz, worker):
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
