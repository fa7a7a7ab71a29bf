"""What an answer says, and what its names mean when meshes are edited."""
