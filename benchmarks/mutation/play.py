"""Play all scenes with the code that is found first, and say what they tell.

Run as a script, in a process of its own: one JSON object per scene, on one line.
"""

import json
import sys

from sim import Story, scenes


def final(frame: object) -> list[list[object]]:
    """Write down how every pair is in a frame: what a test of the end sees."""
    return [
        [
            state.a.name,
            state.b.name,
            state.regime,
            state.distance,
            state.size,
            state.unique,
            *(f"{state.kind} {state.feature_a} {state.feature_b}".split()),
        ]
        for state in frame.pairs
    ]


def play(name: str) -> dict[str, object]:
    """Play one scene to its end."""
    frames = list(scenes.load(name).run(scenes.length(name)))
    story = str(Story.of(frames))
    return {"scene": name, "story": story, "final": final(frames[-1])}


def main() -> None:
    """Play the scenes that are named, or all."""
    for name in sys.argv[1:] or scenes.names():
        print(json.dumps(play(name)), flush=True)


if __name__ == "__main__":
    main()
