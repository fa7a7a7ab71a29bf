from sim import Body
from wingedge import shapes

A, B = Body(shapes.box(), name="a"), Body(shapes.box(), name="b")
