"""Parse the bytes of mesh files: OBJ and OFF here, STL, PLY and GLB through trimesh.

OBJ and OFF keep polygons and numbering; the others give triangles.
"""

import re
import warnings
from collections.abc import Sequence
from functools import cached_property
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.build import Indices, Polygons
from wingedge.errors import MeshError
from wingedge.tables import connected, numbered, ranges, starts

DIGITS = 18  # what fits into 64 bits
BLANKS = bytes.maketrans(b"\t\x1f\r\v\f\x1c\x1d\x1e", b"  \n\n\n\n\n\n")


class ParsedMesh(NamedTuple):
    """Points and faces as a file holds them, unchecked."""

    points: NDArray[np.float64]  # (V, 3)
    faces: Polygons | NDArray[np.integer]
    n_objects: int = 1
    group: Indices = np.zeros(0, np.int64)  # (F,) of an OBJ file: which name it has
    names: Sequence[str] = ()  # different ``o`` and ``g`` lines before faces, in order


class Words:
    """The words of a text file, without comments, and the rows that they stand in.

    ``continued``: a backslash at the end of a line joins the next one to its row.
    """

    def __init__(self, data: bytes, *, continued: bool) -> None:
        if b"\0" in data:
            raise MeshError("the file is binary; give a text file of this format")
        if not data.isascii():
            lines = data.decode("utf-8", errors="replace").splitlines()
            data = re.sub(r"[^\S\n]", " ", "\n".join(lines)).encode()
        data = re.sub(rb"#.*", b"", data.replace(b"\r\n", b"\n").translate(BLANKS))
        if continued:  # a blank from here on, which ends a line and no row
            data = re.sub(rb"\\ *(\n|\Z)", b"\0", data)
        self._data = b"\n" + data + b"\n"
        self._bytes = np.frombuffer(self._data, np.uint8)
        ink = (self._bytes != 32) & (self._bytes != 10) & (self._bytes != 0)
        self._begin = np.flatnonzero(ink[1:] & ~ink[:-1]) + 1
        ends = np.flatnonzero(self._bytes == 10)
        row = np.searchsorted(ends, self._begin)
        self.first = np.flatnonzero(np.diff(row, prepend=-1))  # (R,) word of each row
        self.count = np.diff(self.first, append=len(row))  # (R,) words in it
        head = self._begin[self.first]
        self._kind = np.where(ink[head + 1], 0, self._bytes[head])

    @cached_property
    def line(self) -> Indices:
        """Number the lines that the rows end on, from 1, (R,)."""
        breaks = np.flatnonzero((self._bytes == 10) | (self._bytes == 0))
        return np.searchsorted(breaks, self._begin[self.first + self.count - 1])

    def words(self, row: int) -> list[str]:
        """Read the words of a row."""
        after = self.first[row] + self.count[row]
        end = self._begin[after] if after < len(self._begin) else len(self._data)
        text = self._data[self._begin[self.first[row]] : end]
        return text.replace(b"\0", b" ").decode().split()

    def rows_of(self, kind: str) -> Indices:
        """Find the rows that begin with a word of one letter."""
        return np.flatnonzero(self._kind == ord(kind))

    def names(self, kind: str, rows: Indices) -> tuple[list[str], Indices]:
        """Find what the last row of a kind before each of some rows says."""
        naming = self.rows_of(kind)
        known: dict[str, int] = {"": 0}
        said = [" ".join(self.words(row)[1:]) for row in naming.tolist()]
        number = np.array([0, *(known.setdefault(name, len(known)) for name in said)])
        return list(known), number[np.searchsorted(naming, rows)]

    def numbers(
        self, chosen: Indices, kind: type[np.generic], cut: bytes = b""
    ) -> NDArray[Any] | None:
        """Convert words, in order, up to ``cut``; None if one is plainly no number."""
        if not len(chosen):
            return np.zeros(0, kind)
        begin = np.append(self._begin, len(self._data))[chosen[0] : chosen[-1] + 2]
        kept = np.zeros(len(begin) - 1, bool)
        kept[chosen - chosen[0]] = True
        letters = self._bytes[begin[0] : begin[-1]]
        kept = np.repeat(kept, np.diff(begin)) & (letters != 0)
        text = np.where(kept, letters, 32).astype(np.uint8).tobytes()
        if cut:
            text = re.sub(cut + rb"\S*", b"", text)
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)
            try:
                values: NDArray[Any] = np.fromstring(text, kind, sep=" ")
            except (DeprecationWarning, ValueError):
                return None
        plain = (values < 10**DIGITS) & (values > -(10**DIGITS))
        return values if len(values) == len(chosen) and plain.all() else None


def parse_obj(data: bytes) -> ParsedMesh:
    """Read the ``v`` and ``f`` lines of an OBJ file; everything else is ignored.

    Corners are ``v``, ``v/vt``, ``v//vn`` or ``v/vt/vn``, counted from 1, or from the
    end when negative. Only the first three numbers of a vertex count.

    Raises MeshError naming the line, if one cannot be read or points to a vertex that
    is not there.
    """
    text = Words(data, continued=True)
    v, f = text.rows_of("v"), text.rows_of("f")
    count = text.count[f] - 1
    points = corners = None
    if (text.count[v] > 3).all():
        points = text.numbers(ranges(text.first[v] + 1, 3 + 0 * v), np.float64)
        corners = text.numbers(ranges(text.first[f] + 1, count), np.int64, b"/")
    if points is not None and corners is not None:
        so_far = np.repeat(np.searchsorted(v, f), count)
        corners = np.where(
            corners > 0, corners - 1, np.where(corners, so_far, -1) + corners
        )
    if points is None or corners is None or (corners < 0).any():
        listed: list[list[float]] = []
        indices: list[int] = []
        for row in np.union1d(v, f).tolist():
            line, (kind, *words) = int(text.line[row]), text.words(row)
            if kind == "v":
                listed.append(_numbers(line, words[:3]))
            else:
                indices += [_corner(line, word, len(listed)) for word in words]
        points, corners = np.array(listed), np.array(indices, np.int64)
    if not len(v) or not len(f):
        missing = "vertices ('v' lines)" if not len(v) else "faces ('f' lines)"
        raise MeshError(f"no {missing} found; give an OBJ file with a closed mesh")
    faces = Polygons(len(v), starts(count), corners)
    beyond = faces.face[corners >= len(v)]
    if len(beyond):
        highest = corners[faces.face == beyond[0]].max() + 1
        raise MeshError(
            f"line {text.line[f[beyond[0]]]}: vertex {highest} does not exist, the "
            f"file has {len(v)}; it may be truncated, export it again"
        )
    (objects, of), (groups, among) = text.names("o", f), text.names("g", f)
    group, first = numbered(of * len(groups) + among)
    names = [f"{objects[of[k]]} {groups[among[k]]}".strip() for k in first]
    points = points.reshape(-1, 3)
    return ParsedMesh(points, faces, len(set(of[first])), group, names)


def obj_groups(data: bytes) -> list[tuple[str, ParsedMesh, Indices]]:
    """Read the pieces of an OBJ file: one per object and group, with their names.

    In a file with only one, or none, the pieces are the parts that share no vertex.
    They come in the order of their first faces, with the numbers of their vertices.

    Raises MeshError as `parse_obj`.
    """
    points, whole, _, group, names = parse_obj(data)
    assert isinstance(whole, Polygons)
    vertex, count = whole.vertex, np.diff(whole.start)
    if len(names) == 1:
        part = np.append(connected(len(points), vertex, whole.tip)[vertex], -1)
        group, first = numbered(np.where(count > 0, part[whole.start[:-1]], -1))
        names = [f"part {k}" for k in range(len(first))]
    pieces = []
    for k, name in enumerate(names):
        used, corners = np.unique(vertex[group[whole.face] == k], return_inverse=True)
        faces = Polygons(len(used), starts(count[group == k]), corners.ravel())
        pieces.append((name, ParsedMesh(points[used], faces), used))
    return pieces


def parse_off(data: bytes) -> ParsedMesh:
    """Read an OFF file: a header, the counts, vertices, faces; colours are ignored.

    Raises MeshError naming the line, if one cannot be read, or if lines are missing.
    """
    text = Words(data, continued=False)
    head, row = text.words(0) if len(text.first) else [""], 0
    if head[0].upper().removeprefix("ST") in ("OFF", "COFF", "NOFF"):
        head = head[1:]
    elif not _is_count(head[0]):
        raise MeshError("the first line does not say OFF; give a text OFF file")
    if not head:
        row = 1
        if len(text.first) == 1:
            raise MeshError("the counts are missing; the file is truncated")
        head = text.words(1)
    if len(head) < 2 or not all(map(_is_count, head[:2])):
        raise MeshError(
            f"line {text.line[row]}: {' '.join(head)[:40]!r} are no counts of vertices "
            "and faces; give a text OFF file"
        )
    n_points, n_faces = int(head[0]), int(head[1])
    follow = len(text.first) - row - 1
    if follow < n_points + n_faces:
        raise MeshError(
            f"{n_points} vertices and {n_faces} faces are announced, but only "
            f"{follow} lines follow; the file is truncated, export it again"
        )
    v, f = np.split(row + 1 + np.arange(n_points + n_faces), [n_points])
    points = corners = None
    count = text.numbers(text.first[f], np.int64)
    if count is not None and ((count >= 0) & (count < text.count[f])).all():
        corners = text.numbers(ranges(text.first[f] + 1, count), np.int64)
    if (text.count[v] > 2).all():
        points = text.numbers(ranges(text.first[v], 3 + 0 * v), np.float64)
    if (
        points is None
        or corners is None
        or ((corners < 0) | (corners >= n_points)).any()
    ):
        points = np.array([_numbers(text.line[r], text.words(r)[:3]) for r in v])
        rings = [_face(text.line[r], text.words(r), n_points) for r in f]
        count = np.array([len(ring) for ring in rings], np.int64)
        corners = np.array([vertex for ring in rings for vertex in ring], np.int64)
    assert count is not None
    faces = Polygons(n_points, starts(count), corners)
    return ParsedMesh(points.reshape(-1, 3).astype(np.float64), faces)


def _face(line: int, words: list[str], n_points: int) -> list[int]:
    """Read a row of a face in an OFF file."""
    count = _integer(line, words[0])
    if not 0 <= count < len(words):
        raise MeshError(
            f"line {line}: {count} corners are announced, {len(words) - 1} numbers "
            "follow; repair the line"
        )
    face = [_integer(line, word) for word in words[1 : count + 1]]
    for vertex in face:
        if not 0 <= vertex < n_points:
            raise MeshError(
                f"line {line}: vertex {vertex} does not exist; vertices are numbered 0 "
                f"to {n_points - 1}"
            )
    return face


def _numbers(line: int, words: list[str]) -> list[float]:
    try:
        x, y, z = (float(word) for word in words)
    except ValueError:
        raise MeshError(
            f"line {line}: {' '.join(words)[:40]!r} are no three coordinates; the file "
            "may be truncated, export it again"
        ) from None
    return [x, y, z]


def _is_count(word: str) -> bool:
    """Say whether a word counts; ``²`` is a digit, and 5000 of them are too many."""
    return word.isascii() and word.isdigit() and len(word) <= DIGITS


def _integer(line: int, word: str) -> int:
    if not _is_count(word.removeprefix("-" if word[:1] == "-" else "+")):
        raise MeshError(
            f"line {line}: {word[:40]!r} is no whole number; repair the line"
        )
    return int(word)


def _corner(line: int, word: str, so_far: int) -> int:
    """Turn one corner of an OBJ face into a vertex number from 0."""
    number = _integer(line, word.split("/", 1)[0])
    index = number - 1 if number > 0 else so_far + number
    if number == 0 or index < 0:
        raise MeshError(
            f"line {line}: vertex {number} does not exist; OBJ counts from 1, or back "
            "from -1"
        )
    return index


def parse_binary(data: bytes, kind: str) -> ParsedMesh:
    """Read the one triangle mesh in the bytes of an STL, PLY or GLB file.

    Raises MeshError if the bytes hold no mesh, or several; names the cause; ImportError
    if trimesh is not installed.
    """
    import logging  # here, because `import wingedge` should cost next to nothing

    if kind == "stl":
        _check_stl_length(data)
    try:
        import trimesh
    except ImportError:
        raise ImportError(
            f"reading {kind.upper()} needs trimesh; run 'pip install trimesh'"
        ) from None
    log = logging.getLogger("trimesh")
    level = log.level
    log.setLevel(logging.CRITICAL)  # it prints tracebacks of textures nobody asked for
    options: dict[str, Any] = {"skip_materials": True} if kind == "glb" else {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded = trimesh.load(
                BytesIO(data), file_type=kind, process=False, **options
            )
            parts, several = [loaded], 0
            if isinstance(loaded, trimesh.Scene):
                several = sum(
                    len(nodes)  # each as often as it is placed
                    for name, nodes in loaded.graph.geometry_nodes.items()
                    if len(getattr(loaded.geometry[name], "faces", ()))
                )
                # a few bytes may say that one mesh is there a thousand times
                parts = [] if several > 1 else loaded.dump()
    except Exception as error:  # struct, json, index, value ... errors of a broken file
        why = " ".join(str(error).split())[:80]
        hint = ", or save a PLY as text" if kind == "ply" else ""
        raise MeshError(
            f"cannot be read as {kind.upper()} ({type(error).__name__}: {why}); it is "
            f"truncated or something else: export the mesh again{hint}"
        ) from None
    finally:
        log.setLevel(level)
    meshes = [part for part in parts if isinstance(part, trimesh.Trimesh)]
    meshes = [part for part in meshes if len(part.faces)]
    if several > 1:
        raise MeshError(
            f"holds {several} meshes; join them into one closed body, or give each "
            "its own file"
        )
    if not meshes:
        raise MeshError(
            f"no triangles found; it is truncated or no {kind.upper()} file: export "
            "the mesh again"
        )
    points = np.array(meshes[0].vertices, dtype=np.float64)
    return ParsedMesh(points, np.array(meshes[0].faces, dtype=np.int64))


def _check_stl_length(data: bytes) -> None:
    """Name the missing triangles of a truncated binary STL."""
    if data[:5] == b"solid" and b"facet" in data[:1000]:
        return  # text
    count = int.from_bytes(data[80:84], "little")
    here = max(len(data) - 84, 0) // 50
    if here < count and not data.isascii():
        raise MeshError(
            f"{count} triangles are announced, but {here} follow; it is truncated or "
            "no STL file: export the mesh again"
        )
