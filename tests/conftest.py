"""What every test may ask for."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real meshes and deformations, named by WINGEDGE_REAL_DATA."""
    folder = os.environ.get("WINGEDGE_REAL_DATA")
    if not folder:
        pytest.skip("real_data: WINGEDGE_REAL_DATA is not set")
    return Path(folder)
