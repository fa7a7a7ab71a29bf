"""Studies: a script over many settings, each run once, on any number of workers."""

from sim.study.cases import StudyError, grid, sample, steps
from sim.study.study import Study

__all__ = ["Study", "StudyError", "grid", "sample", "steps"]
