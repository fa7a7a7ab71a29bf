"""Join hands to a window: what the mouse does, sliders, marks, the sheet."""

from functools import partial
from typing import Any

import numpy as np

from sim import Frame, Pose
from sim.frame import BodySnapshot
from viewer import theme
from viewer.drawing.camera import pixel
from viewer.drawing.hud import Hud
from viewer.drawing.scene import Scene
from viewer.drawing.skin import SolidActor
from viewer.drawing.solids import Solid, SolidBuilder
from viewer.window.controls import KNOB, add_slider, place_slider
from viewer.window.hands import RANGES, Hands, turned
from viewer.window.reading import Picked, pick, sheet
from viewer.window.sheets import LINE, write_sheet
from wingedge.faces import has_feature
from wingedge.graph import corners_of
from wingedge.tables import Floats

WIDTH = 310.0  # pixels of the sheet
_FIRST = 10.0  # priority of who hears: before the camera, which they may keep from it
_LONG = 340.0  # from the left edge to where sliders end
_CLICK = 4.0  # pixels: a mouse that moved farther between press and release dragged
_TURN = 0.4  # degrees for each pixel
_TITLE = 28.0  # pixels that the name of a slider takes below it
_SLIDER = 46.0  # pixels from one slider to the next
_CORNERS = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)])
_SIDES = np.array([(i, i | b) for b in (1, 2, 4) for i in range(8) if not i & b])


class Handling:
    """What hands need of a window; so many pixels at its bottom are not theirs."""

    def __init__(self, scene: Scene, hands: Hands, bottom: float) -> None:
        self.scene, self.hands, self._bottom = scene, hands, bottom
        self.right = 0.0  # pixels along the right edge that are the sheet's
        self.sliders: dict[str, Any] = {}
        self._marks = SolidActor(scene.overlay)
        self._pressed: Floats | None = None
        self._drag: Pose | None = None  # of the body, when it was taken
        self._stale = False
        self._interactor = scene.plotter.iren.interactor
        acts = {
            "LeftButtonPressEvent": self._press,
            "MouseMoveEvent": self._move,
            "LeftButtonReleaseEvent": self._release,
        }
        for event, act in acts.items():
            self._hear(event, act)

    @property
    def left(self) -> float:
        """How many pixels along the left edge are the sliders'."""
        return _LONG + theme.MARGIN if self._moulds() else 0.0

    def turn(self) -> bool:
        """Tell whether something is to be drawn anew since this was asked last."""
        stale, self._stale = self._stale, False
        return stale

    def update(self) -> None:
        """Bring marks and sliders to where the chosen body is."""
        self.mark()
        shown = self.hands.world is not None and self._moulds()
        if shown and not self.sliders:
            plotter, look = self.scene.plotter, self.scene.theme
            for name in [*RANGES][::-1]:
                slid = partial(self._slid, name)
                self.sliders[name] = add_slider(plotter, look, slid, name)
        for row, (name, slider) in enumerate(self.sliders.items()):
            (slider.On if shown else slider.Off)()
            least, most = RANGES[name]
            share = (getattr(self.hands.mould, name) - least) / (most - least)
            place = theme.MARGIN + KNOB, _LONG - KNOB / 2, self._low() + row * _SLIDER
            place_slider(self.scene.plotter, slider, share, *place)

    def mark(self) -> None:
        """Draw what is chosen for the present camera: a box, and the feature."""
        self._marks.show(self._solid())

    def write(self, hud: Hud, left: float, low: float, top: float) -> float:
        """Write the sheet from its lower left corner up to ``top``; return its edge."""
        frame = self.scene.frame
        room = int((top - low) / LINE - 0.8)
        lines = [] if frame is None else sheet(self.hands, frame, room)
        return write_sheet(hud, lines, (left, low, WIDTH)) if lines else low

    def _hear(self, event: str, act: Any) -> None:
        """Hear a button or the mouse; what returns True hears nobody else."""
        interactor = self._interactor

        def heard(caller: Any, _event: str) -> None:
            if act():
                caller.GetCommand(tag).AbortFlagOn()

        tag = interactor.AddObserver(event, heard, _FIRST)
        # once the camera heard of a button that is pressed it is told alone, but for
        # those who only listen
        interactor.GetCommand(tag).SetPassiveObserver(act == self._release)

    def _place(self) -> Floats:
        """Return where the mouse is, in pixels from the lower left."""
        return np.array(self._interactor.GetEventPosition(), np.float64)

    def _press(self) -> bool:
        x, y = place = self._place()
        wide, low = self.scene.size[0] - self.right, self._bottom
        sliders = self._low() + len(RANGES) * _SLIDER if self._moulds() else low
        if y < low or x > wide or (x < _LONG and y < sliders):
            return False  # sliders are there, or what is written beside
        self._pressed = place
        picked = self._picked() if self._interactor.GetControlKey() else None
        if picked is None:
            return False
        if picked.body != self.hands.chosen:
            self.hands.choose(picked.body)
        body, self._stale = self.hands.body, True
        self._drag = None if body is None else body.pose
        return body is not None

    def _picked(self) -> Picked | None:
        """Return what is below the mouse."""
        scene, (x, y) = self.scene, self._place().tolist()
        if scene.frame is None or scene.view is None:
            return None
        return pick(scene.frame, scene.view, scene.size, (x, y))

    def _move(self) -> bool:
        """Move the body that is dragged with the mouse; turn it, with Shift."""
        pose, view, hands = self._drag, self.scene.view, self.hands
        if pose is None or self._pressed is None or view is None:
            return False
        x, y = way = self._place() - self._pressed
        right, up, _ = view.axes()
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
        dragged, self._drag = self._drag is not None, None
        if pressed is None:
            return False
        self._stale = True
        if np.hypot(*(self._place() - pressed)) <= _CLICK:
            picked = self._picked()
            if picked is not None:
                self.hands.choose(picked.body, picked.feature)
            elif not self.hands.holds:  # a click beside everything
                self.hands.choose(None)
        return dragged

    def _moulds(self) -> bool:
        """Tell whether there are sliders for what is chosen."""
        return self.hands.sliders and self._chosen(self.scene.frame) is not None

    def _slid(self, name: str, share: float) -> None:
        least, most = RANGES[name]
        self.hands.remould(**{name: least + share * (most - least)})

    def _low(self) -> float:
        """Return where the lowest slider runs, above the legend, in pixels."""
        return self._bottom + self.scene.legend + _TITLE

    def _chosen(self, frame: Frame | None) -> BodySnapshot | None:
        bodies = () if frame is None else frame.bodies
        return next((body for body in bodies if body.name == self.hands.chosen), None)

    def _solid(self) -> Solid:
        """Return the marks: the box of the chosen body in its own frame, a feature."""
        body, view = self._chosen(self.scene.frame), self.scene.view
        pieces = SolidBuilder()
        if body is None or view is None or not len(body.points):
            return pieces.solid()
        low, high = body.points.min(axis=0), body.points.max(axis=0)
        corners = body.pose.apply(low + _CORNERS * (high - low))
        dot = pixel(corners.mean(axis=0), view, self.scene.size[1])
        pieces.tubes(corners[_SIDES], 0.7 * dot, self.scene.theme.faint_ink)
        feature, mesh, ink = self.hands.feature, body.mesh, self.scene.theme.ink
        if feature is not None and has_feature(mesh, feature):  # it may be edited since
            points = body.world_points()[corners_of(mesh, feature)]
            if len(points) == 1:
                pieces.spheres(points, 7.0 * dot, ink)
            else:
                sides = np.stack([points, np.roll(points, -1, axis=0)], axis=1)
                pieces.tubes(sides, 3.0 * dot, ink)
        return pieces.solid()
