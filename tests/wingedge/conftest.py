"""The mesh zoo: every test that takes ``mesh`` runs over all of it."""

import pytest

from wingedge import WingedEdgeMesh, shapes

CONVEX = dict(shapes.zoo())
ALL = dict(shapes.zoo(non_convex=True))


@pytest.fixture(params=ALL.values(), ids=ALL)
def mesh(request: pytest.FixtureRequest) -> WingedEdgeMesh:
    return request.param


@pytest.fixture(params=CONVEX.values(), ids=CONVEX)
def convex_mesh(request: pytest.FixtureRequest) -> WingedEdgeMesh:
    return request.param
