"""A browser page and a self-contained animated HTML file, both by viser."""
