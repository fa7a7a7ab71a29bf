"""A disk and a triangle of the plane, moved by keys: what a table of regions decides.

H J K L move the disk by 0.10, R turns the triangle by half a degree, S and T stretch it
by 0.02, Shift turns R, S and T round: the program of Redpoll's 60, section 2-23. In a
window, or else by a text of keys, ``L*20 Shift+S*40``. You will see a line where a
contact begins, changes or ends, and the last frame in ``disk_triangle.png``.

What is wrong in the article is right here. A triangle scaled past zero is mirrored, its
inside row 0 of the table, which is no row: regions are those of the clockwise names.
Scaled to zero it is hit from 100 away, and a side of no length (AB = 0) is 0 / 0: such
a one is the segment or point that it is. Steps are counted: 100 of 0.02 lead to 0.
"""

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from sim.angles import on_circle
from viewer.gl import NoPicture, probe, require_gl, require_pyvista
from viewer.theme import LIGHT, Rgb
from wingedge.primitives import disk_triangle, point_line, point_segment

RADIUS, CORNERS = 1.0, ((0.0, 0.0), (0.8, 1.8), (2.4, 0.0))  # A, B, C: clockwise
CONTACT, RELEASE = 0.05, 0.1  # the distances where contact begins and ends
REGIMES = ("separated", "contact", "penetrating")
TINTS = {1: (250, 246, 216), 2: (243, 229, 236), 3: (205, 228, 245), 4: (226, 240, 244)}
TINTS |= {5: (198, 231, 214), 6: (214, 208, 240), 7: (255, 232, 200)}
STEPS = {"H": (0, -1), "L": (0, 1), "J": (1, -1), "K": (1, 1), "R": (2, 1), "S": (3, 1)}
HELP = "H L  left, right\nJ K  down, up\nR  turn\nS T  stretch\nShift  back\nq  end"
CIRCLE = np.array([on_circle(k / 90) for k in range(90)])
SIZE, PANEL = (1280, 720), 292  # pixels, of them at the left for words


def parsed(text: str, known: str) -> Iterator[set[str]]:
    """Give the keys that are held in one frame after the other; ``-`` is none."""
    for word in text.split():
        held, star, count = word.partition("*")
        keys = set(held.split("+")) - {"-"}
        if not keys <= {"Shift", *known} or (star and not count.isdecimal()):
            raise ValueError(f"{word!r}: keys are Shift and {known}, as in Shift+S*9")
        yield from [keys] * int(count or 1)


def stepped(steps: tuple[int, ...], keys: set[str]) -> tuple[int, ...]:
    """Count a frame of keys: H goes before L, J before K, R before S before T."""
    out = list(steps)
    for group in ("HL", "JK", "RST"):
        for key in [key for key in group if key in keys][:1]:
            which, step = (STEPS | {"T": (4, 1)})[key]
            out[which] += -step if "Shift" in keys and which > 1 else step
    return tuple(out)


def turned(x: float, y: float, turns: int) -> tuple[float, float]:
    """Turn a point by so many half degrees, to the same bits everywhere."""
    cosine, sine = on_circle(turns % 720 / 720)
    return cosine * x - sine * y + 0.0, sine * x + cosine * y + 0.0


class State(NamedTuple):
    frame: int
    steps: tuple[int, ...]  # right, up, of 0.10; half degrees; wide, high, of 0.02
    center: tuple[float, float]
    corners: list[tuple[float, float]]
    hit: bool  # exact, as region and feature are
    region: int  # of the centre, 1 to 7; 0 where the triangle has no area
    touch: str  # v0 of the disk; v0 v1 v2, e0 = AB, e1 = BC, e2 = CA, f0 = inside
    distance: float  # minus the least way out where they overlap
    rim: Any  # point of the disk
    point: Any  # of the triangle
    regime: str  # with hysteresis


class Disk:
    KEYS, NAME, HEIGHT, HELP = "HJKLRST", "disk_triangle", 10.0, HELP
    TOUR = "L*30 K*12 L*10 K*30 L*30 J*12"

    def __init__(self) -> None:
        self.state, self.lines = self.found((-40, 0, 0, 100, 100), -1, 0), []

    def step(self, keys: set[str]) -> State:
        """Go on by a frame in which these keys are held, and tell what happens."""
        old = self.state
        was = REGIMES.index(old.regime)
        self.state = new = self.found(stepped(old.steps, keys), old.frame, was)
        now, touch = REGIMES.index(new.regime), new.touch
        for kind, did, names in (
            ("begin", now > was == 0, touch),
            ("separate", was == 2 > now, touch),
            ("change", now * was and old.touch != touch, f"{old.touch} -> {touch}"),
            ("penetrate", now == 2 > was, touch),
            ("end", was > now == 0, old.touch),
        ):
            if did:
                self.lines.append(f"{new.frame} {kind} disk/triangle {names}")
        return new

    def found(self, steps: tuple[int, ...], before: int, was: int) -> State:
        """Find what is nearest, in the frame after another one and its regime."""
        right, up, turns, wide, high = steps
        corners = [turned(wide / 50 * x, high / 50 * y, turns) for x, y in CORNERS]
        center = right / 10, up / 10
        found = disk_triangle.meet(center, RADIUS, *corners)
        point, away, (kind, k) = found.point, float(found.distance), str(found.feature)
        if kind == "f":  # the way out is over the nearest edge
            ways = point_segment.closest(center, corners, corners[1:] + corners[:1])
            least = int(ways.distance.argmin())
            point, away = ways.point[least], -float(ways.distance[least])
        gap = away - RADIUS if (away <= RADIUS) == found.hit else 0.0
        now = int(gap <= (RELEASE if was else CONTACT)) + (gap < (-1e-9, 0.0)[was == 2])
        touch = f"V{dict(v='V', e='E', f='F')[kind]} v0 {kind}{k}"
        touch += f"({k}-{(int(k) + 1) % 3})" if kind == "e" else ""
        told = corners, bool(found.hit), int(found.region), touch, gap
        rim = center + RADIUS * ((point - center) / away if away else np.zeros(2))
        return State(before + 1, steps, center, *told, rim, point, REGIMES[now])

    def draw(self, plane: "Plane") -> None:
        state, (disk, triangle) = self.state, LIGHT.bodies[:2]
        corners, tone = np.array(state.corners), LIGHT.regime(state.regime)
        clockwise = point_line.side(*corners[[2, 0, 1]]) > 0
        a, b, c = corners if clockwise else corners[[0, 2, 1]]
        for region, tint in TINTS.items() if state.region else ():
            part = plane.seen
            for bit, start, end in ((4, a, b), (2, b, c), (1, c, a)):
                part = clipped(part, start, end, 1 if region & bit else -1)
            if len(part):
                plane.shape(part, tint)
                here = region == state.region
                looks = (LIGHT.ink, 30) if here else (LIGHT.faint_ink,)
                plane.label(str(region), part.mean(axis=0), (0, 0), *looks)
        lit = state.touch[6:8]
        plane.shape(state.center + RADIUS * CIRCLE, disk.surface, disk.wire)
        for k, at in enumerate(corners):
            near = lit in ("f0", f"e{k}")
            plane.line(at, corners[k - 2], 6 if near else 2, triangle[1 + near])
            plane.dot(at, 7 if lit == f"v{k}" else 3, triangle.feature)
            toward = (at - corners.mean(axis=0)) * (3, 1)
            plane.label(f"v{k} = {'ABC'[k]}", at, toward, triangle.wire)
        plane.line(state.rim, state.point, 4, tone)
        for at in (state.rim, state.point):
            plane.dot(at, 5, tone)
        plane.dot(state.center, 5, disk.feature)
        away = np.subtract(state.center, state.point)
        plane.label("disk v0 = T", state.center, away, disk.feature)
        words, (x, y) = f"distance {state.distance:.4g}", away
        plane.label(words, (state.rim + state.point) / 2, (y, -x), tone)
        turn, wide, high = np.array(state.steps[2:]) / (2, 50, 50)
        plane.panel(
            f"frame {state.frame}\nturned by {turn:g}°, scaled by {wide:g}, {high:g}"
        )
        plane.panel(f"{state.regime}: {state.touch}\n{words}", tone)
        plane.panel(f"centre in region {state.region}" if state.region else "no area")
        said = "\n".join(self.lines[:-9:-1]).replace("disk/triangle ", "")
        plane.panel(said.replace(" ->", "\n    ->"))


def clipped(polygon: Any, a: Any, b: Any, side: int) -> Any:
    """Keep what of a convex polygon is on one side of a line: 1 is the right."""
    (x, y), kept = b - a, []
    heights = (polygon - a) @ [side * y, -side * x]
    for k, there in enumerate(heights):
        if (here := heights[k - 1]) * there < 0.0:
            t = here / (here - there)
            kept.append((1 - t) * polygon[k - 1] + t * polygon[k])
        if there >= 0.0:
            kept.append(polygon[k])
    return np.array(kept)


class Plane:
    """A picture or a window of a demo; shapes are convex, widths and radii pixels."""

    def __init__(self, demo: Any, window: bool = False) -> None:
        self.pyvista, _ = require_pyvista(), require_gl()
        self.plotter = self.pyvista.Plotter(off_screen=not window, window_size=SIZE)
        self.demo, self.unit = demo, demo.HEIGHT / SIZE[1]  # the length of a pixel
        self.plotter.enable_anti_aliasing("ssaa")
        self.plotter.enable_parallel_projection()
        left = -PANEL / 2 * self.unit
        self.plotter.camera_position = (left, 0, 9), (left, 0, 0), (0, 1, 0)
        self.plotter.camera.parallel_scale = demo.HEIGHT / 2
        x, y = (SIZE[0] - PANEL) / 2 * self.unit, demo.HEIGHT / 2
        self.seen = np.array([(-x, -y), (x, -y), (x, y), (-x, y)])  # beside the panel

    def draw(self) -> Any:
        self.plotter.clear_actors()
        self.depth, self.top = 0.0, SIZE[1]
        self.demo.draw(self)
        (a, *_, b), wide = self.seen, (PANEL * self.unit, 0)
        self.shape([a - wide, a, b, b - wide], LIGHT.paper)
        self.line(a, b, 1.5, (206, 212, 220))
        self.plotter.add_text(self.demo.HELP, position="lower_left", font_size=6)
        self.plotter.render()
        return self.plotter

    def shape(self, points: Any, ink: Rgb, rim: Rgb | None = None) -> None:
        self.depth += 1e-3
        flat = np.c_[points, np.full(len(points), self.depth)]
        mesh = self.pyvista.PolyData(flat, faces=[len(flat), *range(len(flat))])
        looks = {"show_edges": True, "edge_color": rim, "opacity": 0.6} if rim else {}
        self.plotter.add_mesh(mesh, color=ink, lighting=False, render=False, **looks)

    def dot(self, at: Any, radius: float, ink: Rgb) -> None:
        self.shape(at + radius * self.unit * CIRCLE, ink)

    def line(self, a: Any, b: Any, width: float, ink: Rgb) -> None:
        x, y = np.subtract(b, a) / (np.hypot(*np.subtract(b, a)) or 1.0)
        side = width / 2 * self.unit * np.array([-y, x])
        self.shape([a - side, b - side, b + side, a + side], ink)

    def panel(self, words: str, ink: Rgb = LIGHT.faint_ink) -> None:
        self.top -= 16 * words.count("\n") + 30
        self.plotter.add_text(words, position=(18, self.top), font_size=8, color=ink)

    def label(self, words: str, at: Any, way: Any, ink: Rgb, size: int = 18) -> None:
        way = np.array(way) / (np.hypot(*way) or 1.0) * self.unit
        wide, shape = 5 * len(words), "rect" if any(way) else None
        end = at + way * (36 + wide * abs(way[0]) / self.unit)
        self.line(at, end, 1.4, ink)
        looks = {"text_color": ink, "shape_color": LIGHT.paper, "show_points": False}
        looks |= {"always_visible": True, "render": False, "font_size": size}
        corner = [(*(end - self.unit * np.array([wide, 9])), 1.0)]
        self.plotter.add_point_labels(corner, [words], shape=shape, **looks)


def play(demo: Any) -> None:
    """Move a demo by the keys of a window, until q; print them as a text."""
    plane, log = Plane(demo, window=True), []

    def press(key: str) -> None:
        log.append(key)
        demo.step(set(key.split("+")))
        plane.draw()

    iren = plane.plotter.iren
    iren.clear_key_event_callbacks()
    iren.style.AddObserver("CharEvent", lambda *_: None)  # the keys of VTK
    for key in demo.KEYS:
        for symbol, held in {key: f"Shift+{key}", key.lower(): key}.items():
            plane.plotter.add_key_event(symbol, lambda held=held: press(held))
    plane.plotter.add_key_event("q", iren.terminate_app)
    plane.draw().show()
    print("your keys:", *log)


def main(view: bool = True, keys: str | None = None, kind: Any = Disk) -> None:
    demo = kind()
    try:
        if view and keys is None and probe().window:
            play(demo)
        else:
            for held in parsed(keys or demo.TOUR, demo.KEYS):
                demo.step(held)
        print(*demo.lines, sep="\n")
        if view:
            Plane(demo).draw().screenshot(f"{demo.NAME}.png")
            print(f"Now look at {demo.NAME}.png, the last frame.")
    except (ImportError, NoPicture) as error:
        print(f"no {demo.NAME}.png: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
