"""Slide a body over every shape of the zoo, and judge every frame.

python tests/fuzz/slide_bodies.py                   10 000 frames over each shape
python tests/fuzz/slide_bodies.py --frames 500 --of box gear
python tests/fuzz/slide_bodies.py --log FILE        keep what it says

A hand presses a body against a shape and pulls it along, in a direction that keeps
turning; the steps are a tenth of the shortest edge of the two.  Three bodies are
dragged: a box with its faces parallel to the axes, as most shapes have theirs, a box
that is turned, and a ball.  Of every frame it is asked, by what the trackers proved:

* the distance lies in [0, gap]: never inside, never off the surface;
* while the normal stays what it is, the body does not drift along it by a gap;
* no pair of features comes, goes and comes back in three frames, unless the body
  itself turned back, or touched there all the while and elsewhere for a frame;
* a feature gives way to a neighbour of it in the winged edge, or to one incident; of a
  flat contact, to one of any feature pair that touched.  "Elsewhere" counts those
  that gave way to another contact, which the body came to rest on in between: what
  the paper leaves open, Fig. 8.  "Again" counts frames that were too long a step to
  tell, off a sharp corner, and were gone through again in 32 steps.

Every 100th frame is judged without the trackers: ``exhaustive`` compares all pairs of
features, ``verify`` proves the tracker's answer from the positions alone.  Exit code 1
if anything is found.
"""

import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from runner import Say, main

from sim import Body, Pose, exhaustive, set_engine, verify
from sim.response import Drag, Hand
from wingedge import Feature, WingedEdgeMesh, neighbours, shapes
from wingedge.primitives import point_triangle, segment_segment

ZOO = dict(shapes.zoo(non_convex=True))
TURNED = Pose.rigid((0.3, -0.2, 0.4, 0.85))
BODIES = {
    "box": (shapes.box((1.0, 0.8, 0.6)), Pose.identity()),
    "turned box": (shapes.box((1.0, 0.8, 0.6)), TURNED),
    "ball": (shapes.icosphere(1, 0.5), TURNED),
}
SIZE = 0.2  # of the dragged body, to that of the shape
STRIDE = 0.1  # of a step, to the shortest edge
PRESS = 2.0  # of the way that is pressed, to the step
FINER = 32  # steps for one, where a step was too long to tell what led where
JUDGED = 100  # every so many frames, without the trackers


HEAD = (
    f"{'shape':20}{'body':12}{'least':>7}{'most':>7}{'drift':>9}{'way':>10}"
    f"{'changes':>8}{'elsewhere':>10}{'again':>6}{'chatter':>8}{'jumps':>6}{'wrong':>6}"
    f"{'looks':>7}{'ms':>8}"
)


def shortest(mesh: WingedEdgeMesh, scale: float = 1.0) -> float:
    ends = mesh.points[mesh.edge_vertices] * scale
    return float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).min())


def slide(shape: str, name: str, frames: int) -> "Watch":
    mesh, turn = BODIES[name]
    under = Body(ZOO[shape], name=shape)
    span = float(np.ptp(under.positions, axis=0).max())
    linear = SIZE * span * turn.linear
    body = Body(mesh, name=name, pose=Pose(linear, (0.0, 0.0, 2.0 * span)))
    detail = min(shortest(ZOO[shape]), shortest(mesh, SIZE * span))
    hand = Hand(body, under, gap=min(1e-3 * SIZE * span, 0.02 * detail))
    top = under.positions[np.argmax(under.positions[:, 2])]
    hand.move_to(Pose(linear, 0.9 * top))  # down, until it lands
    watch = Watch(hand, finer=FINER)
    for frame in pulled(hand, STRIDE * detail, frames):
        watch.see(*frame)
    return watch


def judged(shape: str, name: str, frames: int) -> tuple[bool, str]:
    """Slide a body; say whether every frame was good, and the row of a table."""
    began = time.perf_counter()
    watch = slide(shape, name, frames)
    spent = 1e3 * (time.perf_counter() - began) / frames
    words = " ".join(f"{k} {n}" for k, n in sorted(watch.words.items()))
    return watch.good, f"{shape:20}{name:12}{watch.line(frames)}{spent:8.2f}  {words}"


def pulled(hand: Hand, step: float, frames: int) -> Iterator[tuple[int, Drag, Drag]]:
    axis, about = np.array([0.6, 0.48, 0.64]), np.array([0.28, -0.96, 0.0])
    for k in range(frames):
        state = hand.trackers[0].state
        assert state is not None
        normal = state.normal
        t = 6.0 * k / 2500
        pull = np.cross(normal, np.cos(t) * axis + np.sin(t) * about)
        size = np.linalg.norm(pull)
        pull = pull / size if size > 0.1 else pull
        drag = hand.move(step * (pull + 0.5 * normal))
        yield k, drag, hand.move(PRESS * step * hand.trackers[0].state.normal)


Parts = tuple[Feature, ...]  # a level part of a body
Pair = tuple[Parts, Parts]


class Watch:
    def __init__(self, hand: Hand, finer: int) -> None:
        self.hand = hand
        self.finer = finer
        self.least, self.most, self.drift, self.way = np.inf, -np.inf, 0.0, 0.0
        self.looks = self.changes = self.elsewhere = self.again = 0
        self.step = np.zeros(3)
        self.steady = False
        self.before = self.between = self.now = hand.body.pose
        self.at = hand.body.pose.translation.copy()
        self.chatter: list[int] = []
        self.jumps: list[int] = []
        self.wrong: list[int] = []
        self.words: Counter[str] = Counter()
        self.last: list[Pair] = []
        self.level: tuple[tuple[float, ...], float, float] = ((), 0.0, 0.0)

    @property
    def good(self) -> bool:
        found = self.chatter or self.jumps or self.wrong
        within = self.least >= 0.0 and self.most <= self.hand.gap
        return not found and within and self.drift < self.hand.gap

    def line(self, frames: int) -> str:
        gap = self.hand.gap
        return (
            f"{self.least / gap:7.3f}{self.most / gap:7.3f}{self.drift / gap:9.1e}"
            f"{self.way / gap:10.0f}{self.changes:8}{self.elsewhere:10}{self.again:6}"
            f"{len(self.chatter):8}{len(self.jumps):6}{len(self.wrong):6}"
            f"{self.looks / frames:7.2f}"
        )

    def see(self, k: int, pull: Drag, drag: Drag) -> None:
        state = self.hand.trackers[0].state
        assert state is not None
        self.looks += pull.iterations + drag.iterations
        self.words.update((pull.response, drag.response))
        self.before, self.between, self.now = self.now, pull.pose, drag.pose
        step = drag.pose.translation - self.at
        self.steady = float(step @ self.step) > 0.0
        self.at, self.step = drag.pose.translation.copy(), step
        self.least = min(self.least, state.lower)
        self.most = max(self.most, state.upper)
        self.way += float(np.linalg.norm(step))
        self._drifts(state.normal, drag.pose.translation)
        held = drag.contacts[0] if drag.contacts else None
        if held and (held.feature, held.on) != (state.feature_a, state.feature_b):
            self._changes(k, ((held.feature,), (held.on,)))
        else:
            self._changes(k, (state.parts_a, state.parts_b))
        if k % JUDGED == 0:
            truth = exhaustive(state.a, state.b)
            fits = truth.lower >= 0.0 and truth.upper <= self.hand.gap
            if not fits or not verify(state, state.a, state.b):
                self.wrong.append(k)

    def _drifts(self, normal, at) -> None:
        key = tuple(np.round(normal, 9).tolist())
        height = float(at @ normal)
        if key != self.level[0]:
            self.level = key, height, height
        _, low, high = self.level
        self.level = key, min(low, height), max(high, height)
        self.drift = max(self.drift, self.level[2] - self.level[1])

    def _slower(self) -> bool:
        """Go through the last frame again in small steps; say if all were good."""
        if self.finer == 0:
            return False
        body, under = self.hand.body, self.hand.obstacles[0]
        again = Body(body.mesh, name="again", pose=self.before)
        hand = Hand(again, under, gap=self.hand.gap)
        hand.move((0.0, 0.0, 0.0))
        watch = Watch(hand, finer=0)
        pull = (self.between.translation - self.before.translation) / self.finer
        press = np.linalg.norm(self.now.translation - self.between.translation)
        for k in range(self.finer):
            drag = hand.move(pull)
            way = 2.0 * max(press, np.linalg.norm(pull)) / self.finer
            state = hand.trackers[0].state
            assert state is not None
            watch.see(k + 1, drag, hand.move((way + hand.gap) * state.normal))
        return not watch.jumps and not watch.chatter

    def _stayed(self, pair: Pair) -> bool:
        """Whether a pair touched in the last frame too, beside a nearer one."""
        found = self._touching(self.before)
        return any(one in pair[0] and two in pair[1] for one, two in found)

    def _led(self, pose: Pose, new: Pair) -> bool:
        """Whether something that touched at a pose leads to a pair of features.

        All face-vertex and edge-edge pairs are measured there.
        """
        body, under = self.hand.body, self.hand.obstacles[0]
        return any(
            beside(body.mesh, (one,), new[0]) and beside(under.mesh, (two,), new[1])
            for one, two in self._touching(pose)
        )

    def _touching(self, pose: Pose) -> list[tuple[Feature, Feature]]:
        hand = self.hand
        now, hand.body.pose = hand.body.pose, pose
        found = touching(hand.body, hand.obstacles[0], hand.gap)
        hand.body.pose = now
        return found

    def _changes(self, k: int, pair: Pair) -> None:
        if self.last and pair != self.last[-1]:
            self.changes += 1
            back = len(self.last) > 1 and pair == self.last[-2]
            if back and self.steady and not self._stayed(pair):
                self.chatter.append(k)
            for body, old, new in zip(
                (self.hand.body, self.hand.obstacles[0]),
                self.last[-1],
                pair,
                strict=True,
            ):
                if old != new and not beside(body.mesh, old, new):
                    if self._led(self.before, pair):
                        continue
                    if self._led(self.between, pair):
                        self.elsewhere += 1
                    elif self._slower():
                        self.again += 1
                    else:
                        self.jumps.append(k)
                    break
        self.last = [*self.last[-1:], pair]


def touching(a: Body, b: Body, reach: float) -> list[tuple[Feature, Feature]]:
    """List all vertex-face, face-vertex and edge-edge pairs within reach."""
    p, q = a.world_points(), b.world_points()
    found = []
    for turn, (x, y, mesh) in enumerate(((p, q, b.mesh), (q, p, a.mesh))):
        corners = y[mesh.fan.vertex]
        near = point_triangle.closest(x[:, None], *np.moveaxis(corners, 1, 0)[:, None])
        for v, t in np.argwhere(near.distance_sq <= reach * reach).tolist():
            pair = Feature("vertex", v), Feature("face", int(mesh.fan.face[t]))
            found.append(pair if turn == 0 else pair[::-1])
    d, e = p[a.mesh.edge_vertices], q[b.mesh.edge_vertices]
    near = segment_segment.closest(d[:, None, 0], d[:, None, 1], e[:, 0], e[:, 1])
    for i, j in np.argwhere(near.distance_sq <= reach * reach).tolist():
        found.append((Feature("edge", i), Feature("edge", j)))
    return found


def beside(mesh: WingedEdgeMesh, old: Parts, new: Parts) -> bool:
    """Whether a level part leads to another: a neighbour, a corner, or in common."""
    if set(old) & set(new):
        return True
    around = {n for one in old for n in neighbours(mesh, one)}
    back = {n for one in new for n in neighbours(mesh, one)}
    if around & set(new) or back & set(old):
        return True
    few, many = sorted((old, new), key=lambda parts: parts[0].kind, reverse=True)
    ends = {v for one in few for v in corners(mesh, one)}
    return few[0].kind == "vertex" and any(ends & corners(mesh, m) for m in many)


def corners(mesh: WingedEdgeMesh, feature: Feature) -> set[int]:
    if feature.kind == "face":
        return set(mesh.face_vertices(feature.index).tolist())
    if feature.kind == "edge":
        return set(mesh.edge_vertices[feature.index].tolist())
    return {feature.index}


def compiled() -> None:
    set_engine("compiled")


def run(given: Namespace, say: Say) -> bool:
    say(f"{given.frames} frames each; least, most, drift and way in gaps")
    say(HEAD)
    bad = 0
    asked = [(shape, body, given.frames) for shape in given.of for body in given.body]
    with ProcessPoolExecutor(given.jobs, initializer=compiled) as pool:
        for good, row in pool.map(judged, *zip(*asked, strict=True)):
            say(row)
            bad += not good
    say(f"{bad} slides with findings" if bad else "nothing found")
    return not bad


if __name__ == "__main__":
    options = {"frames": 10_000, "of": list(ZOO), "body": list(BODIES), "jobs": 2}
    sys.exit(main(__doc__, run, **options))
