"""Meshes from files and from other libraries' objects, and back into files."""

from wingedge.io.pieces import read_pieces
from wingedge.io.reading import from_polydata, read
from wingedge.io.writing import write

__all__ = ["from_polydata", "read", "read_pieces", "write"]
