"""The paper's experiments: what they show, and that their page quotes their files."""

import re
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
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    return {name: quick(name, folder) for name in MODULES}


@pytest.fixture(scope="module")
def committed():
    folder = ROOT / "benchmarks" / "results" / "paper"
    return {name: table.read(folder / f"{name}.csv") for name in MODULES}


@pytest.fixture(scope="module", params=["tables", "committed"])
def found(request):
    return request.getfixturevalue(request.param)


def test_neither_the_certified_tracker_nor_the_voronoi_criterion_is_ever_wrong(found):
    rows = found["misses"]
    assert sum(int(row["judged"]) for row in rows) > 0
    assert {row["certified_wrong"] for row in rows} == {"0"}
    assert {row["unproven"] for row in rows} == {"0"}
    certified = chosen(found["looked_at"], search="certified")
    assert {row["wrong"] for row in certified} == {"0"}
    for rules in ("Voronoi", "all three"):
        for name in ("misses", "figures"):
            rows = chosen(found[name], rules=rules)
            assert {row["wrong"] for row in rows} == {"0"}
    again = chosen(found["misses"], rules="Voronoi")
    assert share(again, "compared_anew") > 0.0


def test_the_printed_rules_fail_and_mostly_in_silence(found):
    rows = found["misses"]
    printed = chosen(rows, rules="as printed", regime="contact")
    assert share(printed) > 0.05
    assert share(printed, "silent") > 0.5 * share(printed)
    silent_and_noticed = [int(row["silent"]) <= int(row["wrong"]) for row in rows]
    assert all(silent_and_noticed)


def test_apart_the_vertex_rule_changes_nothing_and_repeating_never_hurts(found):
    apart = chosen(found["misses"], regime="apart")
    rates = {rules: share(chosen(apart, rules=rules)) for rules in misses.RULES}
    assert rates["vertex rule"] == rates["as printed"]
    assert rates["repeat"] <= rates["as printed"]


def test_a_wider_threshold_makes_more_frames_wrong_and_changes_lead_to_neighbours(
    found,
):
    rows = found["tuning"]
    tight, *_, wide = dict.fromkeys(row["threshold"] for row in rows)
    assert share(chosen(rows, threshold=tight)) < share(chosen(rows, threshold=wide))
    rows = found["figures"]
    assert all(row["changes"] == row["beside"] for row in rows)
    assert sum(int(row["changes"]) for row in rows) > 0


def test_what_is_examined_grows_with_the_faces_by_brute_force_alone(found):
    """Per face: brute force squares, the searches stay far below the faces."""
    rows = found["looked_at"]
    sizes = [int(f) for f in dict.fromkeys(row["faces"] for row in rows)]
    first, last = sizes[0], sizes[-1]

    def growth(search):
        ends = [chosen(rows, faces=f, search=search, regime="apart") for f in sizes]
        counts = [float(rows[0]["examined"]) for rows in ends]
        return counts[-1] / counts[0]

    assert growth("brute force") > 0.7 * (last / first) ** 2
    assert growth("paper") < 2.0
    assert growth("certified") < 0.5 * last / first


def test_engines_that_search_a_whole_surface_agree_with_the_certificate(found):
    rows = found["cost"]
    names = {row["engine"] for row in rows}
    assert {"certified", "octree, rebuilt (numpy)"} <= names
    for name in names - {"paper (interpreted)"}:
        assert {row["wrong"] for row in chosen(rows, engine=name)} == {"0"}


def test_the_tables_of_the_page_are_those_of_the_files(committed):
    for name, lines in page.made(committed).items():
        begin, end = page.marks(name)
        assert PAGE.split(begin)[1].split(end)[0] == f"\n{lines}"


def fitted(rows, engine):
    (row,) = chosen(rows, faces="5120", engine=engine)
    return f"{float(row['structure_us']) / float(row['query_us']):.0f}"


def lost(rows, faces):
    (row,) = chosen(rows, faces=faces, engine="paper (interpreted)")
    assert row["frames"] == "120"
    return row["wrong"]


# What the page says, and what the files say: one pair for every number in its prose.
# Shares are of wrong frames of the misses, by the printed rules, if not told otherwise.
APART, CONTACT = {"regime": "apart"}, {"regime": "contact"}
SHARES = {
    r"at one degree a frame ([\d.]+) % are": APART | {"degrees": 1.0},
    r"at ten degrees ([\d.]+) %": APART | {"degrees": 10.0},
    r"holds: ([\d.]+) % at one degree": CONTACT | {"degrees": 1.0},
    r"one degree, ([\d.]+) % at ten": CONTACT | {"degrees": 10.0},
    r"in contact ([\d.]+) % are wrong, and": CONTACT,
    r"and ([\d.]+) % silently": CONTACT | {"column": "silent"},
    r"nobody: ([\d.]+) % are wrong": CONTACT | {"rules": "vertex rule"},
    r"is apart \(([\d.]+) % to": APART,
    r"% to ([\d.]+) %\)": APART | {"rules": "repeat"},
    r"contacts \(to ([\d.]+) %\)": CONTACT | {"rules": "repeat"},
    r"pairs anew in ([\d.]+) % of": {"rules": "Voronoi", "column": "compared_anew"},
    r"other two in ([\d.]+) %": {"rules": "all three", "column": "compared_anew"},
    r"range of 3 steps ([\d.]+) % are": {"threshold": 0.0011, "search_range": 3},
}
COUNTS = {
    r"everything: 0 of (\d+) frames": lambda t: sum(
        int(row["frames"]) for row in chosen(t["misses"], rules="Voronoi")
    ),
    r"refit\s+takes (\d+) times": lambda t: fitted(t["cost"], "coal, refitted"),
    r"of 120 frames (\d+) are wrong at 20480": lambda t: lost(t["cost"], 20480),
    r"faces, and (\d+) at 320\.": lambda t: lost(t["cost"], 320),
    r"a rebuild (\d+) times": lambda t: fitted(t["cost"], "coal, rebuilt"),
}


@pytest.mark.parametrize("pattern", SHARES)
def test_a_share_in_the_page_is_that_of_the_files(pattern, committed):
    said = re.findall(pattern, PAGE.replace("\n", " "))
    wanted = {"rules": "as printed", "column": "wrong"} | SHARES[pattern]
    rows, column = committed["misses"], wanted.pop("column")
    if "threshold" in wanted:
        rows = committed["tuning"]
        del wanted["rules"]
    assert said == [f"{100.0 * share(chosen(rows, **wanted), column):.1f}"]


@pytest.mark.parametrize("pattern", COUNTS)
def test_a_number_in_the_page_is_that_of_the_files(pattern, committed):
    said = re.findall(pattern, PAGE.replace("\n", " "))
    assert said == [str(COUNTS[pattern](committed))]


def test_every_share_and_ratio_in_the_prose_is_held_to_the_files():
    prose = re.sub(r"<!-- (\w+): begin -->.*?<!-- \1: end -->", "", PAGE, flags=re.S)
    prose = prose.replace("\n", " ")
    shares = re.findall(r"([\d.]+) %", prose)
    held = [m for p in SHARES for m in re.findall(p, prose)]
    assert set(shares) <= set(held)
    assert len(shares) == len(SHARES)
