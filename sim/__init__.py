"""What happens over time: bodies move and deform, and contacts come and go.

A name is imported when it is first asked for (PEP 562): a program waits only for what
it uses, and ``import sim`` for nothing.
"""

import typing

if typing.TYPE_CHECKING:
    from sim import deform, motion, scenes
    from sim.body import Body, Pose
    from sim.compound import Compound
    from sim.contact import PairState
    from sim.engine import set_engine
    from sim.errors import RecordingError
    from sim.frame import Frame
    from sim.story.compare import compare
    from sim.story.events import Event
    from sim.story.recording import Recording
    from sim.story.story import Story
    from sim.tracking.brute.exhaustive import exhaustive
    from sim.tracking.cold import closest
    from sim.tracking.pair import PairTracker
    from sim.tracking.proof.verify import verify
    from sim.tracking.trees.regions import regions
    from sim.world import World
else:
    _HOMES = {
        "Body": "sim.body",
        "Compound": "sim.compound",
        "Event": "sim.story.events",
        "Frame": "sim.frame",
        "PairState": "sim.contact",
        "PairTracker": "sim.tracking.pair",
        "Pose": "sim.body",
        "Recording": "sim.story.recording",
        "RecordingError": "sim.errors",
        "Story": "sim.story.story",
        "World": "sim.world",
        "closest": "sim.tracking.cold",
        "compare": "sim.story.compare",
        "exhaustive": "sim.tracking.brute.exhaustive",
        "regions": "sim.tracking.trees.regions",
        "set_engine": "sim.engine",
        "verify": "sim.tracking.proof.verify",
    }

    def __getattr__(name):
        from importlib import import_module

        if name in ("deform", "motion", "scenes"):
            return import_module(f"sim.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'sim' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})


__all__ = [
    "Body",
    "Compound",
    "Event",
    "Frame",
    "PairState",
    "PairTracker",
    "Pose",
    "Recording",
    "RecordingError",
    "Story",
    "World",
    "closest",
    "compare",
    "deform",
    "exhaustive",
    "motion",
    "regions",
    "scenes",
    "set_engine",
    "verify",
]

# "sim" is a common name: this tells `viewer` that it found the right package.
__distribution__ = "wingedge"
