"""What happens over time: bodies move and deform, and contacts come and go.

A name is imported when it is first asked for (PEP 562): a program waits only for what
it uses, and ``import sim`` for nothing.
"""

import typing

from wingedge import registry as _registry

__all__ = [
    "Body",
    "Event",
    "Frame",
    "PairState",
    "PairTracker",
    "Pose",
    "Recording",
    "RecordingError",
    "Story",
    "Table",
    "World",
    "closest",
    "compare",
    "deform",
    "derivatives",
    "exhaustive",
    "laws",
    "motion",
    "scenes",
    "set_engine",
    "verify",
    "verify_passage",
]

# "sim" is a common name: this tells `viewer` that it found the right package.
__distribution__ = "wingedge"

# Where lives what this package promises, and what the core asks the registry for.
_NAMES = {
    "sim.between.losses": "losses",
    "sim.between.moves": "Move",
    "sim.between.passage": "advance Passage",
    "sim.between.paths": "PairPaths",
    "sim.between.times": "EventTimes",
    "sim.between.verify": "verify_passage",
    "sim.body": "Body Pose",
    "sim.engine": "set_engine",
    "sim.errors": "RecordingError",
    "sim.events.event": "Event",
    "sim.explain.explain": "explained",
    "sim.frame": "Frame",
    "sim.gradients": "derivatives",
    "sim.kernels.gradients": "differentiate",
    "sim.kernels.envelope": "solve_envelope sum_blocks",
    "sim.hulls.solid": "cover_of",
    "sim.hulls.tracker": "HullTracker",
    "sim.kernels.between.chain": "follow_planes",
    "sim.kernels.between.crowd": "prove_gaps",
    "sim.kernels.between.advancement": "advance_surfaces",
    "sim.kernels.regions.gather": "near_regions name_region",
    "sim.kernels.surface.found": "level_frame",
    "sim.kernels.surface.inside": "deepest_frame",
    "sim.kernels.surface.search": "true_frame meeting_frame",
    "sim.laws.runner": "LawRunner unpack",
    "sim.paper": "PaperTracker",
    "sim.result.state": "PairState",
    "sim.story.file.recorder": "recorded",
    "sim.story.compare": "compare",
    "sim.story.recording": "Recording",
    "sim.story.story": "Story",
    "sim.tracking.brute.exhaustive": "exhaustive searched",
    "sim.tracking.brute.overlap": "interval",
    "sim.tracking.pair": "PairTracker closest",
    "sim.tracking.proof.verify": "verify",
    "sim.tracking.region_tracker": "RegionTracker",
    "sim.tracking.tree": "make_tree room_for leaves_for make_search keep_to",
    "sim.table": "Table",
    "sim.world": "World",
}
if typing.TYPE_CHECKING:
    from sim import deform, laws, motion, scenes
    from sim.between.verify import verify_passage
    from sim.body import Body, Pose
    from sim.engine import set_engine
    from sim.errors import RecordingError
    from sim.events.event import Event
    from sim.frame import Frame
    from sim.gradients import derivatives
    from sim.result.state import PairState
    from sim.story.compare import compare
    from sim.story.recording import Recording
    from sim.story.story import Story
    from sim.table import Table
    from sim.tracking.brute.exhaustive import exhaustive
    from sim.tracking.pair import PairTracker, closest
    from sim.tracking.proof.verify import verify
    from sim.world import World
else:
    __getattr__, __dir__ = _registry.export(__name__, __all__, _NAMES)
