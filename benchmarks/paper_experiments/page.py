"""The tables of docs/paper.md, written between their marks."""

from collections.abc import Callable
from pathlib import Path

from paper_experiments.table import Row, chosen, share

Tables = dict[str, list[Row]]
REGIMES = "apart", "contact"


def write(tables: Tables, page: Path) -> None:
    """Replace the tables of a page by those of the CSV files."""
    for name, lines in made(tables).items():
        put(page, name, lines)


def put(page: Path, name: str, lines: str) -> None:
    """Replace what stands between two marks of a page."""
    begin, end = marks(name)
    before, rest = page.read_text(encoding="utf-8").split(begin)
    text = f"{before}{begin}\n{lines}{end}{rest.split(end)[1]}"
    page.write_text(text, encoding="utf-8")


def marks(name: str) -> tuple[str, str]:
    """Return what stands before and after a table."""
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def made(tables: Tables) -> dict[str, str]:
    """Make all tables, by name."""
    makers: dict[str, Callable[[list[Row]], list[list[str]]]] = {
        "figures": by_figure,
        "misses": by_pair,
        "looked_at": by_faces,
        "cost": by_cost,
    }
    return {name: text(make(tables[name])) for name, make in makers.items()}


def by_figure(rows: list[Row]) -> list[list[str]]:
    """Tell how many frames of each scene are wrong."""
    table = [["scene", "changes", "to a neighbour", "as printed", "with the criterion"]]
    for scene in dict.fromkeys(row["scene"] for row in rows):
        printed, criterion = (
            chosen(rows, scene=scene, rules=rules)[0]
            for rules in ("as printed", "Voronoi")
        )
        told = [f"{r['wrong']} of {r['frames']}" for r in (printed, criterion)]
        table.append([f"`{scene}`", printed["changes"], printed["beside"], *told])
    return table


def by_pair(rows: list[Row]) -> list[list[str]]:
    """Tell the share of wrong frames by pair and rules, all steps together."""
    names = ["as printed", "vertex rule", "repeat", "Voronoi", "all three"]
    table = [["pair", "", *names, "anew"]]
    for pair in dict.fromkeys(row["pair"] for row in rows):
        for regime in REGIMES:
            here = chosen(rows, pair=pair, regime=regime)
            cells = [_percent(share(chosen(here, rules=name))) for name in names]
            anew = share(chosen(here, rules="all three"), "compared_anew")
            table.append([pair, regime, *cells, _percent(anew)])
    return table


def by_faces(rows: list[Row]) -> list[list[str]]:
    """Tell the elements examined per frame."""
    kinds = [(regime, name) for regime in REGIMES for name in ("paper", "certified")]
    table = [["faces", *(f"{name}, {regime}" for regime, name in kinds), "brute force"]]
    for faces in dict.fromkeys(row["faces"] for row in rows):
        here = chosen(rows, faces=faces)
        found = (chosen(here, regime=r, search=name)[0] for r, name in kinds)
        brute = int(chosen(here, regime="apart", search="brute force")[0]["examined"])
        cells = [_examined(row) for row in found]
        table.append([faces, *cells, f"{brute:,}".replace(",", " ")])
    return table


def _examined(row: Row) -> str:
    count = f"{float(row['examined']):.0f}"
    if row["wrong"] == "0":
        return count
    return f"{count} ({100.0 * share([row]):.0f} % wrong)"


def by_cost(rows: list[Row]) -> list[list[str]]:
    """Tell structure and query of each engine, and the ratio of their sum to ours."""
    faces = list(dict.fromkeys(row["faces"] for row in rows))
    table = [["engine", *(f"{count} faces" for count in faces)]]
    for name in dict.fromkeys(row["engine"] for row in rows):
        cells = []
        for count in faces:
            row = chosen(rows, faces=count, engine=name)[0]
            parts = f"{_us(row['structure_us'])} + {_us(row['query_us'])}"
            cells.append(f"{parts} ({ratio(rows, count, name):.0f})")
        table.append([name, *cells])
    return table


def ratio(rows: list[Row], faces: str, engine: str) -> float:
    """Return how many times the certified tracker's time an engine takes, in all."""
    times = []
    for name in (engine, "certified"):
        row = chosen(rows, faces=faces, engine=name)[0]
        times.append(float(row["structure_us"]) + float(row["query_us"]))
    return times[0] / times[1]


def _percent(part: float) -> str:
    return "0" if part == 0.0 else f"{100.0 * part:.1f} %"


def _us(text: str) -> str:
    return f"{float(text):.1f}" if float(text) < 100.0 else f"{float(text):.0f}"


def text(table: list[list[str]]) -> str:
    head, *body = table
    lines = [head, ["---"] * len(head), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
