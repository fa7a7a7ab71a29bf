"""Register with pyvista by entry points, without an import.

``mesh.wingedge`` on every `pyvista.PolyData`, ``plotter.contacts`` on every plotter,
and time for recordings: ``pyvista.get_reader("run.vtkhdf")``.
"""
