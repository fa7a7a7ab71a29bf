"""A run becomes a file: record it, read it back, answer for it once more.

You will see the story of a soft block pressed onto a table read from the recording, and
that a replay gives the same answers to the last bit. The file opens in ParaView too;
with a screen the recording is shown in a window.
"""

import tempfile
from pathlib import Path

from sim import Recording, scenes


def main(view: bool = True) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "press.vtkhdf"
        world = scenes.load("press")
        with world.record(path):
            told = [
                str(event)
                for frame in world.run(scenes.length("press"))
                for event in frame.events
            ]
        with Recording.open(path) as recording:
            for event in recording.events:
                print(event)
            closest = min(recording, key=lambda frame: frame.pairs[0].distance)
            print(f"closest in frame {closest.index}: {closest.pairs[0]}")
            again = recording.replay()
            print(f"recorded {recording.digest}, replayed {again.digest}")
            if view:
                import viewer

                viewer.watch(recording)
            assert [str(event) for event in recording.events] == told
            assert again.digest == recording.digest


if __name__ == "__main__":
    main()
