"""Define colours, sizes and layers of what is drawn: the one place to change the looks.

A theme is on paper, light, or on slate, dark.

Hue says *which body*, in families that stay apart for colour-blind readers (after
Okabe and Ito, 2008, jfly.uni-koeln.de/color): the surface in a light tint, its closest
feature in the full colour. The regime has three colours of its own, and is always
written in words too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

Rgb = tuple[int, int, int]  # sRGB, 0 to 255


class BodyColours(NamedTuple):
    """The three tones of one body."""

    surface: Rgb  # the skin, drawn translucent
    wire: Rgb  # its edges
    feature: Rgb  # its closest vertices and edges, the rim of its closest faces

    @property
    def lit(self) -> Rgb:
        """The fill of closest faces, between surface and feature: texts stand out."""
        return blended(self.surface, self.feature, 1 / 3)


@dataclass(frozen=True)
class Theme:
    """The colours of a picture."""

    name: str
    background_low: Rgb
    background_high: Rgb
    ink: Rgb
    faint_ink: Rgb
    paper: Rgb  # behind names
    mark: Rgb  # behind what is now
    trouble: Rgb
    trail: Rgb  # what a search tried
    bodies: tuple[BodyColours, ...]
    parts: tuple[Rgb, ...]  # of bodies, instead of their surface
    regimes: Mapping[str, Rgb]

    @property
    def background(self) -> Rgb:
        """The colour halfway between top and bottom, where there is no gradient."""
        return blended(self.background_low, self.background_high, 0.5)

    def body(self, index: int) -> BodyColours:
        """Return the tones of the body with this place in the frame; they repeat."""
        return self.bodies[index % len(self.bodies)]

    def part(self, index: int) -> Rgb:
        """Return the tint of the part with this place among all; they repeat."""
        return self.parts[index % len(self.parts)]

    def regime(self, name: str) -> Rgb:
        """Return the colour of "separated", "contact" or "penetrating"."""
        return self.regimes.get(name, self.ink)


def css(tone: Rgb) -> str:
    """Write a colour as CSS does."""
    return "#{:02x}{:02x}{:02x}".format(*tone)


def blended(colour: Rgb, other: Rgb, share: float) -> Rgb:
    """Go from one colour towards another: 0 stays, 1 arrives."""
    r, g, b = (
        round((1 - share) * c + share * o) for c, o in zip(colour, other, strict=True)
    )
    return r, g, b


LIGHT = Theme(
    name="light",
    background_low=(255, 255, 255),
    background_high=(232, 237, 243),
    ink=(38, 42, 48),
    faint_ink=(104, 112, 122),
    paper=(255, 255, 255),
    mark=(255, 236, 179),
    trouble=(176, 0, 32),
    trail=(136, 24, 248),
    bodies=(
        BodyColours((150, 202, 240), (66, 116, 158), (0, 90, 170)),  # blue
        BodyColours((252, 208, 146), (176, 120, 52), (200, 88, 0)),  # orange
        BodyColours((206, 190, 236), (128, 106, 168), (98, 58, 170)),  # purple
        BodyColours((234, 226, 148), (146, 136, 56), (122, 106, 0)),  # olive
        BodyColours((204, 210, 216), (116, 124, 132), (70, 78, 88)),  # grey
    ),
    parts=(  # salmon, mint, yellow, violet, teal, tan
        *((240, 150, 140), (140, 210, 160), (240, 214, 110)),
        *((160, 150, 230), (110, 205, 215), (215, 170, 120)),
    ),
    regimes={
        "separated": (40, 44, 50),
        "contact": (0, 128, 40),
        "penetrating": (196, 0, 120),
    },
)

DARK = Theme(
    name="dark",
    background_low=(18, 21, 26),
    background_high=(34, 40, 49),
    ink=(236, 239, 243),
    faint_ink=(160, 169, 180),
    paper=(24, 28, 34),
    mark=(84, 70, 20),
    trouble=(255, 132, 132),
    trail=(184, 64, 248),
    bodies=(
        BodyColours((44, 92, 136), (98, 152, 200), (116, 190, 255)),  # blue
        BodyColours((134, 84, 22), (196, 140, 66), (255, 176, 84)),  # orange
        BodyColours((88, 66, 136), (146, 122, 194), (200, 168, 255)),  # purple
        BodyColours((98, 92, 26), (160, 150, 66), (226, 212, 96)),  # olive
        BodyColours((84, 92, 102), (138, 148, 160), (204, 212, 222)),  # grey
    ),
    parts=(  # the same, darker
        *((150, 72, 66), (52, 120, 76), (140, 116, 30)),
        *((92, 82, 160), (30, 116, 126), (128, 92, 50)),
    ),
    regimes={
        "separated": (222, 226, 232),
        "contact": (84, 220, 120),
        "penetrating": (255, 120, 205),
    },
)

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (LIGHT, DARK)}

# Pixels of the finished picture; a picture that is drawn larger and shrunk multiplies
# them all.
POINT_RADIUS = 6.5
CORNER_RADIUS = 4.5
HALO_RADIUS = 17.0
TUBE_RADIUS = 2.6
OUTLINE_RADIUS = 1.6
ARROW_LENGTH = 92.0
ARROW_RADIUS = 2.4
HEAD_LENGTH = 0.28  # of an arrow's length
HEAD_RADIUS = 2.6  # of an arrow, shaft radii
STOP_RADIUS = 5.5
DIMENSION_OFFSET = 58.0  # from what is measured to its dimension line
WIRE_WIDTH = 1.0
TITLE_SIZE = 19
TEXT_SIZE = 15
LABEL_SIZE = 18
MARGIN = 18
PADDING = 5  # between a text and the rim of its box

OPACITY = 0.62  # of a body that takes part in a drawn pair: its markers shine through
OPACITY_BYSTANDER = 0.28
OPACITY_LIT = 0.8  # of a closest face


def named(name: str) -> Theme:
    """Return a theme by its name; ValueError if there is none."""
    if name not in THEMES:
        raise ValueError(f"theme={name!r}: there are {', '.join(THEMES)}")
    return THEMES[name]


def _layer(key: str, does: str, none: str = "", *, on: bool = False) -> Any:
    """Say which key switches a layer, what it shows, and what is said without it."""
    return field(default=on, metadata={"key": key, "does": does, "none": none})


@dataclass
class Layers:
    """What is drawn besides the bodies."""

    contacts: bool = _layer("c", "contacts: closest points and features", on=True)
    normals: bool = _layer("n", "normals", on=True)
    names: bool = _layer("g", "names of features", on=True)
    distance: bool = _layer("d", "distance, or depth of an overlap", "all pairs touch")
    path: bool = _layer("t", "tried: the path of the search", "no search to tell of")
    parts: bool = _layer("a", "parts of bodies, each in its tint", "no parts are named")
    panel: bool = _layer("i", "story and plots beside the picture", on=True)
    help: bool = _layer("h", "this help")

    def flip(self, name: str) -> None:
        """Show what was hidden, hide what was shown."""
        setattr(self, name, not getattr(self, name))

    def show(self, names: Iterable[str]) -> None:
        """Switch layers on by their names.

        Raises ValueError if there is no layer of a name; nothing is switched then.
        """
        for name in check_layers(names):
            setattr(self, name, True)


SAID = {layer.name: layer.metadata for layer in fields(Layers)}
NAMES = tuple(SAID)
EXTRA = ("distance", "path", "parts")


def check_layers(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of layers as given; ``ValueError`` if one is no layer."""
    wanted = (names,) if isinstance(names, str) else tuple(names)
    for name in wanted:
        if name not in NAMES:
            raise ValueError(f"layers={name!r}: there are {', '.join(NAMES)}")
    return wanted
