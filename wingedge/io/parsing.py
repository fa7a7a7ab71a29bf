"""Parse the bytes of mesh files: OBJ, OFF, PLY and STL, which has triangles only."""

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from struct import Struct, error
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.build import Indices, Polygons, as_polygons
from wingedge.errors import MeshError
from wingedge.tables import numbered, ranges, starts

DIGITS = 18  # what fits into 64 bits
BLANKS = bytes.maketrans(b"\t\x1f\r\v\f\x1c\x1d\x1e", b"  \n\n\n\n\n\n")


class ParsedMesh(NamedTuple):
    """Points and faces as a file holds them, unchecked."""

    points: NDArray[np.float64]  # (V, 3)
    faces: Polygons | NDArray[np.integer]
    group: Indices | None = None  # (F,) which of the names a face has
    names: Sequence[str] = ("",)  # of objects, groups, nodes, in order


@contextmanager
def one_sentence(path: Path) -> Iterator[None]:
    """Name the file in all that is raised over its bytes, but OSError: MeshError."""
    try:
        with np.errstate(all="ignore"):  # what is no number is refused later
            yield
    except OSError:
        raise
    except MeshError as said:
        raise MeshError(f"{path}: {said}", said.invariant, said.element) from None
    except Exception as said:  # no file brings down who reads it
        kind = "" if type(said) is ValueError else f"{type(said).__name__}: "
        why = " ".join(f"{kind}{said}".split())[:80]
        raise MeshError(
            f"{path}: cannot be read as {path.suffix[1:].upper()}, {why}; it is "
            "truncated or something else: export the mesh again"
        ) from None


def from_text(text: bytes, kind: type[np.generic]) -> NDArray[Any]:
    """Convert numbers between blanks; ValueError or a warning if one is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        return np.fromstring(text, kind, sep=" ")


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
        try:
            values = from_text(text, kind)
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
    return ParsedMesh(points.reshape(-1, 3), faces, group, names)


def parse_off(data: bytes) -> ParsedMesh:
    """Read an OFF file: a header, the counts, vertices, faces; colours are ignored.

    Raises MeshError naming the line, if one cannot be read, or if lines are missing.
    """
    text = Words(data, continued=False)
    head, row = text.words(0) if len(text.first) else [""], 0
    if says := re.fullmatch(r"(?:ST)?C?N?OFF(\d*)", head[0].upper()):
        head = [says[1]] * bool(says[1]) + head[1:]  # a count may be glued to it
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
    points = corners = None
    if follow >= n_points + n_faces:
        v, f = np.split(row + 1 + np.arange(n_points + n_faces), [n_points])
        count = text.numbers(text.first[f], np.int64)
        if count is not None and ((count >= 0) & (count < text.count[f])).all():
            corners = text.numbers(ranges(text.first[f] + 1, count), np.int64)
        if (text.count[v] > 2).all():
            points = text.numbers(ranges(text.first[v], 3 + 0 * v), np.float64)
    if points is None or corners is None:
        after = int(text.first[row] + text.count[row]) - max(len(head) - 3, 0)
        if flowing := _flowing(text, after, n_points, n_faces):
            return flowing
    if follow < n_points + n_faces:
        raise MeshError(
            f"{n_points} vertices and {n_faces} faces are announced, but only "
            f"{follow} lines follow; the file is truncated, export it again"
        )
    outside = corners is not None and ((corners < 0) | (corners >= n_points)).any()
    if points is None or corners is None or count is None or outside:
        points = np.array([_numbers(text.line[r], text.words(r)[:3]) for r in v])
        rings = [_face(text.line[r], text.words(r), n_points) for r in f]
        return ParsedMesh(points.reshape(-1, 3), as_polygons(rings, n_points))
    faces = Polygons(n_points, starts(count), corners)
    return ParsedMesh(points.reshape(-1, 3).astype(np.float64), faces)


def _flowing(text: Words, at: int, n_points: int, n_faces: int) -> ParsedMesh | None:
    """Read an OFF file whose rows run over lines; None where it holds anything else."""
    values = text.numbers(np.arange(at, text.first[-1] + text.count[-1]), np.float64)
    if values is None or not n_faces:
        return None
    real = Struct("<d")
    rows: Properties = [(axis, None, real) for axis in "xyz"]
    faces: Properties = [("vertex_index", real, real)]
    elements = [("vertex", n_points, rows), ("face", n_faces, faces)]
    try:
        return _ply(values.tobytes(), elements, whole=True)
    except (ValueError, error):
        return None


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


VERTEX = re.compile(rb"^\s*vertex\s+(\S+)\s+(\S+)\s+(\S+)", re.M | re.I)


def parse_stl(data: bytes) -> ParsedMesh:
    """Read the triangles of an STL file, text or binary; ValueError if not all are."""
    count = int.from_bytes(data[80:84], "little")
    here = max(len(data) - 84, 0) // 50
    is_text = data[:5].lower() == b"solid" and VERTEX.search(data[:4000])
    if is_text and len(data) != 84 + 50 * count:
        found = VERTEX.findall(data)
        if len(found) != 3 * len(re.findall(rb"(?mi)^\s*endloop", data)):
            raise ValueError("some facets have no three vertices")
        points = np.array(found)
    elif here < count and not data.isascii():
        raise ValueError(f"{count} triangles are announced, but {here} follow")
    elif not here >= count > 0:
        raise ValueError("no triangles found")
    else:
        record = [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("extra", "<u2")]
        points = np.frombuffer(data, record, count, 84)["corners"]
    corners = points.astype(np.float64).reshape(-1, 3)
    return ParsedMesh(corners, np.arange(len(corners)).reshape(-1, 3))


PLY = re.compile(rb"\s*ply\s*?[\r\n](.*?[\r\n])end_header[^\r\n]*(\r\n|\r|\n)", re.S)
OLD = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I"}
OLD |= {"float": "f", "double": "d"}  # kinds that numpy calls otherwise
Properties = list[tuple[str, Struct | None, Struct]]  # name, type of length, type
Elements = list[tuple[str, int, Properties]]  # name, how many rows, what is in one


def parse_ply(data: bytes) -> ParsedMesh:
    """Read the polygons of a PLY file, text or binary; see `one_sentence`."""
    head = PLY.match(data)
    if head is None:
        raise ValueError("it has no header")
    rows = [line.split() for line in head[1].decode("ascii", "replace").splitlines()]
    elements: Elements = []
    form = next((row[1] for row in rows if row[:1] == ["format"]), "")
    data, order = data[head.end() :], ">" if "big" in form else "<"
    if form == "ascii":  # as if it were binary
        data = from_text(data, np.float64).tobytes()
    for word, *row in filter(None, rows):
        if word == "element":
            elements.append((row[0], int(row[1]), []))
        elif word == "property":
            kinds = row[1:3] if row[0] == "list" else row[:1]
            codes = [OLD.get(kind) or np.dtype(kind).char for kind in kinds]
            codes = ["d"] * len(kinds) if form == "ascii" else codes
            *size, each = (Struct(order + code) for code in codes)
            elements[-1][2].append((row[-1], size[0] if size else None, each))
    return _ply(data, elements)


def _ply(data: bytes, elements: Elements, whole: bool = False) -> ParsedMesh:
    """Read elements one after the other; ``whole``: and nothing after them."""
    at, points, faces = 0, None, None
    for name, count, properties in elements:
        if all(size is None for _, size, _ in properties):
            row = np.dtype([(key, each.format) for key, _, each in properties])
            values = np.frombuffer(data, row, count, at)
            at += values.nbytes
            if name == "vertex":
                points = np.stack([values[a].astype(np.float64) for a in "xyz"], 1)
            continue
        first, many, each, at = _lists(data, at, count, properties)
        if name == "face":
            raw = np.frombuffer(data, np.uint8)[ranges(first, many * each.size)]
            faces = starts(many), raw.view(each.format).astype(np.int64)
    if whole and at != len(data):
        raise ValueError("something follows")
    if points is None or faces is None or not len(faces[1]):
        raise ValueError("no triangles found")
    return ParsedMesh(points, as_polygons(Polygons(len(points), *faces), len(points)))


def _lists(
    data: bytes, at: int, count: int, properties: Properties
) -> tuple[Indices, Indices, Struct, int]:
    """Find where the lists of corners begin, and how long they are; where all end."""
    if count > len(data):
        raise ValueError("more rows are announced than follow")
    (first, many), kind = np.zeros((2, count), np.int64), None
    lists, start = [], at  # of the first row
    for k in range(count):
        for name, size, each in properties:
            n = 1
            if size is not None:
                n = int(size.unpack_from(data, at)[0])
                lists += [(size.format, at, n)] if k == 0 else []
                at += size.size
                if name in ("vertex_indices", "vertex_index"):
                    first[k], many[k], kind = at, n, each
            at += n * each.size
            if n < 0 or at > len(data):
                raise ValueError("a list is longer than what follows")
        step = at - start
        if k == 0 and start + step * count <= len(data):
            same = (np.ndarray(count, f, data, p, step) == n for f, p, n in lists)
            if all(map(np.all, same)):  # all rows are like the first
                rows, at = np.arange(count), start + step * count
                first, many = first[0] + step * rows, many[0] + 0 * rows
                break
    return first, many, kind or properties[0][2], at
