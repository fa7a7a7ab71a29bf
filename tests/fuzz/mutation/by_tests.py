"""Whether a test notices a fault: those beside the file first, then wider ones."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

CORE = (
    *(
        "sim/kernels",
        "sim/body",
        "sim/result/state.py",
        "sim/result/rows.py",
        "sim/contact_manager.py",
    ),
    *("sim/world.py", "sim/events/event.py", "sim/story/file"),
    *(f"sim/tracking/{n}.py" for n in ("pair", "buffers", "fallback", "options")),
)
WIDE = (
    *("tests/sim/test_golden_stories.py", "tests/sim/test_contact_manager.py"),
    *("tests/sim/tracking/test_pair.py", "tests/sim/tracking/test_regressions.py"),
    *("tests/sim/kernels", "tests/sim/tracking", "tests/sim/body"),
    *("tests/sim/story/test_recording.py", "tests/sim/story/file"),
    *("tests/sim/test_world.py", "tests/sim/story", "tests/sim/compound"),
)


def core_files(root: Path) -> list[str]:
    """List the files in which an answer, an event or a file is made."""
    found = []
    for part in CORE:
        place = root / part
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
        found += [str(file.relative_to(root)) for file in files]
    return found


def suites(root: Path, file: str) -> Iterator[list[str]]:
    """List tests to run one after the other, the likeliest to notice first."""
    path = Path(file)
    folder = Path("tests") / path.parent
    own = [folder / f"test_{path.stem}.py", *(root / folder).glob(f"*{path.stem}*.py")]
    seen = {str(p.relative_to(root) if p.is_absolute() else p) for p in own}
    ahead = sorted(name for name in seen if (root / name).exists())
    if ahead:
        yield ahead
    if folder.name != "tracking" and (root / folder).is_dir():
        yield [str(folder)]
    yield from ([name] for name in WIDE if name not in ahead)


def first_to_notice(code: Path, file: str, limit: float = 600.0) -> str:
    """Name the first test that fails on a copy of the code; empty: none did."""
    # interpreted: a fault in a kernel would be compiled anew for every run of tests
    environment = {**os.environ, "PYTHONPATH": str(code), "WINGEDGE_ENGINE": "python"}
    for tests in suites(code, file):
        command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", *tests]
        try:
            ran = subprocess.run(
                [*command, "-m", "not compiled"],
                cwd=code,
                env=environment,
                capture_output=True,
                text=True,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"{tests[0]} (does not end)"
        if ran.returncode not in (0, 5):  # 5: no test was selected
            failed = re.search(r"^(?:FAILED|ERROR) (\S+)", ran.stdout, re.MULTILINE)
            return failed.group(1) if failed else f"{tests[0]} (does not run)"
    return ""
