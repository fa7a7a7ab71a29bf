"""Pictures for those who cannot draw: whoever can has registered in a group."""

from pathlib import Path

from sim.frame import Frame

GROUP = "wingedge.views"
INSTALL = "pip install 'wingedge[viewer]'"


def try_picture(frame: Frame | None, path: Path, group: str = GROUP) -> str:
    """Draw a frame into a file if anybody here can; return a sentence about it.

    A view is a function of a frame and a path that is registered in the entry-point
    group; the first by name draws.  Whatever goes wrong is said, not raised: a picture
    that cannot be drawn must not hide the failure that it was to show.
    """
    from importlib.metadata import entry_points

    if frame is None:
        return "no picture: the positions of that frame are not known"
    views = sorted(entry_points(group=group), key=lambda view: view.name)
    if not views:
        return f"no picture: nobody here draws any; run: {INSTALL}"
    try:
        views[0].load()(frame, path)
    except Exception as error:
        return f"no picture: {str(error) or type(error).__name__}"
    return f"picture of frame {frame.index}: {path}"
