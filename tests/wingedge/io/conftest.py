"""A box of side 2 in quads, and files of it."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    """Write bytes or a text into a file of this name."""

    def put(content: bytes | str, name: str = "body.obj") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put
