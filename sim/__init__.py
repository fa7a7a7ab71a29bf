"""What happens over time: bodies move and deform, and contacts come and go."""

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
from sim.tracking import PairTracker, closest, exhaustive, regions, verify
from sim.world import World

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
