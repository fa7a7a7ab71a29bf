import numpy as np  # of viewer.window.panel
import pytest

from sim import Body, Pose, World
from viewer.sources import RunningWorld
from viewer.theme import LIGHT
from viewer.timeline import Timeline
from viewer.window.panel import Charts, row_of
from wingedge import shapes

pytestmark = pytest.mark.gui


def plotted(chart):
    import pyvista

    table = chart.GetPlot(0).GetInput()
    return [pyvista.convert_array(table.GetColumn(k)) for k in (0, 1)]


def test_plots_show_all_frames_that_are_there_when_time_jumps(plotter, falling):
    timeline = Timeline(RunningWorld(falling(lambda t: 4.0 - t, dt=0.01)))
    charts = Charts(plotter, LIGHT)
    seen = []
    for _ in range(12):
        charts.update(timeline)
        seen.append(row_of(timeline.frame))
        timeline.step()
    seen.append(row_of(timeline.frame))
    timeline.seek(5)
    charts.update(timeline)
    both = plotter.renderer._charts
    for column, chart in zip(("distance", "contacts"), both, strict=True):
        x, y = plotted(chart)
        np.testing.assert_array_equal(x, [row.time for row in seen])
        np.testing.assert_array_equal(y, [getattr(row, column) for row in seen])


def test_a_run_that_has_ended_is_plotted_whole(plotter, falling):
    timeline = Timeline(RunningWorld(falling(lambda t: 4.0 - t, dt=0.01), 1000))
    timeline.step(1000)
    timeline.seek(7)
    charts = Charts(plotter, LIGHT)
    while charts.update(timeline) or charts.fills:
        pass
    x, _ = plotted(plotter.renderer._charts[0])
    times = {timeline.source[k].time for k in (*range(0, 1000, 5), 7)}
    np.testing.assert_array_equal(x, sorted(times))


def test_without_a_pair_no_distance_is_plotted(plotter):
    """Once a world of one body plotted a distance of 0, as if something touched."""
    alone = World([Body(shapes.box(), name="box")], dt=0.01)
    timeline = Timeline(RunningWorld(alone))
    charts = Charts(plotter, LIGHT)
    timeline.step(3)
    charts.update(timeline)
    distance, contacts = plotter.renderer._charts
    assert not distance.visible
    assert contacts.visible


def test_the_second_plot_is_the_depth_of_two_bodies_that_overlap(plotter, falling):
    timeline = Timeline(RunningWorld(falling(lambda t: 4.0 - t, dt=0.01)))
    charts = Charts(plotter, LIGHT)
    timeline.step(290)  # the ball is in the box
    charts.update(timeline)
    second = plotter.renderer._charts[1]
    assert second.y_label == "depth"
    _, y = plotted(second)
    assert y.max() == -timeline.frame.pairs[0].distance > 0.0


def test_a_depth_that_is_an_interval_is_a_band(plotter):
    """The plot said 0.9 where all that is known is 0.64 to 0.9."""
    u = Body(shapes.u_block(), name="u", convexity="surface")
    at = Pose.rigid(None, (0.3, 0.2, 0.6))
    world = World([u, Body(shapes.icosphere(2), name="ball", pose=at)], dt=0.01)
    timeline = Timeline(RunningWorld(world))
    charts = Charts(plotter, LIGHT)
    timeline.step(2)
    charts.update(timeline)
    (state,) = timeline.frame.pairs
    row = row_of(timeline.frame)
    assert (row.shallow, row.depth) == (max(0.0, -state.upper), -state.distance)
    assert 0.0 < row.shallow < 0.8 * row.depth
    assert charts._band.visible
    low, high = charts._band.y1, charts._band.y2
    np.testing.assert_array_equal(low, [row.shallow] * len(low))
    np.testing.assert_array_equal(high, [row.depth] * len(high))


def test_plots_follow_what_is_looked_at():
    boxes = [
        Body(shapes.box(), name=f"box{k}", pose=Pose.rigid(None, (x, 0.0, 0.0)))
        for k, x in enumerate((0.0, 0.75, 3.0, 6.0))
    ]
    frame = World(boxes).step()
    whole = row_of(frame)
    assert (whole.distance, whole.contacts) == (-0.25, 1)
    body = row_of(frame, ("box2",))
    assert (body.distance, body.depth, body.contacts) == (1.25, 0.0, 0)
    assert row_of(frame, ("box3", "box0")).distance == 5.0
    assert np.isnan(row_of(frame, ("box0", "nobody")).distance)
