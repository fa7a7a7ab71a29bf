"""The experiments that the paper of Yokoyama et al. does not have, in one command.

    python benchmarks/paper.py            all, 10 to 20 minutes; CSV files and plots
    python benchmarks/paper.py --quick --out FOLDER         small, half a minute
    python benchmarks/paper.py --only cost looked_at        some of them
    python benchmarks/paper.py --from-csv                   plots and page alone

Writes benchmarks/results/paper/*.csv, docs/gallery/paper_*.png and the tables and
numbers of docs/paper.md.  Seeds are fixed: all counts are the same on every run, times
are not.  Needs matplotlib for the plots; engines to compare with: coal, python-fcl.
"""

import argparse
import sys
from pathlib import Path

from bench import heading, installed
from paper_experiments import (
    cost,
    figures,
    looked_at,
    misses,
    page,
    plots,
    table,
    tuning,
)

from sim import set_engine

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "paper"
EXPERIMENTS = {
    "figures": figures,
    "misses": misses,
    "tuning": tuning,
    "looked_at": looked_at,
    "cost": cost,
}


def main() -> int:
    """Run the experiments; the exit code says whether certified answers were right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small ones")
    parser.add_argument("--only", nargs="+", choices=EXPERIMENTS, metavar="NAME")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="leave docs alone")
    parser.add_argument("--from-csv", action="store_true", help="run nothing anew")
    given = parser.parse_args()
    if given.quick and not given.out:
        parser.error("--quick needs --out FOLDER: it is not for docs/paper.md")
    folder = given.out or RESULTS
    if not given.from_csv:
        run(folder, given.only or list(EXPERIMENTS), given.quick)
    if not given.out:
        tables = read(folder)
        plots.draw(tables, ROOT / "docs" / "gallery")
        page.write(tables, ROOT / "docs" / "paper.md")
    return wrong(folder)


def run(folder: Path, names: list[str], quick: bool) -> None:
    """Run some experiments; what ran goes into a log."""
    set_engine("compiled" if installed("llvmlite") else "python")
    print(machine())
    for name in names:
        print(name, file=sys.stderr)
        module = EXPERIMENTS[name]
        table.write(folder / f"{name}.csv", module.COLUMNS, module.rows(quick))
        (folder / f"{name}.log").write_text(machine() + "\n", encoding="utf-8")


def read(folder: Path) -> dict[str, list[table.Row]]:
    """Read the tables that are there."""
    files = {name: folder / f"{name}.csv" for name in EXPERIMENTS}
    return {name: table.read(path) for name, path in files.items() if path.exists()}


def wrong(folder: Path) -> int:
    """Return 1 if any certified answer was not the truth."""
    tables = read(folder)
    bad = sum(int(row["certified_wrong"]) for row in tables.get("misses", []))
    others = tables.get("looked_at", [])
    bad += sum(int(row["wrong"]) for row in table.chosen(others, search="certified"))
    return int(bad > 0)


def machine() -> str:
    """Say what ran, and on what."""
    return heading("scipy", "llvmlite", "coal", "python-fcl") + ", one thread"


if __name__ == "__main__":
    sys.exit(main())
