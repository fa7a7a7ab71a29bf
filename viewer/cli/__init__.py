"""Run the command line ``wingedge``: hold the commands in one table, parse and run one.

The overview needs no parser, which takes 40 ms to load, and a command's module is
loaded when it is called.
"""

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from traceback import print_exception
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
        "viewer.cli.show:demo", "Watch two bodies meet, or play with shapes in 2D."
    ),
    "run": Command(
        "viewer.cli.run:run",
        "Run the world of a script, print its events; record or watch it.",
        has_keys=True,
    ),
    "track": Command(
        "viewer.cli.track:track",
        "Track bodies with positions from files, and print the events.",
    ),
    "info": Command(
        "viewer.cli.results:info",
        "Describe mesh files, and say if they can be tracked.",
    ),
    "events": Command(
        "viewer.cli.files:events", "Print the events of a recording as text, JSON, CSV."
    ),
    "digest": Command(
        "viewer.cli.files:digest", "Compare recordings and stories by their digests."
    ),
    "diff": Command(
        "viewer.cli.files:diff", "List the differences between two stories."
    ),
    "bisect": Command(
        "viewer.cli.bisect:bisect", "Find where two runs of a script differ, and why."
    ),
    "graph": Command(
        "viewer.cli.files:graph", "Print the states of contacts and their durations."
    ),
    "table": Command(
        "viewer.cli.results:table",
        "Print a recording, or its contacts, as a table, CSV, Parquet.",
    ),
    "plot": Command(
        "viewer.cli.results:plot",
        "Plot distance, depth, contacts and events over time.",
    ),
    "study": Command(
        "viewer.cli.study:study", "Run a script for many settings, each case once."
    ),
    "replay": Command(
        "viewer.cli.show:replay", "Recompute a recording, and compare all bits."
    ),
    "view": Command(
        "viewer.cli.show:view",
        "Show a recording: in a window or browser, as picture, movie, page.",
        has_keys=True,
    ),
    "export": Command(
        "viewer.cli.results:export", "Convert a recording for ParaView 5, VTK, Blender."
    ),
    "doctor": Command(
        "viewer.cli.doctor:doctor", "Check what works here, and how to fix the rest."
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
        "  wingedge COMMAND --help lists options; --version prints the version.",
        f"  COMMAND {TRACEBACK} shows where an error was raised.",
        f"  COMMAND {UNTRUSTED} reads recordings in a process with limits first.",
        f"  wingedge {COMPLETION} [bash|zsh|fish]: install Tab completion.",
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


TRACEBACK, COMPLETION = "--traceback", "--install-completion"
UNTRUSTED = "--untrusted"


def run_command(given: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    from cyclopts import CycloptsError, UnusedCliTokensError

    everywhere = TRACEBACK, UNTRUSTED
    arguments = [word for word in given if word not in everywhere] or [TRACEBACK]
    shows = TRACEBACK in given or os.environ.get("WINGEDGE_TRACEBACK")
    who = f"wingedge {arguments[0]}" if arguments[0] in COMMANDS else "wingedge"
    error: Exception | None = None
    try:
        if arguments[0] == COMPLETION:
            return install_completion(*arguments[1:])
        if arguments[0] in COMMANDS:
            if UNTRUSTED in given:
                _inspect(arguments[1:])
            code = make_app()(list(arguments), exit_on_error=False, print_error=False)
            return code if isinstance(code, int) else 0
        near = get_close_matches(arguments[0], COMMANDS, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        said = f"there is no command {arguments[0]!r}, only {', '.join(COMMANDS)}{hint}"
    except UnusedCliTokensError as wrong:
        error = wrong
        what = " ".join(wrong.unused_tokens or ())
        said = f"did not expect {what!r}; see {who} --help"
    except CycloptsError as wrong:
        error, said = wrong, f"{one_line(wrong)}; see {who} --help"
    except BrokenPipeError:
        raise
    except (OSError, ValueError, ImportError, IndexError, RuntimeError) as wrong:
        error, said = wrong, one_line(wrong)
    except Exception as wrong:  # a bug of ours, and still no wall of text
        error, said = wrong, f"unexpected {type(wrong).__name__}: {one_line(wrong)}; "
        said += f"this is a bug, and {TRACEBACK} shows where"
    if shows and error is not None:
        print_exception(error)
    print(f"{who}: {said}", file=sys.stderr)
    return FAILED


def _inspect(words: Sequence[str]) -> None:
    """Refuse recordings that could harm who reads them."""
    from sim.story.file.inspection import check
    from sim.story.story import is_recording

    for path in map(Path, words):
        if path.is_file() and is_recording(path):
            check(path, untrusted=True)


def install_completion(shell: str | None = None, *more: str) -> int:
    """Let a shell complete commands and options; print which file says how."""
    shells = {"bash": "bash", "zsh": "zsh", "fish": "fish"}
    if more or shell not in (None, *shells):
        raise ValueError(f"{COMPLETION} takes one of {', '.join(shells)}, or nothing")
    path = make_app().install_completion(shell=shell)  # type: ignore[arg-type]
    print(f"{path}: commands and options by Tab, in shells that are opened from now on")
    return YES


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
