"""Join hands to a window: mouse, arrows and rings, sliders, marks, sheet."""

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
from viewer.gl import require_pyvista
from viewer.window.controls import KNOB, Slider
from viewer.window.hands import RANGES, Hands
from viewer.window.reading import Picked, pick, sheet
from viewer.window.sheets import LINE, write_sheet
from wingedge.faces import has_feature
from wingedge.graph import corners_of
from wingedge.tables import Floats

_SCALE = 0.42  # of the diagonal of the box: the arrows stand out of it
_DENSE = 8  # places along an arrow or a ring
_LESS, _MORE = 0.8, 1.25  # times as large a body: the same arrows will do
_FIRST = 10.0  # priority of who hears: before the camera, which they may keep from it


def reach(points: Floats) -> Floats:
    """Return places along the arrows and rings around (V, 3) points, (n, 3)."""
    low, high = points.min(axis=0), points.max(axis=0)
    long, axes = _SCALE * np.sqrt(3.0) * float(np.max(high - low)), np.eye(3)
    turn = np.linspace(0.0, np.pi / 2, _DENSE)[1:-1, None, None]
    rings = np.cos(turn) * axes + np.sin(turn) * np.roll(axes, -1, axis=0)
    arrows = np.linspace(0.2, 1.2, _DENSE)[:, None, None] * axes
    way = np.concatenate([rings, arrows]).reshape(-1, 3)
    out: Floats = (low + high) / 2 + long * way
    return out


class Handles:
    """Arrows that move and rings that turn, about the middle of a box."""

    def __init__(self, scene: Scene) -> None:
        self._plotter, self._colours = scene.plotter, scene.theme.axes
        self._widget: Any = None
        self._box: Any = None
        self._start, self._size = Pose.identity(), 1.0
        self._base = self._told = np.eye(4)

    @property
    def shown(self) -> bool:
        """Whether they are there."""
        return self._widget is not None

    def place(self, pose: Pose, points: Floats) -> None:
        """Put them around (V, 3) points of the world, which stand for this pose."""
        low, high = points.min(axis=0), points.max(axis=0)
        size, middle = float(np.max(high - low)) or 1.0, (low + high) / 2
        if self._widget is None or not _LESS < size / self._size < _MORE:
            self._make(middle, size)
        self._widget.origin = middle
        self._start, self._base = pose, self._matrix()
        self._told = self._base

    def wanted(self) -> Pose | None:
        """Return the pose that they were dragged to since they were asked last."""
        matrix = self._told if self._widget is None else self._matrix()
        if np.array_equal(matrix, self._told) or not np.isfinite(matrix).all():
            return None
        from scipy.spatial.transform import Rotation

        self._told, base = matrix, self._base
        turn = matrix[:3, :3] @ base[:3, :3].T
        rigid = Rotation.from_matrix(turn)  # without what rounding added
        return Pose.rigid(rigid, matrix[:3, 3] - turn @ base[:3, 3]) @ self._start

    def hide(self) -> None:
        """Take them away."""
        if self._widget is not None:
            before = self._plotter.suppress_rendering
            self._plotter.suppress_rendering = True  # else once for each arrow
            self._widget.remove()
            self._plotter.remove_actor(self._box, reset_camera=False, render=False)
            self._plotter.suppress_rendering = before
            self._widget = None

    def _make(self, middle: Floats, size: float) -> None:
        self.hide()
        bounds = np.stack([middle - size / 2, middle + size / 2], axis=1).ravel()
        plain = dict.fromkeys(("pickable", "reset_camera", "render"), False)
        box = require_pyvista().Box(bounds=bounds)
        self._box = self._plotter.add_mesh(box, show_scalar_bar=False, **plain)
        self._box.visibility = False
        self._widget = self._plotter.add_affine_transform_widget(
            self._box,
            origin=tuple(middle.tolist()),
            scale=_SCALE,
            line_radius=0.015,
            axes_colors=[tuple(c / 255 for c in colour) for colour in self._colours],
        )
        self._size = size

    def _matrix(self) -> Floats:
        return np.array(self._box.user_matrix, np.float64)


WIDTH = 310.0  # pixels of the sheet
_LONG = 340.0  # from the left edge to where sliders end
_CLICK = 4.0  # pixels: a mouse that moved farther between press and release dragged
_TITLE = 28.0  # pixels that the name of a slider takes below it
_SLIDER = 46.0  # pixels from one slider to the next
_CORNERS = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)])
_SIDES = np.array([(i, i | b) for b in (1, 2, 4) for i in range(8) if not i & b])


class Handling:
    """What hands need of a window; so many pixels at its bottom are not theirs."""

    def __init__(self, scene: Scene, hands: Hands, bottom: float) -> None:
        self.scene, self.hands, self._bottom = scene, hands, bottom
        self.right = 0.0  # pixels along the right edge that are the sheet's
        self.handles = Handles(scene)
        self.sliders: dict[str, Slider] = {}
        self._marks = SolidActor(scene.overlay)
        self._pressed: Floats | None = None
        self._drag: tuple[Pose, Floats] | None = None  # and the place that is dragged
        self._stale = False
        self._interactor = scene.plotter.iren.interactor
        self._hear()

    @property
    def left(self) -> float:
        """How many pixels along the left edge are the sliders'."""
        return _LONG + theme.MARGIN if self._moulds() else 0.0

    def busy(self, frame: Frame) -> Floats:
        """Return places of arrows and rings, which no text may cover, (n, 3)."""
        body = self._chosen(frame) if self._moves() else None
        return np.empty((0, 3)) if body is None else reach(body.world_points())

    def turn(self) -> bool:
        """Hear what the handles want; tell whether something is to be drawn anew."""
        wanted = self.handles.wanted()
        if wanted is not None:
            self.hands.move_to(wanted)
        stale, self._stale = self._stale, False
        return stale

    def update(self) -> None:
        """Bring marks, handles and sliders to where the chosen body is."""
        self.mark()
        body = self._chosen(self.scene.frame)
        if not self._moves() or body is None:
            self.handles.hide()
        elif self._pressed is None:  # while they are dragged they lead
            self.handles.place(body.pose, body.world_points())
        self._update_sliders(self.hands.world is not None and self._moulds())

    def mark(self) -> None:
        """Draw what is chosen for the present camera: a box, and the feature."""
        self._marks.show(self._solid())

    def write(self, hud: Hud, left: float, low: float, top: float) -> float:
        """Write the sheet from its lower left corner up to ``top``; return its edge."""
        frame = self.scene.frame
        room = int((top - low) / LINE - 0.8)
        lines = [] if frame is None else sheet(self.hands, frame, room)
        return write_sheet(hud, lines, (left, low, WIDTH)) if lines else low

    def _hear(self) -> None:
        """Hear the left button and the mouse; what returns True hears nobody else."""
        interactor, tags = self._interactor, dict[str, int]()
        acts = {
            "LeftButtonPressEvent": self._press,
            "MouseMoveEvent": self._move,
            "LeftButtonReleaseEvent": self._release,
        }

        def heard(caller: Any, event: str) -> None:
            if acts[event]():
                caller.GetCommand(tags[event]).AbortFlagOn()

        for event, act in acts.items():
            tags[event] = interactor.AddObserver(event, heard, _FIRST)
            # once the camera heard of a button that is pressed it is told alone, but
            # for those who only listen
            passive = act == self._release
            interactor.GetCommand(tags[event]).SetPassiveObserver(passive)

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
        return bool(self._interactor.GetControlKey()) and self._grab()

    def _picked(self) -> Picked | None:
        """Return what is below the mouse."""
        scene, (x, y) = self.scene, self._place().tolist()
        if scene.frame is None or scene.view is None:
            return None
        return pick(scene.frame, scene.view, scene.size, (x, y))

    def _grab(self) -> bool:
        """Take hold of the body under the mouse."""
        picked = self._picked()
        if picked is None:
            return False
        if picked.body != self.hands.chosen:
            self.hands.choose(picked.body)
        self._stale, body = True, self.hands.body
        if body is None:
            return False
        self._drag = body.pose, body.pose.apply(self.hands.middle())
        return True

    def _move(self) -> bool:
        view = self.scene.view
        if self._drag is None or self._pressed is None or view is None:
            return False
        pose, place = self._drag
        way = (self._place() - self._pressed) @ view.axes()[:2]
        way = way * pixel(place, view, self.scene.size[1])
        self.hands.move_to(Pose(None, way) @ pose)
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

    def _moves(self) -> bool:
        """Tell whether what is chosen can be moved now, by arrows and rings."""
        still = self.hands.holds or not self.hands.timeline.playing
        return self.hands.world is not None and still

    def _moulds(self) -> bool:
        """Tell whether there are sliders for what is chosen."""
        return self.hands.sliders and self._chosen(self.scene.frame) is not None

    def _update_sliders(self, shown: bool) -> None:
        if shown and not self.sliders:
            for name in [*RANGES][::-1]:
                slid = partial(self._slid, name)
                plotter, look = self.scene.plotter, self.scene.theme
                self.sliders[name] = Slider(plotter, look, slid, name)
        ends = theme.MARGIN + KNOB, _LONG - KNOB / 2
        for row, (name, slider) in enumerate(self.sliders.items()):
            (slider.widget.On if shown else slider.widget.Off)()
            value, low = getattr(self.hands.mould, name), self._low() + row * _SLIDER
            slider.place(value, RANGES[name], *ends, low)

    def _slid(self, name: str, value: float) -> None:
        self.hands.remould(**{name: value})

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
