"""Join hands to a window: what the mouse picks and moves, and how it is marked."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from sim import Frame, Pose
from viewer.drawing.arrays import SolidBuilder
from viewer.drawing.camera import ANGLE, View, pixel, project
from viewer.drawing.glyphs import lit
from viewer.drawing.scene import Scene
from viewer.drawing.skin import SolidActor
from viewer.window.hands import AMOUNTS, turned
from viewer.window.keys import Controls
from wingedge import Feature
from wingedge.mesh import has_feature
from wingedge.primitives import point_segment, segment_triangle
from wingedge.tables import Floats

REACH = 8.0  # pixels: a vertex or an edge that is no farther from the mouse is meant
_FIRST = 10.0  # priority of who hears: before the camera, which they may keep from it
_CLICK = 4.0  # pixels: a mouse that moved farther between press and release dragged
_TURN = 0.4  # degrees for each pixel
_CORNERS = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)])
_SIDES = np.array([(i, i | b) for b in (1, 2, 4) for i in range(8) if not i & b])


class Handling:
    """What hands need of a window.

    So many pixels at its bottom are the slider's: ``slide`` is told where it is.
    """

    def __init__(
        self,
        scene: Scene,
        controls: Controls,
        bottom: float,
        slide: Callable[[float], object],
    ) -> None:
        self.scene, self.controls, self.hands = scene, controls, controls.hands
        self._bottom, self._slide = bottom, slide
        self.sliders: dict[str, Any] = {}
        self._marks = SolidActor(scene.overlay)
        self._pressed: Floats | None = None
        self._drag: Pose | None = None  # of the body, when it was taken
        self._slides = False  # whether the slider was
        self._interactor = scene.plotter.iren.interactor
        self._hear("LeftButtonPressEvent", self._press)
        self._hear("MouseMoveEvent", self._move)
        self._hear("LeftButtonReleaseEvent", self._release)

    def mark(self) -> None:
        """Draw what is chosen for the present camera: a box, and the feature."""
        self._marks.show(self._pieces())
        hands, scene = self.hands, self.scene
        shown = hands.sliders and hands.body is not None
        if shown and not self.sliders:
            for row, (name, most) in enumerate(AMOUNTS.items()):
                height = 0.75 - 0.08 * row
                self.sliders[name] = slider = scene.plotter.add_slider_widget(
                    partial(self._slid, name),
                    (-most, most),
                    value=hands.amounts[name],
                    pointa=(0.02, height),
                    pointb=(0.22, height),
                    color=scene.theme.ink,
                    fmt=f"{name} %.3g",
                    slider_width=0.012,
                    tube_width=0.003,
                    interaction_event="always",
                )
                slider.KeyPressActivationOff()  # of VTK, by the key i
        for name, slider in self.sliders.items():
            slider.GetRepresentation().SetValue(hands.amounts[name])
            slider.SetEnabled(shown)

    def _slid(self, name: str, amount: float) -> None:
        """Deform the chosen body; a press on a slider is no click on what is behind."""
        self._pressed = None
        if amount != self.hands.amounts[name]:
            self.hands.deform(**{name: amount})

    def _hear(self, event: str, act: Callable[[], bool]) -> None:
        """Listen to a button or the mouse; if ``act`` returns True nobody else does."""

        def heard(caller: Any, _event: str) -> None:
            if act():
                caller.GetCommand(tag).AbortFlagOn()

        tag = self._interactor.AddObserver(event, heard, _FIRST)
        # once the camera heard of a button that is pressed it is told alone, but for
        # those who only listen
        self._interactor.GetCommand(tag).SetPassiveObserver(act == self._release)

    def _place(self) -> Floats:
        """Return where the mouse is, in pixels from the lower left."""
        return np.array(self._interactor.GetEventPosition(), np.float64)

    def _press(self) -> bool:
        x, y = place = self._place()
        if x > self.scene.size[0]:  # what is written beside
            return False
        if y < self._bottom:
            self._slides = True
            self._slide(x)
            return True
        self._pressed = place
        picked = self._picked() if self._interactor.GetControlKey() else None
        if picked is None:
            return False
        if picked[0] != self.hands.chosen:
            self.hands.choose(picked[0])
        body, self.controls.stale = self.hands.body, True
        self._drag = None if body is None else body.pose
        return body is not None

    def _picked(self) -> tuple[str, Feature] | None:
        """Return what is below the mouse."""
        scene, (x, y) = self.scene, self._place().tolist()
        if scene.frame is None or scene.view is None:
            return None
        return pick(scene.frame, scene.view, scene.size, (x, y))

    def _move(self) -> bool:
        """Move the slider, or the body that is dragged; turn it, with Shift."""
        if self._slides:
            self._slide(self._place()[0])
            return True
        pose, view, hands = self._drag, self.scene.view, self.hands
        if pose is None or self._pressed is None or view is None:
            return False
        x, y = way = self._place() - self._pressed
        right, up, _ = view.axes
        middle = hands.middle()
        if not self._interactor.GetShiftKey():
            scale = pixel(pose.apply(middle), view, self.scene.size[1])
            hands.move_to(Pose(None, scale * (x * right + y * up)) @ pose)
        elif way.any():
            degrees = _TURN * float(np.hypot(x, y))
            hands.move_to(turned(pose, middle, x * up - y * right, degrees))
        return True

    def _release(self) -> bool:
        pressed, self._pressed = self._pressed, None
        dragged = self._slides or self._drag is not None
        self._slides, self._drag = False, None
        if pressed is None:
            return dragged
        self.controls.stale = True
        if np.hypot(*(self._place() - pressed)) <= _CLICK:
            picked = self._picked()
            if picked is not None:
                self.hands.choose(*picked)
            elif not self.hands.holds:  # a click beside everything
                self.hands.choose(None)
        return dragged

    def _pieces(self) -> SolidBuilder:
        """Return the marks: the box of the chosen body in its own frame, a feature."""
        pieces, view, frame = SolidBuilder(), self.scene.view, self.scene.frame
        bodies = () if frame is None or view is None else frame.bodies
        for body in (body for body in bodies if body.name == self.hands.chosen):
            assert view is not None
            low, high = body.points.min(axis=0), body.points.max(axis=0)
            corners = body.pose.apply(low + _CORNERS * (high - low))
            dot = pixel(corners.mean(axis=0), view, self.scene.size[1])
            pieces.tubes.add(corners[_SIDES], 0.7 * dot, self.scene.theme.faint_ink)
            feature, ink = self.hands.feature, self.scene.theme.ink
            # it may be edited
            if feature is not None and has_feature(body.mesh, feature):
                part = lit(body.name, body.mesh, body.world_points(), (feature,))
                pieces.balls.add(part.points, 7.0 * dot, ink)
                pieces.tubes.add(part.segments, 3.0 * dot, ink)
        return pieces


def pick(
    frame: Frame,
    view: View,
    size: tuple[int, int],
    place: tuple[float, float],
    reach: float = REACH,
) -> tuple[str, Feature] | None:
    """Find the body under a pixel, and which of its features is meant, O(V + E).

    The nearest vertex of the face there within reach, else the nearest edge, else the
    face; or what lies before it: outlines are found from a little beside them too.
    """
    right, up, back = view.axes
    x, y = np.subtract(place, np.divide(size, 2)) * 2.0 / size[1]
    ray = np.tan(np.radians(ANGLE) / 2) * (x * right + y * up) - back  # 1 long ahead
    depth, picked = np.inf, None
    for body in frame.bodies:
        corners = body.world_points()[body.mesh.fan.vertex]
        reached = 2.0 * max(0.0, ((view.position - corners) @ view.direction).max())
        tip = view.position + reached * ray
        triangles = (corners[:, k] for k in range(3))
        hits = segment_triangle.hit(view.position, tip, *triangles)
        t = np.where(hits.hit, reached * hits.t, np.inf)
        if t.min() < depth:
            depth, face = float(t.min()), int(body.mesh.fan.face[t.argmin()])
            picked = body.name, Feature("face", face)
    near: list[tuple[int, float, str, Feature]] = []  # vertices before edges
    for body in frame.bodies:
        points, mesh, ends = body.world_points(), body.mesh, body.mesh.edge_vertices
        corner, side = np.zeros(len(points), bool), np.zeros(len(ends), bool)
        if picked is not None and picked[0] == body.name:
            corner[mesh.face_vertices(picked[1].index)] = True
            side[mesh.face_edges(picked[1].index)] = True
        away = (view.position - points) @ view.direction
        # what is behind the eye lands anywhere: it counts as far
        seen = np.clip(project(points, view, size), -1e9, 1e9)
        start, end = ends.T
        edge = point_segment.closest(np.array(place), seen[start], seen[end])
        middle = (1.0 - edge.t) * away[start] + edge.t * away[end]
        front = ((away[start] > 0) & (away[end] > 0)) & (side | (middle < depth))
        ahead = (away > 0) & (corner | (away < depth))
        pixels = np.where(ahead, np.hypot(*(seen - place).T), np.inf)
        beside = np.where(front, edge.distance, np.inf)
        for rank, kind, far in ((0, "vertex", pixels), (1, "edge", beside)):
            k = int(np.argmin(far))
            if far[k] <= reach:
                near.append((rank, float(far[k]), body.name, Feature(kind, k)))
    return min(near)[2:] if near else picked
