"""Numeric kernels: numbers in, numbers out, one source for every engine.

Plain functions over flat buffers in the subset that a compiler can translate
one to one: strict IEEE float64, a fixed order of operations, only correctly
rounded operations (``+ - * /``, square root, comparisons).  Nothing here knows
meshes, bodies or states, and nothing is kept between calls but the ids that the
caller hands in.
"""
