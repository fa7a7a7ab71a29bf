"""Draw frames in a live window, a replay or a single picture."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import Event, Frame
from viewer import gl
from viewer import theme as looks
from viewer.drawing.arrays import Pen, Shown, collect
from viewer.drawing.camera import (
    ANGLE,
    SHOWN,
    Border,
    View,
    best_direction,
    far_to_near,
    fit,
    project,
    worth_seeing,
)
from viewer.drawing.captions import (
    WHOLE,
    Box,
    Canvas,
    Shot,
    write_labels,
    write_legend,
    write_title,
)
from viewer.drawing.glyphs import PairGlyphs, drawn_pairs, names_of
from viewer.drawing.hud import Hud
from viewer.drawing.labels import WAYS, LabelPlace
from viewer.drawing.overlays import Layers
from viewer.drawing.skin import FINE, LIVE, DrawnBody, MergedBodies, SolidActor
from viewer.theme import LIGHT, Theme
from wingedge.tables import Floats

# pairs, and contacts of each, to be hidden as little as can be
_SEARCHED, _SPOTS = 4, 4
_RIM = 40.0  # pixels around the bodies, to title, legend and sides
_FARTHER, _WHOLE = 1.5, 3.0  # times, at most: no legend on a body; to see a run
_CORNERS = np.reshape([0, 1, 2, 1, 2, 3, 0, 3], (4, 2))  # of a box, x and y
_SHINE = 0.3  # opacity of rims that bodies hide
_NEAR = 1e-5  # of the farthest thing's distance: the nearest that is drawn


class Scene:
    """Draw frames, one after the other.

    Bodies are translucent where a drawn pair needs it; closest features, witness and
    normal are solid geometry in a layer of their own on top, so nothing hides them.

    ``plotter`` is for whatever else should be in the picture; ``frame``, ``pairs`` and
    ``view`` are what is shown, and from where; ``layers`` what is drawn besides bodies:
    of the pairs that a `Shot` is about, the first eight.
    Parameters: ``size``: of the finished picture in pixels; ``off_screen``: draw into
    memory instead of a window; ``supersample``: draw that many times larger and shrink:
    smooth edges on every renderer, and bodies like glass, that show their far sides
    too, too slow for a live window; ``theme``: `viewer.theme.LIGHT` or `DARK`.

    Raises ImportError without pyvista, NoPicture without GL; says what to install.
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
        detail = FINE if self._glassy else LIVE
        self._markers = SolidActor(front, detail)
        # a line may be long: in front it is drawn, behind it shines through bodies; a
        # window does without a pass of its own
        shining = SolidActor(front, detail, opacity=_SHINE, blended=not self._glassy)
        self._lines = SolidActor(behind, detail), shining
        self._hud = Hud(front, supersample, theme)
        self.labels: list[LabelPlace] = []
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
        """The pairs that are drawn."""
        return [] if self.shown is None else self.shown.pairs

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

    def update(
        self,
        frame: Frame,
        *,
        keep_camera: bool | None = False,
        events: Sequence[Event | str] | None = None,
        before: Frame | None = None,
        shot: Shot = WHOLE,
    ) -> None:
        """Show another frame.

        Parameters: ``keep_camera``: leave the camera where it is, else it frames the
        contact and both bodies; None: as long as it sees the middle of every body;
        ``events``: what stands below the title, instead of the frame's own; ``before``:
        where the layer ``path`` starts from; ``shot``: what the picture is about, and
        what of it is taken.
        """
        self._events = tuple(frame.events if events is None else events)
        self._shot, looked_at = shot, shot.looked_at
        shown = collect(frame, self.layers, before=before, looked_at=looked_at)
        self.shown, beside = shown, self._write_beside(shown)
        middles = {name: each.mean(axis=0) for name, each in shown.points.items()}
        if keep_camera is None:
            keep_camera = self._sees(middles)
        if self.view is None or not keep_camera:
            self.labels = []
            self._look(shown, *beside)
        view = self._current_view()
        self._show_bodies(shown, middles, view)
        self._mark(shown, view, *beside)

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
        if self.shown is not None:
            beside = self._write_beside(self.shown)
            self._mark(self.shown, self._current_view(), *beside)

    def camera_moved(self) -> bool:
        """Tell whether the camera was moved since markers and texts were placed."""
        if self.view is None:
            return False
        return not all(map(np.array_equal, self._current_view(), self.view))

    @property
    def _canvas(self) -> Canvas:
        return Canvas(self._hud, self.size, self.ratio, self._shot, self._plain)

    def _write_beside(self, shown: Shown) -> tuple[list[Box], list[Box]]:
        """Begin to write: title and legend; return their boxes."""
        self._hud.begin()
        title = write_title(self._canvas, shown, self._events)
        return title, write_legend(self._canvas, shown)

    def _mark(
        self, shown: Shown, view: View, title: list[Box], legend: list[Box]
    ) -> None:
        """Place markers and their texts; show them."""
        self.view, height = view, self.size[1] / self.ratio
        pen = Pen(names_of(shown.frame), self.theme, height, view)
        markers, lines = shown.markers(pen), shown.rims(pen)
        self._markers.show(markers)
        for actor in self._lines:
            actor.show(lines)
        self.plotter.renderer.ResetCameraClippingRange()
        # a picture depends on nothing but its frame
        last = () if self._glassy else self.labels
        marked, boxes = markers.segments(), [*title, *legend]
        self.labels = write_labels(self._canvas, view, pen, shown, boxes, marked, last)
        self._hud.finish()

    def _sees(self, middles: Mapping[str, Floats]) -> bool:
        """Tell whether the camera sees all that the picture is about."""
        if self.view is None:
            return False
        told = self._shot.looked_at
        about = told if len(told) == 2 else tuple(middles)
        seen = np.reshape([middles[n] for n in about if n in middles], (-1, 3))
        places = project(seen, self._current_view(), self.size)
        return bool(((places > 0) & (places < np.array(self.size))).all())

    def _show_bodies(
        self, shown: Shown, middles: Mapping[str, Floats], view: View
    ) -> None:
        """Draw the bodies, those that no drawn pair is of fainter."""
        lit, drawn = shown.lit, {}
        tints: dict[str, list[Any]] = {}
        for k, (name, _, faces) in enumerate(shown.tints):
            tints.setdefault(name, []).append((faces, self.theme.part(k)))
        for k, body in enumerate(shown.frame.bodies):
            told = body.name in lit
            drawn[body.name] = DrawnBody(
                body.mesh,
                shown.points[body.name],
                self.theme.body(k),
                lit.get(body.name, ()),
                looks.OPACITY if told else looks.OPACITY_BYSTANDER,
                not told and bool(lit),
                tints.get(body.name, ()),
            )
        states = [pair.state for pair in shown.pairs]
        order = far_to_near(middles, states, view.position)
        self._bodies.show([drawn[name] for name in order])

    def _look(self, shown: Shown, title: list[Box], legend: list[Box]) -> None:
        """Put the camera where contacts are seen, and all that is worth seeing fits."""
        pairs, rim = shown.pairs, _RIM * self.ratio
        is_close = len(self._shot.looked_at) == 2 and pairs
        others = () if is_close else drawn_pairs(shown.frame)
        near, far = (worth_seeing(shown.points, pairs, others, k) for k in SHOWN)
        low = max(top for *_, top in legend)
        high = self.size[1] - min(bottom for _, bottom, *_ in title)
        border = Border(rim, rim, low + rim, high + rim)
        hiding: tuple[Floats, ...] = ()
        if pairs:
            spots = (p.contacts if len(p.contacts) else p.middle[None] for p in pairs)
            bodies = shown.frame.bodies
            skins = [shown.points[b.name][b.mesh.fan.vertex] for b in bodies]
            few = [some[:_SPOTS] for some in islice(spots, _SEARCHED)]
            hiding = np.concatenate(few), np.concatenate(skins)
        way = best_direction(*near[1:], *hiding)
        view, wide = (fit(seen, way, self.size, border) for seen, *_ in (near, far))
        every = np.concatenate(list(shown.points.values()))
        least, most = (project(every, v, self.size)[:, 1].min() for v in (view, wide))
        away, off = (np.linalg.norm(v.position - v.focal) for v in (view, wide))
        if least < low <= most and off < _FARTHER * away:
            view = wide
        if self._shot.also:
            run, corners = np.concatenate([near[0], *self._shot.also]), np.array(title)
            for top in np.linspace(rim, high + rim, 5):
                whole = fit(run, way, self.size, border._replace(top=top))
                seen = (project(run, whole, self.size) @ WAYS.T).min(axis=0)
                reach = (corners[:, _CORNERS] @ WAYS.T).max(axis=1)
                if (reach < seen).any(axis=1).all():  # a line parts it from each text
                    break
            if np.linalg.norm(whole.position - whole.focal) < _WHOLE * away:
                view = whole
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
