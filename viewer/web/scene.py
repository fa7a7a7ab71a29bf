"""Draw frames in a browser: what is there is moved, nothing is sent twice."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import Frame
from sim.frame import BodySnapshot
from viewer import theme
from viewer.drawing.glyphs import PairGlyphs, drawn_pairs, pair_glyphs
from viewer.drawing.markers import (
    Pen,
    Sheet,
    add_markers,
    add_outlines,
    add_rims,
    arrow_ends,
    lifted,
    sheets,
    sideways,
)
from viewer.drawing.overlays import NOTHING, Layers, OverlayCollector, Overlays
from viewer.drawing.solids import SolidBuilder
from viewer.theme import BodyColours, Theme
from viewer.web.marks import (
    Float32Frame,
    Strokes,
    add_flat,
    camera,
    drawn,
    float32_frame,
    words_of,
)
from wingedge.tables import Floats

_MANY_EDGES = 4000  # more are a grey veil
_MOVING_EDGES = 2000  # of a body that deforms, which loses more
_RIGID = 1e-9  # how far from a rotation a pose may be that is sent as one
_CLEARER = 0.7  # times as opaque as in a window: here markers lie inside, not on top
_LIT = 0.4  # opacity of a lit face, on top of the skin: markers shine through both
_LIFT = 0.4  # pixels that a lit face stands off the skin: else both flicker
_PLAIN = {"cast_shadow": False, "receive_shadow": False}
_FLAT = {"flat_shading": True, **_PLAIN}


class WebBody:
    """A body that is sent once, and moved: 28 bytes a frame; deformed 12 a vertex."""

    def __init__(
        self,
        scene: Any,
        path: str,
        body: BodySnapshot,
        local: Float32Frame,
        colours: BodyColours,
    ) -> None:
        self.mesh, self.name = body.mesh, body.name
        self._local = local
        self._middle = body.points.mean(axis=0)
        self._shape: tuple[Floats, Floats] | None = None
        self._edges: Any = None
        vertices, place, turn = self._placed(body)
        self._skin = scene.add_mesh_simple(
            path,
            vertices,
            self.mesh.fan.vertex.astype(np.uint32),
            color=colours.surface,
            opacity=_CLEARER * theme.OPACITY,
            position=place,
            wxyz=turn,
            **_FLAT,
        )
        if self.mesh.n_edges <= _MANY_EDGES:
            self._edges = scene.add_line_segments(
                f"{path}/edges",
                vertices[self.mesh.edge_vertices],
                colours.wire,
                thickness=theme.WIRE_WIDTH,
                thickness_units="screen",
            )
        self._lit = scene.add_mesh_simple(
            f"{path}/lit",
            np.zeros((3, 3)),
            np.array([[0, 1, 2]]),
            color=colours.lit,
            opacity=_LIT,
            side="double",
            visible=False,
            **_FLAT,
        )

    def update(
        self, body: BodySnapshot, lit: Sequence[NDArray[np.intp]], involved: bool
    ) -> None:
        """Move the body and light faces up; ``lit`` are rows of ``mesh.fan``."""
        before = self._shape
        vertices, place, turn = self._placed(body)
        self._skin.position, self._skin.wxyz = place, turn
        opacity = theme.OPACITY if involved else theme.OPACITY_BYSTANDER
        self._skin.opacity = _CLEARER * opacity
        if before is not self._shape:
            self._skin.vertices = vertices
            if self._edges is not None and self.mesh.n_edges > _MOVING_EDGES:
                self._edges.remove()
                self._edges = None
            elif self._edges is not None:
                self._edges.points = vertices[self.mesh.edge_vertices]
        rows = np.unique(np.concatenate(lit)) if lit else np.empty(0, np.intp)
        self._lit.visible = len(rows) > 0
        if not len(rows):
            return
        corners = vertices[self.mesh.fan.vertex[rows]].astype(np.float64)
        raised = lifted(corners, _LIFT * self._local.pixel).reshape(-1, 3)
        faces = np.arange(len(raised), dtype=np.uint32).reshape(-1, 3)
        fewer = len(faces) < len(self._lit.faces)
        for name in ("faces", "vertices") if fewer else ("vertices", "faces"):
            # never an index beyond the vertices
            setattr(self._lit, name, faces if name == "faces" else raised)

    def remove(self) -> None:
        """Take the body out of the scene."""
        self._skin.remove()  # and what hangs on it

    def _placed(self, body: BodySnapshot) -> tuple[NDArray[np.float32], Floats, Floats]:
        """Return vertices, place and rotation (wxyz), browser units."""
        linear, middle = body.pose.linear, self._middle
        place = self._local.place(body.pose.apply(middle[None]))[0]
        rigid = np.abs(linear.T @ linear - np.eye(3)).max() <= _RIGID
        stretch = np.eye(3) if rigid else linear
        shape, old = (body.points, stretch), self._shape
        if old is None or not all(
            x is y or np.array_equal(x, y) for x, y in zip(shape, old, strict=True)
        ):
            self._shape = shape
        local = (body.points - middle) * self._local.scale
        turn = np.array([1.0, 0.0, 0.0, 0.0])  # real part first
        if rigid:
            from scipy.spatial.transform import Rotation

            turn = np.roll(Rotation.from_matrix(linear).as_quat(), 1)
        else:
            local = local @ stretch.T
        return local.astype(np.float32), place.astype(np.float64), turn


_NAMED_PAIRS = 2  # more names than these are a heap of letters


class BrowserScene:
    """Draw frames with viser, one after the other.

    The first contact is seen across its normal, beside a panel of so many pixels.
    """

    def __init__(
        self,
        server: Any,
        points: Floats,
        normal: Floats,
        look: Theme,
        *,
        panel: float = 0.0,
    ) -> None:
        self._scene = server.scene
        self._look = look
        self.local = float32_frame(points)
        self._bodies: list[WebBody] = []
        self._labels: list[Any] = []
        self._sheets: list[Any] = []
        self._overlayer = OverlayCollector()
        self.overlays: Overlays = NOTHING
        self._scene.set_up_direction("+z")
        self._scene.world_axes.visible = False
        self._scene.set_background_image(_paper(look))
        self._strokes: dict[float, Any] = {}
        from trimesh.creation import cone  # loads scipy

        head = cone(1.0, 1.0, sections=14)
        self._heads = self._scene.add_batched_meshes_simple(
            "/marks/heads",
            head.vertices.astype(np.float32),
            head.faces.astype(np.uint32),
            batched_wxyzs=np.array([[1.0, 0.0, 0.0, 0.0]]),
            batched_positions=np.zeros((1, 3)),
            batched_scales=np.ones((1, 3)),
            batched_colors=np.zeros((1, 3), np.uint8),
            lod="off",
            visible=False,
            **_PLAIN,
        )
        self.view = view = camera(points, normal, self.local, panel)
        server.initial_camera.fov = np.radians(30.0)
        server.initial_camera.near = 1e-3
        server.initial_camera.far = 1e4
        server.initial_camera.up = view.up
        server.initial_camera.position = view.position
        server.initial_camera.look_at = view.focal

    def show(self, frame: Frame, layers: Layers, before: Frame | None = None) -> None:
        """Show another frame; ``before`` it there was this one, for the path."""
        states = drawn_pairs(frame)
        pairs = [pair_glyphs(frame, state) for state in states]
        self._show_bodies(frame, pairs, layers.contacts)
        order = [body.name for body in frame.bodies]
        pen = Pen.fixed(order, self._look, self.local.pixel / self.local.scale)
        shown = pairs if layers.contacts else []
        self.overlays = self._overlayer.collect(frame, states, layers, before)
        pieces = SolidBuilder()
        add_markers(pieces, shown, pen, normals=layers.normals and not layers.forces)
        add_rims(pieces, shown, pen)
        add_outlines(pieces, self.overlays, pen)
        add_flat(pieces, self.overlays, pen)
        made = drawn(pieces, self.local)
        self._draw(made.strokes)
        self._heads.visible = len(made.heads.positions) > 0
        if len(made.heads.positions):  # the shape itself is not sent again
            for name, values in made.heads._asdict().items():
                setattr(self._heads, f"batched_{name}", values)
        self._spread(sheets(self.overlays, pen))
        named = shown[:_NAMED_PAIRS] if layers.names else []
        words = [label for pair in named for label in _texts(pair, pen)]
        self._name(words + words_of(self.overlays, pen))

    def _spread(self, laid: list[Sheet]) -> None:
        """Lay sheets on what they tint; they change with every frame."""
        while self._sheets:
            self._sheets.pop().remove()
        for k, sheet in enumerate(laid):
            placed = self.local.place(sheet.triangles).astype(np.float64)
            raised = sheet._replace(triangles=placed).raised(self.local.pixel)
            corners = raised.reshape(-1, 3).astype(np.float32)
            made = self._scene.add_mesh_simple(
                f"/sheets/{k}",
                corners,
                np.arange(len(corners), dtype=np.uint32).reshape(-1, 3),
                color=sheet.colour,
                opacity=sheet.opacity,
                side="double",
                **_FLAT,
            )
            self._sheets.append(made)

    def _draw(self, strokes: dict[float, Strokes]) -> None:
        """Draw lines; those of one width are one node, which is kept."""
        for width, handle in self._strokes.items():
            handle.visible = width in strokes
        for width, lines in strokes.items():
            known = self._strokes.get(width)
            if known is None:
                self._strokes[width] = self._scene.add_line_segments(
                    f"/marks/lines{len(self._strokes)}",
                    lines.points,
                    lines.colours,
                    thickness=width,
                    thickness_units="screen",
                )
                continue
            known.points, known.colors = lines.points, lines.colours

    def _show_bodies(
        self, frame: Frame, pairs: list[PairGlyphs], lit_too: bool
    ) -> None:
        while len(self._bodies) > len(frame.bodies):
            self._bodies.pop().remove()
        parts = [part for pair in pairs for part in (pair.a, pair.b)]
        for k, body in enumerate(frame.bodies):
            known = self._bodies[k] if k < len(self._bodies) else None
            if known is None or known.mesh is not body.mesh:
                if known is not None:
                    known.remove()
                path, tones = f"/bodies/{k}", self._look.body(k)
                made = WebBody(self._scene, path, body, self.local, tones)
                self._bodies[k : k + 1] = [made]
            own = [part for part in parts if part.body == body.name]
            lit = [part.fan for part in own if part.kind == "face" and lit_too]
            self._bodies[k].update(body, lit, bool(own) or not pairs)

    def _name(self, wanted: list[tuple[str, Floats]]) -> None:
        while len(self._labels) < len(wanted):
            path = f"/names/{len(self._labels)}"
            made = self._scene.add_label(path, "", anchor="center-center")
            self._labels.append(made)
        for k, label in enumerate(self._labels):
            label.visible = k < len(wanted)
            if k < len(wanted):
                words, point = wanted[k]
                label.text, label.position = words, self.local.place(point)


def _texts(pair: PairGlyphs, pen: Pen) -> list[tuple[str, Floats]]:
    """Say what is written of a pair, and where: along the normal, and beside it."""
    unit = float(pen.unit(np.zeros(3)))
    _, tip = arrow_ends(pair, unit)
    away = theme.ARROW_LENGTH * unit
    return [
        (f"{pair.a.body} {pair.a.name}", pair.witness[0] - 0.7 * away * pair.normal),
        (f"{pair.b.body} {pair.b.name}", tip + 0.25 * away * pair.normal),
        (pair.text, pair.witness.mean(axis=0) + away * sideways(pair.normal)),
    ]


def _paper(look: Theme) -> NDArray[np.uint8]:
    """Return the background: from one colour below to another above."""
    t = np.linspace(1.0, 0.0, 64)[:, None, None]
    low, high = np.array((look.background_low, look.background_high), np.float64)
    tones: NDArray[np.uint8] = np.rint(t * high + (1 - t) * low).astype(np.uint8)
    return np.repeat(tones, 64, axis=1)
