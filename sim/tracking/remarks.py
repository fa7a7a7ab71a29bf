"""What an answer says of a body that is no convex solid."""

from sim.body import Body
from sim.contact import Numbers
from sim.rows import Rows

UNPROVEN = float("inf")


def remarked(source: Rows | Numbers, a: Body, b: Body) -> Rows | Numbers:
    """Add to an answer what must be said of its bodies.

    Of a body made with ``"flag"`` that is not convex the upper bound is not proven:
    whatever the scan of its vertices proves from below still holds.
    """
    said = [text for text in (a.remark(), b.remark()) if text]
    if not said:
        return source
    numbers = source if isinstance(source, Numbers) else source.numbers()
    if a.is_flagged or b.is_flagged:
        return numbers._replace(reason="; ".join(said), upper=UNPROVEN)
    if numbers.reason:
        said.append(numbers.reason)
    return numbers._replace(reason="; ".join(said))
