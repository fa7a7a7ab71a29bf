"""What a cross-check found: who was right wherever two engines differ."""

from math import nan
from typing import Any, NamedTuple

from sim.table import Table

AGREE = "agree"
THEIRS = "theirs wrong"
OURS = "ours wrong"
TIE = "tie"
UNANSWERED = "unanswered"
UNDECIDED = "undecided"
VERDICTS = (AGREE, THEIRS, OURS, TIE, UNANSWERED, UNDECIDED)


class Compared(NamedTuple):
    """One question about one pair in one frame, asked of both engines.

    ``what``: "distance" of bodies that are apart, "depth" of an overlap, "crossing" of
    surfaces, "names" of the closest features, "time" of the first touch since the frame
    before, 1 where there is none.
    """

    frame: int
    a: str
    b: str
    engine: str
    what: str
    ours: float | str
    theirs: float | str
    lower: float  # of the truth, proven; of names: of the distance
    upper: float
    size: float  # what rounding is measured by
    verdict: str  # "agree", "theirs wrong", "ours wrong", "tie", "unanswered" ...
    certified: bool  # ours
    exact: bool  # the truth is from exact arithmetic

    @property
    def off(self) -> float:
        """By how much the other engine is outside what is proven; 0 for names."""
        if isinstance(self.theirs, str):
            return 0.0
        return max(self.lower - self.theirs, self.theirs - self.upper, 0.0)

    def __str__(self) -> str:
        """Say it in one line."""
        return (
            f"{self.frame} {self.a}/{self.b} {self.what}: ours {self.ours}, "
            f"{self.engine} {self.theirs}: {self.verdict}"
        )


class CrossCheck(tuple[Compared, ...]):
    """Everything that was compared, in the order in which it was asked.

    Prints as a table: how often each verdict fell for each engine and question, and
    how far the other engine was off at worst, per unit of size (of a time: of a frame).
    """

    @property
    def disagreements(self) -> tuple[Compared, ...]:
        """Where the engines differ by more than rounding, with the verdict on each."""
        return tuple(row for row in self if row.verdict not in (AGREE, UNANSWERED))

    def count(self, verdict: str, *, engine: str = "", what: str = "") -> int:
        """Count the comparisons with a verdict, of one engine or question if named."""
        return sum(
            row.verdict == verdict
            and engine in ("", row.engine)
            and what in ("", row.what)
            for row in self
        )

    def worst(self, *, engine: str = "", what: str = "") -> float:
        """Return how far the other engine was off at worst, per unit of size."""
        offs = (
            row.off / row.size
            for row in self
            if engine in ("", row.engine) and what in ("", row.what)
        )
        return max((off for off in offs if off < float("inf")), default=0.0)

    def table(self) -> Table:
        """Return the comparisons as a table, one a row.

        Names of features stand in ``names_ours`` and ``names_theirs``; there ``ours``
        and ``theirs`` are not a number.
        """
        columns: dict[str, list[Any]] = {
            name: [getattr(row, name) for row in self] for name in Compared._fields
        }
        for name in ("ours", "theirs"):
            texts = [isinstance(value, str) for value in columns[name]]
            both = list(zip(columns[name], texts, strict=True))
            columns[name] = [nan if is_text else value for value, is_text in both]
            columns[f"names_{name}"] = [v if is_text else "" for v, is_text in both]
        return Table(columns)

    def __str__(self) -> str:
        """Lay the counts out as a table."""
        lines = [f"{'engine':<8}{'asked':<10}" + "".join(f"{v:>14}" for v in VERDICTS)]
        lines[0] += f"{'worst':>10}"
        for engine, what in dict.fromkeys((row.engine, row.what) for row in self):
            of = {"engine": engine, "what": what}
            counts = "".join(f"{self.count(v, **of):>14}" for v in VERDICTS)
            lines.append(f"{engine:<8}{what:<10}{counts}{self.worst(**of):>10.1e}")
        return "\n".join(lines)
