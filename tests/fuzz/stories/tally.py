"""What the fuzzers count of many stories; tallies add up."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Tally:
    frames: Counter[Hashable] = field(default_factory=Counter)  # by family and regime
    certified: Counter[Hashable] = field(default_factory=Counter)
    searched: Counter[Hashable] = field(default_factory=Counter)
    worst: dict[Hashable, float] = field(default_factory=dict)
    faults: Counter[Hashable] = field(default_factory=Counter)  # by family and kind
    cases: list[str] = field(default_factory=list)  # the first of its story and kind
    ties: int = 0  # frames in which another, equally near pair was named

    def count(self, key: Hashable, error: float, work: int, sure: bool = True) -> None:
        self.frames[key] += 1
        self.certified[key] += sure
        self.searched[key] += work > 0
        if np.isfinite(error):
            self.worst[key] = max(self.worst.get(key, 0.0), error)

    def blame(self, key: Hashable, case: str) -> None:
        """Note one fault; a story lists each kind once."""
        if not self.faults[key]:
            self.cases.append(case)
        self.faults[key] += 1

    def merge(self, other: "Tally") -> None:
        for name in ("frames", "certified", "searched", "faults", "cases", "ties"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for key, error in other.worst.items():
            self.worst[key] = max(self.worst.get(key, 0.0), error)
