"""Read meshes from files and from other libraries' objects, and write them to files."""

from wingedge.io.reading import from_polydata, read, read_pieces
from wingedge.io.writing import write

__all__ = ["from_polydata", "read", "read_pieces", "write"]
