"""Faults put into a copy of the code, to see which tests would notice."""
