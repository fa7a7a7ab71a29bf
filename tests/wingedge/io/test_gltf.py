"""wingedge.io.gltf, for meshes and sequences: each way to write a box gives it."""

import base64
import json

import numpy as np
import pytest

from sim import sequence
from wingedge import geometry, read, shapes

BOX = shapes.grid_box(1, 2.0, triangles=True)
AT = BOX.points + 1.0  # corners 0 or 2
FACES = BOX.fan.vertex
CODES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "f4": 5126}
WIDTHS = {1: "SCALAR", 3: "VEC3"}


class Made:
    """A tree of glTF and its bytes; ``part`` is the one part of its one mesh."""

    def __init__(self, points=AT, faces=FACES, node=(), **tree):
        self.data, self.views, self.accessors = b"", [], []
        self.part = {"attributes": {"POSITION": self.add(np.float32(points))}}
        self.part["indices"] = self.add(np.uint16(np.ravel(faces)[:, None]))
        self.mesh = {"primitives": [self.part]}
        self.node = {"mesh": 0, **dict(node)}
        self.tree = {"nodes": [self.node], "meshes": [self.mesh], **tree}

    def add(self, array, **about):
        given = {"bufferView": self.view(array), "count": len(array)}
        kind = {"componentType": CODES[array.dtype.str[1:]]}
        self.accessors.append(
            {**given, **kind, "type": WIDTHS[array.shape[1]], **about}
        )
        return len(self.accessors) - 1

    def view(self, array, **about):
        about["byteOffset"] = len(self.data)
        self.views.append({"buffer": 0, "byteLength": array.nbytes, **about})
        self.data += array.tobytes() + b"\0" * (-array.nbytes % 4)
        return len(self.views) - 1

    def save(self, path):
        whole = {"bufferViews": self.views, "accessors": self.accessors, **self.tree}
        if path.suffix == ".gltf":
            uri = "data:;base64," + base64.b64encode(self.data).decode()
            path.write_text(json.dumps({"buffers": [{"uri": uri}], **whole}))
            return path
        text = json.dumps({"buffers": [{"byteLength": len(self.data)}], **whole})
        text += " " * (-len(text) % 4)
        numbers = 2, 28 + len(text) + len(self.data), len(text), len(self.data)
        version, total, size, rest = (n.to_bytes(4, "little") for n in numbers)
        head = b"glTF" + version + total + size + b"JSON" + text.encode()
        path.write_bytes(head + rest + b"BIN\0" + self.data)
        return path


def whole(kind, most, normalized=True):
    """Corners as whole numbers from 0 to ``most``, in rows of four, with a scale."""
    made = Made(extensionsRequired=["KHR_mesh_quantization"])
    rows = np.zeros((8, 4), kind)
    rows[:, :3] = np.array(AT / 2 * most, kind)
    about = made.accessors[0]
    about |= {"componentType": CODES[kind], "normalized": normalized}
    about["bufferView"] = made.view(rows, byteStride=rows.nbytes // 8)
    made.node["scale"] = [2.0 / most * (np.iinfo(kind).max if normalized else 1)] * 3
    return made


def sparse(made, accessor, rows, values, base=True):
    where = {"bufferView": made.view(np.uint8(rows)), "componentType": 5121}
    given = {"bufferView": made.view(np.float32(values))}
    about = made.accessors[accessor]
    about["sparse"] = {"count": len(rows), "indices": where, "values": given}
    if not base:
        del about["bufferView"]
    return made


def morphed(holder, is_sparse=False):
    made = Made(AT - (0, 0, 3))
    move = made.add(np.float32([[0, 0, 6]] * 8))
    made.part["targets"] = [{"POSITION": move}, {"NORMAL": 0}]
    made.mesh["weights"] = [9.0, 9.0]
    (made.node if holder == "node" else made.mesh)["weights"] = [0.5, 1.0]
    return sparse(made, move, range(8), [[0, 0, 6]] * 8, False) if is_sparse else made


def parts(nodes=False, *more):
    """The faces in two parts of one mesh, or in meshes of two nodes."""
    made = Made(faces=FACES[:5])
    rest = {**made.part, "indices": made.add(np.uint16(FACES[5:].reshape(-1, 1)))}
    made.mesh["primitives"] += [] if nodes else [rest, *more]
    made.tree["meshes"] += [{"primitives": [rest]}] if nodes else []
    made.tree["nodes"] += [{"mesh": 1}] if nodes else []
    return made


FLIP = {"scale": [-1, 1, 1]}
MIRROR = {"matrix": np.diag([1.0, -1.0, 1.0, 1.0]).ravel().tolist()}
TURN = {"rotation": [0, 0, np.sqrt(0.5), np.sqrt(0.5)]}  # a quarter about z
TWO = {"nodes": [{"mesh": 0}, {"mesh": 0, "translation": [9, 0, 0]}]}
SAME = {
    "plain": Made,
    "normalized i1": lambda: whole("i1", 127),
    "normalized u1": lambda: whole("u1", 255),
    "normalized i2": lambda: whole("i2", 32767),
    "normalized u2": lambda: whole("u2", 65534),
    "whole u1": lambda: whole("u1", 200, False),
    "whole i2": lambda: whole("i2", 2, False),
    "sparse": lambda: sparse(Made(np.where(AT == 2, 9, AT)), 0, range(8), AT),
    "sparse alone": lambda: sparse(Made(), 0, range(8), AT, base=False),
    "weights of the mesh": lambda: morphed("mesh"),
    "weights of the node": lambda: morphed("node"),
    "sparse target": lambda: morphed("mesh", True),
    "mirrored": lambda: Made(AT * (-1, 1, 1), FACES[:, ::-1], FLIP),
    "mirrored by a matrix": lambda: Made(AT * (1, -1, 1), FACES[:, ::-1], MIRROR),
    "mirrored twice": lambda: Made(
        nodes=[{"children": [1], **FLIP}, {"mesh": 0, **FLIP}]
    ),
    "turned": lambda: Made(AT - (0, 2, 0), node=TURN),
    "outside of the scene": lambda: Made(**TWO, scenes=[{"nodes": [0]}]),
    "second scene": lambda: Made(
        **TWO, scenes=[{"nodes": [1]}, {"nodes": [0]}], scene=1
    ),
    "two materials": parts,
    "two nodes": lambda: parts(True),
    "lines beside": lambda: parts(False, {"mode": 1, "attributes": {"POSITION": 0}}),
    "texture": lambda: Made(extensionsRequired=["KHR_texture_basisu"]),
}


@pytest.mark.parametrize("name", SAME)
def test_every_way_to_write_a_box_gives_it_to_both_readers(tmp_path, name):
    path = SAME[name]().save(tmp_path / "a.glb")
    for mesh in (read(path), sequence.read(path).bodies[0].mesh):
        assert mesh.n_vertices == 8
        assert geometry.volume(mesh) == pytest.approx(8.0)
        assert {*map(tuple, np.round(mesh.points, 6) + 0.0)} == {*map(tuple, AT)}


def fallback():
    made = Made(
        buffers=[{"byteLength": 9, "extensions": {"EXT_meshopt_compression": {}}}]
    )
    made.views[0]["extensions"] = {"EXT_meshopt_compression": {"buffer": 1}}
    return made


INSTANCES = {"extensions": {"EXT_mesh_gpu_instancing": {}}}
REFUSED = {
    "extension KHR_draco_mesh_c": lambda: Made(extensionsRequired=["KHR_draco_mesh_c"]),
    "extension EXT_meshopt_compression": fallback,
    "extension EXT_mesh_gpu_instancing": lambda: Made(node=INSTANCES),
    "node 1 is met twice": lambda: Made(nodes=[{"children": [1]}, {"children": [1]}]),
    "node 0 is skinned": lambda: Made(node={"skin": 0}),
    "has strips or fans": lambda: parts(False, {"mode": 5, "attributes": {}}),
    "no triangles found": lambda: Made(nodes=[{}]),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_not_read_is_refused_by_its_name(tmp_path, words):
    path = REFUSED[words]().save(tmp_path / "a.glb")
    for reader in (read, sequence.read):
        with pytest.raises(ValueError, match=rf"a\.glb: .*{words}"):
            reader(path)


@pytest.mark.parametrize(
    ("method", "values"),
    [("LINEAR", [0, 0.5, 2]), ("CUBICSPLINE", [9, 0, 9, 9, 0.5, 9, 9, 2, 9])],
)
@pytest.mark.parametrize("name", ["a.glb", "a.gltf"])
def test_key_frames_of_weights_are_frames(tmp_path, name, method, values):
    made = Made(nodes=[{"children": [1], "scale": [1, 1, 2]}, {"mesh": 0}])
    made.part["targets"] = [{"POSITION": made.add(np.float32([[0, 0, 1]] * 8))}]
    times = made.add(np.float32([[0], [0.25], [0.5]]))
    sampler = {"output": made.add(np.float32(values)[:, None]), "interpolation": method}
    channel = {"sampler": 0, "target": {"node": 1, "path": "weights"}}
    made.tree["animations"] = [{"channels": [channel], "samplers": [sampler]}]
    sampler["input"] = times
    source = sequence.read(made.save(tmp_path / name))
    assert (len(source), source.dt) == (3, 0.25)
    for weight in (0.0, 0.5, 2.0):
        expected = AT * (1, 1, 2) + (0, 0, 2 * weight)
        assert source.bodies[0].positions == pytest.approx(expected)
        source.advance()
    made.data = made.data[:-4]
    with pytest.raises(ValueError, match=r"a\.gl.*: .*a buffer is shorter"):
        sequence.read(made.save(tmp_path / name))
    channel["target"] = {"node": 0, "path": "rotation"}
    with pytest.raises(ValueError, match=r"a\.gl.*: animates the rotation of a node"):
        sequence.read(made.save(tmp_path / name))
