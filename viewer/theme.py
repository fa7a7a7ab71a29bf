"""Colours and sizes of everything drawn; the one place to change the looks.

Hue says *which body*, in families that stay apart for colour-blind readers (after
Okabe and Ito, 2008, jfly.uni-koeln.de/color): the surface in a light tint, its closest
feature in the full colour. The regime has three colours of its own, and is always
written in words too.
"""

from typing import NamedTuple

Rgb = tuple[int, int, int]  # sRGB, 0 to 255


class BodyColours(NamedTuple):
    """The three tones of one body."""

    surface: Rgb  # the skin, drawn translucent
    wire: Rgb  # its edges
    feature: Rgb  # its closest vertices and edges, the rim of its closest faces

    @property
    def lit(self) -> Rgb:
        """The fill of closest faces, between surface and feature: texts stand out."""
        r, g, b = (
            (2 * s + f) // 3 for s, f in zip(self.surface, self.feature, strict=True)
        )
        return r, g, b


BODIES = (
    BodyColours((150, 202, 240), (66, 116, 158), (0, 90, 170)),  # blue
    BodyColours((252, 208, 146), (176, 120, 52), (200, 88, 0)),  # orange
    BodyColours((206, 190, 236), (128, 106, 168), (98, 58, 170)),  # purple
    BodyColours((234, 226, 148), (146, 136, 56), (122, 106, 0)),  # olive
    BodyColours((204, 210, 216), (116, 124, 132), (70, 78, 88)),  # grey
)

REGIMES: dict[str, Rgb] = {
    "separated": (40, 44, 50),
    "contact": (0, 128, 40),
    "penetrating": (196, 0, 120),
}

REGION: Rgb = REGIMES["contact"]  # one of all contacts: they exist in contact only

BACKGROUND_LOW: Rgb = (255, 255, 255)
BACKGROUND_HIGH: Rgb = (232, 237, 243)
INK: Rgb = (38, 42, 48)
FAINT_INK: Rgb = (104, 112, 122)
PAPER: Rgb = (255, 255, 255)
MARK: Rgb = (255, 236, 179)  # behind what is now
TROUBLE: Rgb = (176, 0, 32)

# Pixels of the finished picture; a picture that is drawn larger and shrunk multiplies
# them all.
POINT_RADIUS = 6.5
CORNER_RADIUS = 4.5
HALO_RADIUS = 17.0
TUBE_RADIUS = 2.6
OUTLINE_RADIUS = 1.6
ARROW_LENGTH = 92.0
ARROW_RADIUS = 2.4
WIRE_WIDTH = 1.0
TITLE_SIZE = 19
TEXT_SIZE = 15
LABEL_SIZE = 18
MARGIN = 18
PADDING = 5  # between a text and the rim of its box

OPACITY = 0.62  # of a body that takes part in a drawn pair: its markers shine through
OPACITY_BYSTANDER = 0.28
OPACITY_LIT = 0.8  # of a closest face


def body_colours(index: int) -> BodyColours:
    """Return the tones of the body with this place in the frame; they repeat."""
    return BODIES[index % len(BODIES)]


def regime_colour(regime: str) -> Rgb:
    """Return the colour of "separated", "contact" or "penetrating"."""
    return REGIMES.get(regime, INK)
