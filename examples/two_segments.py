"""Two segments of the plane, moved by keys: whether they meet, and how far along each.

1 and 2 choose one, H J K L move it by 0.10, R turns it by half a degree, S makes it
longer by 0.02, Shift turns R and S round. You will see a line where what they share
changes, and the last frame in ``two_segments.png``. After Marupeke's 2-D collision 10:
there segments on one line never meet, one without length hits nothing, and what is near
is a share of the length; here they share a piece, it is a point, and signs are exact.
"""

from functools import partial
from typing import Any

import disk_triangle as disk
import numpy as np

from viewer.theme import LIGHT
from wingedge.primitives import segment_segment_2d


class Segments:
    KEYS, NAME, HEIGHT = "12HJKLRS", "two_segments", 8.0
    TOUR = "J*8 H*5 R*60 Shift+R*240 J*7 L*30"
    HELP = "1 2  choose a segment\n" + disk.HELP.replace("S T", "S")

    def __init__(self) -> None:
        # of each: right, up, of 0.10; half degrees; half its length, of 0.02
        self.steps, self.chosen = [(0, 0, 0, 100), (0, 15, 180, 100)], 1
        self.frame, self.kind, self.lines = -1, "", []
        self.step(set())

    def step(self, keys: set[str]) -> None:
        """Go on by a frame in which these keys are held; find what is in common."""
        self.chosen = 0 if "1" in keys else 1 if "2" in keys else self.chosen
        self.steps[self.chosen] = disk.stepped(self.steps[self.chosen], keys)
        self.frame, kind = self.frame + 1, self.kind
        self.ends = [
            (x / 10 + sign * u, y / 10 + sign * v)
            for x, y, turns, long in self.steps
            for u, v in [disk.turned(long / 50, 0.0, turns)]
            for sign in (-1, 1)
        ]
        self.found = found = segment_segment_2d.meet(*self.ends)
        self.kind, (x, y) = str(found.kind), found.point
        if self.kind != kind:
            where = f"t1 {found.s:.6g} t2 {found.t:.6g} at ({x:.6g}, {y:.6g})"
            self.lines.append(f"{self.frame} {self.kind} {where}")

    def draw(self, plane: Any) -> None:
        found, faint = self.found, (236, 239, 243)
        tone = LIGHT.regimes["separated" if self.kind == "apart" else "contact"]
        for k in range(-9, 10):
            plane.line((k, -9), (k, 9), 1, faint)
            plane.line((-9, k), (9, k), 1, faint)
        plane.panel(f"frame {self.frame}\nthe keys move segment {self.chosen + 1}")
        words = f"t1 {found.s:.6g}, t2 {found.t:.6g}"
        if self.kind == "overlap":
            (a, b), (c, d) = found.s_range, found.t_range
            words = f"t1 {a:.4g} to {b:.4g}, t2 {c:.4g} to {d:.4g}"
        plane.panel(f"{self.kind}\n{words}\ndistance {found.distance:.6g}", tone)
        for k, (a, b) in enumerate((self.ends[:2], self.ends[2:])):
            ink, along = LIGHT.body(k).feature, np.subtract(b, a)
            if k == self.chosen:
                plane.line(a, b, 16, LIGHT.body(k).surface)
            plane.line(a, b, 4, ink)
            plane.dot(a, 5, ink)
            ahead = along / (np.hypot(*along) or 1.0) * plane.unit
            side = ahead[::-1] * (-8, 8)
            plane.shape([b - 18 * ahead - side, b, b - 18 * ahead + side], ink)
            plane.label(f"segment {k + 1}, t{k + 1} = 0", a, -along, ink)
            plane.label(f"t{k + 1} = 1", b, along, ink)
            x, y, u, v = np.round([*a, *b], 4)
            plane.panel(f"segment {k + 1}\nfrom ({x}, {y})\nto ({u}, {v})", ink)
        c, d = np.array(self.ends[2:])
        if self.kind == "overlap":
            plane.line(*found.ends, 12, tone)
        else:
            plane.line(found.point, (1 - found.t) * c + found.t * d, 2, tone)
            plane.dot(found.point, 9, tone)
            plane.dot(found.point, 6, LIGHT.paper)
        plane.label(words, found.point, (1, 1), tone)


main = partial(disk.main, kind=Segments)
if __name__ == "__main__":
    main()
