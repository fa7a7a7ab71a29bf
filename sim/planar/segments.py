"""Move two segments by keys, without a screen, and find what they share."""

from dataclasses import dataclass
from itertools import count

from sim.planar.keys import SEGMENT_KEYS, KeyDemo, Keys, Point, SegmentSetting
from wingedge.primitives import segment_segment_2d

# across the first segment, then onto the line that it is on
TOUR = "J*8 H*5 R*60 Shift+R*240 J*7 L*30"


@dataclass(frozen=True, slots=True)
class SegmentFrame:
    """One frame of the two segments.

    What they have in common is that of `wingedge.primitives.segment_segment_2d.meet`,
    as plain numbers.
    """

    index: int
    keys: Keys  # what was held
    setting: SegmentSetting
    kind: str  # apart, touching, crossing, overlap; exact
    t1: float  # where the point is along the first segment, in [0, 1]
    t2: float
    point: Point  # common; of the first, nearest to the second, where there is none
    distance: float
    t1_range: Point  # the common piece along the first segment, ascending
    t2_range: Point  # the same along the second
    ends: tuple[Point, Point]  # the same as points


class SegmentDemo(KeyDemo[SegmentSetting, SegmentFrame]):
    """Two segments that keys move, turn and stretch.

    The function of Marupeke's 2-D collision page no. 10 at work; what the keys do, for
    which the page has none, is `sim.planar.keys.SegmentSetting`.
    """

    def __init__(self) -> None:
        self._frames = count()
        super().__init__(SegmentSetting(), SEGMENT_KEYS)

    def _shown(self, setting: SegmentSetting, keys: Keys) -> SegmentFrame:
        first, second = setting.first.ends, setting.second.ends
        found = segment_segment_2d.meet(*first, *second)
        x, y = found.point.tolist()
        t1, t2 = found.s_range.tolist(), found.t_range.tolist()
        (ax, ay), (bx, by) = found.ends.tolist()
        return SegmentFrame(
            next(self._frames),
            keys,
            setting,
            str(found.kind),
            float(found.s),
            float(found.t),
            (x, y),
            float(found.distance),
            (t1[0], t1[1]),
            (t2[0], t2[1]),
            ((ax, ay), (bx, by)),
        )
