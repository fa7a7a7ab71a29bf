"""Trees over the triangles of a surface: what is answered for bodies of any shape."""
