"""Join hands to a window: mouse, arrows and rings, sliders, marks, sheet."""

from functools import partial
from typing import Any

import numpy as np

from sim import Frame, Pose
from sim.frame import BodySnapshot
from viewer import theme
from viewer.drawing.camera import pixel
from viewer.drawing.glyphs import names_of
from viewer.drawing.hud import Hud
from viewer.drawing.scene import Scene
from viewer.drawing.skin import SolidActor
from viewer.drawing.solids import Solid, SolidBuilder
from viewer.gl import require_pyvista
from viewer.theme import Theme
from viewer.window.controls import Mouse
from viewer.window.hands import RANGES, Hands
from viewer.window.reading import Picked, pick, ray_through, sheet
from wingedge.faces import has_feature
from wingedge.tables import Floats

_SCALE = 0.42  # of the diagonal of the box: the arrows stand out of it
_THICK = 0.015
_DENSE = 8  # places along an arrow or a ring
_LESS, _MORE = 0.8, 1.25  # times as large a body: the same arrows will do


def reach(points: Floats) -> Floats:
    """Return places along the arrows and rings around (V, 3) points, (n, 3)."""
    low, high = points.min(axis=0), points.max(axis=0)
    long = _SCALE * np.sqrt(3.0) * float(np.max(high - low))
    turn = np.linspace(0.0, np.pi / 2, _DENSE)[1:-1, None]
    axes = np.eye(3)
    rings = [
        np.cos(turn) * axes[k] + np.sin(turn) * axes[(k + 1) % 3] for k in range(3)
    ]
    arrows = np.linspace(0.2, 1.2, _DENSE)[:, None, None] * axes
    way = np.concatenate([*rings, arrows.reshape(-1, 3)])
    out: Floats = (low + high) / 2 + long * way
    return out


class Handles:
    """Arrows that move and rings that turn, about the middle of a box."""

    def __init__(self, plotter: Any, look: Theme) -> None:
        self._plotter = plotter
        self._colours = [tuple(c / 255 for c in colour) for colour in look.axes]
        self._pyvista = require_pyvista()
        self._widget: Any = None
        self._box: Any = None
        self._start = Pose.identity()
        self._base = self._told = np.eye(4)
        self._size = 1.0

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
        self._start = pose
        self._base = self._told = self._matrix()

    def wanted(self) -> Pose | None:
        """Return the pose that they were dragged to since they were asked last."""
        if self._widget is None:
            return None
        matrix = self._matrix()
        if np.array_equal(matrix, self._told) or not np.isfinite(matrix).all():
            return None
        self._told = matrix
        from scipy.spatial.transform import Rotation

        turn = matrix[:3, :3] @ self._base[:3, :3].T
        shift = matrix[:3, 3] - turn @ self._base[:3, 3]
        rigid = Rotation.from_matrix(turn)  # without what rounding added
        return Pose.rigid(rigid, shift) @ self._start

    def hide(self) -> None:
        """Take them away."""
        if self._widget is None:
            return
        before = self._plotter.suppress_rendering
        self._plotter.suppress_rendering = True  # else once for each arrow
        self._widget.remove()
        self._plotter.remove_actor(self._box, reset_camera=False, render=False)
        self._plotter.suppress_rendering = before
        self._widget = self._box = None

    def _make(self, middle: Floats, size: float) -> None:
        self.hide()
        bounds = np.stack([middle - size / 2, middle + size / 2], axis=1)
        plain = dict.fromkeys(("pickable", "reset_camera", "render"), False)
        box = self._pyvista.Box(bounds=bounds.ravel())
        self._box = self._plotter.add_mesh(box, show_scalar_bar=False, **plain)
        self._box.visibility = False
        self._widget = self._plotter.add_affine_transform_widget(
            self._box,
            origin=tuple(middle.tolist()),
            scale=_SCALE,
            line_radius=_THICK,
            axes_colors=self._colours,
        )
        self._size = size

    def _matrix(self) -> Floats:
        return np.array(self._box.user_matrix, np.float64)


WIDTH = 310.0  # pixels of the sheet
_LONG = 340.0  # from the left edge to where sliders end
_CLICK = 4.0  # pixels: a mouse that moved farther between press and release dragged
_TITLE = 28.0  # pixels that the name of a slider takes below it
_SLIDER = 46.0  # pixels from one slider to the next
_LINE = 1.4 * (theme.TEXT_SIZE - 1)
_CORNERS = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)])
_SIDES = np.array([(i, i | b) for b in (1, 2, 4) for i in range(8) if not i & b])


class Handling:
    """What hands need of a window; so many pixels at its bottom are not theirs."""

    def __init__(self, scene: Scene, hands: Hands, mouse: Mouse, bottom: float) -> None:
        self.scene, self.hands, self._bottom = scene, hands, bottom
        self.right = 0.0  # pixels along the right edge that are the sheet's
        self.handles = Handles(scene.plotter, scene.theme)
        self.sliders: dict[str, Any] = {}
        self._following = False  # the sliders follow, they do not lead
        self._marks = SolidActor(scene.overlay)
        self._pressed: Floats | None = None
        self._drag: tuple[Pose, Floats, Floats] | None = None  # pose, place, normal
        self._stale = False
        self._mouse = mouse
        mouse.hear(self._press, self._move, self._release)

    @property
    def left(self) -> float:
        """How many pixels along the left edge are the sliders'."""
        return _LONG + theme.MARGIN if self._moulds() else 0.0

    def busy(self, frame: Frame) -> Floats:
        """Return places of arrows and rings, which no text may cover, (n, 3)."""
        body = self._chosen(frame) if self._moves() else None
        return np.empty((0, 3)) if body is None else reach(body.world_points())

    def _moves(self) -> bool:
        """Tell whether what is chosen can be moved now, by arrows and rings."""
        still = self.hands.holds or not self.hands.timeline.playing
        return self.hands.world is not None and still

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
        live = self.hands.world is not None and body is not None
        if self._moves() and body is not None:
            if self._pressed is None:  # while they are dragged they lead
                self.handles.place(body.pose, body.world_points())
        else:
            self.handles.hide()
        self._update_sliders(live and self._moulds())

    def mark(self) -> None:
        """Draw what is chosen for the present camera: a box, and the feature."""
        self._marks.show(self._solid())

    def write(self, hud: Hud, left: float, low: float, top: float) -> float:
        """Write the sheet from its lower left corner up to ``top``; return its edge."""
        frame = self.scene.frame
        room = int((top - low) / _LINE - 0.8)
        lines = [] if frame is None else sheet(self.hands, frame, room)
        if not lines:
            return low
        high = low + (len(lines) + 0.8) * _LINE
        hud.framed([left, low, left + WIDTH, high], hud.theme.faint_ink)
        for row, line in enumerate(lines):
            colour = hud.theme.trouble if line.loud else hud.theme.ink
            text = hud.text(line.words, theme.TEXT_SIZE - 1, colour, bold=line.bold)
            hud.put(text, left + 10, high - (row + 1.2) * _LINE)
        return high

    def _press(self) -> bool:
        x, y = self._mouse.place
        low = self._bottom
        low = self._low() + len(RANGES) * _SLIDER if self._moulds() else low
        wide = self.scene.size[0] - self.right
        if y < self._bottom or x > wide or (x < _LONG and y < low):
            return False  # sliders are there, or what is written beside
        self._pressed = np.array([x, y])
        return self._mouse.control and self._grab(x, y)

    def _picked(self, x: float, y: float) -> Picked | None:
        scene = self.scene
        if scene.frame is None or scene.view is None:
            return None
        return pick(scene.frame, scene.view, scene.size, (x, y))

    def _grab(self, x: float, y: float) -> bool:
        """Take hold of the body under the mouse, by the point that is there."""
        picked, view = self._picked(x, y), self.scene.view
        if picked is None or view is None:
            return False
        if picked.body != self.hands.chosen:
            self.hands.choose(picked.body)
        self._stale, body = True, self.hands.body
        if body is None:
            return False
        self._drag = body.pose, body.pose.apply(self.hands.middle()), view.direction
        return True

    def _move(self) -> bool:
        if self._drag is None or self._pressed is None or self.scene.view is None:
            return False
        pose, place, normal = self._drag
        view, size = self.scene.view, self.scene.size
        ends = []
        for at in (self._pressed, np.array(self._mouse.place)):
            ray = ray_through(view, size, (float(at[0]), float(at[1])))
            with np.errstate(divide="ignore", invalid="ignore"):
                part = ((place - view.position) @ normal) / (ray @ normal)
            ends.append(view.position + part * ray)
        way = ends[1] - ends[0]
        if np.isfinite(way).all():  # seen edge-on the plane has no place there
            self.hands.move_to(Pose(None, way) @ pose)
        return True

    def _release(self) -> bool:
        pressed, self._pressed = self._pressed, None
        dragged, self._drag = self._drag is not None, None
        if pressed is None:
            return False
        self._stale = True
        x, y = self._mouse.place
        if np.hypot(x - pressed[0], y - pressed[1]) <= _CLICK:
            picked = self._picked(x, y)
            if picked is not None:
                self.hands.choose(picked.body, picked.feature)
            elif not self.hands.holds:  # a click beside everything
                self.hands.choose(None)
        return dragged

    def _moulds(self) -> bool:
        """Tell whether there are sliders for what is chosen."""
        return self.hands.sliders and self._chosen(self.scene.frame) is not None

    def _update_sliders(self, shown: bool) -> None:
        if shown and not self.sliders:
            self._make_sliders()
        for row, (name, slider) in enumerate(self.sliders.items()):
            (slider.On if shown else slider.Off)()
            look = slider.GetSliderRepresentation()
            ends = look.GetPoint1Coordinate(), look.GetPoint2Coordinate()
            wanted = self._ends(row)  # above the legend, which may get more lines
            if shown and tuple(end.GetValue()[:2] for end in ends) != wanted:
                for end, place in zip(ends, wanted, strict=True):
                    end.SetValue(*place, 0.0)
                look.Modified()  # it looks at its own time, not at theirs
            self._following = True
            look.SetValue(getattr(self.hands.mould, name))
            self._following = False

    def _low(self) -> float:
        """Return where the lowest slider runs, above the legend, in pixels."""
        return self._bottom + self.scene.legend + _TITLE

    def _ends(self, row: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return where a slider begins and ends, in parts of the window."""
        width, height = self.scene.plotter.window_size  # a panel is part of it
        y = (self._low() + row * _SLIDER) / height
        return ((theme.MARGIN + 12) / width, y), (_LONG / width, y)

    def _make_sliders(self) -> None:
        ink = [c / 255 for c in self.scene.theme.ink]

        def slid(value: float, name: str) -> None:
            if not self._following and value != getattr(self.hands.mould, name):
                self.hands.remould(**{name: float(value)})

        self._following = True
        for row, (name, span) in enumerate([*RANGES.items()][::-1]):
            left, right = self._ends(row)
            self.sliders[name] = self.scene.plotter.add_slider_widget(
                partial(slid, name=name),
                span,
                value=getattr(self.hands.mould, name),
                title=name,
                pointa=left,
                pointb=right,
                style="modern",
                slider_width=0.012,
                tube_width=0.003,
                title_height=0.018,
                title_color=ink,
                color=ink,
                fmt="",
                interaction_event="always",
            )
            self.sliders[name].KeyPressActivationOff()  # of VTK, by the key i
        self._following = False

    def _chosen(self, frame: Frame | None) -> BodySnapshot | None:
        name = self.hands.chosen
        if name is None or frame is None or name not in names_of(frame):
            return None
        return frame.body(name)

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
            points, (kind, index) = body.world_points(), feature
            if kind == "vertex":
                pieces.spheres(points[[index]], 7.0 * dot, ink)
            else:
                edges = [index] if kind == "edge" else mesh.face_edges(index)
                pieces.tubes(points[mesh.edge_vertices[edges]], 3.0 * dot, ink)
        return pieces.solid()
