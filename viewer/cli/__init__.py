"""Run the command line ``wingedge``: hold the commands in one table, parse and run one.

The overview needs no parser, which takes 40 ms to load, and a command's module is
loaded when it is called.
"""

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from viewer.cli.codes import FAILED, INTERRUPTED, PIPE_CLOSED, YES, one_line

if TYPE_CHECKING:
    from cyclopts import App


class Command(NamedTuple):
    """Where a command lives, and what it does in one line."""

    home: str  # module:function
    says: str
    has_keys: bool = False  # whether its --help ends with the keys of the window


COMMANDS = {
    "demo": Command(
        "viewer.cli.show:demo", "Watch two bodies meet; or play: disk, segments."
    ),
    "run": Command(
        "viewer.cli.run:run",
        "Run the world of a script and print its events; watch it.",
        has_keys=True,
    ),
    "track": Command(
        "viewer.cli.track:track",
        "Track bodies whose positions are in files; print the events.",
    ),
    "info": Command(
        "viewer.cli.files:info", "Say what mesh files hold, and whether they track."
    ),
    "events": Command(
        "viewer.cli.files:events", "Print the story of a recording, or as JSON, CSV."
    ),
    "digest": Command(
        "viewer.cli.files:digest", "Say whether files tell the same, by their digests."
    ),
    "diff": Command(
        "viewer.cli.files:diff", "Say what is different between two stories."
    ),
    "bisect": Command(
        "viewer.cli.bisect:bisect", "Find where two settings of a script part, and why."
    ),
    "graph": Command(
        "viewer.cli.files:graph", "Say in which states contacts were, and for how long."
    ),
    "table": Command(
        "viewer.cli.results:table",
        "Write a recording, or its contacts, as CSV, Parquet.",
    ),
    "plot": Command(
        "viewer.cli.results:plot",
        "Plot distance, depth, contacts and events over time.",
    ),
    "study": Command(
        "viewer.cli.study:study", "Run a script for many settings, each case once."
    ),
    "replay": Command(
        "viewer.cli.show:replay", "Answer for a recording again: the same bits?"
    ),
    "view": Command(
        "viewer.cli.show:view",
        "Draw a frame of a recording, or play it: window, browser, movie.",
        has_keys=True,
    ),
    "export": Command(
        "viewer.cli.results:export", "Write a recording for ParaView 5, VTK, Blender."
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


def make_app() -> "App":
    """Build the parser; a command's module is loaded when it is called."""
    from cyclopts import App

    from viewer.window.keys import help_text

    app = App(
        name="wingedge",
        result_action="return_value",
        suppress_keyboard_interrupt=False,
        version_flags=[],
    )
    for name, command in COMMANDS.items():
        app.command(
            command.home,
            name=name,
            help=command.says,
            help_epilogue=help_text() if command.has_keys else None,
            help_format="plaintext",  # lines stay lines
        )
    return app


def run_command(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    from cyclopts import CycloptsError, UnusedCliTokensError

    who = f"wingedge {arguments[0]}" if arguments[0] in COMMANDS else "wingedge"
    try:
        if arguments[0] in COMMANDS:
            code = make_app()(list(arguments), exit_on_error=False, print_error=False)
            return code if isinstance(code, int) else 0
        near = get_close_matches(arguments[0], COMMANDS, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        said = f"there is no command {arguments[0]!r}, only {', '.join(COMMANDS)}{hint}"
    except UnusedCliTokensError as error:
        what = " ".join(error.unused_tokens or ())
        said = f"did not expect {what!r}; see {who} --help"
    except CycloptsError as error:
        said = f"{one_line(error)}; see {who} --help"
    except BrokenPipeError:
        raise
    except (OSError, ValueError, ImportError, IndexError, RuntimeError) as error:
        said = one_line(error)
    except Exception as error:  # a bug of ours, and still no wall of text
        if os.environ.get("WINGEDGE_TRACEBACK"):
            raise
        said = f"unexpected {type(error).__name__}: {one_line(error)}; this is a bug, "
        said += "and WINGEDGE_TRACEBACK=1 shows where"
    print(f"{who}: {said}", file=sys.stderr)
    return FAILED


__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 yes, 1 no, 2 could not be read or run (a wrong option too), 130 interrupted. Bad
    input is one sentence on stderr, never a traceback.

    Parameters
    ----------
    arguments : sequence of str, optional
        Instead of those of the process.
    """
    _prepare_streams()
    given, code = sys.argv[1:] if arguments is None else arguments, YES
    try:
        if not given or given[0] in ("--help", "-h"):
            print(overview())
        elif given[0] == "--version":
            from wingedge import __version__

            print(__version__)
        else:
            code = run_command(given)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # the reader has left (`| head`); nothing more can be said, also not at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:  # a full disk
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"wingedge: standard output: {error.strerror}", file=sys.stderr)
        return FAILED


def _prepare_streams() -> None:
    """Let nothing that is printed fail: streams may be closed, letters unknown.

    A closed stream (``>&-``) leaves its number free for the next file that is opened,
    which would then get what is printed.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):  # the name of a body may be in any script
        sys.stdout.reconfigure(errors="backslashreplace")
