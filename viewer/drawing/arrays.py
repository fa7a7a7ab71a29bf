"""Turn a frame into plain arrays: what a window and a page draw.

Everything is in the world frame and made of the frame alone; nothing here draws. A
`Style` adds colours and how long a pixel is, so that markers keep their size.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim import Frame, PairState
from sim.events.touch import whole_name
from viewer import theme
from viewer.drawing.camera import View, pixel
from viewer.drawing.glyphs import (
    FULL,
    LitFeature,
    Names,
    PairGlyphs,
    distance_text,
    drawn_pairs,
    overlap_text,
    pair_glyphs,
    witness_of,
)
from viewer.drawing.words import short
from viewer.theme import EXTRA, BodyColours, Layers, Rgb, Theme, blended
from wingedge.tables import Floats

if TYPE_CHECKING:
    from sim.explain.explain import Walk

_NAMED_PAIRS = 2  # more names than these are a heap of letters
_NAMED_REGIONS = 8
_NEAR = 240.0  # pixels from the closest point in which a face is named
_FADED = 0.7  # the oldest step of a path
_FLAT = 1e-6
_SHORT = 40.0  # pixels: a dimension line below has its arrows outside
_HEAD = 34.0  # of its arrows
_BEFORE = 20.0  # pixels to the eye, of the path of a search
_TURN = np.arange(40)[:, None] * (2 * np.pi / 40)


class Batch:
    """Pieces of one kind: where they are, how thick, and their colours."""

    def __init__(self, *shape: int) -> None:
        self.at: list[Floats] = [np.empty((0, *shape))]
        self.radii: list[Floats] = [np.empty(0)]
        self.tones: list[NDArray[np.uint8]] = [np.empty((0, 3), np.uint8)]

    def add(self, at: Floats, radius: ArrayLike, colour: ArrayLike) -> None:
        """Take more, with one radius and one colour or one for each."""
        self.at.append(at)
        self.radii.append(np.broadcast_to(np.asarray(radius, float), len(at)))
        tones = np.broadcast_to(np.asarray(colour, np.uint8), (len(at), 3))
        self.tones.append(tones)

    def arrays(self) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """Return places, (n, 3) or (n, 2, 3), radii and colours, (n, 3)."""
        places, radii = np.concatenate(self.at), np.concatenate(self.radii)
        return places, radii, np.concatenate(self.tones)


class SolidBuilder:
    """Balls (k, 3), open tubes and arrows (m, 2, 3), drawn all at once."""

    def __init__(self) -> None:
        self.balls, self.tubes, self.arrows = Batch(3), Batch(2, 3), Batch(2, 3)

    def add_rods(self, segments: Floats, radius: float, colour: ArrayLike) -> None:
        """Add a tube with round ends along each of (m, 2, 3) segments."""
        self.tubes.add(segments, radius, colour)
        self.balls.add(np.unique(segments.reshape(-1, 3), axis=0), radius, colour)

    def segments(self) -> Floats:
        """Return the middle lines of everything, (m, 2, 3); those of balls are points.

        What is written beside must not cover them.
        """
        dots = [np.stack([at, at], axis=1) for at in self.balls.at]
        return np.concatenate([*self.tubes.at, *self.arrows.at, *dots])

    def cones(self) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """Return what has a length: (m, 2, 3) ends, (m, 2) radii, (m, 3) colours.

        Tubes, then the shafts of arrows, then their heads.
        """
        ends, thick, tones = self.tubes.arrays()
        flown, thin, inks = self.arrows.arrays()
        start, tip = flown[:, 0], flown[:, 1]
        neck = tip + theme.HEAD_LENGTH * (start - tip)
        pairs = [np.stack(each, axis=1) for each in ((start, neck), (neck, tip))]
        radii = [np.stack([each, each], axis=1) for each in (thick, thin)]
        heads = np.stack([theme.HEAD_RADIUS * thin, np.zeros_like(thin)], axis=1)
        every = np.concatenate([ends, *pairs])
        long = (every[:, 0] != every[:, 1]).any(axis=1)
        shades = np.concatenate([tones, inks, inks])
        return every[long], np.concatenate([*radii, heads])[long], shades[long]


class Label(NamedTuple):
    """A text beside what it names."""

    words: str
    anchors: Floats  # (k, 3) places on what it names
    place: Floats  # (3,) in free air beside it
    ink: Rgb


class Style(NamedTuple):
    """Which colour is whose, and how long a pixel of the finished picture is."""

    order: Sequence[str]  # names of the bodies: their place decides the colour
    look: Theme
    scale: float  # the height of the picture in pixels, or without a view of one pixel
    view: View | None = None  # None: from anywhere

    def unit(self, points: Floats) -> Any:
        """Return the length of a pixel at a point, or at each of (n, 3)."""
        if self.view is None:
            return np.full(points.shape[:-1], self.scale)
        return pixel(points, self.view, self.scale)

    def body(self, name: str) -> BodyColours:
        """Return the colours of a body."""
        return self.look.body(self.order.index(name))

    def across(self, normal: Floats) -> Floats:
        """Return a direction across a normal, to the right as it is seen."""
        if self.view is None:
            return sideways(normal)
        way = np.cross(normal, self.view.axes[2])
        size = float(np.copysign(np.sqrt(way @ way), way @ self.view.axes[0]))
        return way / size if abs(size) > _FLAT else sideways(normal)


class Shown(NamedTuple):
    """What a frame shows."""

    frame: Frame
    points: Mapping[str, Floats]  # (V, 3) by body
    pairs: list[PairGlyphs]  # that are drawn, the most telling first
    layers: Layers
    trails: "list[Walk]"  # of the layer path

    @property
    def lit(self) -> dict[str, list[NDArray[np.intp]]]:
        """The rows of ``mesh.fan`` that are lit, of every body of a drawn pair."""
        rows: dict[str, list[NDArray[np.intp]]] = {}
        for part in (part for pair in self.pairs for part in (pair.a, pair.b)):
            rows.setdefault(part.body, []).append(part.fan)
        return rows

    @property
    def tints(self) -> list[tuple[str, str, NDArray[np.int32]]]:
        """Body, name and faces of all parts, where the layer that tints them is on."""
        bodies = self.frame.bodies if self.layers.parts else ()
        return [(b.name, *part) for b in bodies for part in b.mesh.parts.items()]

    @property
    def spans(self) -> list[PairState]:
        """The pairs whose distance or depth the layer of that name measures."""
        on = self.layers.distance
        return [p.state for p in self.pairs if on and p.state.distance]

    @property
    def empty(self) -> list[str]:
        """The layers that are on and have nothing to show."""
        shown = zip(EXTRA, (self.spans, self.trails, self.tints), strict=True)
        return [n for n, some in shown if getattr(self.layers, n) and not some]

    def markers(self, style: Style) -> SolidBuilder:
        """Return closest points and features, normals, contacts, and layers."""
        pieces, layers = SolidBuilder(), self.layers
        for pair in self.pairs if layers.contacts else ():
            add_markers(pieces, pair, style, normals=layers.normals)
        for state in self.spans:
            add_dimension(pieces, state, style)
        add_trails(pieces, self.trails, style)
        return pieces

    def rims(self, style: Style, pieces: SolidBuilder | None = None) -> SolidBuilder:
        """Return the rims of lit faces, with what else there is."""
        pieces = pieces or SolidBuilder()
        for pair in self.pairs if self.layers.contacts else ():
            radius = theme.OUTLINE_RADIUS * float(style.unit(pair.middle))
            for part in (pair.a, pair.b):
                if part.kind == "face":
                    tone = style.body(part.body).feature
                    pieces.add_rods(part.segments, radius, tone)
        return pieces

    def labels(self, style: Style) -> list[Label]:
        """Return all texts, those at dimension lines first; none below the help."""
        layers, labels = self.layers, [_of_span(state, style) for state in self.spans]
        if layers.help:
            return []
        if layers.contacts and layers.names:
            for pair in self.pairs[:_NAMED_PAIRS]:
                is_measured = layers.distance and pair.state.distance != 0.0
                labels += _of_pair(pair, style, is_measured=is_measured)
        return labels


def collect(
    frame: Frame, layers: Layers, *, before: Frame | None = None, looked_at: Names = ()
) -> Shown:
    """Collect what a frame shows of what is ``looked_at``, of eight pairs at most.

    ``before`` is the frame before, for the path; a layer that is off is not computed.
    """
    points = {body.name: body.world_points() for body in frame.bodies}
    states = drawn_pairs(frame, looked_at, FULL)
    pairs = [pair_glyphs(frame, state, points) for state in states]
    trails = []
    if layers.path:  # costs two answers a pair, some 2 ms
        from sim.explain.explain import retrace

        trails = [retrace(before, frame, state) for state in states]
    return Shown(frame, points, pairs, layers, trails)


def _of_span(state: PairState, style: Style) -> Label:
    """Label a dimension line with its length, beside it."""
    kind = "distance" if state.distance > 0.0 else "depth"
    words = overlap_text(state) or f"{kind} {abs(state.distance):.6g}"
    middle = witness_of(state).mean(axis=0)
    off = theme.DIMENSION_OFFSET * style.unit(middle) * style.across(state.normal)
    ink = style.look.regime(state.regime)
    return Label(words, (middle + off)[None], middle + 2.0 * off, ink)


def _of_pair(pair: PairGlyphs, style: Style, *, is_measured: bool) -> list[Label]:
    """Name the closest features of a pair, its distance unless told, its regions."""
    unit, ink = float(style.unit(pair.middle)), style.look.regime(pair.state.regime)
    (start, tip), labels = arrow_ends(pair, unit), []
    ends = pair.witness[0] - 0.7 * (tip - start), tip + 0.25 * (tip - start)
    for part, at, place in zip((pair.a, pair.b), pair.witness, ends, strict=True):
        who = whole_name(short(part.body), short(part.part))
        words, tone = f"{who} {part.name}", style.body(part.body).feature
        labels.append(Label(words, _near(part, at, _NEAR * unit), place, tone))
    if not is_measured:  # else at its dimension line
        beside = pair.middle + theme.ARROW_LENGTH * unit * style.across(pair.normal)
        labels.append(Label(distance_text(pair.state), pair.middle[None], beside, ink))
    for region in pair.state.regions[:_NAMED_REGIONS]:
        area = region.patch if len(region.patch) else (region.point_a, region.point_b)
        middle = np.mean(area, axis=0)
        labels.append(Label(f"#{region.identity}", middle[None], middle, ink))
    return labels


def _near(part: LitFeature, point: Floats, reach: float) -> Floats:
    """Return the anchors of a feature, those of a huge face near the closest point."""
    if part.kind != "face":
        return part.anchors
    away = part.anchors - point
    far = np.sqrt((away * away).sum(axis=1, keepdims=True))
    return np.asarray(point + away * np.minimum(1.0, reach / np.maximum(far, reach)))


def add_markers(
    pieces: SolidBuilder, pair: PairGlyphs, style: Style, *, normals: bool = True
) -> None:
    """Add every marker of a pair but the rims of lit faces; an arrow if ``normals``."""
    unit, ink = float(style.unit(pair.middle)), style.look.regime(pair.state.regime)
    thick, corner = theme.TUBE_RADIUS * unit, theme.CORNER_RADIUS * unit
    pieces.tubes.add(pair.witness[None], thick, ink)
    pieces.balls.add(pair.witness, theme.POINT_RADIUS * unit, ink)
    if normals:
        ends = arrow_ends(pair, unit)[None]
        pieces.arrows.add(ends, theme.ARROW_RADIUS * unit, ink)
    for part in (pair.a, pair.b):
        tone = style.body(part.body).feature
        pieces.balls.add(part.points, 1.35 * theme.POINT_RADIUS * unit, tone)
        if part.kind == "edge":
            pieces.add_rods(part.segments, thick, tone)
    # the area that two bodies share or face, or a ring around their contact, in
    # which a lit vertex would swallow a ball
    pieces.balls.add(np.concatenate([pair.patch, pair.contacts]), corner, ink)
    pieces.tubes.add(ring(pair.patch), theme.OUTLINE_RADIUS * unit, ink)
    if len(pair.contacts) and not len(pair.patch):
        middle, wide = pair.contacts.mean(axis=0), theme.HALO_RADIUS * unit
        pieces.tubes.add(circle(middle, pair.normal, wide), thick, ink)
    for region in pair.state.regions:
        ends = np.stack([region.point_a, region.point_b])
        tone = style.look.regime("contact")
        pieces.tubes.add(np.concatenate([ends[None], ring(region.patch)]), thick, tone)
        pieces.balls.add(ends, theme.POINT_RADIUS * unit, tone)
        pieces.balls.add(region.patch, corner, tone)


def arrow_ends(pair: PairGlyphs, unit: float) -> Floats:
    """Return where the normal's arrow starts and ends: from B's closest point on."""
    way = theme.ARROW_LENGTH * unit * pair.normal
    return np.stack([pair.witness[1], pair.witness[1] + way])


def add_trails(pieces: SolidBuilder, trails: "Sequence[Walk]", style: Style) -> None:
    """Add the paths of searches, older steps fainter."""
    for places in (p for walk in trails for p in (walk.places_a, walk.places_b)):
        unit, look, later = style.unit(places), style.look, np.arange(len(places))[::-1]
        fades = (_FADED * later / max(1, len(places) - 1)).tolist()
        inks = [blended(look.trail, look.paper, share) for share in fades]
        if style.view is not None:  # before all other markers
            places = places + _BEFORE * unit[:, None] * style.view.axes[2]
        ways = np.stack([places[:-1], places[1:]], axis=1)
        pieces.balls.add(places, theme.STOP_RADIUS * unit, inks)
        tones = np.reshape(inks[1:], (-1, 3))
        pieces.tubes.add(ways, theme.OUTLINE_RADIUS * unit[1:], tones)


def add_dimension(pieces: SolidBuilder, state: PairState, style: Style) -> None:
    """Add a dimension line beside what it measures, a distance or a depth.

    At what is too short to see arrows point from outside; a depth has one: B's way; an
    overlap that is an interval is a band.
    """
    ends, is_gap = witness_of(state), state.distance > 0.0
    unit, ink = float(style.unit(ends.mean(axis=0))), style.look.regime(state.regime)
    side, ends = unit * style.across(state.normal), ends if is_gap else ends[::-1]
    first, last = line = ends + theme.DIMENSION_OFFSET * side
    rims = np.stack([ends + 9.0 * side, line + 7.0 * side], axis=1)
    pieces.tubes.add(rims, 0.6 * unit, ink)
    is_band = bool(overlap_text(state))
    pieces.tubes.add(line[None], (3.5 if is_band else 1.0) * unit, ink)
    if not is_band:
        is_long = abs(state.distance) >= _SHORT * unit
        head = (_HEAD if is_long else -_HEAD) * unit * state.normal
        tips = [(first + head, first), (last - head, last)]
        # of a depth the one that points B's way
        chosen = tips if is_gap else tips[is_long:][:1]
        pieces.arrows.add(np.array(chosen), 1.2 * unit, ink)


def ring(corners: Floats) -> Floats:
    """Return the sides of a polygon of (k, 3) corners, (k, 2, 3); none below two."""
    corners = corners if len(corners) > 1 else corners[:0]
    return np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)


def circle(centre: Floats, normal: Floats, radius: float) -> Floats:
    """Return the sides of a circle across a normal, (40, 2, 3)."""
    u = sideways(normal)
    return ring(
        centre + radius * (np.cos(_TURN) * u + np.sin(_TURN) * np.cross(normal, u))
    )


def sideways(normal: Floats) -> Floats:
    """Return a unit vector across a normal."""
    across: Floats = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    return across / np.sqrt(across @ across)
