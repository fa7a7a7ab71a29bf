"""Hands in a live window: pick, read, move, turn and mould; no pyvista here."""
