"""The paper's experiments: what they show, and that their page quotes their files."""

from pathlib import Path

import pytest
from paper_experiments import cost, figures, looked_at, misses, page, table, tuning
from paper_experiments.table import chosen, share

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "paper.md").read_text("utf-8")
MODULES = {
    module.__name__.rpartition(".")[2]: module
    for module in (figures, misses, tuning, looked_at, cost)
}


def quick(name, folder):
    module = MODULES[name]
    return table.write(folder / f"{name}.csv", module.COLUMNS, module.rows(True))


@pytest.fixture(scope="module")
def committed():
    folder = ROOT / "benchmarks" / "results" / "paper"
    return {name: table.read(folder / f"{name}.csv") for name in MODULES}


@pytest.fixture(scope="module", params=["made here", "committed"])
def tables(request, committed, tmp_path_factory):
    if request.param == "committed":
        return committed
    folder = tmp_path_factory.mktemp("paper")
    return {name: quick(name, folder) for name in MODULES}


def test_neither_the_certified_tracker_nor_the_voronoi_criterion_is_ever_wrong(tables):
    rows = tables["misses"]
    assert sum(int(row["judged"]) for row in rows) > 0
    assert {row["certified_wrong"] for row in rows} == {"0"}
    assert {row["unproven"] for row in rows} == {"0"}
    certified = chosen(tables["looked_at"], search="certified")
    assert {row["wrong"] for row in certified} == {"0"}
    for rules in ("Voronoi", "all three"):
        for name in ("misses", "figures"):
            rows = chosen(tables[name], rules=rules)
            assert {row["wrong"] for row in rows} == {"0"}
    again = chosen(tables["misses"], rules="Voronoi")
    assert share(again, "compared_anew") > 0.0


def test_the_printed_rules_fail_and_mostly_in_silence(tables):
    rows = tables["misses"]
    printed = chosen(rows, rules="as printed", regime="contact")
    assert share(printed) > 0.05
    assert share(printed, "silent") > 0.5 * share(printed)
    silent_and_noticed = [int(row["silent"]) <= int(row["wrong"]) for row in rows]
    assert all(silent_and_noticed)


def test_apart_the_vertex_rule_changes_nothing_and_repeating_never_hurts(tables):
    apart = chosen(tables["misses"], regime="apart")
    rates = {rules: share(chosen(apart, rules=rules)) for rules in misses.RULES}
    assert rates["vertex rule"] == rates["as printed"]
    assert rates["repeat"] <= rates["as printed"]


def test_a_wider_threshold_makes_more_frames_wrong_and_changes_lead_to_neighbours(
    tables,
):
    rows = tables["tuning"]
    tight, *_, wide = dict.fromkeys(row["threshold"] for row in rows)
    assert share(chosen(rows, threshold=tight)) < share(chosen(rows, threshold=wide))
    rows = tables["figures"]
    assert all(row["changes"] == row["beside"] for row in rows)
    assert sum(int(row["changes"]) for row in rows) > 0


def test_what_is_examined_grows_with_the_faces_by_brute_force_alone(tables):
    """Per face: brute force squares, the searches stay far below the faces."""
    rows = tables["looked_at"]
    sizes = [int(f) for f in dict.fromkeys(row["faces"] for row in rows)]
    first, last = sizes[0], sizes[-1]

    def growth(search):
        ends = [chosen(rows, faces=f, search=search, regime="apart") for f in sizes]
        counts = [float(rows[0]["examined"]) for rows in ends]
        return counts[-1] / counts[0]

    assert growth("brute force") > 0.7 * (last / first) ** 2
    assert growth("paper") < 2.0
    assert growth("certified") < 0.5 * last / first


def test_engines_that_search_a_whole_surface_agree_with_the_certificate(tables):
    rows = tables["cost"]
    names = {row["engine"] for row in rows}
    assert {"certified", "octree, rebuilt (numpy)"} <= names
    for name in names - {"paper (interpreted)"}:
        assert {row["wrong"] for row in chosen(rows, engine=name)} == {"0"}


def test_the_tables_of_the_page_are_those_of_the_files(committed):
    for name, lines in page.made(committed).items():
        begin, end = page.marks(name)
        assert PAGE.split(begin)[1].split(end)[0] == f"\n{lines}"
