"""Read glTF 2.0: the meshes of a scene, where its nodes and targets put them."""

import base64
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from wingedge.build import as_polygons
from wingedge.errors import MeshError
from wingedge.io.parsing import ParsedMesh, telling

KINDS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
TRIANGLES = 4  # and 5 is a strip, 6 a fan
GLB = b"glTF"
# extensions that leave the surface as it is, or that are read
KNOWN = re.compile(r"[A-Z]+_(materials|texture|lights|xmp|mesh_quantization)")
ROOM = 4 * 10**6  # numbers that any file may stand for, and how many more for a byte
MANY = 12

Floats = NDArray[np.float64]


class Placed(NamedTuple):
    """The mesh of one node."""

    node: int
    rest: Floats  # (V, 3)
    targets: Floats  # (K, V, 3)
    weights: Floats  # (K,) at rest
    place: Floats  # (4, 4)
    faces: NDArray[np.int64]  # (F, 3)
    materials: list[str]  # of every face the name, "" for none


class Gltf:
    """The tree of a file, its buffers, and the nodes of its scene.

    Raises MeshError if an extension is required that is not read, or ``spend`` refuses;
    FileNotFoundError if a buffer is missing; anything, if tables do not fit together.
    """

    def __init__(self, data: bytes, path: Path) -> None:
        self.path, self._chunk = path, b""
        if data[:4] == GLB:
            size = int.from_bytes(data[12:16], "little")
            self._chunk, data = data[28 + size :], data[20 : 20 + size]
        self.tree: Any = json.loads(data.decode("utf-8"))
        for name in self.tree.get("extensionsRequired", []):
            if not KNOWN.match(name):
                raise _not_read(name)
        given, self._read = self.tree.get("buffers", []), cache(Path.read_bytes)
        self._buffers = [self._buffer(k, about) for k, about in enumerate(given)]
        self._left = ROOM + MANY * (len(data) + sum(map(len, {*self._buffers})))
        self.parent: dict[int, int] = {}
        self._place: dict[int, Floats] = {}
        self._walk()
        meshes = [(k, self._parts(k)) for k in self._place]
        self.placed = [self._placed(k, parts) for k, parts in meshes if parts]
        if not self.placed:
            raise MeshError("no triangles found in its scene; export the mesh again")

    def _buffer(self, index: int, given: Any) -> bytes:
        uri = given.get("uri")
        if uri is None:  # a buffer without bytes stands for what is compressed
            return b"" if index or given.get("extensions") else self._chunk
        if uri.startswith("data:"):
            return base64.b64decode(uri.partition(",")[2])
        beside = self.path.parent / unquote(uri)
        if not beside.resolve().is_relative_to(self.path.parent.resolve()):
            raise MeshError(f"its buffer {uri[:80]!r} is not in its folder or below")
        if not beside.is_file():
            raise FileNotFoundError(f"{self.path}: its buffer {beside} is missing")
        return self._read(beside)

    def spend(self, numbers: int) -> None:
        """Refuse a file of which more is to be made than its bytes can stand for."""
        self._left -= numbers
        if numbers < 0 or self._left < 0:
            raise MeshError(
                "its accessors say more than its bytes hold; export it again, with "
                "fewer copies of a mesh"
            )

    def values(self, index: int) -> NDArray[Any]:
        """Read an accessor, (count, width)."""
        about = self.tree["accessors"][index]
        kind, width = np.dtype(KINDS[about["componentType"]]), WIDTHS[about["type"]]
        self.spend(about["count"] * width)
        values = np.zeros((about["count"], width), kind)
        if "bufferView" in about:
            values = self._rows(about, kind, about["count"], width)
        if sparse := about.get("sparse"):
            where = np.dtype(KINDS[sparse["indices"]["componentType"]])
            rows = self._rows(sparse["indices"], where, sparse["count"], 1).ravel()
            values[rows] = self._rows(sparse["values"], kind, sparse["count"], width)
        if about.get("normalized") and kind.kind in "iu":
            return np.maximum(values / np.iinfo(kind).max, -1.0)
        return values

    def _rows(
        self, about: Any, kind: np.dtype[Any], count: int, width: int
    ) -> NDArray[Any]:
        view = self.tree["bufferViews"][about["bufferView"]]
        data = self._buffers[view["buffer"]]
        if view.get("extensions") and not data:
            raise _not_read(*view["extensions"])
        start = view.get("byteOffset", 0) + about.get("byteOffset", 0)
        step = view.get("byteStride", kind.itemsize * width)
        if count and start + step * (count - 1) + kind.itemsize * width > len(data):
            raise ValueError("a buffer is shorter than its accessors say")
        shape, strides = (count, width), (step, kind.itemsize)
        return np.ndarray(shape, kind, data, start, strides).copy()

    def _walk(self) -> None:
        """Find the nodes of the scene in their order, and where each of them is."""
        nodes, scenes = self.tree.get("nodes", []), self.tree.get("scenes", [])
        below = {child for node in nodes for child in node.get("children", [])}
        roots = [k for k in range(len(nodes)) if k not in below]
        if scenes:
            roots = scenes[self.tree.get("scene", 0)].get("nodes", [])
        waiting = [(k, np.eye(4)) for k in reversed(roots)]
        while waiting:
            k, above = waiting.pop()
            if k in self._place:
                raise MeshError(f"node {k} is met twice; export the scene as a tree")
            self._place[k] = above @ _local(nodes[k])
            children = nodes[k].get("children", [])
            self.parent.update(dict.fromkeys(children, k))
            waiting += [(child, self._place[k]) for child in reversed(children)]

    def _parts(self, index: int) -> list[Any]:
        """List the parts of a node's mesh that have triangles."""
        node = self.tree["nodes"][index]
        if "EXT_mesh_gpu_instancing" in node.get("extensions", {}):
            raise _not_read("EXT_mesh_gpu_instancing")
        if "skin" in node:
            raise MeshError(f"node {index} is skinned; bake it to targets, or at rest")
        mesh = self.tree["meshes"][node["mesh"]] if "mesh" in node else {}
        parts = mesh.get("primitives", [])
        if any(p.get("mode", TRIANGLES) > TRIANGLES for p in parts):
            raise MeshError("has strips or fans of triangles; export plain triangles")
        parts = [p for p in parts if p.get("mode", TRIANGLES) == TRIANGLES]
        return [p for p in parts if "POSITION" in p["attributes"] and self._count(p)]

    def _count(self, part: Any) -> int:
        return int(self.tree["accessors"][part["attributes"]["POSITION"]]["count"])

    def _placed(self, index: int, parts: list[Any]) -> Placed:
        node = self.tree["nodes"][index]
        rest = [self._positions(p["attributes"], p) for p in parts]
        first = np.cumsum([0, *map(len, rest)])
        moves = [
            np.concatenate([self._positions(p["targets"][k], p) for p in parts])
            for k in range(len(parts[0].get("targets", [])))
        ]
        own = self.tree["meshes"][node["mesh"]].get("weights", [0.0] * len(moves))
        place = self._place[index]
        faces = [self._triangles(p) + n for p, n in zip(parts, first, strict=False)]
        turned, known = np.linalg.det(place) < 0.0, self.tree.get("materials", [])
        inks = [
            known[p["material"]].get("name", "") if "material" in p else ""
            for p in parts
        ]
        return Placed(
            index,
            np.concatenate(rest),
            np.reshape(moves, (-1, first[-1], 3)),
            np.array(node.get("weights", own), np.float64),
            place,
            np.concatenate(faces)[:, :: -1 if turned else 1],
            [ink for ink, some in zip(inks, faces, strict=True) for _ in some],
        )

    def _positions(self, attributes: Any, part: Any) -> Floats:
        if "POSITION" not in attributes:  # a target that only turns normals
            self.spend(3 * self._count(part))
            return np.zeros((self._count(part), 3))
        return self.values(attributes["POSITION"]).astype(np.float64)

    def _triangles(self, part: Any) -> NDArray[np.int64]:
        corner = np.arange(self._count(part))
        if "indices" in part:
            corner = self.values(part["indices"]).ravel().astype(np.int64)
        return corner.reshape(-1, 3)

    def points(self, weights: Mapping[int, Floats]) -> Floats:
        """Return all vertices, (V, 3); ``weights`` (K,) of nodes not at rest."""
        parts = []
        for one in self.placed:
            x = one.rest.copy()
            for w, target in zip(
                weights.get(one.node, one.weights), one.targets, strict=True
            ):
                x += w * target
            parts.append(x @ one.place[:3, :3].T + one.place[:3, 3])
        return np.concatenate(parts)

    def at_rest(self) -> ParsedMesh:
        """Return the whole scene; its groups are the nodes.

        Its parts are primitives, by their materials, or nodes where these tell none.
        """
        first = np.cumsum([0, *(len(one.rest) for one in self.placed)])
        faces = [one.faces + n for one, n in zip(self.placed, first, strict=False)]
        group = np.repeat(np.arange(len(faces)), [len(some) for some in faces])
        names = [self.tree["nodes"][one.node].get("name", "") for one in self.placed]
        polygons = as_polygons(np.concatenate(faces), int(first[-1]))
        inks = [ink for one in self.placed for ink in one.materials]
        part = telling(inks, [names[k] for k in group])
        points = self.points({})
        return ParsedMesh(points, polygons, group, names, single=True, part=part)


def _not_read(extension: str) -> MeshError:
    return MeshError(
        f"needs the extension {extension}, which is not read; export without it"
    )


def _local(node: Any) -> Floats:
    """Return the map of a node to the one above it, (4, 4)."""
    from scipy.spatial.transform import Rotation  # here: few files need it

    if "matrix" in node:
        return np.array(node["matrix"], np.float64).reshape(4, 4).T
    made = np.eye(4)
    if "rotation" in node:
        made[:3, :3] = Rotation.from_quat(node["rotation"]).as_matrix()
    made[:3, :3] *= np.array(node.get("scale", (1.0, 1.0, 1.0)))
    made[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return made
