"""The commands in one table, and the overview that ``wingedge --help`` prints.

Nothing is imported here: the overview needs no parser, and a command's module is
loaded when it is called.
"""

from typing import NamedTuple


class Command(NamedTuple):
    """Where a command lives, and what it does in one line."""

    home: str  # module:function
    says: str
    below: str = ""  # module:function that writes what its --help ends with


COMMANDS = {
    "demo": Command(
        "viewer.cli.demo:demo", "Watch two bodies meet; or play: disk, segments."
    ),
    "run": Command(
        "viewer.cli.run:run",
        "Run the world of a script and print its events; watch it.",
        below="viewer.window.keys:help_text",
    ),
    "info": Command(
        "viewer.cli.info:info", "Say what mesh files hold, and whether they track."
    ),
    "events": Command(
        "viewer.cli.story:events", "Print the story of a recording, or as JSON, CSV."
    ),
    "digest": Command(
        "viewer.cli.story:digest", "Say whether files tell the same, by their digests."
    ),
    "diff": Command(
        "viewer.cli.diff:diff", "Say what is different between two stories."
    ),
    "bisect": Command(
        "viewer.cli.bisect:bisect", "Find where two settings of a script part, and why."
    ),
    "graph": Command(
        "viewer.cli.graph:graph", "Say in which states contacts were, and for how long."
    ),
    "replay": Command(
        "viewer.cli.recording:replay", "Answer for a recording again: the same bits?"
    ),
    "view": Command(
        "viewer.cli.recording:view",
        "Draw a frame of a recording, or play it, in a window or a movie.",
        below="viewer.window.keys:help_text",
    ),
    "doctor": Command(
        "viewer.cli.doctor:doctor", "Say what works here, and the fix for the rest."
    ),
}


def overview() -> str:
    """Write the text of ``wingedge --help``."""
    lines = [
        "Usage: wingedge COMMAND",
        "",
        "Track the closest features of bodies that deform, convex or not.",
        "",
        "Commands:",
        *(f"  {name:<8} {command.says}" for name, command in COMMANDS.items()),
        "",
        "  wingedge COMMAND --help says more; wingedge --version says which one it is.",
        "",
        "Exit codes: 0 yes, 1 no, 2 could not be read or run.",
    ]
    return "\n".join(lines)
