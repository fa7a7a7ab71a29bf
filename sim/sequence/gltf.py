"""Read glTF: a mesh with morph targets, in every key frame of its weights.

trimesh reads the mesh at rest and neither targets nor animations, so these are read
here, from the tables of the file (glTF 2.0, sections 3.6 to 3.11).
"""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.sequence.sample import Sample, Samples, numbered_frames
from wingedge.build import as_polygons

KINDS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
TRIANGLES = 4
GLB = b"glTF"


def read_gltf(path: Path) -> Samples:
    """Read the one mesh of a file, and how the weights of its targets move it."""
    try:
        file = _File(path)
        return {"": file.samples()}
    except (
        KeyError,
        IndexError,
        AttributeError,
        TypeError,
        UnicodeDecodeError,
        json.JSONDecodeError,
    ) as error:
        raise ValueError(
            f"cannot be read as glTF ({type(error).__name__}: {error}); export it again"
        ) from None


class _File:
    """The tree of a file, and its buffers."""

    def __init__(self, path: Path) -> None:
        self.path, data = path, path.read_bytes()
        self.chunk = b""
        if data[:4] == GLB:
            size = int.from_bytes(data[12:16], "little")
            self.chunk = data[28 + size :]
            data = data[20 : 20 + size]
        self.tree: Any = json.loads(data.decode("utf-8"))
        self.buffers = [self._buffer(given) for given in self.tree.get("buffers", [])]

    def _buffer(self, given: Any) -> bytes:
        uri = given.get("uri")
        if uri is None:
            return self.chunk
        if uri.startswith("data:"):
            return base64.b64decode(uri.partition(",")[2])
        from urllib.parse import unquote

        beside = self.path.parent / unquote(uri)
        if not beside.is_file():
            raise FileNotFoundError(f"{self.path}: its buffer {beside} is missing")
        return beside.read_bytes()

    def values(self, index: int) -> NDArray[Any]:
        """Read an accessor, (count, width)."""
        about = self.tree["accessors"][index]
        kind, width = np.dtype(KINDS[about["componentType"]]), WIDTHS[about["type"]]
        count = about["count"]
        found = np.zeros((count, width), kind)
        if "bufferView" in about:
            found = self._rows(about, kind, count, width)
        if "sparse" in about:
            sparse = about["sparse"]
            where = np.dtype(KINDS[sparse["indices"]["componentType"]])
            rows = self._rows(sparse["indices"], where, sparse["count"], 1)
            found[rows.ravel()] = self._rows(
                sparse["values"], kind, sparse["count"], width
            )
        if about.get("normalized") and kind.kind in "iu":
            return np.maximum(found / np.iinfo(kind).max, -1.0)
        return found

    def _rows(
        self, about: Any, kind: np.dtype[Any], count: int, width: int
    ) -> NDArray[Any]:
        view = self.tree["bufferViews"][about["bufferView"]]
        data = self.buffers[view["buffer"]]
        start = view.get("byteOffset", 0) + about.get("byteOffset", 0)
        step = view.get("byteStride", kind.itemsize * width)
        if count and start + step * (count - 1) + kind.itemsize * width > len(data):
            raise ValueError(
                "a buffer is shorter than its accessors say; it is truncated"
            )
        shape, strides = (count, width), (step, kind.itemsize)
        return np.ndarray(shape, kind, data, start, strides).copy()

    def samples(self) -> list[Sample]:
        """Return the mesh in all key frames; one at rest where nothing moves it."""
        nodes = [
            k for k, node in enumerate(self.tree.get("nodes", [])) if "mesh" in node
        ]
        if len(nodes) != 1:
            raise ValueError(f"holds {len(nodes)} meshes; give each body its own file")
        node = self.tree["nodes"][nodes[0]]
        mesh = self.tree["meshes"][node["mesh"]]
        if "skin" in node:
            raise ValueError(
                "is moved by bones, which are not read; bake it to morph targets or to "
                "a series of meshes"
            )
        parts = mesh["primitives"]
        if any(part.get("mode", TRIANGLES) != TRIANGLES for part in parts):
            raise ValueError("has parts that are no triangles")
        rest = np.concatenate([self.values(p["attributes"]["POSITION"]) for p in parts])
        rest = rest.astype(np.float64)
        n_targets = len(parts[0].get("targets", []))
        targets = [
            np.concatenate(
                [self.values(part["targets"][k]["POSITION"]) for part in parts]
            )
            for k in range(n_targets)
        ]
        corners, first = [], 0
        for part in parts:
            count = self.tree["accessors"][part["attributes"]["POSITION"]]["count"]
            own = (
                self.values(part["indices"]).ravel()
                if "indices" in part
                else np.arange(count)
            )
            corners.append(own.astype(np.int64) + first)
            first += count
        faces = as_polygons(np.concatenate(corners).reshape(-1, 3), len(rest))
        times, weights = self._weights(nodes[0], node, mesh, n_targets)
        place = self._place(nodes[0])
        wheres = numbered_frames(self.path, len(times))
        made = []
        for where, time, row in zip(wheres, times, weights, strict=True):
            points = rest.copy()
            for weight, target in zip(row, targets, strict=True):
                points += weight * target
            points = points @ place[:3, :3].T + place[:3, 3]
            made.append(Sample(where, points, faces, time))
        return made

    def _weights(
        self, index: int, node: Any, mesh: Any, count: int
    ) -> tuple[list[float | None], NDArray[np.float64]]:
        """Return key times and the weights there; at rest, those of the mesh."""
        own = node.get("weights", mesh.get("weights", [0.0] * count))
        above = self._above(index)
        for animation in self.tree.get("animations", [])[:1]:
            for channel in animation["channels"]:
                if channel["target"].get("node") not in above:
                    continue
                path = channel["target"]["path"]
                if path != "weights":
                    raise ValueError(
                        f"animates the {path} of a node, which is not read, only "
                        "weights of morph targets; bake it to these, or to meshes"
                    )
                sampler = animation["samplers"][channel["sampler"]]
                times = self.values(sampler["input"]).ravel().astype(np.float64)
                rows = self.values(sampler["output"]).astype(np.float64)
                rows = rows.reshape(len(times), -1, count)
                # a cubic spline has tangents before and after every value
                middle = rows[:, rows.shape[1] // 2]
                return [float(t) for t in times], middle
        return [None], np.array([own], np.float64)

    def _above(self, index: int) -> list[int]:
        """List a node and all that it hangs from."""
        parent = {
            child: k
            for k, node in enumerate(self.tree["nodes"])
            for child in node.get("children", [])
        }
        found = [index]
        while found[-1] in parent and len(found) <= len(self.tree["nodes"]):
            found.append(parent[found[-1]])
        return found

    def _place(self, index: int) -> NDArray[np.float64]:
        """Return the map of a node to the scene, (4, 4)."""
        total = np.eye(4)
        for k in self._above(index):
            total = _local(self.tree["nodes"][k]) @ total
        return total


def _local(node: Any) -> NDArray[np.float64]:
    from sim.body.pose import Pose

    if "matrix" in node:
        return np.array(node["matrix"], np.float64).reshape(4, 4).T
    made = np.eye(4)
    turn = Pose.rigid(node.get("rotation", (0.0, 0.0, 0.0, 1.0))).linear
    made[:3, :3] = turn * np.array(node.get("scale", (1.0, 1.0, 1.0)))
    made[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return made
