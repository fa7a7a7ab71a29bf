"""Draw frames in a live window, a replay or a single picture."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from sim import Event, Frame
from sim.frame import BodySnapshot
from viewer.drawing.camera import (
    NO_BORDER,
    Border,
    View,
    best_direction,
    boxes_between,
    far_to_near,
    fit,
    hides,
    project,
    worth_seeing,
)
from viewer.drawing.captions import write_captions
from viewer.drawing.glyphs import (
    Hint,
    Movers,
    Names,
    PairGlyphs,
    chosen_pairs,
    names_of,
    pair_glyphs,
)
from viewer.drawing.hud import Canvas, Hud
from viewer.drawing.labels import LabelPlacer
from viewer.drawing.legend import legend_height
from viewer.drawing.markers import (
    Pen,
    add_hints,
    add_markers,
    add_outlines,
    add_rims,
    sheets,
)
from viewer.drawing.overlays import NOTHING, Layers, OverlayCollector
from viewer.drawing.skin import DrawnBody, MergedBodies, Rows, SheetActor, SolidActor
from viewer.drawing.solids import FINE, LIVE, SolidBuilder
from viewer.gl import Viewport, require_pyvista
from viewer.theme import LIGHT, Theme
from wingedge.tables import Floats

_PATIENCE = 6  # frames, until somebody looks whether names cover something
_SEARCHED = 4  # pairs that are to be hidden as little as can be
_SHINE = 0.3  # opacity of rims that bodies hide
_NEAR = 1e-5  # of the farthest thing's distance: the nearest that is drawn
_NO_POSE = np.eye(3, 4).tobytes()
_SMALL, _FEW = 200, 4  # vertices, bodies: more such bodies are moved at once


def world_points(bodies: Sequence[BodySnapshot]) -> list[Floats]:
    """Return where vertices are, (V, 3) of each body; small ones are moved at once."""
    moved = [body.pose.matrix.tobytes() != _NO_POSE for body in bodies]
    found = [body.points for body in bodies]
    some = [k for k, at in enumerate(found) if moved[k] and len(at) < _SMALL]
    some = some if len(some) > _FEW else []
    if some:
        counts = [len(found[k]) for k in some]
        maps = np.array([bodies[k].pose.matrix for k in some])
        x, y, z = np.concatenate([found[k] for k in some]).T
        rows = np.repeat(maps, counts, axis=0).transpose(1, 2, 0)
        # as `Pose.apply` does
        every = [r[0] * x + r[1] * y + r[2] * z + r[3] for r in rows]
        parts = np.split(np.stack(every, axis=-1), np.cumsum(counts)[:-1])
        for k, part in zip(some, parts, strict=True):
            found[k], moved[k] = part, False
    return [bodies[k].world_points() if m else found[k] for k, m in enumerate(moved)]


@lru_cache
def _equal_shares(count: int) -> Floats:
    return np.full(count, 1.0 / max(1, count))


class Scene(Viewport):
    """Draw frames, one after the other.

    Bodies are translucent where a drawn pair needs it; closest features, witness and
    normal are solid geometry in a layer of their own on top, so nothing hides them.

    ``plotter`` is for whatever else should be in the picture; ``frame``, ``pairs`` and
    ``view`` are what is shown, and from where; ``layers`` what is drawn besides bodies.
    ``looked_at`` names the body or the pair that all of it is about; of other pairs,
    ``hints``, and of all but the first eight, only a line is drawn.
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
        self._snapshots: tuple[BodySnapshot, ...] = ()
        self._points: dict[str, Floats] = {}  # (V, 3) by body
        self._middles: dict[str, Floats] = {}  # (3,) the mean of each body's vertices
        self._markers = SolidActor(front)
        # the rim of a face may be long: in front it is drawn, behind it shines through
        self._rims = SolidActor(behind), self._shining()
        self._outlines: tuple[SolidActor, ...] = ()  # of layers, as rims
        self._sheets: SheetActor | None = None
        self._overlayer, self.overlays = OverlayCollector(), NOTHING
        self._places = LabelPlacer()
        self._on: tuple[bool, ...] = ()  # layers when names were placed
        self.hurry = self.in_passing = False
        self._edition = 0
        self._dimmed: set[str] = set()  # what stands before what is told of
        self._pixels_beside = 0  # pixels at the right of the window
        self.view: View | None = None
        self._looked = -1  # when the camera was changed last
        self.frame: Frame | None = None
        self._events: tuple[Event | str, ...] = ()
        self.pairs: list[PairGlyphs] = []
        self.hints: tuple[Hint, ...] = ()
        self.looked_at: Names = ()
        self.movers = Movers()
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
        events: Sequence[Event | str] | None = None,
        before: Frame | None = None,
    ) -> None:
        """Show another frame.

        Parameters
        ----------
        frame : Frame
        keep_camera : bool
            Leave the camera where it is, else it frames the contact and both bodies.
        events : sequence of Event or str, optional
            What stands below the title, instead of the frame's own.
        before : Frame, optional
            Where the layer ``path`` starts from.
        """
        self.frame = frame
        self._events = tuple(frame.events) if events is None else tuple(events)
        self._place(frame)
        states, self.hints = chosen_pairs(frame, self.looked_at, self.movers.names)
        pairs = [pair_glyphs(frame, state, self._points) for state in states]
        self.overlays = self._overlayer.collect(frame, states, self.layers, before)
        if self.view is None or not keep_camera:
            self._places.forget()
            self._look(pairs)
        else:
            self.view = self._current_view()
        self._show_bodies(pairs)
        self.pairs = pairs
        self.annotate()

    def annotate(self) -> None:
        """Place markers and texts anew for the present camera."""
        if self.frame is None or self.view is None:
            return
        self.view = self._current_view()
        order = names_of(self.frame)
        pen = Pen.seen(order, self.theme, self.view, self.size[1] / self.ratio)
        pairs = self.pairs if self.layers.contacts else []
        detail = FINE if self._glassy else LIVE
        solid, outline = SolidBuilder(), SolidBuilder()
        add_markers(
            solid, pairs, pen, normals=self.layers.normals and not self.layers.forces
        )
        add_hints(solid, self.hints if self.layers.contacts else (), pen)
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
        named = self.layers.names and self.layers.contacts and not self.layers.help
        self.label_boxes = write_captions(
            canvas,
            self.frame,
            self.pairs,
            self._events,
            names=named,
            overlays=NOTHING if self.layers.help else self.overlays,
            busy=self.busy,
            looked_at=self.looked_at,
            hints=len(self.hints),
        )

    def contains(self, frame: Frame) -> bool:
        """Tell whether the present camera sees the middle of every body of a frame."""
        if self.view is None:
            return False
        self._place(frame)
        pair = len(self.looked_at) == 2
        about = self.looked_at if pair else self._middles
        middles = np.array([self._middles[n] for n in about if n in self._middles])
        seen = project(middles.reshape(-1, 3), self._current_view(), self.size)
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
            behind = self.plotter.renderer
            self._outlines = SolidActor(behind), self._shining()
            self._sheets = SheetActor(behind)
        pieces = SolidBuilder()
        add_outlines(pieces, self.overlays, pen)
        lines = pieces.solid()
        for actor in self._outlines:
            actor.show(lines)
        self._sheets.show(sheets(self.overlays, pen), pen.unit)

    def _shining(self) -> SolidActor:
        """Make what shines through bodies; a window does without a pass of its own."""
        return SolidActor(self.overlay, opacity=_SHINE, blended=not self._glassy)

    def _place(self, frame: Frame) -> None:
        """Say where everything of a frame is, once; who has no pose is not copied."""
        if self._placed is frame:
            return
        self._placed, self._points, self._middles = frame, {}, {}
        self._snapshots = tuple(frame.bodies)
        self.movers.see(self._snapshots)
        every = world_points(self._snapshots)
        for body, points in zip(self._snapshots, every, strict=True):
            # a product is a tenth of a sum down columns
            middle = _equal_shares(len(points)) @ points
            self._points[body.name], self._middles[body.name] = points, middle

    def _show_bodies(self, pairs: list[PairGlyphs]) -> None:
        lit: dict[str, list[Rows]] = {}  # of the bodies of drawn pairs
        if not self.in_passing:
            self._dimmed = self._in_front(pairs)
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
                body.name in self._dimmed,
                body.name in self._dimmed or (body.name not in lit and bool(pairs)),
                index,
            )
            for index, body in enumerate(self._snapshots)
        }
        order = list(shown)
        if self.view is not None:
            parted: list[PairGlyphs | Hint] = [*pairs, *self.hints]
            order = far_to_near(self._middles, parted, self.view.position)
        self._bodies.show([shown[name] for name in order])

    def _in_front(self, pairs: list[PairGlyphs]) -> set[str]:
        """Name the bodies that stand before a contact of others that is told of."""
        told = [(spot, pair) for pair in pairs[:_SEARCHED] for spot in pair.spots]
        every = [body for body in self._snapshots if len(body.points)]
        if self.view is None or not told or len(every) < 3:
            return set()
        points, eye = [self._points[b.name] for b in every], self.view.position
        low, high = (np.array([f(p, axis=0) for p in points]) for f in (np.min, np.max))
        spots = np.array([spot for spot, _ in told])
        found = set()
        for k, n in np.argwhere(boxes_between(spots, eye, low, high)).tolist():
            name, mesh = every[n].name, every[n].mesh
            if name in found or name in told[k][1].bodies:
                continue
            if hides(spots[k], eye, points[n][mesh.fan.vertex]):
                found.add(name)
        return found

    def _look(self, pairs: list[PairGlyphs]) -> None:
        hints = () if len(self.looked_at) == 2 and pairs else self.hints
        points, normal, faces = worth_seeing(self._points, pairs, hints)
        r, free = self.ratio, self.free
        count = len(pairs) + len(self.hints)
        lines = min(count, 4) + min(len(self._events), 4)  # below the title
        border = Border(
            60 * r + free.left,
            60 * r + free.right,
            self.legend * r + free.bottom,
            (76 + 22 * lines) * r + free.top,
        )
        spots = [pair.spots for pair in pairs[:_SEARCHED]]
        skins = [self._points[b.name][b.mesh.fan.vertex] for b in self._snapshots]
        hides = (np.concatenate(spots), np.concatenate(skins)) if spots else ()
        way = best_direction(normal, faces, *hides)
        view = fit(points, way, self.size, border)
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
            at = camera.GetPosition(), camera.GetFocalPoint(), camera.GetViewUp()
            self._seen = View(*map(np.array, at))
        return self._seen
