"""What is decided without rounding: signs, quotients, points as whole numbers."""
