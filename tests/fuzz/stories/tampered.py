"""Passages with one number changed, so that they say what is not so.

Not every change makes a false claim.  A plane that still parts, an interval that is
wider and still holds its root, a greater distance that was kept all the same: these are
true, and nobody makes them here.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sim import verify_passage
from sim.between.moves import world_at
from sim.between.passage import Instant, Passage
from stories.forged import forgeries
from stories.sweeps import drawn

Array = np.ndarray
Rng = np.random.Generator
Tampered = tuple[str, Passage]
TRIES = 8
MOST = 10  # numbers of one passage that are changed
EPS = 2.0**-52


@dataclass
class Truth:
    """What is so of a passage."""

    passage: Passage

    @cached_property
    def ways(self) -> list[Callable[[float], Array]]:
        """Say where vertices are at a time, of each body."""
        return [lambda t, m=move: world_at(m, t) for move in self.passage.moves]

    @cached_property
    def clear(self) -> float:
        """Say by how much a length must be off to be false for sure."""
        ends = [way(t) for way in self.ways for t in (0.0, 1.0)]
        return 1e-12 * max(float(np.abs(x).max()) for x in ends)

    def gap(self, n: Array, t: float) -> float:
        a, b = (way(t) @ n for way in self.ways)
        return float(b.min() - a.max())

    def parts(self, normals: Array, start: float, end: float) -> bool:
        """Say whether a plane, its normals side by side, may part at both times."""
        ways = normals[:3], normals[3:]
        far = self.passage.distance * max(map(np.linalg.norm, ways)) - self.clear
        return min(map(self.gap, ways, (start, end))) > far

    def apart(self, t: float) -> bool:
        return self.passage.at(t).distance > self.passage.distance + self.clear


def follow(family: str, seed: int, seen: Counter[str]) -> Iterator[str]:
    """Yield a true passage that is refused, and false ones that are believed."""
    passage, tracker = drawn(family, seed).passage()
    passage.nearest  # noqa: B018 - what was asked for is held to it
    bodies = tracker.a, tracker.b
    answer = verify_passage(passage, *bodies).answer
    seen[f"true: {answer}"] += 1
    if answer == "no":
        yield f"{family}:{seed} true, but refused"
    rng = np.random.default_rng([seed, 1])
    made = list(tampered(rng, passage)) if answer == "yes" else []
    for at in rng.permutation(len(made))[:MOST]:
        what, false = made[at]
        answer = verify_passage(false, *bodies).answer
        seen[f"false: {answer}"] += 1
        if answer == "yes":
            yield f"{family}:{seed} {what}: believed"


def tampered(rng: Rng, passage: Passage) -> Iterator[Tampered]:
    """Yield false passages, each with the name of what was changed."""
    truth = Truth(passage)
    yield from _planes(rng, truth)
    yield from _instants(rng, truth)
    yield from _missing(rng, truth)
    yield from _lengths(rng, truth)
    yield from _states(rng, passage)


def retold(passage: Passage, **changed: Any) -> Passage:
    """Tell something else of a passage, in a copy."""
    other = copy(passage)
    for name in ("touch", "parting", "reason"):
        getattr(passage, name)  # cached, so that copies keep what is not changed
    vars(other).update(
        {n: vars(passage)[n] for n in ("touch", "parting", "reason")} | changed
    )
    return other


def _planes(rng: Rng, truth: Truth) -> Iterator[Tampered]:
    passage = truth.passage
    for chain in ("_there", "_back"):
        ending = getattr(passage, chain)
        if chain == "_back" and passage._there.ended == 0:
            continue  # its planes are no part of the proof

        def changed(
            k: int, column: int, value: float, of=ending, name=chain
        ) -> Passage:
            planes = of.planes.copy()
            planes[k, column] = value
            return retold(passage, **{name: of._replace(planes=planes)})

        for k, (start, end, *normal) in enumerate(ending.planes.tolist()):
            for x in range(6):
                for _ in range(TRIES):
                    n = np.array(normal)
                    n[x] += rng.choice([-1.0, 1.0]) * rng.uniform(0.01, 1.0)
                    if not truth.parts(n, start, end):
                        yield f"normal {x} of a plane", changed(k, 2 + x, n[x])
                        break
            middle = start + rng.uniform(0.1, 0.9) * (end - start)
            if start < middle < end:
                yield "a plane begins later", changed(k, 0, middle)
                yield "a plane ends sooner", changed(k, 1, middle)
            early, late = start * rng.random(), end + (1.0 - end) * rng.random()
            if not truth.parts(np.array(normal), early, end):
                yield "a plane begins too soon", changed(k, 0, early)
            if not truth.parts(np.array(normal), start, late):
                yield "a plane ends too late", changed(k, 1, late)
            for column, value in ((0, np.nan), (1, 2.0), (3, np.inf)):
                yield "garbage in a plane", changed(k, column, value)


def _instants(rng: Rng, truth: Truth) -> Iterator[Tampered]:
    passage = truth.passage
    for name in ("touch", "parting"):
        told = getattr(passage, name)
        if told is None:
            continue
        lower, upper = told.lower, told.upper
        width = upper - lower

        def changed(of=told, name=name, **fields: float) -> Passage:
            own = {"lower": of.lower, "upper": of.upper}
            return retold(passage, **{name: Instant(passage, **own | fields)})

        far = (rng.choice([1.0, 1e3, 1e6]) + rng.random()) * width
        yield f"{name} too late", changed(lower=min(1.0, upper + far))
        yield f"{name} too soon", changed(upper=max(0.0, lower - far))
        if upper < 1.0 or name == "parting":
            yield f"{name} no sooner than its end", changed(lower=upper)
        yield f"{name} no later than its start", changed(upper=lower)
        for t, field in (
            (rng.uniform(upper, 1), "upper"),
            (lower * rng.random(), "lower"),
        ):
            seen = field == ("upper" if name == "touch" else "lower")
            if seen and truth.apart(t):
                yield f"{name} seen where they are apart", changed(**{field: t})
        yield f"{name} at no time", changed(**{rng.choice(["lower", "upper"]): np.nan})


def _missing(rng: Rng, truth: Truth) -> Iterator[Tampered]:
    """Leave out what is there, and make what is not."""
    passage = truth.passage
    if passage.touch is not None:
        yield "no touch", retold(passage, touch=None)
        yield "nothing happened", retold(passage, touch=None, parting=None)
    if passage.parting is not None and truth.apart(1.0):
        yield "no parting", retold(passage, parting=None)
    for name in ("touch", "parting"):
        t = float(rng.random())
        if getattr(passage, name) is None and truth.apart(t):
            made = Instant(passage, t, min(1.0, t + 2e-10))
            yield f"a {name} that was none", retold(passage, **{name: made})
    if passage.touch is None and truth.apart(0.0):
        yield "near at the start", retold(passage, reason="already within at the start")


def _lengths(rng: Rng, truth: Truth) -> Iterator[Tampered]:
    """Change the distance that was asked about, and the least one that was told."""
    passage = truth.passage
    least = passage.nearest
    asked, d, size = passage.distance, truth.clear, 1e12 * truth.clear
    for value in (
        max(asked, least.upper) + rng.uniform(1e-6, 1.0) * size,
        -1.0,
        np.nan,
    ):
        yield "a greater distance", _changed(passage, distance=value)
    if asked > 0.0 and least.upper > 0.0 and passage.touch is not None:
        yield "a smaller distance", _changed(passage, distance=0.5 * asked)
    off = rng.uniform(1e-7, 1.0) * (least.upper + 1e-3 * size) + d
    bounds = ["upper"] if least.lower > 0.0 else []
    yield "nearest too far", _nearest(passage, lower=least.upper + off)
    for name in bounds:
        yield (
            "nearest too near",
            _nearest(passage, **{name: max(0.0, least.lower - off)}),
        )
    for _ in range(TRIES):
        t = float(rng.random())
        if passage.at(t).lower > least.upper + 1e-6 * size:
            yield "nearest at another time", _nearest(passage, when=t)
            break
    yield "nearest at no time", _nearest(passage, when=1.5)


def _changed(passage: Passage, **fields: Any) -> Passage:
    other = retold(passage)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _nearest(passage: Passage, **fields: float) -> Passage:
    return retold(passage, nearest=passage.nearest._replace(**fields))


def _states(rng: Rng, passage: Passage) -> Iterator[Tampered]:
    """Forge the state at the end, and lengths of those of the instants."""
    for what, false in forgeries(passage.state):
        if rng.random() < 0.1:
            yield f"state: {what}", _changed(passage, state=false)
    for name in ("touch", "parting"):
        told = getattr(passage, name)
        if told is None:
            continue
        state = told.state
        off = rng.uniform(1e-6, 1.0) * state.size
        for field, value in (
            ("distance", state.distance + off),
            ("lower", state.lower + off),
            ("normal", -state.normal),
            ("point_a", state.point_a + off),
        ):
            new = Instant(passage, told.lower, told.upper)
            new.asked = state.replace(**{field: value})
            yield f"{field} at the {name}", retold(passage, **{name: new})
