"""What a body is at this moment: its positions and pose, and what is known of them."""

from sim.body.body import Body
from sim.body.pose import Pose

__all__ = ["Body", "Pose"]
