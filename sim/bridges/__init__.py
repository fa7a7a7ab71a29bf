"""Bodies of other packages, followed; and ours, handed to them.

Each module speaks with one package and imports it inside the function that needs it.
"""
