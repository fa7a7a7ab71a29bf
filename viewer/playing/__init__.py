"""Time: where frames come from, and which of them is shown; no pyvista here."""
