"""Time what a user waits for before anything happens.

    python benchmarks/bench_startup.py [--rounds 7]

``import sim``, which imports a name when it is asked for, and what most programs ask
for (numpy alone is the most of that), ``wingedge --help``, ``wingedge demo`` from a
cold start, each in a fresh interpreter in an empty folder; the least of all rounds
counts: what else the machine does can only add.  Modules are compiled to bytecode once,
as where the package is installed, into a folder of this run's own.
"""

import os
import subprocess
import sys
import tempfile
import time
from argparse import Namespace

from bench import Say, main

TIMED = "import time; t = time.perf_counter(); {}; print(time.perf_counter() - t)"
IMPORTS = "import numpy", "import sim", "from sim import World, PairTracker"
COMMANDS = {
    **{what: [sys.executable, "-c", TIMED.format(what)] for what in IMPORTS},
    "wingedge --help": [sys.executable, "-m", "viewer.cli", "--help"],
    "wingedge demo": [sys.executable, "-m", "viewer.cli", "demo"],
}


def seconds(command: list[str], bytecode: str) -> float:
    """Run a command once; return what it measured itself, or its wall time."""
    around = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode}
    around.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        run = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, env=around
        )
        wall = time.perf_counter() - start
    if run.returncode:
        raise SystemExit(f"{command[1:]} failed: {run.stderr.strip()}")
    return float(run.stdout) if "-c" in command else wall


def run(options: Namespace, say: Say) -> None:
    """Print a line per command."""
    with tempfile.TemporaryDirectory() as bytecode:
        for name, command in COMMANDS.items():
            seconds(command, bytecode)  # writes the bytecode
            count = 2 if "demo" in name else options.rounds
            times = [seconds(command, bytecode) for _ in range(count)]
            say(f"{name:36} {min(times):6.3f} s   (worst of {count}: {max(times):.3f})")


if __name__ == "__main__":
    sys.exit(main(__doc__, run, rounds=7))
