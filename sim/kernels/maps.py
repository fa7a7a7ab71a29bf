"""Whether the maps of two bodies to the world are finite and no mirror images."""

from sim.kernels.language import Floats, kernel, stands_for


@kernel
def determinant(pose: Floats) -> float:
    """Return the determinant of a flat (3, 4) map; not finite if a number is not."""
    a, b, c, d = pose[0], pose[1], pose[2], pose[4]
    e, f, g, h, i = pose[5], pose[6], pose[8], pose[9], pose[10]
    det = a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)
    total = det + pose[3] + pose[7] + pose[11]
    return det + (total - total)


@kernel
def each_is_sound(p: Floats, q: Floats) -> bool:
    """Say whether both maps are finite with a positive determinant."""
    return determinant(p) > 0.0 and determinant(q) > 0.0


@stands_for(each_is_sound)
def maps_are_sound(p: Floats, q: Floats) -> bool:
    """Say the same from lists, which are three times cheaper to read interpreted."""
    first: list[float] = list(p)  # type: ignore[call-overload]  # a buffer has a length
    second: list[float] = list(q)  # type: ignore[call-overload]
    return determinant(first) > 0.0 and determinant(second) > 0.0
