"""Draw frames in a live window, a replay or a single picture."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from sim import Event, Frame
from viewer.arrays import Floats
from viewer.drawing.captions import write_captions
from viewer.drawing.glyphs import PairGlyphs, drawn_pairs, pair_glyphs
from viewer.drawing.hud import Canvas, Hud
from viewer.drawing.legend import legend_height
from viewer.drawing.skin import DrawnBody, MergedBodies, Rows, SheetActor, SolidActor
from viewer.drawing.viewport import Viewport
from viewer.gl import require_pyvista
from viewer.layers.insets import chart_side
from viewer.layers.overlays import NOTHING, OverlayCollector
from viewer.layers.switches import Layers
from viewer.layout.camera import (
    NO_BORDER,
    Border,
    View,
    best_direction,
    far_to_near,
    fit,
    project,
    worth_seeing,
)
from viewer.layout.labels import LabelPlacer
from viewer.layout.markers import Pen, add_markers, add_outlines, add_rims, sheets
from viewer.layout.solids import FINE, LIVE, SolidBuilder
from viewer.theme import LIGHT, MARGIN, Theme

_PATIENCE = 6  # frames, until somebody looks whether names cover something
_NEAR = 1e-5  # of the farthest thing's distance: the nearest that is drawn
_NO_POSE = np.eye(3, 4).tobytes()


@lru_cache
def _equal_shares(count: int) -> Floats:
    return np.full(count, 1.0 / max(1, count))


class Scene(Viewport):
    """Draw frames, one after the other.

    Bodies are translucent where a drawn pair needs it; closest features, witness and
    normal are solid geometry in a layer of their own on top, so nothing hides them.

    ``plotter`` is for whatever else should be in the picture; ``frame``, ``pairs`` and
    ``view`` are what is shown, and from where; ``layers`` what is drawn besides bodies.
    Raises ImportError without pyvista, NoPicture without GL; says what to install.

    Parameters
    ----------
    size : (width, height)
        Of the finished picture in pixels.
    off_screen : bool
        Draw into memory instead of a window.
    supersample : int
        Draw that many times larger and shrink: smooth edges on every renderer, and
        bodies like glass, that show their far sides too. Too slow for a live window.
    theme : Theme
        The colours: `viewer.theme.LIGHT` or `DARK`.
    """

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1280, 720),
        off_screen: bool = True,
        supersample: int = 1,
        theme: Theme = LIGHT,
    ) -> None:
        super().__init__(size, supersample, off_screen=off_screen)
        self._glassy = supersample > 1
        if self._glassy:
            self.plotter.enable_depth_peeling(6)
        self.theme = theme
        if self._glassy or not self._is_software:
            self.plotter.set_background(theme.background_low, top=theme.background_high)
            self._plain = False
        else:  # a gradient is a fifth of a software renderer's time
            self.plotter.set_background(theme.background)
            self._plain = True
        # VTK strews noise over a gradient, which makes a file five times as large
        self.plotter.renderer.SetDitherGradient(False)
        # a handful of things is drawn: to ask which are out of sight takes longer
        self.plotter.renderer.GetCullers().RemoveAllItems()
        # a small thing on a huge one is not cut away by what is far behind it
        self.plotter.renderer.SetNearClippingPlaneTolerance(_NEAR)
        if not self._glassy:  # one lamp above the eye: five cost three times that
            self.plotter.remove_all_lights()
            above = {"position": (0.1, 0.6, 1.0), "light_type": "camera light"}
            lamp = require_pyvista().Light(intensity=0.95, **above)
            self.plotter.add_light(lamp)
        behind, front = self.plotter.renderer, self.overlay
        self._hud = Hud(front, supersample, theme)
        self._labels = Hud(front, supersample, theme)  # above, and always on the move
        self._bodies = MergedBodies(
            behind, theme, ratio=supersample, glassy=self._glassy
        )
        self._placed: Frame | None = None  # where everything of it is:
        self._points: dict[str, Floats] = {}  # (V, 3) by body
        self._middles: dict[str, Floats] = {}  # (3,) the mean of each body's vertices
        self._markers = SolidActor(front)
        # the rim of a face may be long: in front it is drawn, behind it shines through
        self._rims = SolidActor(behind), SolidActor(front, opacity=0.3)
        self._outlines: tuple[SolidActor, ...] = ()  # of layers, as rims
        self._sheets: SheetActor | None = None
        self._overlayer, self.overlays = OverlayCollector(), NOTHING
        self._places = LabelPlacer()
        self._on: tuple[bool, ...] = ()  # layers when names were placed
        self.hurry = self.in_passing = False
        self._edition = 0
        self._pixels_beside = 0  # pixels at the right of the window
        self.view: View | None = None
        self._looked = -1  # when the camera was changed last
        self.frame: Frame | None = None
        self._events: tuple[Event, ...] = ()
        self.pairs: list[PairGlyphs] = []
        self.layers = Layers()
        self.free = NO_BORDER
        self.busy = np.empty((0, 3))
        self.label_boxes = np.empty((0, 4))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height that are drawn, in pixels."""
        width, height = self.plotter.window_size
        return int(width) - self._pixels_beside, int(height)

    def leave(self, right: int) -> None:
        """Draw into the window but for so many pixels at its right."""
        self._pixels_beside = right
        width = self.plotter.window_size[0]
        place = (0.0, 0.0, 1.0 - right / width, 1.0)
        if self.overlay.GetViewport() != place:
            self.overlay.SetViewport(*place)
            self.plotter.renderer.SetViewport(*place)

    @property
    def legend(self) -> float:
        """How high the legend is at most, in pixels of the finished picture."""
        bodies = 0 if self.frame is None else len(self.frame.bodies)
        return legend_height(bodies, self.overlays, self.size[1] / self.ratio)

    def update(
        self,
        frame: Frame,
        *,
        keep_camera: bool = False,
        events: Sequence[Event] | None = None,
        before: Frame | None = None,
    ) -> None:
        """Show another frame.

        Parameters
        ----------
        frame : Frame
        keep_camera : bool
            Leave the camera where it is, else it frames the contact and both bodies.
        events : sequence of Event, optional
            What stands below the title, instead of the frame's own.
        before : Frame, optional
            Where the layer ``path`` starts from.
        """
        self.frame = frame
        self._events = tuple(frame.events) if events is None else tuple(events)
        self._place(frame)
        states = drawn_pairs(frame)
        pairs = [pair_glyphs(frame, state, self._points) for state in states]
        self.overlays = self._overlayer.collect(frame, states, self.layers, before)
        if self.view is None or not keep_camera:
            self._places.forget()
            self._look(pairs)
        else:
            self.view = self._current_view()
        self._show_bodies(frame, pairs)
        self.pairs = pairs
        self.annotate()

    def annotate(self) -> None:
        """Place markers and texts anew for the present camera."""
        if self.frame is None or self.view is None:
            return
        self.view = self._current_view()
        order = [body.name for body in self.frame.bodies]
        pen = Pen.seen(order, self.theme, self.view, self.size[1] / self.ratio)
        pairs = self.pairs if self.layers.contacts else []
        detail = FINE if self._glassy else LIVE
        solid, outline = SolidBuilder(), SolidBuilder()
        add_markers(solid, pairs, pen, normals=self.layers.normals)
        add_rims(outline, pairs, pen)
        self._markers.show(solid.solid(detail))
        rims = outline.solid(detail)
        for actor in self._rims:
            actor.show(rims)
        self._show_layers(pen)
        self.plotter.renderer.ResetCameraClippingRange()
        self._looked = self.plotter.camera.GetMTime()  # it looks from where it did
        on = tuple(vars(self.layers).values())
        if self._glassy or on != self._on:
            self._places.forget()  # a picture depends on nothing but its frame
        self._on = on
        self._places.patience = _PATIENCE if self.hurry else 0
        self._edition += not self.in_passing
        what = self._hud, self._labels, pen, self.view, self.size, self.ratio
        how = self._places, self.free, self._plain, self._edition
        canvas = Canvas(*what, *how)
        named = self.layers.names and self.layers.contacts
        self.label_boxes = write_captions(
            canvas,
            self.frame,
            self.pairs,
            self._events,
            names=named,
            overlays=NOTHING if self.layers.help else self.overlays,
            busy=self.busy,
        )

    def contains(self, frame: Frame) -> bool:
        """Tell whether the present camera sees the middle of every body of a frame."""
        if self.view is None:
            return False
        self._place(frame)
        middles = np.array(list(self._middles.values()))
        seen = project(middles, self._current_view(), self.size)
        return bool(((seen > 0) & (seen < np.array(self.size))).all())

    def camera_moved(self) -> bool:
        """Tell whether the camera was moved since markers and texts were placed."""
        if self.view is None:
            return False
        return not all(map(np.array_equal, self._current_view(), self.view))

    def _show_layers(self, pen: Pen) -> None:
        """Draw what layers show as solids, which shine through bodies, and sheets."""
        if self._sheets is None:
            if not any(self.overlays[:6]):
                return  # no actor before there is something to draw
            behind, front = self.plotter.renderer, self.overlay
            self._outlines = SolidActor(behind), SolidActor(front, opacity=0.3)
            self._sheets = SheetActor(behind)
        pieces = SolidBuilder()
        add_outlines(pieces, self.overlays, pen)
        lines = pieces.solid()
        for actor in self._outlines:
            actor.show(lines)
        self._sheets.show(sheets(self.overlays, pen), pen.unit)

    def _place(self, frame: Frame) -> None:
        """Say where everything of a frame is, once; who has no pose is not copied."""
        if self._placed is frame:
            return
        self._placed, self._points, self._middles = frame, {}, {}
        for body in frame.bodies:
            moved = body.pose.matrix.tobytes() != _NO_POSE
            points = body.world_points() if moved else body.points
            # a product is a tenth of a sum down columns
            middle = _equal_shares(len(points)) @ points
            self._points[body.name], self._middles[body.name] = points, middle

    def _show_bodies(self, frame: Frame, pairs: list[PairGlyphs]) -> None:
        lit: dict[str, list[Rows]] = {}  # of the bodies of drawn pairs
        for pair in pairs:
            for part in (pair.a, pair.b):
                fans = lit.setdefault(part.body, [])
                if part.kind == "face":
                    fans.append(part.fan)
        shown = {
            body.name: DrawnBody(
                body,
                self._points[body.name],
                self.theme.body(index),
                lit.get(body.name, ()),
                body.name in lit,
            )
            for index, body in enumerate(frame.bodies)
        }
        order = list(shown)
        if self.view is not None:
            order = far_to_near(self._middles, pairs, self.view.position)
        self._bodies.show([shown[name] for name in order])

    def _look(self, pairs: list[PairGlyphs]) -> None:
        points, normal, faces = worth_seeing(self._points, pairs)
        r, free = self.ratio, self.free
        lines = min(len(pairs), 4) + min(len(self._events), 4)  # below the title
        side = chart_side(self.size[0] / r, self.size[1] / r)
        charts = side + MARGIN if self.overlays.charts and side else 0.0
        border = Border(
            60 * r + free.left,
            (60 + charts) * r + free.right,
            self.legend * r + free.bottom,
            (76 + 22 * lines) * r + free.top,
        )
        view = fit(points, best_direction(normal, faces), self.size, border)
        camera = self.plotter.camera
        camera.view_angle = 30.0
        camera.position = view.position.tolist()
        camera.focal_point = view.focal.tolist()
        camera.up = view.up.tolist()
        self.plotter.camera_set = True
        self.view = view

    def _current_view(self) -> View:
        """Return from where the camera looks; it is asked only when it changed."""
        camera = self.plotter.camera
        if self._looked != camera.GetMTime():
            self._looked = camera.GetMTime()
            position, focal = camera.GetPosition(), camera.GetFocalPoint()
            self._seen = View(
                np.array(position), np.array(focal), np.array(camera.GetViewUp())
            )
        return self._seen
