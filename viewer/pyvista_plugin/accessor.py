"""Add ``mesh.wingedge`` to `pyvista.PolyData`: see it as a winged-edge mesh."""

import pyvista

from sim import Body
from wingedge import MeshError, WingedEdgeMesh, convexity, from_polydata, validate
from wingedge.convex import ConvexityReport


@pyvista.register_dataset_accessor("wingedge", pyvista.PolyData)
class WingedgeAccessor:
    """See a surface as a winged-edge mesh, as its points and faces are at each call."""

    def __init__(self, mesh: pyvista.PolyData) -> None:
        self._mesh = mesh

    @property
    def mesh(self) -> WingedEdgeMesh:
        """The mesh, a copy: vertex v is point v, face f is cell f.

        Raises MeshError if the surface is not closed, oriented and connected.
        """
        return from_polydata(self._mesh)

    def body(self, name: str | None = None) -> Body:
        """Make a body of it, for `sim.World` and `sim.closest`; MeshError as `mesh`."""
        return Body(self.mesh, name=name)

    def validate(self) -> None:
        """Check every invariant of the mesh; MeshError names the element at fault."""
        validate(self.mesh)

    def convexity(self) -> ConvexityReport:
        """Say how convex it is, as `wingedge.convexity`; MeshError as `mesh`."""
        return convexity(self.mesh)

    def info(self) -> str:
        """Say in a line what it is, or why it is no mesh; never raises a MeshError."""
        try:
            mesh = self.mesh
        except MeshError as error:
            return f"no winged-edge mesh: {error}"
        report = convexity(mesh)
        kind = "convex" if report.is_convex() else "not convex"
        return (
            f"{mesh.n_vertices} vertices, {mesh.n_edges} edges, {mesh.n_faces} faces, "
            f"{kind}, genus {report.genus}"
        )
