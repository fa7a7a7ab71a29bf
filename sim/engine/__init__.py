"""Two engines for one source: the kernels interpreted, or compiled to machine code."""

from sim.engine.library import set_engine

__all__ = ["set_engine"]
