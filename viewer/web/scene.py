"""Draw frames in a browser: bodies are sent once and moved, marks anew by name."""

from typing import Any

import numpy as np

from sim import Frame
from sim.frame import BodySnapshot
from viewer import theme
from viewer.drawing.arrays import Shown, SolidBuilder, Style, collect
from viewer.drawing.camera import Border, best_direction, fit
from viewer.theme import BodyColours, Layers, Rgb, Theme, blended
from viewer.web.marks import PIXEL, Float32Frame, float32_frame, light_of, sent
from wingedge import WingedEdgeMesh
from wingedge.columns import columns, unit_normals
from wingedge.tables import Floats

_MANY_EDGES = 4000  # more are a grey veil
_RIGID = 1e-9  # how far from a rotation a pose may be that is sent as one
_CLEARER = 0.7  # times as opaque as in a window, and deeper: here markers lie inside
_LIT = 0.4  # opacity of a lit face, on top of the skin: markers shine through both
_SKY, _DIM = 4.0, 0.85  # how bright the sky is for surfaces as bright as in a window
_ABOVE = np.array([0.1, 0.6, 1.0])  # where it is, to the first eye's axes
_LIFT = 0.8  # pixels that it lies above the surface that it tints
_FLAT = {"flat_shading": True, "cast_shadow": False, "receive_shadow": False}


class WebBody:
    """A body that is sent once, and moved: 28 bytes a frame; deformed 12 a vertex."""

    def __init__(
        self, scene: Any, path: str, body: BodySnapshot, skin: Any, wire: Any
    ) -> None:
        self.mesh: WingedEdgeMesh = body.mesh
        self._middle = body.points.mean(axis=0)
        self.skin = scene.add_mesh_simple(
            path,
            np.zeros((self.mesh.n_vertices, 3), np.float32),
            self.mesh.fan.vertex.astype(np.uint32),
            color=skin,
            **_FLAT,
        )
        self._edges: Any = None
        if self.mesh.n_edges <= _MANY_EDGES:
            self._edges = scene.add_line_segments(
                f"{path}/edges",
                np.zeros((self.mesh.n_edges, 2, 3), np.float32),
                wire,
                thickness=theme.WIRE_WIDTH,
                thickness_units="screen",
            )

    def update(self, body: BodySnapshot, local: Float32Frame) -> None:
        """Move the body; send its vertices where it has another shape."""
        from scipy.spatial.transform import Rotation

        linear, middle = body.pose.linear, self._middle
        self.skin.position = local.place(body.pose.apply(middle[None]))[0]
        turn, shape = linear, np.eye(3)
        if np.abs(linear.T @ linear - np.eye(3)).max() > _RIGID:
            turn, shape = shape, linear
        quaternion = Rotation.from_matrix(turn).as_quat()
        self.skin.wxyz = np.roll(quaternion, 1).tolist()  # real part first
        vertices = (body.points - middle) @ shape.T * local.scale
        vertices = vertices.astype(np.float32)
        if np.array_equal(vertices, self.skin.vertices):
            return
        self.skin.vertices = vertices
        if self._edges is not None:
            self._edges.points = vertices[self.mesh.edge_vertices]


class BrowserScene:
    """Draw frames with viser, one after the other.

    The first contact is seen across its normal, beside a panel of so many pixels.
    """

    def __init__(
        self, server: Any, points: Floats, normal: Floats, look: Theme, *, panel: float
    ) -> None:
        self._scene = server.scene
        self._look = look
        self.local = float32_frame(points)
        self._bodies: list[WebBody] = []
        self._marks: dict[str, Any] = {}  # drawn anew with every frame, by name
        self.empty: list[str] = []  # layers that are on and have nothing to show
        self._scene.set_up_direction("+z")
        self._scene.world_axes.visible = False
        paper = look.background
        self._scene.set_background_image(np.full((2, 2, 3), paper, np.uint8))
        placed = self.local.place(points).astype(np.float64)
        border = Border(30.0, panel + 30.0, 90.0, 60.0)
        across = best_direction(normal, np.empty((0, 3)))
        view = fit(placed, across, (1280, 800), border)
        first = server.initial_camera
        first.fov, first.near, first.far = np.radians(30.0), 1e-3, 1e4
        first.up, first.position, first.look_at = view.up, view.position, view.focal
        # its own light: that of viser makes all surfaces grey
        skins = [blended(paper, x.surface, 1.0 / _CLEARER) for x in look.bodies]
        self._bright = float(light_of(skins).max())
        self._scene.configure_default_lights(enabled=False)
        self._scene.configure_environment_map(hdri=None)
        sky = {"intensity": _SKY * self._bright, "position": _ABOVE @ view.axes}
        self._scene.add_light_hemisphere("/sky", ground_color=(0, 0, 0), **sky)

    def _solid(self, below: Rgb, tone: Rgb, opacity: float) -> Any:
        """Return the colour of a surface through which what is below has a tone."""
        deep = _DIM * np.array(blended(below, tone, 1.0 / opacity))
        return sent(light_of(deep) / self._bright, curved=True)

    def show(self, frame: Frame, layers: Layers, before: Frame | None = None) -> None:
        """Show another frame; ``before`` is the one before it, for the path."""
        shown = collect(frame, layers, before=before)
        self.empty = shown.empty
        order = [body.name for body in frame.bodies]
        style = Style(order, self._look, PIXEL / self.local.scale)
        self._move(shown)
        marks = dict[str, Any]()
        pieces = shown.rims(style, shown.markers(style))
        for k, label in enumerate(shown.labels(style)):
            away = np.linalg.norm(label.anchors - label.place, axis=1)
            line = np.stack([label.anchors[away.argmin()], label.place])
            pieces.tubes.add(line[None], 0.7 * float(style.unit(line[0])), label.ink)
            name, place = f"/names/{k}", self.local.place(label.place)
            marks[name] = self._scene.add_label(
                name, label.words, position=place, anchor="center-center"
            )
        self._draw(pieces, marks)
        pairs = shown.pairs if layers.contacts else []
        parts = (part for pair in pairs for part in (pair.a, pair.b) if len(part.fan))
        once = {(part.body, part.fan.tobytes()): part for part in parts}
        for k, part in enumerate(once.values()):
            name, tones = f"/sheets/{k}", style.body(part.body)
            tone = tones.lit, theme.OPACITY_LIT
            marks[name] = self._sheet(name, part.triangles, tones, *tone)
        points = shown.points
        for k, (body, _, some) in enumerate(shown.tints):
            fan, name = frame.body(body).mesh.fan, f"/parts/{k}"
            sheet = points[body][fan.vertex[np.isin(fan.face, some)]]
            tone = self._look.part(k), theme.OPACITY
            marks[name] = self._sheet(name, sheet, style.body(body), *tone)
        for name in self._marks.keys() - marks.keys():
            self._marks[name].remove()
        self._marks = marks

    def _move(self, shown: Shown) -> None:
        """Show the bodies where they are, fainter those in no drawn pair."""
        bodies = shown.frame.bodies
        while len(self._bodies) > len(bodies):
            self._bodies.pop().skin.remove()  # and what hangs on it
        for k, body in enumerate(bodies):
            if k == len(self._bodies) or self._bodies[k].mesh is not body.mesh:
                tones, paper = self._look.body(k), self._look.background
                skin = self._solid(paper, tones.surface, _CLEARER)
                wire = sent(light_of(tones.wire), curved=True)
                made = WebBody(self._scene, f"/bodies/{k}", body, skin, wire)
                self._bodies[k : k + 1] = [made]
            involved = body.name in shown.lit or not shown.pairs
            opacity = theme.OPACITY if involved else theme.OPACITY_BYSTANDER
            self._bodies[k].update(body, self.local)
            self._bodies[k].skin.opacity = _CLEARER * opacity

    def _draw(self, pieces: SolidBuilder, marks: dict[str, Any]) -> None:
        """Draw lines and dots, a node for each width, and arrows."""
        scale = self.local.scale
        ends, radii, tones = pieces.tubes.arrays()
        for radius in np.unique(radii).tolist():
            name, rows = f"/marks/lines {radius}", radii == radius
            marks[name] = self._scene.add_line_segments(
                name,
                self.local.place(ends[rows]),
                np.repeat(sent(light_of(tones[rows]))[:, None], 2, axis=1),
                thickness=2 * radius * scale / PIXEL,
                thickness_units="screen",
            )
        dots, radii, tones = pieces.balls.arrays()
        for radius in np.unique(radii).tolist():
            name, rows = f"/marks/dots {radius}", radii == radius
            marks[name] = self._scene.add_point_cloud(
                name,
                self.local.place(dots[rows]),
                tones[rows],
                point_size=radius * scale,
                point_shape="circle",
                precision="float32",
            )
        ends, _, tones = pieces.arrows.arrays()
        if len(ends):
            thick = theme.ARROW_RADIUS * PIXEL
            marks["/marks/arrows"] = self._scene.add_arrows(
                "/marks/arrows",
                self.local.place(ends),
                sent(light_of(tones) / self._bright),
                shaft_radius=thick,
                head_radius=theme.HEAD_RADIUS * thick,
                head_length=theme.HEAD_LENGTH * theme.ARROW_LENGTH * PIXEL,
            )

    def _sheet(
        self, name: str, triangles: Floats, body: BodyColours, tone: Rgb, opacity: float
    ) -> Any:
        """Lay a tone on faces of a body, a little above: both look like it alone."""
        paper = self._look.background
        below = blended(paper, body.surface, theme.OPACITY)
        colour = self._solid(below, blended(paper, tone, opacity), _LIT)
        placed = self.local.place(triangles).astype(np.float64)
        normals = unit_normals(*map(columns, placed.swapaxes(0, 1)))
        raised = placed + _LIFT * PIXEL * normals[:, None]
        corners = raised.reshape(-1, 3).astype(np.float32)
        rows = np.arange(len(corners), dtype=np.uint32).reshape(-1, 3)
        look = {"color": colour, "opacity": _LIT, "side": "double", **_FLAT}
        return self._scene.add_mesh_simple(name, corners, rows, **look)
