"""Draw frames in a live window, a replay or a single picture."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import Event, Frame
from viewer import gl
from viewer import theme as looks
from viewer.drawing.arrays import Shown, Style, collect
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
    WAYS,
    WHOLE,
    LabelPlace,
    Shot,
    write_labels,
    write_legend,
    write_title,
)
from viewer.drawing.glyphs import PairGlyphs, drawn_pairs, names_of
from viewer.drawing.hud import Hud
from viewer.drawing.skin import FINE, LIVE, DrawnBody, MergedBodies, SolidActor
from viewer.theme import LIGHT, Layers, Theme
from wingedge.tables import Floats

# pairs, and contacts of each, to be hidden as little as can be
_SEARCHED, _SPOTS = 4, 4
_RIM = 40.0  # pixels around the bodies, to title, legend and sides
_FARTHER, _WHOLE = 1.5, 3.0  # times, at most: no legend on a body; to see a run
_CORNERS = np.reshape([0, 1, 2, 1, 2, 3], (3, 2))  # of a box at the upper left, x and y
_SHINE = 0.3  # opacity of rims that bodies hide
_NEAR = 1e-2  # of the way to the middle: nothing nearer is drawn, however far others


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
        if plain := is_software and not self._glassy:
            plotter.set_background(theme.background)
        else:
            plotter.set_background(theme.background_low, top=theme.background_high)
        # VTK strews noise over a gradient, which makes a file five times as large
        behind.SetDitherGradient(False)
        # a handful of things is drawn: to ask which are out of sight takes longer
        for renderer in (behind, front):
            renderer.GetCullers().RemoveAllItems()
        behind.SetNearClippingPlaneTolerance(1e-12)  # `_mark` says what is too near
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
        self._hud = Hud(front, supersample, theme, plain=plain)
        self.labels: list[LabelPlace] = []
        self._events: tuple[Event | str, ...] = ()
        self._shot, self._is_open = WHOLE, False
        self._pixels_beside = 0  # pixels at the right of the window
        self._kept: Floats | None = None  # of a movie, for title and legend, (2, 4)
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
            self._look([shown], beside)
        view = self._current_view()
        self._show_bodies(shown, middles, view)
        self._mark(shown, view, beside)

    def film(self, run: Sequence[Shown], events: Sequence[Event | str]) -> bool:
        """Prepare a movie of frames like these: tell whether the camera sees them all.

        Nothing is drawn below a text: there is room for such ``events``, too.
        """
        self._events = tuple(events)
        for shown in run:
            self._kept = texts = self._write_beside(shown)
        texts[1, 2] = self.size[0]
        return self._look(run, texts, tries=5)

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
            self._mark(self.shown, self._current_view(), beside)

    def camera_moved(self) -> bool:
        """Tell whether the camera was moved since markers and texts were placed."""
        if self.view is None:
            return False
        return not all(map(np.array_equal, self._current_view(), self.view))

    def _write_beside(self, shown: Shown) -> Floats:
        """Begin to write: title and legend; return the corners they take, (2, 4)."""
        hud, shot = self._hud, self._shot
        hud.begin(self.size)
        title = write_title(hud, shown, self._events, shot.looked_at)
        texts = np.array([title, write_legend(hud, shown, shot.bottom)])
        if self._kept is not None:
            texts[:, :2] = np.minimum(texts, self._kept)[:, :2]
            texts[:, 2:] = np.maximum(texts, self._kept)[:, 2:]
        return texts

    def _mark(self, shown: Shown, view: View, texts: Floats) -> None:
        """Place markers and their texts; show them."""
        self.view, height = view, self.size[1] / self.ratio
        style = Style(names_of(shown.frame), self.theme, height, view)
        markers, lines = shown.markers(style), shown.rims(style)
        self._markers.show(markers)
        for actor in self._lines:
            actor.show(lines)
        renderer, camera = self.plotter.renderer, self.plotter.camera
        renderer.ResetCameraClippingRange()
        near, far = camera.GetClippingRange()
        camera.SetClippingRange(max(near, _NEAR * camera.GetDistance()), far)
        # a picture depends on nothing but its frame
        last = () if self._glassy else self.labels
        if self._kept is not None:
            self._hud.paint(*texts)
        boxes = np.vstack([texts, (0.0, 0.0, self.size[0], self._shot.bottom)])
        dots = markers.segments()
        self.labels = write_labels(self._hud, view, style, shown, boxes, dots, last)
        self._hud.finish()

    def _sees(self, middles: Mapping[str, Floats]) -> bool:
        """Tell whether the camera sees all that the picture is about."""
        if self.view is None:
            return False
        looked_at = self._shot.looked_at
        about = looked_at if len(looked_at) == 2 else tuple(middles)
        seen = np.reshape([middles[n] for n in about if n in middles], (-1, 3))
        places = project(seen, self._current_view(), self.size)
        return bool(((places > 0) & (places < np.array(self.size))).all())

    def _show_bodies(
        self, shown: Shown, middles: Mapping[str, Floats], view: View
    ) -> None:
        """Draw the bodies, fainter those that are in no drawn pair."""
        lit, drawn = shown.lit, {}
        tints: dict[str, list[Any]] = {}
        for k, (name, _, faces) in enumerate(shown.tints):
            tints.setdefault(name, []).append((faces, self.theme.part(k)))
        for k, body in enumerate(shown.frame.bodies):
            is_lit = body.name in lit
            drawn[body.name] = DrawnBody(
                body.mesh,
                shown.points[body.name],
                self.theme.body(k),
                lit.get(body.name, ()),
                looks.OPACITY if is_lit else looks.OPACITY_BYSTANDER,
                not is_lit and bool(lit),
                tints.get(body.name, ()),
            )
        states = [pair.state for pair in shown.pairs]
        order = far_to_near(middles, states, view.position)
        self._bodies.show([drawn[name] for name in order])

    def _look(self, run: Sequence[Shown], texts: Floats, *, tries: int = 1) -> bool:
        """Put the camera where contacts are seen; tell whether the whole run is.

        A line parts bodies from the title, else this takes the whole width.
        """
        pairs, rim, size = run[0].pairs, _RIM * self.ratio, self.size
        is_close = len(self._shot.looked_at) == 2 and pairs
        others = (lambda _: ()) if is_close else drawn_pairs
        near, far = (
            [worth_seeing(x.points, x.pairs, others(x.frame), k) for x in run]
            for k in SHOWN
        )
        hiding: tuple[Floats, ...] = ()
        if pairs:
            spots = (p.contacts if len(p.contacts) else p.middle[None] for p in pairs)
            bodies = run[0].frame.bodies
            skins = [run[0].points[b.name][b.mesh.fan.vertex] for b in bodies]
            few = [some[:_SPOTS] for some in islice(spots, _SEARCHED)]
            hiding = np.concatenate(few), np.concatenate(skins)
        way = best_direction(*near[0][1:], *hiding)
        worth = [np.concatenate([seen for seen, *_ in some]) for some in (near, far)]
        every = np.concatenate([at for x in run for at in x.points.values()])
        reach, low = (texts[0, _CORNERS] @ WAYS.T).max(axis=0), texts[1, 3]
        for high in (size[1] - texts[0, 1]) * np.linspace(1.0, 0.0, tries)[::-1]:
            border = Border(rim, rim, low + rim, high + rim)
            views = [fit(x, way, size, border) for x in (*worth, near[0][0])]
            least, most, _ = (project(every, v, size)[:, 1].min() for v in views)
            away, off, one = (np.linalg.norm(v.position - v.focal) for v in views)
            k = int(least < low <= most and off < _FARTHER * away)
            seen = (project(every, views[k], size) @ WAYS.T).min(axis=0)
            if (reach < seen).any():
                break
        else:
            texts[0, 2] = size[0]
        sees_all = bool(away < _WHOLE * one)
        self.view = view = views[k if sees_all else 2]
        camera = self.plotter.camera
        camera.view_angle = ANGLE
        camera.position, camera.focal_point, camera.up = (
            each.tolist() for each in view
        )
        self.plotter.camera_set = True
        return sees_all

    def _current_view(self) -> View:
        """Return from where the camera looks."""
        camera = self.plotter.camera
        at = camera.GetPosition(), camera.GetFocalPoint(), camera.GetViewUp()
        return View(*map(np.array, at))
