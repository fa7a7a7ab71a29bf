"""Draw texts, leaders and flat shapes on top of a scene, placed in pixels."""

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import hypot
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from viewer import theme as sizes
from viewer.drawing.camera import NO_BORDER, Border, View, project
from viewer.drawing.labels import LabelPlacer, LabelRequest
from viewer.drawing.markers import Pen
from viewer.drawing.skin import moved
from viewer.drawing.words import LetterAtlas, TextLayout, fitting
from viewer.gl import require_pyvista
from viewer.theme import Ink, Rgb, Theme, blended
from wingedge.tables import Floats

_LEAST = 256  # quads that there is room for


class Quads(NamedTuple):
    """Quads in pixels, with the part of an image that is on each; the first below."""

    corners: Floats  # (n, 8) x and y of four corners, lower left first
    sources: NDArray[np.float32]  # (n, 8) the same in the image
    tints: NDArray[np.uint32]  # (n,) times the colour of the image, see `packed`


@lru_cache(maxsize=1024)
def packed(colour: Ink) -> int:
    """Return a colour as a number: its bytes are red, green, blue, opacity or 255."""
    return int.from_bytes((*colour, 255)[:4], sys.byteorder)


class QuadActor:
    """Draw coloured quads with pieces of an image on them."""

    def __init__(self, renderer: Any) -> None:
        self._pyvista = require_pyvista()
        vtk = self._pyvista._vtk
        where = vtk.vtkCoordinate()
        where.SetCoordinateSystemToDisplay()
        self._mapper = vtk.vtkPolyDataMapper2D()
        self._mapper.SetTransformCoordinate(where)
        self._mapper.SetScalarModeToUsePointData()
        self._mapper.SetColorModeToDirectScalars()
        self._texture = vtk.vtkTexture()
        self._texture.InterpolateOff()
        self._texture.SetColorModeToDirectScalars()
        textured = vtk.vtkTextActor.__base__  # pyvista names no vtkTexturedActor2D
        self._actor = textured()
        self._actor.SetMapper(self._mapper)
        self._actor.SetTexture(self._texture)
        self._actor.SetVisibility(False)
        renderer.AddViewProp(self._actor)
        self._used = 0
        self._points = np.empty((0, 3))
        self._size = np.ones(2, np.float32)
        self._data: Any = None

    def paint(self, image: NDArray[np.uint8]) -> None:
        """Take this (height, width, 4) image, lowest row first."""
        height, width, _ = image.shape
        data = self._pyvista.ImageData(dimensions=(width, height, 1))
        pixels = self._pyvista.convert_array(image.reshape(-1, 4).copy(), name="rgba")
        data.GetPointData().SetScalars(pixels)
        self._texture.SetInputData(data)
        self._size = np.array([width, height], np.float32)

    def show(self, quads: Sequence[Quads]) -> None:
        """Draw these quads and no others, the first ones below."""
        count = sum(len(ink.tints) for ink in quads)
        self._actor.SetVisibility(count > 0)
        if not count:
            return
        if 4 * count > len(self._points):
            self._make_room(max(_LEAST, 2 * count))
        end = 4 * count
        corners = np.concatenate([ink.corners for ink in quads])
        self._points[:end, :2] = corners.reshape(-1, 2)
        self._points[end : 4 * self._used] = 0.0  # quads without extent
        self._used = count
        sources = np.concatenate([ink.sources for ink in quads])
        np.divide(sources.reshape(-1, 2), self._size, out=self._coordinates[:end])
        tints = np.concatenate([ink.tints for ink in quads])
        self._tones[:end].reshape(-1, 4)[...] = tints[:, None]
        told = self._data.GetPointData()
        told.GetScalars().Modified()
        told.GetTCoords().Modified()
        moved(self._data)

    def _make_room(self, quads: int) -> None:
        """Make room for so many quads; those that are not used have no extent."""
        self._points = np.zeros((4 * quads, 3))
        self._coordinates = np.zeros((4 * quads, 2), np.float32)
        self._tones = np.zeros(4 * quads, np.uint32)
        colours = self._tones.view(np.uint8).reshape(-1, 4)
        self._used = 0
        corners = np.arange(4 * quads, dtype=np.int64).reshape(-1, 4)
        self._data = self._pyvista.PolyData()
        self._data.points = self._points
        self._data.faces = np.insert(corners, 0, 4, axis=1).ravel()
        convert = self._pyvista.convert_array
        told = self._data.GetPointData()
        told.SetScalars(convert(colours, name="colour"))
        told.SetTCoords(convert(self._coordinates, name="source"))
        self._mapper.SetInputData(self._data)


T = TypeVar("T")
Box = list[float]  # left, bottom, right, top

_TURN = np.arange(20) * (2 * np.pi / 20)
_CIRCLE = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=-1)
_DISC = np.array([_CIRCLE[[0, k, k + 1, k + 2]] for k in range(1, 19, 2)])
_SOLID = 0.5  # of the image of letters: the pixel that is all ink


class Text(NamedTuple):
    """A text that is laid out."""

    run: TextLayout
    colour: Rgb
    words: str


class Wanted(NamedTuple):
    """A text to be placed, and the ink of its frame and its leader."""

    request: LabelRequest
    text: Text
    ink: Rgb


class Hud:
    """Draw texts and flat shapes on top of everything; begin a frame, add, finish.

    ``ratio`` pixels here make one of the finished picture.
    """

    def __init__(self, renderer: Any, ratio: float, theme: Theme) -> None:
        self.theme = theme
        self._ratio = ratio
        self._letters = LetterAtlas(renderer)
        self._flat = QuadActor(renderer)
        self._painted = -1  # version of the image of letters
        self._kept: dict[str, _Kept] = {}
        self._shown: list[Quads] = []
        self.begin()

    def begin(self) -> None:
        """Forget what was written in the last frame."""
        self._done: list[Quads] = []
        self._sheet = _Sheet()

    def once(
        self,
        place: str,
        content: object,
        draw: Callable[[], T],
        at: tuple[float, float] = (0.0, 0.0),
    ) -> T:
        """Draw something that is the same as long as its content is.

        The last content of each place is kept; None is never the same. ``at`` is its
        own origin: whole pixels, else letters are blurred.
        """
        self._close_sheet()
        known = self._kept.get(place)
        if known is None or content is None or known.content != content:
            result = draw()
            ink = self._sheet.ink()
            known = self._kept[place] = _Kept(content, result, ink, (0.0, 0.0), ink)
            self._sheet = _Sheet()
        if known.at != at:
            ink = known.ink
            placed = Quads(ink.corners + np.array(at * 4), ink.sources, ink.tints)
            known = _Kept(known.content, known.result, ink, at, placed)
            self._kept[place] = known
        self._done.append(known.placed)
        kept: T = known.result
        return kept

    def text(self, words: str, size: int, colour: Rgb, *, bold: bool = False) -> Text:
        """Prepare a text; `measure` says how large it is, `put` shows it."""
        run = self._letters.lay(words, round(size * self._ratio), bold)
        return Text(run, colour, words)

    def fit(
        self,
        words: str,
        size: int,
        colour: Rgb,
        room: float,
        names: Iterable[str] = (),
        *,
        bold: bool = False,
    ) -> Text:
        """Prepare a text no wider than this: names get shorter, then its end is cut."""

        def write(line: str) -> Text:
            return self.text(line, size, colour, bold=bold)

        def fits(line: str) -> bool:
            return self.measure(write(line))[0] <= room

        return write(fitting(words, names, fits))

    def measure(self, text: Text) -> tuple[float, float]:
        """Return width and height of a prepared text in pixels."""
        extent = text.run.extent
        return extent.width, extent.height

    def put(self, text: Text, left: float, bottom: float) -> None:
        """Show a prepared text with its lower left corner here."""
        extent = text.run.extent
        at = round(left - extent.left), round(bottom - extent.bottom)
        self._sheet.runs.append((text, at))

    def centred(self, words: str, middle: Floats, size: int, ink: Rgb) -> Box:
        """Write bold words about a point; return the box that they take."""
        text = self.text(words, size, ink, bold=True)
        width, height = self.measure(text)
        left, bottom = float(middle[0]) - width / 2, float(middle[1]) - height / 2
        self.put(text, left, bottom)
        return [left, bottom, left + width, bottom + height]

    def line(self, start: Floats, end: Floats, width: float, colour: Rgb) -> None:
        """Draw a straight line."""
        (x, y), (p, q) = start.tolist(), end.tolist()
        length = hypot(p - x, q - y)
        if length == 0.0:
            return
        half = width * self._ratio / 2
        u, v = (y - q) / length * half, (p - x) / length * half
        self._sheet.add(
            (x - u, y - v, p - u, q - v, p + u, q + v, x + u, y + v), colour
        )

    def rectangle(self, box: Sequence[float] | Floats, colour: Rgb) -> None:
        """Fill a rectangle: left, bottom, right, top."""
        left, bottom, right, top = box
        self._sheet.add((left, bottom, right, bottom, right, top, left, top), colour)

    def framed(self, box: Sequence[float] | Floats, colour: Rgb) -> None:
        """Draw a sheet of paper with a thin rim, for a text to be put on."""
        rim = 1.2 * self._ratio
        left, bottom, right, top = box
        self.rectangle(box, colour)
        self.rectangle(
            [left + rim, bottom + rim, right - rim, top - rim], self.theme.paper
        )

    def wanted(
        self,
        words: str,
        anchors: Floats,
        prefer: Floats,
        colour: Rgb,
        ink: Rgb,
        size: int = sizes.LABEL_SIZE,
        *,
        bold: bool = True,
    ) -> "Wanted":
        """Prepare a text on a sheet of paper, to be placed beside its anchors."""
        text = self.text(words, size, colour, bold=bold)
        width, height = self.measure(text)
        pad = 2 * sizes.PADDING * self._ratio
        request = LabelRequest((width + pad, height + pad), anchors, prefer)
        return Wanted(request, text, ink)

    def labelled(
        self, text: Text, box: Box, anchor: Floats, end: Floats, ink: Rgb
    ) -> None:
        """Write a text on a sheet of paper, with a leader from what it names."""
        pad = sizes.PADDING * self._ratio
        self.line(anchor, end, 1.4, ink)
        self.disc(anchor, 2.6 * self._ratio, ink)
        self.framed(box, ink)
        self.put(text, box[0] + pad, box[1] + pad)

    def disc(self, centre: Floats, radius: float, colour: Rgb) -> None:
        """Fill a circle."""
        self._sheet.quads += (centre + radius * _DISC).ravel().tolist()
        self._sheet.tints += [packed(colour)] * len(_DISC)

    def polygon(self, corners: Floats, colour: Ink) -> None:
        """Fill a convex polygon of (n, 2) corners."""
        # a fan of quads; where the number of corners is odd the last is a triangle
        x = corners.tolist()
        for k in range(1, len(x) - 1, 2):
            last = min(k + 2, len(x) - 1)
            self._sheet.add((*x[0], *x[k], *x[k + 1], *x[last]), colour)

    def finish(self) -> bool:
        """Hand everything over; tell whether anything is not as it was."""
        self._close_sheet()
        done = [ink for ink in self._done if len(ink.tints)]
        if len(done) == len(self._shown) and all(
            one is other or all(np.array_equal(one[k], other[k]) for k in range(3))
            for one, other in zip(done, self._shown, strict=True)
        ):
            return False
        self._shown = done
        if self._painted != self._letters.version:
            self._painted = self._letters.version
            coverage = self._letters.image
            white = np.full((*coverage.shape, 4), 255, np.uint8)
            white[..., 3] = coverage
            self._flat.paint(white)
        self._flat.show(done)
        return True

    def _close_sheet(self) -> None:
        """Keep what was drawn since, in its order."""
        if self._sheet.quads or self._sheet.runs:
            self._done.append(self._sheet.ink())
            self._sheet = _Sheet()


class _Kept(NamedTuple):
    """What was drawn, and where it was last."""

    content: object
    result: Any  # what drawing it returned
    ink: Quads  # about its own origin
    at: tuple[float, float]
    placed: Quads  # the same there


class _Sheet:
    """Quads and texts while they are collected."""

    def __init__(self) -> None:
        self.quads: list[float] = []  # 8 each
        self.tints: list[int] = []
        self.runs: list[tuple[Text, tuple[int, int]]] = []

    def add(self, quad: Sequence[float], colour: Ink) -> None:
        self.quads += quad
        self.tints.append(packed(colour))

    def ink(self) -> Quads:
        """Return it as quads, letters above all shapes."""
        shapes, runs = len(self.tints), [text.run for text, _ in self.runs]
        counts = [len(run.corners) for run in runs]
        whole = shapes + sum(counts)
        corners, tints = np.empty((whole, 8)), np.empty(whole, np.uint32)
        sources = np.full((whole, 8), _SOLID, np.float32)
        corners[:shapes] = np.array(self.quads).reshape(-1, 8)
        tints[:shapes] = self.tints
        if runs:
            places = np.array([at * 4 for _, at in self.runs], np.float64)
            inks = [packed(text.colour) for text, _ in self.runs]
            np.concatenate([run.corners for run in runs], out=corners[shapes:])
            corners[shapes:] += np.repeat(places, counts, axis=0)
            np.concatenate([run.sources for run in runs], out=sources[shapes:])
            tints[shapes:] = np.repeat(inks, counts)
        return Quads(corners, sources, tints)


class Canvas(NamedTuple):
    """What the texts of one picture share."""

    hud: Hud
    labels: Hud  # of what moves in every frame: it is handed over alone
    pen: Pen
    view: View
    size: tuple[int, int]  # pixels that are drawn
    ratio: float  # of those, per pixel of the finished picture
    places: LabelPlacer  # where texts were
    free: Border = NO_BORDER  # pixels along the sides that are somebody else's
    plain: bool = False  # whether the background has one colour
    edition: int = 0  # of the title, which may be the same for some frames

    def project(self, points: Floats) -> Floats:
        """Return where (n, 3) points land, (n, 2) pixels."""
        return project(points, self.view, self.size)

    def clear(self, box: Box) -> None:
        """Fill a low box with the background: a text on it is read on any body."""
        look, pad = self.hud.theme, 3.0 * self.ratio
        share = (box[1] + box[3]) / 2 / self.size[1]
        colour = look.background
        if not self.plain:
            colour = blended(look.background_low, look.background_high, share)
        around = [box[0] - pad, box[1] - pad, box[2] + pad, box[3] + pad]
        self.hud.rectangle(around, colour)
