"""Add ``plotter.contacts``: the contacts of a frame in any plotter."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyvista

from viewer.drawing.glyphs import PairGlyphs, drawn_pairs, pair_glyphs
from viewer.drawing.solids import SolidBuilder
from viewer.export import mark, polydata_of
from viewer.sources import Still, frame_of
from viewer.theme import named
from viewer.timeline import check_above_zero

_PIXELS = 700.0  # of a picture that the pair fills


@pyvista.register_plotter_component("contacts")
class ContactsComponent:
    """Draw closest points, features, normals and patches into any plotter."""

    def __init__(self, plotter: Any) -> None:
        self._plotter = plotter
        self._actors: list[Any] = []

    def add(
        self,
        shown: Still | Sequence[Still],
        *,
        names: bool = True,
        normals: bool = True,
        theme: str = "light",
        scale: float = 1.0,
    ) -> list[Any]:
        """Add the contacts of a frame, or of answers, to what is there already.

        The bodies are not drawn: add them as you like, `viewer.to_polydata` makes a
        dataset of a mesh.  Each call adds; `clear` takes all away again.

        Returns: what was added.

        Raises ValueError if ``scale`` is not above 0, or there is no such theme.

        Parameters
        ----------
        shown : Frame, PairState or a sequence of PairState
            Of an answer the bodies must be where they were.
        names : bool
            Write the names of the closest features, and the distance.
        normals : bool
            Draw the arrows.
        theme : {"light", "dark"}
        scale : float
            Of the markers; at 1 a closest point is 1/50 of the pair.
        """
        look = named(theme)
        check_above_zero(scale=scale)
        frame = frame_of(shown)
        added: list[Any] = []
        for state in drawn_pairs(frame):
            pair, pieces = pair_glyphs(frame, state), SolidBuilder()
            # a pair of this height would fill the picture
            mark(pieces, frame, pair, look, 2.0 * scale / _PIXELS, normals=normals)
            data = polydata_of(pieces.solid())
            look_of = {"scalars": "colour", "rgb": True, "reset_camera": False}
            added.append(self._plotter.add_mesh(data, **look_of))
            if names:
                added.append(self._write(pair))
        self._actors += added
        return added

    def clear(self) -> None:
        """Take everything away that was added here."""
        for actor in self._actors:
            self._plotter.remove_actor(actor, reset_camera=False)
        self._actors = []

    def __plotter_close__(self) -> None:
        """Let go of the actors: pyvista closes the plotter."""
        self._actors = []

    def _write(self, pair: PairGlyphs) -> Any:
        words = [*(f"{part.body} {part.name}" for part in (pair.a, pair.b)), pair.text]
        middle = pair.witness.mean(axis=0)
        places = np.stack([pair.a.anchors[0], pair.b.anchors[0], middle])
        return self._plotter.add_point_labels(
            places, words, show_points=False, always_visible=True, reset_camera=False
        )
