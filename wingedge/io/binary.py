"""STL, PLY and GLB through trimesh, with its many ways to fail turned into one."""

from io import BytesIO
from typing import Any

import numpy as np

from wingedge.errors import MeshError
from wingedge.io.text import Soup


def parse_binary(data: bytes, kind: str) -> Soup:
    """Read the one triangle mesh in the bytes of an STL, PLY or GLB file.

    Raises
    ------
    MeshError
        If the bytes hold no mesh, or several; names the cause.
    ImportError
        If trimesh is not installed.
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
                several = _count_meshes(loaded)
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
    return Soup(points, np.array(meshes[0].faces, dtype=np.int64))


def _count_meshes(scene: Any) -> int:
    """Count the meshes of a scene, each as often as it is placed."""
    found = 0
    for name, nodes in scene.graph.geometry_nodes.items():
        found += len(nodes) if len(getattr(scene.geometry[name], "faces", ())) else 0
    return found


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
