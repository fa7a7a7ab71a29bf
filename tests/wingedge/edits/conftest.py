"""Random edits, for every test that wants a mesh with a history."""

import numpy as np
import pytest

from wingedge import MeshError, edits, validate


def one_edit(mesh, rng):
    """Try one edit at a random place; MeshError where it is refused."""
    e, f = int(rng.integers(mesh.n_edges)), int(rng.integers(mesh.n_faces))
    what = int(rng.integers(6))
    if what == 0:
        return edits.split_edge(mesh, e, float(rng.uniform(0.2, 0.8)))
    if what == 1:
        u, v = rng.choice(mesh.face_vertices(f), 2, replace=False).tolist()
        return edits.split_face(mesh, f, u, v)
    if what == 2:
        return edits.poke_face(mesh, f)
    if what == 3:
        return edits.collapse_edge(mesh, e, int(rng.choice(mesh.edge_vertices[e])))
    if what == 4:
        return edits.join_faces(mesh, e)
    return edits.flip_edge(mesh, e)


@pytest.fixture
def edit_at_random():
    """Return a function that edits a mesh so many times and gives every step."""

    def edit(mesh, tries, seed=0):
        rng = np.random.default_rng(seed)
        for _ in range(tries):
            try:
                step = one_edit(mesh, rng)
            except MeshError:
                continue
            validate(step.mesh)
            yield mesh, step
            mesh = step.mesh

    return edit
