"""Whether a surface is convex where it is, and a solid at all."""
