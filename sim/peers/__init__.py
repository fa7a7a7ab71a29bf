"""Other engines, asked about the same bodies in the same places."""
