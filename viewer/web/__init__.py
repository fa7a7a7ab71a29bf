"""Show a run on a browser page or in a self-contained HTML file, both by viser."""
