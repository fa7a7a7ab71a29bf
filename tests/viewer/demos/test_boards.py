import numpy as np
import pytest

from sim.planar.disk import DiskDemo
from sim.planar.keys import SegmentDemo
from viewer.demos.board import PANEL
from viewer.demos.boards import REGIONS, DiskBoard, SegmentBoard
from viewer.theme import LIGHT

pytestmark = pytest.mark.gui

DISK = {
    "start": "",
    "touching": "L*30",
    "overlapping an edge": "L*30 K*12 L*10 K*30 L*30 J*12",
    "centre inside": "L*55 K*8",
    "mirrored": "Shift+S*150 L*10",
    "a segment": "Shift+T*100 K*20",
    "a point": "Shift+S*100 Shift+T*100",
    "far outside": "H*200",
}
SEGMENTS = {
    "crossing": "",
    "touching": "K*5",
    "apart": "K*12",
    "overlap": "Shift+R*180 J*15 L*25",
    "a point": "J*15 Shift+S*100",
}


@pytest.fixture
def board(request):
    made = request.param()
    yield made
    made.close()


disks = pytest.mark.parametrize("board", [DiskBoard], indirect=True)
bars = pytest.mark.parametrize("board", [SegmentBoard], indirect=True)


def show(board, demo, log):
    events = []
    for frame in demo.play(log):
        events += getattr(frame, "events", ())
    board.draw(demo.frame, events)
    return board.image()


def overlaps(boxes):
    boxes = np.array(boxes)
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    both = np.all(high - low > 0.5, axis=-1)
    return int(np.triu(both, 1).sum())


def has(image, colour):
    return bool(np.all(image == np.array(colour, np.uint8), axis=-1).any())


@disks
def test_no_text_covers_another_wherever_the_disk_is(board):
    for name, log in DISK.items():
        show(board, DiskDemo(), log)
        assert overlaps(board.boxes) == 0, name


@bars
def test_no_text_covers_another_wherever_the_segments_are(board):
    for name, log in SEGMENTS.items():
        show(board, SegmentDemo(), log)
        assert overlaps(board.boxes) == 0, name


@disks
def test_every_region_has_its_colour_and_the_nearest_edge_is_lit(board):
    image = show(board, DiskDemo(), "L*20 K*10 R*20")
    assert all(has(image, tint) for tint in REGIONS.values())
    assert has(image, LIGHT.body(1).feature)
    assert len(set(REGIONS.values())) == 7


@disks
def test_the_centre_is_drawn_in_the_colour_of_its_region(board):
    for log, region in (
        ("K*9", 3),
        ("J*9", 2),
        ("L*85 K*30", 5),
        ("L*60 J*30", 6),
        ("Shift+S*200 L*60 K*9", 6),  # mirrored
    ):
        demo = DiskDemo()
        show(board, demo, log)
        assert demo.frame.state.region == region
        x, y = board.sight.project([demo.frame.setting.center])[0]
        # beyond the rim of the disk, on the side away from the triangle
        nx, ny = demo.frame.state.normal
        reach = 1.15 / board.sight.pixel
        row, column = round(720 - (y - reach * ny)), round(x - reach * nx)
        around = board.image()[row - 9 : row + 9, column - 9 : column + 9]
        assert has(around, REGIONS[region])  # a leader may run through


@disks
def test_a_triangle_without_area_has_no_regions(board):
    image = show(board, DiskDemo(), DISK["a segment"])
    assert not any(has(image[:, PANEL + 10 :], tint) for tint in REGIONS.values())


@disks
def test_the_distance_is_drawn_from_rim_to_triangle_in_the_colour_of_the_regime(board):
    for log, regime in (("K*5", "separated"), ("L*35 K*3", "penetrating")):
        demo = DiskDemo()
        image = show(board, demo, log)
        state = demo.frame.state
        assert state.regime == regime
        middle = (np.array(state.point_a) + np.array(state.point_b)) / 2
        x, y = board.sight.project([middle])[0]
        around = image[
            round(720 - y) - 4 : round(720 - y) + 4, round(x) - 4 : round(x) + 4
        ]
        assert has(around, LIGHT.regime(regime))


@disks
def test_what_is_out_of_sight_has_no_label(board):
    show(board, DiskDemo(), "")
    near = len(board.boxes)
    show(board, DiskDemo(), DISK["far outside"])
    assert len(board.boxes) == near - 2  # disk and distance
    left = np.array(board.boxes)[1:, 0]
    assert left.min() > PANEL


@bars
def test_a_common_piece_is_drawn_thick_from_end_to_end(board):
    demo = SegmentDemo()
    image = show(board, demo, SEGMENTS["overlap"])
    (ax, _), (bx, _) = demo.frame.ends
    green = np.all(image == np.array(LIGHT.regimes["contact"], np.uint8), axis=-1)
    x, y = board.sight.project([[ax + 0.4, 0.0]])[0]
    column = green[:, round(x)]
    assert column.sum() >= 6  # beside the segments, which are thinner
    assert abs(720 - np.flatnonzero(column).mean() - y) < 3
    for beyond in (ax - 0.3, bx + 0.3):
        x, _ = board.sight.project([[beyond, 0.0]])[0]
        assert not green[round(720 - y) - 8 : round(720 - y) + 8, round(x)].any()


@bars
def test_a_crossing_is_marked_and_segments_that_are_apart_have_their_distance(board):
    for log in (SEGMENTS["crossing"], SEGMENTS["apart"]):
        demo = SegmentDemo()
        image = show(board, demo, log)
        green = has(image[:, PANEL:], LIGHT.regimes["contact"])
        assert green == (demo.frame.kind != "apart")


@disks
def test_the_panel_keeps_to_the_last_events_and_leaves_room_for_the_keys(board):
    show(board, DiskDemo(), "L*31 H*2 L*2 H*2 L*2 H*2 L*2 H*2 L*2 H*20 L*30")
    assert board.boxes[0] == [0.0, 0.0, PANEL + 8, 720.0]
    assert overlaps(board.boxes) == 0
