"""Plots: the experiments of docs/paper.md from their tables, a graph of states."""

import sys
import tempfile
from pathlib import Path

from pictures.entry import ROOT, LegendEntry
from sim import scenes
from sim.story.graph import contact_graph
from viewer.graph import draw_graph

BENCHMARKS = ROOT / "benchmarks"
SHOWS = {
    "paper_misses.png": "share of wrong frames by step, for six pairs of bodies",
    "paper_rules.png": "share of wrong frames by set of rules, silent and noticed",
    "paper_tuning.png": "share of wrong frames by threshold and search range",
    "paper_examined.png": "elements examined per frame by number of faces",
    "paper_cost.png": "time per frame by number of faces",
}


def plot(path: Path) -> None:
    """Draw one plot from the tables that are committed."""
    if str(BENCHMARKS) not in sys.path:
        sys.path.insert(0, str(BENCHMARKS))
    import paper
    from paper_experiments import plots

    with tempfile.TemporaryDirectory() as folder:
        files = plots.draw(paper.read(paper.RESULTS), Path(folder))
        (wanted,) = [file for file in files if file.name == path.name]
        path.write_bytes(wanted.read_bytes())


def draw_states(path: Path) -> None:
    """Draw the graph of the states of the demo."""
    draw_graph(contact_graph(scenes.load("demo").run(scenes.length("demo"))), path)


ENTRIES = {
    "graph.png": LegendEntry(
        "the states of the demo, and how often one follows another",
        'draw_graph(contact_graph(scenes.load("demo").run(160)), "graph.png")',
        draw_states,
    ),
    **{
        name: LegendEntry(shows, "python benchmarks/paper.py --from-csv", plot)
        for name, shows in SHOWS.items()
    },
}
