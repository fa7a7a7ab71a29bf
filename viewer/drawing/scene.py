"""Draw frames in a live window, a replay or a single picture."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import Event, Frame
from sim.frame import BodySnapshot
from viewer import gl
from viewer import theme as looks
from viewer.drawing.arrays import Shown, collect
from viewer.drawing.camera import (
    ANGLE,
    Border,
    View,
    best_direction,
    far_to_near,
    fit,
    project,
    worth_seeing,
)
from viewer.drawing.captions import Canvas, legend_height, write_beside, write_labels
from viewer.drawing.glyphs import Names, PairGlyphs, names_of
from viewer.drawing.hud import Hud
from viewer.drawing.labels import LabelPlace
from viewer.drawing.markers import Pen
from viewer.drawing.overlays import NOTHING, Layers, Overlays
from viewer.drawing.skin import DrawnBody, MergedBodies, SolidActor
from viewer.drawing.solids import FINE, LIVE
from viewer.theme import LIGHT, Theme
from wingedge.tables import Floats

_SEARCHED, _SPOTS = (
    4,
    4,
)  # pairs, and contacts of each, to be hidden as little as can be
_SHINE = 0.3  # opacity of rims that bodies hide
_NEAR = 1e-5  # of the farthest thing's distance: the nearest that is drawn


class Shot(NamedTuple):
    """What a picture is about, and what of it is free."""

    looked_at: Names = ()  # the body or the pair that all of it is about
    free: Border = Border()  # pixels along the sides that are somebody else's


WHOLE = Shot()


class Scene:
    """Draw frames, one after the other.

    Bodies are translucent where a drawn pair needs it; closest features, witness and
    normal are solid geometry in a layer of their own on top, so nothing hides them.

    ``plotter`` is for whatever else should be in the picture; ``frame``, ``pairs`` and
    ``view`` are what is shown, and from where; ``layers`` what is drawn besides bodies.
    Of pairs that a `Shot` is not about, and of all but the first eight, only a line is
    drawn.
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
        pyvista, is_software = gl.require_pyvista(), gl.require_gl().is_software
        self.ratio, self._glassy, self.theme = supersample, supersample > 1, theme
        self.plotter = plotter = pyvista.Plotter(
            off_screen=off_screen,
            notebook=False,  # what a cell shows is the caller's to say
            window_size=[side * supersample for side in size],
            title="wingedge",
        )
        behind, front = plotter.renderer, pyvista._vtk.vtkRenderer()
        self.overlay: Any = front  # on top
        front.SetActiveCamera(plotter.camera)
        front.SetLayer(1)
        front.InteractiveOff()
        plotter.render_window.SetNumberOfLayers(2)
        plotter.render_window.AddRenderer(front)
        # Multisampling is 80 % of a software renderer's time, and bodies vanish where
        # it meets the sorting of what is translucent (VTK 9.7); a gradient is a fifth.
        if self._glassy or is_software:
            plotter.disable_anti_aliasing()
        self._plain = is_software and not self._glassy
        if self._plain:
            plotter.set_background(theme.background)
        else:
            plotter.set_background(theme.background_low, top=theme.background_high)
        # VTK strews noise over a gradient, which makes a file five times as large
        behind.SetDitherGradient(False)
        # a handful of things is drawn: to ask which are out of sight takes longer
        for renderer in (behind, front):
            renderer.GetCullers().RemoveAllItems()
        # a small thing on a huge one is not cut away by what is far behind it
        behind.SetNearClippingPlaneTolerance(_NEAR)
        if self._glassy:
            plotter.enable_depth_peeling(6)
        else:  # one lamp above the eye: five cost three times that
            plotter.remove_all_lights()
            above = {"position": (0.1, 0.6, 1.0), "light_type": "camera light"}
            plotter.add_light(pyvista.Light(intensity=0.95, **above))
        self._bodies = MergedBodies(behind, theme, supersample, glassy=self._glassy)
        self._markers = SolidActor(front)
        # a line may be long: in front it is drawn, behind it shines through bodies; a
        # window does without a pass of its own
        shining = SolidActor(front, opacity=_SHINE, blended=not self._glassy)
        self._lines = SolidActor(behind), shining
        self._hud = Hud(front, supersample, theme)
        self._snapshots: tuple[BodySnapshot, ...] = ()
        self._points: dict[str, Floats] = {}  # (V, 3) by body
        self._middles: dict[str, Floats] = {}  # (3,) the mean of each body's vertices
        self._placed: Frame | None = None  # where everything of it is
        self._labels: list[LabelPlace] = []
        self._events: tuple[Event | str, ...] = ()
        self._shot, self._is_open = WHOLE, False
        self._pixels_beside = 0  # pixels at the right of the window
        self.view: View | None = None
        self.shown: Shown | None = None
        self.layers = Layers()

    @property
    def frame(self) -> Frame | None:
        """The frame that is shown."""
        return None if self.shown is None else self.shown.frame

    @property
    def pairs(self) -> list[PairGlyphs]:
        """The pairs that are told in full."""
        return [] if self.shown is None else self.shown.pairs

    @property
    def overlays(self) -> Overlays:
        """What the layers show."""
        return NOTHING if self.shown is None else self.shown.overlays

    @property
    def size(self) -> tuple[int, int]:
        """Width and height that are drawn, in pixels."""
        width, height = self.plotter.window_size
        return int(width) - self._pixels_beside, int(height)

    def leave(self, right: int) -> None:
        """Draw into the window but for so many pixels at its right."""
        self._pixels_beside = right
        place = (0.0, 0.0, 1.0 - right / self.plotter.window_size[0], 1.0)
        if self.overlay.GetViewport() != place:
            self.overlay.SetViewport(*place)
            self.plotter.renderer.SetViewport(*place)

    @property
    def label_boxes(self) -> Floats:
        """Where names and distances stand: left, bottom, right, top, (n, 4)."""
        return np.array([found.box for found in self._labels]).reshape(-1, 4)

    @property
    def legend(self) -> float:
        """How high the legend is at most, in pixels of the finished picture."""
        height = self.size[1] / self.ratio
        return legend_height(len(self._snapshots), self.overlays, height)

    def update(
        self,
        frame: Frame,
        *,
        keep_camera: bool = False,
        events: Sequence[Event | str] | None = None,
        before: Frame | None = None,
        shot: Shot = WHOLE,
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
        shot : Shot
            What the picture is about, and what of it is free.
        """
        self._events = tuple(frame.events if events is None else events)
        self._shot = shot
        self._place(frame)
        self.shown = shown = collect(
            frame,
            self.layers,
            before=before,
            looked_at=shot.looked_at,
            points=self._points,
        )
        if self.view is None or not keep_camera:
            self._labels = []
            self._look(shown)
        self.view = self._current_view()
        self._show_bodies(shown, self.view)
        self.annotate()

    def image(self) -> NDArray[np.uint8]:
        """Return the picture, (height, width, 3), top row first."""
        from PIL import Image  # comes with pyvista

        if not self._is_open:
            self.plotter.show(auto_close=False, interactive=False)
            self._is_open = True
        self.plotter.render()
        drawn = np.asarray(self.plotter.screenshot(return_img=True))[..., :3]
        return np.array(Image.fromarray(drawn).reduce(self.ratio))

    def close(self) -> None:
        """Release the window."""
        self.plotter.close()

    def annotate(self) -> None:
        """Place markers and texts anew for the present camera."""
        if self.shown is None or self.view is None:
            return
        shown, shot, ratio, size = self.shown, self._shot, self.ratio, self.size
        self.view = view = self._current_view()
        pen = Pen.seen(names_of(shown.frame), self.theme, view, size[1] / ratio)
        detail, markers = FINE if self._glassy else LIVE, shown.markers(pen)
        self._markers.show(markers.solid(detail))
        lines = shown.lines(pen).solid(detail)
        for actor in self._lines:
            actor.show(lines)
        self.plotter.renderer.ResetCameraClippingRange()
        canvas = Canvas(self._hud, pen, view, size, ratio, shot.free, self._plain)
        told = shown._replace(overlays=NOTHING) if self.layers.help else shown
        # a picture depends on nothing but its frame
        last = () if self._glassy else self._labels
        self._hud.begin()
        boxes = write_beside(canvas, told, self._events, shot.looked_at)
        self._labels = write_labels(canvas, told, boxes, markers.segments(), last)
        self._hud.finish()

    def contains(self, frame: Frame) -> bool:
        """Tell whether the present camera sees the middle of every body of a frame."""
        if self.view is None:
            return False
        self._place(frame)
        told = self._shot.looked_at
        about = told if len(told) == 2 else tuple(self._middles)
        middles = np.array([self._middles[n] for n in about if n in self._middles])
        seen = project(middles.reshape(-1, 3), self._current_view(), self.size)
        return bool(((seen > 0) & (seen < np.array(self.size))).all())

    def camera_moved(self) -> bool:
        """Tell whether the camera was moved since markers and texts were placed."""
        if self.view is None:
            return False
        return not all(map(np.array_equal, self._current_view(), self.view))

    def _place(self, frame: Frame) -> None:
        """Say where everything of a frame is, once; who has no pose is not copied."""
        if self._placed is not frame:
            self._placed, self._snapshots = frame, tuple(frame.bodies)
            self._points = {b.name: b.world_points() for b in self._snapshots}
            self._middles = {n: p.mean(axis=0) for n, p in self._points.items()}

    def _show_bodies(self, shown: Shown, view: View) -> None:
        lit, drawn = shown.lit, {}
        for k, body in enumerate(self._snapshots):
            told = body.name in lit
            drawn[body.name] = DrawnBody(
                body.mesh,
                self._points[body.name],
                self.theme.body(k),
                lit.get(body.name, ()),
                looks.OPACITY if told else looks.OPACITY_BYSTANDER,
                not told and bool(lit),
            )
        states = [*(pair.state for pair in shown.pairs), *shown.others]
        order = far_to_near(self._middles, states, view.position)
        self._bodies.show([drawn[name] for name in order])

    def _look(self, shown: Shown) -> None:
        """Put the camera where contacts are seen, and all that is worth seeing fits."""
        pairs, free, r = shown.pairs, self._shot.free, self.ratio
        others = () if len(self._shot.looked_at) == 2 and pairs else shown.others
        points, normal, faces = worth_seeing(self._points, pairs, others)
        count = len(pairs) + len(shown.others)
        lines = min(count, 4) + min(len(self._events), 4)  # below the title
        written = 60 * r, 60 * r, self.legend * r, (76 + 22 * lines) * r
        border = Border(*np.add(written, free).tolist())
        hiding: tuple[Floats, ...] = ()
        if pairs:
            spots = (p.contacts if len(p.contacts) else p.middle[None] for p in pairs)
            skins = [self._points[b.name][b.mesh.fan.vertex] for b in self._snapshots]
            few = [some[:_SPOTS] for some in islice(spots, _SEARCHED)]
            hiding = np.concatenate(few), np.concatenate(skins)
        view = fit(points, best_direction(normal, faces, *hiding), self.size, border)
        camera = self.plotter.camera
        camera.view_angle = ANGLE
        camera.position, camera.focal_point, camera.up = (
            each.tolist() for each in view
        )
        self.plotter.camera_set = True

    def _current_view(self) -> View:
        """Return from where the camera looks."""
        camera = self.plotter.camera
        at = camera.GetPosition(), camera.GetFocalPoint(), camera.GetViewUp()
        return View(*map(np.array, at))
