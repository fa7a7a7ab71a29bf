"""Two segments of the plane: whether they meet, where, and how far along each.

Every degenerate pair has an answer: collinear segments share a piece, a segment of no
length is a point, an end on the other segment is a touch. Decisions are exact. Then the
same by keys: in a window if there is a screen, else ``two_segments.png`` shows where
they lead.
"""

from sim.planar.keys import TOUR, SegmentDemo
from wingedge.primitives import segment_segment_2d

PAIRS = {
    "crossing": [(-2, 0), (2, 0), (0, -1), (0, 3)],
    "touching": [(-2, 0), (2, 0), (2, 0), (3, 1)],
    "overlap": [(-2, 0), (2, 0), (4, 0), (1, 0)],
    "apart": [(-2, 0), (2, 0), (-2, 1), (2, 1)],
}


def main(view: bool = True) -> None:
    for kind, ends in PAIRS.items():
        found = segment_segment_2d.meet(*ends)
        t1, t2 = found.s_range.tolist(), found.t_range.tolist()
        print(f"{found.kind}: t1 {t1}, t2 {t2}, distance {found.distance}")
        assert found.kind == kind

    told = []
    for frame in SegmentDemo().play(TOUR):
        if not told or told[-1] != frame.kind:
            told.append(frame.kind)
            print(f"frame {frame.index}: {frame.kind} at {frame.point}")
    assert told[-1] == "overlap"
    assert frame.ends == ((0.5, 0.0), (2.0, 0.0))

    if view:
        import viewer
        from viewer.demos.play import picture, play

        try:
            log = play("segments")
            print(f"your keys: {log}" if log else "now look at two_segments.png")
            picture("segments", log or TOUR, "two_segments.png")
        except (ImportError, viewer.NoPicture) as error:
            print(error)


if __name__ == "__main__":
    main()
