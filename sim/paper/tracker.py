"""The tracker that answers by the paper's own search."""

from typing import Any

import numpy as np

from sim.body.body import Body
from sim.paper.rules import Look, PaperOptions, look
from sim.result.renaming import renamed
from sim.result.state import PairState
from sim.tracking.pair import NOTHING, PairTracker
from sim.tracking.tried import Explanation, told_steps


class PaperTracker(PairTracker):
    """What ``PairTracker(strategy="paper")`` makes; its options are explained there."""

    uses_kernels = False

    def __init__(
        self,
        a: Body,
        b: Body,
        *,
        strategy: str = "paper",
        search_range: int | None = None,
        vertex_rule: bool = False,
        repeat: bool = False,
        voronoi: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(a, b, **options)
        paper = search_range, vertex_rule, repeat, voronoi
        self._rules = PaperOptions.of(self._release, *paper)
        self._look: Look | None = None

    def reset(self) -> None:
        """Forget the last frame: the next update starts cold."""
        super().reset()
        self._look = None

    def resume(self, state: PairState | None, next_region: int = 0) -> None:
        """Go on after a state that another tracker of this pair answered, or cold."""
        super().resume(state, next_region)
        self._look = None

    def update(self, exact: bool = False) -> PairState:
        """Answer for the present positions and poses, from last frame's state."""
        frame = self.next_frame
        try:
            self._check_placed(frame)
            if self._editions != (self.a.edition, self.b.edition):
                self._lay_out()
            self._look = look(self.a, self.b, renamed(self._state), self._rules)
            return self._keep(self._look.numbers, frame)
        except BaseException:
            self._seen_a, self._torn = NOTHING, True
            raise

    def _explained(self, state: PairState) -> Explanation:
        if self._look is None:  # the state was handed over
            raise ValueError("nothing to explain yet: call update() first")
        # visited is what the search read; the widths of the bodies read everything
        visited = []
        for mesh, read in (
            (state.mesh_a, self._look.visited_a),
            (state.mesh_b, self._look.visited_b),
        ):
            mask = np.zeros(mesh.n_vertices, bool)
            mask[list(read)] = True
            visited.append(mask)
        both = visited[0], visited[1]
        start = "started cold, from all pairs"
        return told_steps(self._previous, state, both, self._look.tried, start)
