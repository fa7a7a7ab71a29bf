"""Demos of the plane in a window of their own: ``wingedge demo disk``, ``segments``.

What they do is in `sim.planar`; here they are drawn, and get their keys.
"""
