"""Time what a user waits for before anything happens.

    python benchmarks/bench_startup.py [--rounds 7]

``import sim`` (and numpy alone, the most of it), ``wingedge --help``, ``wingedge
demo`` from a cold start, each in a fresh interpreter in an empty folder; the least of
all rounds counts: what else the machine does can only add.
"""

import argparse
import platform
import subprocess
import sys
import tempfile
import time

TIMED = (
    "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"
)
COMMANDS = {
    "import numpy": [sys.executable, "-c", TIMED.format("numpy")],
    "import sim": [sys.executable, "-c", TIMED.format("sim")],
    "wingedge --help": [sys.executable, "-m", "viewer.cli", "--help"],
    "wingedge demo": [sys.executable, "-m", "viewer.cli", "demo"],
}


def seconds(command: list[str]) -> float:
    """Run a command once; return what it measured itself, or its wall time."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        wall = time.perf_counter() - start
    if run.returncode:
        raise SystemExit(f"{command[1:]} failed: {run.stderr.strip()}")
    return float(run.stdout) if "-c" in command else wall


def main() -> None:
    """Print a line per command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    print(f"{platform.platform()}, Python {platform.python_version()}")
    for name, command in COMMANDS.items():
        times = [seconds(command) for _ in range(2 if "demo" in name else rounds)]
        print(
            f"{name:16} {min(times):6.3f} s   (worst of {len(times)}: {max(times):.3f})"
        )


if __name__ == "__main__":
    main()
