"""What the sheet of the hands says: lines of text, without a screen."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.hands.explaining import explain, read_feature

if TYPE_CHECKING:
    from sim import Frame
    from viewer.hands.hands import Hands

LETTERS = 40  # that fit on a line of the sheet
_NEIGHBOURS = 10  # that are named


class Line(NamedTuple):
    """One line; bold for what it is about, loud for what went wrong."""

    words: str
    bold: bool = False
    loud: bool = False
    minor: int = 0  # where there is no room 1 is left out first, then 2


def sheet(hands: "Hands", frame: "Frame", room: int = 99) -> list[Line]:
    """Write down what is chosen, how it is held, and what its feature says.

    In as many lines as there is room for: neighbours are left out first, then numbers.
    """
    return fitted(_all_lines(hands, frame), room)


def fitted(lines: list[Line], room: int) -> list[Line]:
    """Leave out what is minor, then cut, until there is room."""
    for minor in (1, 2):
        if len(lines) > room:
            lines = [line for line in lines if line.minor != minor]
    return lines if len(lines) <= room else [*lines[: max(0, room - 1)], Line("…")]


def _all_lines(hands: "Hands", frame: "Frame") -> list[Line]:
    here = any(body.name == hands.chosen for body in frame.bodies)
    if hands.chosen is None or not here:
        return [Line(part) for part in wrapped(hands.said)]
    body = frame.body(hands.chosen)
    state = "held" if hands.holds else "chosen"
    lines = [Line(f"{hands.chosen}, {state}", bold=True)]
    size = float(np.ptp(body.world_points(), axis=0).max())
    lines.append(Line(f"at {'  '.join(said(body.pose.translation, size, 4))}"))
    mould = hands.mould
    if hands.sliders or any(mould):
        lines.append(
            Line(
                f"squash {mould.squash:.2f}  twist {mould.twist:.0f}°  "
                f"bend {mould.bend:.0f}°"
            )
        )
    if hands.slides:
        lines.append(Line("slides along other bodies"))
    if hands.feature is not None:
        lines += _feature_lines(hands, frame)
    bad = hands.said.startswith(("not ", "no "))
    return lines + [Line(part, loud=bad) for part in wrapped(hands.said)]


def _feature_lines(hands: "Hands", frame: "Frame") -> list[Line]:
    assert hands.chosen is not None
    assert hands.feature is not None
    try:
        reading = read_feature(frame, hands.chosen, hands.feature)
    except IndexError:  # the mesh was edited meanwhile
        return [Line(f"{hands.feature} is gone", bold=True)]
    lines = [Line(f"{hands.feature.kind} {hands.feature}", bold=True)]
    first = reading.corners[:4]
    size = float(np.ptp(frame.body(hands.chosen).world_points(), axis=0).max())
    lines += [
        Line("  " + "  ".join(said(corner, size, 5)), minor=2) for corner in first
    ]
    if len(reading.corners) > 4:
        words = f"  and {len(reading.corners) - 4} corners more"
        lines.append(Line(words, minor=2))
    beside = [str(feature) for feature in reading.neighbours]
    more = f" and {len(beside) - _NEIGHBOURS} more" if len(beside) > _NEIGHBOURS else ""
    told = wrapped(f"beside it {' '.join(beside[:_NEIGHBOURS])}{more}")
    lines += [Line(part, minor=1) for part in told]
    for sentence in explain(reading):
        lines += [Line(part) for part in wrapped(sentence)]
    return lines


def said(place: NDArray[np.float64], size: float, digits: int) -> list[str]:
    """Write coordinates with so many digits; what rounding left is zero.

    What is below 1e-9 of the size of the body says nothing: 5.6e-17 is read as a
    place that means something.
    """
    least = 1e-9 * size
    return [f"{0.0 if abs(x) < least else x:.{digits}g}" for x in place.tolist()]


def wrapped(words: str, letters: int = LETTERS) -> list[str]:
    """Break a text into lines, between words; no line for no text."""
    lines: list[str] = []
    for word in words.split():
        if lines and len(lines[-1]) + 1 + len(word) <= letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines[:8]
