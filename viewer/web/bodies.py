"""One body in a browser: its skin, its edges, its closest faces."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from viewer import theme
from viewer.arrays import Floats
from viewer.theme import BodyColours
from viewer.web.room import Room

if TYPE_CHECKING:
    from sim.frame import BodySnapshot


_MANY_EDGES = 4000  # more are a grey veil
_RIGID = 1e-9  # how far from a rotation a pose may be that is sent as one
_CLEARER = 0.7  # times as opaque as in a window: here markers lie inside, not on top
_LIT = 0.4  # opacity of a lit face, on top of the skin: markers shine through both
_LIFT = 0.4  # pixels that a lit face stands off the skin: else both flicker


class WebBody:
    """A body that is sent once, and moved.

    A rigid motion costs 28 bytes a frame; a deformation its vertices, 12 bytes each.

    Parameters: ``path``: of its node; ``moving_edges``: a body that deforms loses its
    edges where there are more: they weigh six times its vertices.
    """

    def __init__(
        self,
        scene: Any,
        path: str,
        body: "BodySnapshot",
        room: Room,
        colours: BodyColours,
        moving_edges: int,
    ) -> None:
        self._moving_edges = moving_edges
        self.mesh, self.name = body.mesh, body.name
        self._room = room
        self._middle = body.points.mean(axis=0)
        self._shape: tuple[Floats, Floats | None] | None = None
        self._edges: Any = None
        vertices, place, turn = self._placed(body)
        self._skin = scene.add_mesh_simple(
            path,
            vertices,
            self.mesh.fan.vertex.astype(np.uint32),
            color=colours.surface,
            opacity=_CLEARER * theme.OPACITY,
            flat_shading=True,
            cast_shadow=False,
            receive_shadow=False,
            position=place,
            wxyz=turn,
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
            flat_shading=True,
            side="double",
            cast_shadow=False,
            receive_shadow=False,
            visible=False,
        )

    def update(
        self, body: "BodySnapshot", lit: Sequence[NDArray[np.intp]], involved: bool
    ) -> None:
        """Move the body and light faces up; ``lit`` are rows of ``mesh.fan``."""
        before = self._shape
        vertices, place, turn = self._placed(body)
        self._skin.position, self._skin.wxyz = place, turn
        opacity = theme.OPACITY if involved else theme.OPACITY_BYSTANDER
        self._skin.opacity = _CLEARER * opacity
        if before is not self._shape:
            self._skin.vertices = vertices
            self._redraw_edges(vertices)
        self._light(vertices, lit)

    def remove(self) -> None:
        """Take the body out of the scene."""
        self._skin.remove()  # and what hangs on it

    def _placed(
        self, body: "BodySnapshot"
    ) -> tuple[NDArray[np.float32], Floats, Floats]:
        """Return vertices, place and rotation (wxyz), browser units."""
        linear, middle = body.pose.linear, self._middle
        place = self._room.place(body.pose.apply(middle[None]))[0]
        rigid = np.abs(linear.T @ linear - np.eye(3)).max() <= _RIGID
        stretch = None if rigid else linear
        if not self._same_shape(body.points, stretch):
            self._shape = (body.points, stretch)
        local = (body.points - middle) * self._room.scale
        if stretch is None:
            turn = _wxyz(linear)
        else:
            local, turn = local @ stretch.T, np.array([1.0, 0.0, 0.0, 0.0])
        return local.astype(np.float32), place.astype(np.float64), turn

    def _same_shape(self, points: Floats, stretch: Floats | None) -> bool:
        if self._shape is None:
            return False
        last, before = self._shape
        if before is None or stretch is None:
            if before is not stretch:
                return False
        elif not np.array_equal(before, stretch):
            return False
        return last is points or np.array_equal(last, points)

    def _redraw_edges(self, vertices: NDArray[np.float32]) -> None:
        if self._edges is None:
            return
        if self.mesh.n_edges > self._moving_edges:
            self._edges.remove()
            self._edges = None
            return
        self._edges.points = vertices[self.mesh.edge_vertices]

    def _light(
        self, vertices: NDArray[np.float32], lit: Sequence[NDArray[np.intp]]
    ) -> None:
        rows = np.unique(np.concatenate(lit)) if lit else np.empty(0, np.intp)
        self._lit.visible = len(rows) > 0
        if not len(rows):
            return
        corners = vertices[self.mesh.fan.vertex[rows]].astype(np.float64)
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.sqrt((normal * normal).sum(axis=1, keepdims=True))
        lift = _LIFT * self._room.pixel * normal / np.where(length > 0, length, 1.0)
        raised = (corners + lift[:, None]).reshape(-1, 3)
        faces = np.arange(len(raised), dtype=np.uint32).reshape(-1, 3)
        if len(faces) < len(self._lit.faces):  # never an index beyond the vertices
            self._lit.faces = faces
            self._lit.vertices = raised
        else:
            self._lit.vertices = raised
            self._lit.faces = faces


def _wxyz(rotation: Floats) -> Floats:
    """Turn a rotation matrix into a unit quaternion, real part first."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(rotation).as_quat()
    return np.array([w, x, y, z])
