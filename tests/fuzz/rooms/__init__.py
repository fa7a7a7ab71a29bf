"""Rooms to walk in, walks through them, and who knows whether they kept their distance.

``draw``   triangles of a room, by kind and seed
``judge``  distances of straight pieces from triangles, sharing no code with the library
``walks``  thousands of steps by points and spheres, every one judged
"""
