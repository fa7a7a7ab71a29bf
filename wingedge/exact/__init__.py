"""Decide without rounding: signs, quotients, points as whole numbers."""
