"""Which engine runs the kernels."""

ENGINES = ("auto", "python")


def set_engine(name: str) -> None:
    """Choose the engine of all trackers.

    Parameters
    ----------
    name : {"auto", "python"}
        Both interpret the kernels; there is no compiled engine in this version.

    Raises
    ------
    ValueError
        If there is no such engine.
    """
    if name not in ENGINES:
        raise ValueError(f"engine {name!r} is not one of {', '.join(ENGINES)}")
