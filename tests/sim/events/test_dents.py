import pytest

from sim.body.audit import ConvexityCheck, ConvexityResult
from sim.events.touch import Dent
from wingedge import Feature, shapes


@pytest.mark.parametrize("line", ["e12(3-9) 0.0123", "f1 2.5e-09", "winding 0"])
def test_a_dent_is_read_back_as_it_is_written(line):
    assert str(Dent.parse(line)) == line


def test_a_dent_is_read_off_a_verdict_with_six_digits_or_is_none():
    mesh = shapes.l_block((2, 2, 1))
    dent = Dent.of(ConvexityCheck(mesh, mesh.points / 3.0).audit(), mesh)
    assert (dent.place.kind, sorted(dent.ends), dent.depth) == (
        "edge",
        [3, 9],
        0.333333,
    )
    assert Dent.parse(str(dent)) == dent
    verdict = ConvexityResult(False, Feature("edge", 0), 1e-16, 1, 1e-9)
    assert str(Dent.of(verdict, shapes.box())) == "winding 0"


def test_what_is_no_dent_is_refused():
    for line in [
        "e12 0.1",
        "f1(3-9) 0.1",
        "f1",
        "f1 deep",
        "v 1 2",
        "f1 nan",
        "f1 inf",
        "f1 -1",
        "f1 -0",
    ]:
        with pytest.raises(ValueError, match=r"."):
            Dent.parse(line)
