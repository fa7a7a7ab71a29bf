"""Parse the bytes of mesh files: OBJ and OFF here, STL, PLY and GLB through trimesh.

OBJ and OFF keep polygons and numbering; the others give triangles.
"""

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.errors import MeshError

DIGITS = 18  # what fits into 64 bits


class ParsedMesh(NamedTuple):
    """Points and faces as a file holds them, unchecked."""

    points: NDArray[np.float64]  # (V, 3)
    faces: Sequence[Sequence[int]] | NDArray[np.integer]
    n_objects: int = 1


class Obj(NamedTuple):
    """The ``v`` and ``f`` lines of an OBJ file, and what stood before the faces."""

    points: NDArray[np.float64]  # (V, 3)
    faces: list[list[int]]
    objects: list[str]  # (F,) the last ``o`` line before the face
    groups: list[str]  # (F,) the last ``g`` line before it


def parse_obj(data: bytes) -> ParsedMesh:
    """Read the ``v`` and ``f`` lines of an OBJ file; everything else is ignored.

    Corners are ``v``, ``v/vt``, ``v//vn`` or ``v/vt/vn``, counted from 1, or from the
    end when negative. Only the first three numbers of a vertex count.

    Raises MeshError naming the line, if one cannot be read or points to a vertex that
    is not there.
    """
    obj = _parse_lines(data)
    return ParsedMesh(obj.points, obj.faces, len(set(obj.objects)))


def obj_groups(data: bytes) -> list[tuple[str, ParsedMesh]]:
    """Read the pieces of an OBJ file: one per object and group, with their names.

    In a file with only one, or none, the pieces are the parts that share no vertex.
    They come in the order of their first faces, each with all the vertices of the file.

    Raises MeshError as `parse_obj`.
    """
    obj = _parse_lines(data)
    label: list[tuple[object, str]] = [
        ((o, g), f"{o} {g}".strip())
        for o, g in zip(obj.objects, obj.groups, strict=True)
    ]
    if len({key for key, _ in label}) == 1:
        label = [(part, f"part {part}") for part in _parts(obj.faces)]
    found: dict[object, tuple[str, list[list[int]]]] = {}
    for (key, name), face in zip(label, obj.faces, strict=True):
        found.setdefault(key, (name, []))[1].append(face)
    return [(name, ParsedMesh(obj.points, faces)) for name, faces in found.values()]


def _parts(faces: list[list[int]]) -> list[int]:
    """Tell for every face which part it is of; parts share no vertex."""
    root: dict[int, int] = {}

    def find(v: int) -> int:
        while root.setdefault(v, v) != v:
            root[v] = v = root[root[v]]
        return v

    for face in faces:
        for v in face[1:]:
            root[find(v)] = find(face[0])
    number: dict[int, int] = {}
    heads = [find(face[0]) if face else -1 for face in faces]
    return [number.setdefault(head, len(number)) for head in heads]


def _parse_lines(data: bytes) -> Obj:
    points: list[list[float]] = []
    faces: list[list[int]] = []
    origins: list[int] = []
    objects: list[str] = []
    groups: list[str] = []
    current = {"o": "", "g": ""}
    for line, words in _lines(_text(data), continued=True):
        if words[0] == "v":
            points.append(_numbers(line, words[1:4]))
        elif words[0] == "f":
            faces.append([_corner(line, word, len(points)) for word in words[1:]])
            origins.append(line)
            objects.append(current["o"])
            groups.append(current["g"])
        elif words[0] in current:
            current[words[0]] = " ".join(words[1:])
    if not points or not faces:
        missing = "vertices ('v' lines)" if not points else "faces ('f' lines)"
        raise MeshError(f"no {missing} found; give an OBJ file with a closed mesh")
    for line, face in zip(origins, faces, strict=True):
        if face and max(face) >= len(points):
            raise MeshError(
                f"line {line}: vertex {max(face) + 1} does not exist, the file has "
                f"{len(points)}; it may be truncated, export it again"
            )
    return Obj(np.array(points), faces, objects, groups)


def parse_off(data: bytes) -> ParsedMesh:
    """Read an OFF file: a header, the counts, vertices, faces; colours are ignored.

    Raises MeshError naming the line, if one cannot be read, or if lines are missing.
    """
    lines = list(_lines(_text(data), continued=False))
    if lines and lines[0][1][0].upper().removeprefix("ST") in ("OFF", "COFF", "NOFF"):
        line, words = lines.pop(0)
        if len(words) > 1:
            lines.insert(0, (line, words[1:]))
    elif not lines or not _is_count(lines[0][1][0]):
        raise MeshError("the first line does not say OFF; give a text OFF file")
    if not lines:
        raise MeshError("the counts are missing; the file is truncated")
    line, words = lines.pop(0)
    if len(words) < 2 or not all(map(_is_count, words[:2])):
        raise MeshError(
            f"line {line}: {' '.join(words)[:40]!r} are no counts of vertices and "
            "faces; give a text OFF file"
        )
    n_points, n_faces = int(words[0]), int(words[1])
    if len(lines) < n_points + n_faces:
        raise MeshError(
            f"{n_points} vertices and {n_faces} faces are announced, but only "
            f"{len(lines)} lines follow; the file is truncated, export it again"
        )
    points = [_numbers(line, words[:3]) for line, words in lines[:n_points]]
    faces = []
    for line, words in lines[n_points : n_points + n_faces]:
        count = _integer(line, words[0])
        if not 0 <= count < len(words):
            raise MeshError(
                f"line {line}: {count} corners are announced, {len(words) - 1} numbers "
                "follow; repair the line"
            )
        face = [_integer(line, word) for word in words[1 : count + 1]]
        if any(not 0 <= v < n_points for v in face):
            wrong = next(v for v in face if not 0 <= v < n_points)
            raise MeshError(
                f"line {line}: vertex {wrong} does not exist; vertices are numbered 0 "
                f"to {n_points - 1}"
            )
        faces.append(face)
    return ParsedMesh(np.array(points, dtype=np.float64).reshape(-1, 3), faces)


def _text(data: bytes) -> str:
    if b"\0" in data:
        raise MeshError("the file is binary; give a text file of this format")
    return data.decode("utf-8", errors="replace")


def _lines(text: str, *, continued: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the words of every line with its number, without comments.

    ``continued``: a backslash at the end of a line joins the next one to it.
    """
    held: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#", 1)[0].rstrip()
        if continued and line.endswith("\\"):
            held += line[:-1].split()
            continue
        words = held + line.split()
        held = []
        if words:
            yield number, words
    if held:
        yield number, held


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
    if not _is_count(word.lstrip("+-")):
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
    import warnings

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
