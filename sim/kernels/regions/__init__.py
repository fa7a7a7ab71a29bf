"""All contacts of a pair at once: near triangles, joined into regions."""
