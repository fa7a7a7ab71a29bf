"""Parse the bytes of mesh files: OBJ, OFF, PLY and STL, which has triangles only."""

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.build import Indices, Polygons, as_polygons
from wingedge.errors import MeshError
from wingedge.features import is_name
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import is_single
from wingedge.tables import ranges, starts

DIGITS = 18  # what fits into 64 bits


Labels = NDArray[Any]  # (F,) the name of the part of every face, "" for none


class ParsedMesh(NamedTuple):
    """Points and faces as a file holds them, unchecked."""

    points: NDArray[np.float64]  # (V, 3)
    faces: Polygons
    group: Indices | None = None  # (F,) which of the names a face has
    names: Sequence[str] = ("",)  # of objects, groups, nodes, in order
    single: bool = False  # whether the points are held in single precision
    part: Labels | None = None  # by the numbers of faces in the file
    number: NDArray[np.integer] | None = None  # (F,) of faces in the file, if others


def check_file(path: Path) -> None:
    """Refuse what is missing, a folder or a pipe: OSError, MeshError naming it."""
    if path.is_dir():
        raise MeshError(f"{path}: is a folder; give a file in it")
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file; check the path")
    if not path.is_file():
        raise MeshError(f"{path}: is no file but a pipe or a device; copy it to a file")


def bytes_of(path: Path) -> bytes:
    """Return what a file holds; raise ``OSError`` or ``MeshError`` saying why not."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise type(error)(
            f"{path}: {error.strerror or error}; check that you may read the file"
        ) from None
    if not data.strip():
        raise MeshError(f"{path}: the file is empty; export the mesh again")
    return data


def telling(*labels: Sequence[str]) -> Labels | None:
    """Return the first labelling, (F,) each, in which not all faces have one label."""
    return next((np.array(x) for x in labels if len(set(x)) > 1), None)


def labelled(
    mesh: WingedEdgeMesh, labels: Labels | None, number: NDArray[np.integer]
) -> WingedEdgeMesh:
    """Return the mesh with the parts that a file names; none where all have one name.

    Warns of a name that a line of an event could not hold: its faces are in no part.
    Raises ValueError if there is not one label a face.

    Parameters: ``labels``: by the numbers of faces in the file; ``number``: those.
    """
    if labels is None:
        return mesh
    if labels.ndim != 1 or number.max() >= len(labels):
        raise ValueError(f"part has shape {labels.shape}; give the name of every face")
    own = labels[number].astype(str)
    names = dict.fromkeys(own.tolist())
    parts = {name: own == name for name in names if name and len(names) > 1}
    for name in [name for name in parts if not is_name(name)]:
        del parts[name]
        said = f"part {name!r} is left out: a name has no '/', no '->' and no line end"
        warnings.warn(said, stacklevel=2)
    return mesh.with_parts(parts)


@contextmanager
def one_sentence(path: Path) -> Iterator[None]:
    """Make a MeshError that names the file of whatever is raised, but OSError."""
    try:
        with np.errstate(all="ignore"):  # what is no number is refused later
            yield
    except OSError:
        raise
    except MeshError as said:
        raise said.reworded(f"{path}: {said}") from None
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


def rows_of(data: bytes, *, continued: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a text file, without comments: number of the line, words.

    ``continued``: a backslash at the end of a line joins the next one to its row.
    """
    if b"\0" in data:
        raise MeshError("the file is binary; give a text file of this format")
    text = "\n".join(data.decode("utf-8", "replace").splitlines())
    text = re.sub("#.*", "", text)
    if continued:
        text = re.sub(r"\\[^\S\n]*(\n|\Z)", "\0", text)
    line = 0
    for row in text.split("\n"):
        line += 1 + row.count("\0")
        if words := row.replace("\0", " ").split():
            yield line, words


def parse_obj(data: bytes) -> ParsedMesh:
    """Read the ``v`` and ``f`` lines of an OBJ file, and the names above these.

    Corners are ``v``, ``v/vt``, ``v//vn`` or ``v/vt/vn``, counted from 1, or from the
    end when negative. Only the first three numbers of a vertex count. Parts are groups,
    ``g``, or materials where groups tell no faces apart.

    Raises MeshError naming the line, if one cannot be read or points to a vertex that
    is not there.
    """
    points, corners = list[float](), list[int]()
    count, lines, group = list[int](), list[int](), list[int]()
    named, known, name = {"o": "", "g": "", "usemtl": ""}, dict[str, int](), ""
    part: tuple[list[str], list[str]] = [], []
    for line, words in rows_of(data, continued=True):
        kind = words[0]
        if kind == "v":
            points += _numbers(line, words[1:4])
        elif kind == "f":
            corners += _corners(line, words[1:], len(points) // 3)
            count.append(len(words) - 1)
            lines.append(line)
            group.append(known.setdefault(name, len(known)))
            part[0].append(named["g"])
            part[1].append(named["usemtl"])
        elif kind in named:
            named[kind] = " ".join(words[1:])
            name = f"{named['o']} {named['g']}".strip()
    if not points or not count:
        missing = "faces ('f' lines)" if points else "vertices ('v' lines)"
        raise MeshError(f"no {missing} found; give an OBJ file with a closed mesh")
    n = len(points) // 3
    faces = Polygons(n, starts(np.array(count, int)), np.array(corners, np.int64))
    beyond = faces.face[faces.vertex >= n]
    if len(beyond):
        highest = faces.vertex[faces.face == beyond[0]].max() + 1
        raise MeshError(
            f"line {lines[beyond[0]]}: vertex {highest} does not exist, the file has "
            f"{n}; it may be truncated, export it again"
        )
    at = np.array(points).reshape(-1, 3)
    return ParsedMesh(at, faces, np.array(group), list(known), part=telling(*part))


def parse_off(data: bytes) -> ParsedMesh:
    """Read an OFF file: a header, the counts, vertices, faces; colours are ignored.

    Raises MeshError naming the line, if one cannot be read, or if lines are missing.
    """
    rows = rows_of(data, continued=False)
    at, head = next(rows, (1, [""]))
    if says := re.fullmatch(r"(?:ST)?C?N?OFF(\d*)", head[0].upper()):
        head = [says[1]] * bool(says[1]) + head[1:]  # a count may be glued to it
    elif not _is_count(head[0]):
        raise MeshError("the first line does not say OFF; give a text OFF file")
    at, head = (at, head) if head else next(rows, (0, head))
    if not head:
        raise MeshError("the counts are missing; the file is truncated")
    if len(head) < 2 or not all(map(_is_count, head[:2])):
        raise MeshError(
            f"line {at}: {' '.join(head)[:40]!r} are no counts of vertices and faces; "
            "give a text OFF file"
        )
    n, m = map(int, head[:2])
    points, corners, count = list[float](), list[int](), list[int]()
    try:
        for line, words in islice(rows, n):
            points += _numbers(line, words[:3])
        for line, words in islice(rows, m):
            face = _face(line, words, n)
            corners += face
            count.append(len(face))
        if len(points) < 3 * n or len(count) < m:
            raise MeshError("lines are missing")
    except MeshError:
        later = sum(line > at for line, _ in rows_of(data, continued=False))
        if later < n + m:
            raise MeshError(
                f"{n} vertices and {m} faces are announced, but only {later} lines "
                "follow; the file is truncated, export it again"
            ) from None
        raise
    faces = Polygons(n, starts(np.array(count, int)), np.array(corners, np.int64))
    return ParsedMesh(np.array(points).reshape(-1, 3), faces)


def _face(line: int, words: list[str], n_points: int) -> list[int]:
    """Read a row of a face in an OFF file."""
    (count,) = _integers(line, words[:1])
    if not 0 <= count < len(words):
        raise MeshError(
            f"line {line}: {count} corners are announced, {len(words) - 1} numbers "
            "follow; repair the line"
        )
    face = _integers(line, words[1 : count + 1])
    for vertex in face:
        if not 0 <= vertex < n_points:
            raise MeshError(
                f"line {line}: vertex {vertex} does not exist; vertices are numbered 0 "
                f"to {n_points - 1}"
            )
    return face


def _numbers(line: int, words: list[str]) -> list[float]:
    try:
        x, y, z = map(float, words)
    except ValueError:
        raise MeshError(
            f"line {line}: {' '.join(words)[:40]!r} are no three coordinates; the file "
            "may be truncated, export it again"
        ) from None
    return [x, y, z]


def _is_count(word: str) -> bool:
    """Say whether a word counts; ``²`` is a digit, and 5000 of them are too many."""
    return word.isascii() and word.isdigit() and len(word) <= DIGITS


def _integers(line: int, words: list[str]) -> list[int]:
    plain = all(words) and _is_count("".join(words))  # nearly always
    for word in () if plain else words:
        if not _is_count(word[word[:1] in ("-", "+") :]):
            raise MeshError(
                f"line {line}: {word[:40]!r} is no whole number; repair the line"
            )
    return [*map(int, words)]


def _corners(line: int, words: list[str], so_far: int) -> list[int]:
    """Turn the corners of an OBJ face into vertex numbers from 0."""
    numbers = _integers(line, [word.partition("/")[0] for word in words])
    if min(numbers, default=1) > 0:
        return [number - 1 for number in numbers]
    face = [k - 1 if k > 0 else so_far + k if k else -1 for k in numbers]
    if min(face) < 0:
        wrong = next(k for k, v in zip(numbers, face, strict=True) if v < 0)
        raise MeshError(
            f"line {line}: vertex {wrong} does not exist; OBJ counts from 1, or back "
            "from -1"
        )
    return face


VERTEX = re.compile(rb"^\s*vertex\s+(\S+)\s+(\S+)\s+(\S+)", re.M | re.I)


def parse_stl(data: bytes) -> ParsedMesh:
    """Read the triangles of an STL file, text or binary; ValueError if not all are."""
    count = int.from_bytes(data[80:84], "little")
    here = max(len(data) - 84, 0) // 50
    is_text = data[:5].lower() == b"solid" and VERTEX.search(data[:4000])
    if is_text and len(data) != 84 + 50 * count:
        vertices = VERTEX.findall(data)
        if len(vertices) != 3 * len(re.findall(rb"(?mi)^\s*endloop", data)):
            raise ValueError("some facets have no three vertices")
        points = np.array(vertices)
    elif here < count and not data.isascii():
        raise ValueError(f"{count} triangles are announced, but {here} follow")
    elif not here >= count > 0:
        raise ValueError("no triangles found")
    else:
        record = [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("extra", "<u2")]
        points = np.frombuffer(data, record, count, 84)["corners"]
    corners = points.astype(np.float64).reshape(-1, 3)
    faces = as_polygons(np.arange(len(corners)).reshape(-1, 3), len(corners))
    return ParsedMesh(corners, faces, single=is_single(points))


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


def _ply(data: bytes, elements: Elements) -> ParsedMesh:
    """Read elements one after the other."""
    at, points, faces, single = 0, None, None, False
    for name, count, properties in elements:
        if all(size is None for _, size, _ in properties):
            row = np.dtype([(key, each.format) for key, _, each in properties])
            values = np.frombuffer(data, row, count, at)
            at += values.nbytes
            if name == "vertex":
                single = is_single(values["x"])
                points = np.stack([values[a].astype(np.float64) for a in "xyz"], 1)
            continue
        first, many, each, at = _lists(data, at, count, properties)
        if name == "face":
            raw = np.frombuffer(data, np.uint8)[ranges(first, many * each.size)]
            faces = starts(many), raw.view(each.format).astype(np.int64)
    if points is None or faces is None or not len(faces[1]):
        raise ValueError("no triangles found")
    polygons = as_polygons(Polygons(len(points), *faces), len(points))
    return ParsedMesh(points, polygons, single=single)


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
