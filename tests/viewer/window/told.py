"""Show worlds in windows, and tell what the windows show: JSON, a line each change.

A line on stdin asks for a window: ``{"world": "dragged", ...}``. When it is closed, a
line says so, and the next one may be asked for. ``{"draw": path, ...}`` draws the same
off screen instead. It is a program of its own since the windows are real ones, on the
screen that DISPLAY names.
"""

import json
import sys

import numpy as np

from sim import Body, Pose, World
from viewer import watch
from viewer.drawing.overlays import NAMES
from viewer.sources import StoredFrames
from viewer.timeline import Timeline
from viewer.window.reading import sheet
from viewer.window.window import Window
from wingedge import shapes

DOWN = {"LeftButtonPressEvent": True, "LeftButtonReleaseEvent": False}
TURN = Pose.rigid([0.3, 0.0, 0.0, 1.0]) @ Pose.rigid([0.0, 0.2, 0.0, 1.0])


def dragged():
    """A box on one of its corners above a table, and nothing moves by itself."""
    jelly = Body(shapes.box(), name="jelly", pose=Pose(TURN.linear, (0.3, 0.2, 1.4)))
    table = Body(shapes.grid_box((4, 4, 1), (4.0, 4.0, 1.0)), name="table")
    return World([jelly, table], dt=0.05)


def falling():
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    script = lambda t: Pose.rigid(None, (0.0, 0.0, 2.0 - t))  # noqa: E731
    return World([ball, table], motion={"ball": script}, dt=0.1)


WORLDS = {"dragged": dragged, "falling": falling}


def listen(window):
    """Note what the mouse does, before anybody else hears of it."""
    mouse = window.plotter.iren.interactor

    def heard(_, event):
        window.mouse[:] = *mouse.GetEventPosition(), DOWN.get(event, window.mouse[2])

    window.mouse = [0, 0, False]
    for event in ("MouseMoveEvent", *DOWN):
        tag = mouse.AddObserver(event, heard, 99.0)
        mouse.GetCommand(tag).SetPassiveObserver(True)


def told(window):
    """Say what a window shows, and where its controls are."""
    timeline, hands, frame = window.timeline, window.controls.hands, window.scene.frame
    slider = window.slider
    camera = window.plotter.camera
    return {
        "frame": frame.index,
        "position": timeline.position,
        "count": len(timeline.source),
        "playing": timeline.playing,
        "poses": {
            b.name: [b.pose.linear.tolist(), b.pose.translation.tolist()]
            for b in frame.bodies
        },
        "pairs": [
            {
                "regime": s.regime,
                "kind": s.kind,
                "distance": s.distance,
                "features": [str(s.feature_a), str(s.feature_b)],
            }
            for s in frame.pairs
        ],
        "layers": [n for n in NAMES if getattr(window.controls.layers, n)],
        "chosen": hands.chosen,
        "feature": str(hands.feature or ""),
        "sheet": [line.words for line in sheet(hands, frame)],
        "view": [*map(list, (camera.position, camera.focal_point, camera.up))],
        "size": window.scene.size,
        "mouse": [*window.mouse],
        "slider": [slider.first, slider.last, slider.value],
        "ends": slider.ends,
    }


def show(asked):
    made = WORLDS[asked["world"]]()
    source = list(made.run(asked["stored"])) if "stored" in asked else made
    last = watch(source, asked.get("frames"), speed=asked.get("speed", 1.0))
    tell({"closed": last.index})


def draw(asked):
    frames = list(WORLDS[asked["world"]]().run(asked["stored"]))
    window = Window(
        Timeline(StoredFrames(frames), speed=asked["speed"]), off_screen=True
    )
    window.timeline.pause()
    turn(window)
    for key in asked["keys"]:
        window.press(key)
        turn(window)
    np.save(asked["draw"], window.image())
    window.close()
    tell({"drawn": asked["draw"]})


def tell(something):
    print(json.dumps(something), flush=True)


turn = Window.turn


def main():
    last = None

    def turn_and_tell(window):
        nonlocal last
        if not hasattr(window, "mouse"):
            listen(window)
        turn(window)
        now = told(window)
        if now != last:
            tell(now)
            last = now

    Window.turn = turn_and_tell
    for line in sys.stdin:
        asked = json.loads(line)
        (draw if "draw" in asked else show)(asked)


if __name__ == "__main__":
    main()
