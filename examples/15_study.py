"""How far must a ball come down, and how soft may it be, until it touches the table?

A study runs the same script for many settings, each case once: run this again, and
nothing is repeated.  You will see where along the height the story changes, to 1e-6, a
table of the cases, and ``study.png``: which story each pair of settings has.
"""

from pathlib import Path

from sim import Table
from sim.study import Study, grid

SCRIPT = """
from sim import Body, World, deform, motion
from wingedge import shapes

def world(height, squash):
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((4.0, 4.0, 1.0)), name="table")
    return World(
        [ball, table],
        dt=0.1,
        motion={"ball": motion.linear((0, 0, height - 2.0), start=(0, 0, 2.0))},
        deform={"ball": deform.squash(lambda t: squash * t)},
    )
"""


def main(view: bool = True) -> Table:
    script = Path("ball").with_suffix(".py")
    script.write_text(SCRIPT, encoding="utf-8")
    count = 13 if view else 5
    settings = {"height": grid(1.2, 1.6, count), "squash": grid(0.0, 0.4, count)}
    study = Study(script, settings, frames=11, folder="study")
    border = study.border("height", of="kinds", squash=0.1)
    print(border)
    found = study.map("height", "squash")
    print(found)
    if view:
        from viewer.plot import draw_map

        draw_map(found, "study.png")
    table = study.table()
    print(table)
    assert border.upper - border.lower <= 1e-6
    assert len(found.stories) > 1
    return table


if __name__ == "__main__":
    main()
