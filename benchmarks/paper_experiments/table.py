"""CSV files: written row by row, read as text."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

Row = dict[str, str]


def write(
    path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> list[Row]:
    """Write a table and return it as it will be read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow(row)
            file.flush()
    return read(path)


def read(path: Path) -> list[Row]:
    """Read a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def chosen(rows: Iterable[Row], **wanted: object) -> list[Row]:
    """List the rows whose columns read as asked."""
    want = {name: str(value) for name, value in wanted.items()}
    return [row for row in rows if all(row[k] == v for k, v in want.items())]


def share(rows: Sequence[Row], column: str = "wrong") -> float:
    """Return a count per frame over several rows."""
    frames = sum(int(row["frames"]) for row in rows)
    return sum(int(row[column]) for row in rows) / frames
