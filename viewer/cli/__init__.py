"""Run the command line ``wingedge``: hold the commands in one table, parse and run one.

The overview needs no parser, which takes 40 ms to load, and a command's module is
loaded when it is called.
"""

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from viewer.cli.codes import FAILED, INTERRUPTED, PIPE_CLOSED, YES, one_line

if TYPE_CHECKING:
    from cyclopts import App


class Command(NamedTuple):
    """Where a command lives, and what it does in one line."""

    home: str  # module:function
    says: str
    below: str = ""  # module:function that writes what its --help ends with

    def epilogue(self) -> str | None:
        """Write what its --help ends with."""
        if not self.below:
            return None
        home, _, name = self.below.partition(":")
        text: str = getattr(import_module(home), name)()
        return text


COMMANDS = {
    "demo": Command(
        "viewer.cli.show:demo", "Watch two bodies meet; or play: disk, segments."
    ),
    "run": Command(
        "viewer.cli.run:run",
        "Run the world of a script and print its events; watch it.",
        below="viewer.window.keys:help_text",
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
    "replay": Command(
        "viewer.cli.show:replay", "Answer for a recording again: the same bits?"
    ),
    "view": Command(
        "viewer.cli.show:view",
        "Draw a frame of a recording, or play it: window, browser, movie.",
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


def make_app() -> "App":
    """Build the parser; a command's module is loaded when it is called."""
    from cyclopts import App

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
            help_epilogue=command.epilogue(),
            help_format="plaintext",  # lines stay lines
        )
    return app


def run_command(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    from cyclopts import CycloptsError, UnusedCliTokensError

    who = f"wingedge {arguments[0]}" if arguments[0] in COMMANDS else "wingedge"
    try:
        if arguments[0] not in COMMANDS:
            known = ", ".join(COMMANDS)
            near = get_close_matches(arguments[0], COMMANDS, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            sentence = f"there is no command {arguments[0]!r}, only {known}{hint}"
            return _complain(who, sentence)
        code = make_app()(list(arguments), exit_on_error=False, print_error=False)
    except UnusedCliTokensError as error:
        what = " ".join(error.unused_tokens or ())
        return _complain(who, f"did not expect {what!r}; see {who} --help")
    except CycloptsError as error:
        return _complain(who, f"{one_line(error)}; see {who} --help")
    except BrokenPipeError:
        raise
    except (OSError, ValueError, ImportError, IndexError, RuntimeError) as error:
        return _complain(who, one_line(error))
    except Exception as error:  # a bug of ours, and still no wall of text
        if os.environ.get("WINGEDGE_TRACEBACK"):
            raise
        return _complain(
            who,
            f"unexpected {type(error).__name__}: {one_line(error)}; this is a bug, "
            f"and WINGEDGE_TRACEBACK=1 shows where",
        )
    return code if isinstance(code, int) else 0


def _complain(who: str, sentence: str) -> int:
    print(f"{who}: {sentence}", file=sys.stderr)
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
    try:
        code = _dispatch(sys.argv[1:] if arguments is None else arguments)
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


def _dispatch(arguments: Sequence[str]) -> int:
    if not arguments or arguments[0] in ("--help", "-h"):
        print(overview())
        return YES
    if arguments[0] == "--version":
        from wingedge import __version__

        print(__version__)
        return YES
    return run_command(arguments)
