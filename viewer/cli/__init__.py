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
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cyclopts import App

    from sim import Event
    from sim.frame import Undecided

__all__ = ["main"]

YES, NO, FAILED = 0, 1, 2  # 2: something could not be read or run
INTERRUPTED, PIPE_CLOSED = 130, 141  # 128 + SIGINT, 128 + SIGPIPE, as shells say
TIMES = "@: how far on the way from the frame before, +- proven to; then in seconds"
TRACEBACK, UNTRUSTED = "--traceback", "--untrusted"
PROOFS = """\
A picture says how its distance is proven.  Certified by
  ring     all neighbours of the closest parts lie lower, and the body is convex
  scan     all vertices were checked
  search   both surfaces were searched
  epa      of an overlap: no shorter way out of it exists"""
COMMANDS = {
    "demo": "Watch two bodies meet, or play with shapes in 2D.",
    "run": "Run the world of a script, print its events; record or watch it.",
    "track": "Track bodies with positions from files, and print the events.",
    "info": "Describe mesh files, and say if they can be tracked.",
    "events": "Print the events of a recording as text, JSON, CSV.",
    "digest": "Compare recordings and stories by their digests.",
    "diff": "List the differences between two stories.",
    "table": "Print a recording, or its contacts, as a table or CSV.",
    "plot": "Plot distance, depth, contacts and events over time.",
    "study": "Run a script for many settings, each case once.",
    "replay": "Recompute a recording, and compare all bits.",
    "view": "Show a recording: in a window or browser, as picture, movie, page.",
    "doctor": "Check what works here, and how to fix the rest.",
}
MODULES = {  # where commands live that have no module of their own
    "run": ("run", "track"),
    "results": ("info", "table", "plot"),
    "stories": ("events", "digest", "diff"),
    "show": ("demo", "replay", "view"),
}


def overview() -> str:
    """Write the text of ``wingedge --help``."""
    lines = [
        "Usage: wingedge COMMAND",
        "",
        "Track the closest features of bodies that deform, convex or not.",
        "",
        "Commands:",
        *(f"  {name:<8} {says}" for name, says in COMMANDS.items()),
        "",
        "  wingedge COMMAND --help lists options; --version prints the version.",
        f"  COMMAND {TRACEBACK} shows where an error was raised.",
        f"  COMMAND {UNTRUSTED} reads recordings in a process with limits first.",
        "",
        "Exit codes: 0 yes, 1 no, 2 could not be read or run.",
    ]
    return "\n".join(lines)


def make_app(*, helps: bool = True) -> "App":
    """Build the parser; modules are loaded for the command, or its help, alone."""
    from cyclopts import App
    from cyclopts.help import DefaultFormatter

    class Paragraphs(DefaultFormatter):
        def __call__(self, console: Any, options: Any, panel: Any) -> None:
            for entry in panel.entries:  # no lines of the source
                text = entry.description.primary_renderable
                text.plain = " ".join(text.plain.split())
            super().__call__(console, options, panel)

    keys = ""
    if helps:
        from viewer.window.keys import help_lines

        keys = "\n".join(f"  {x:<17}  {does}" for x, does in help_lines())
    below = {"run": keys, "view": f"{PROOFS}\n\n{keys}"}
    app = App(
        name="wingedge",
        help_format="plaintext",  # lines of keys stay lines
        help_formatter=Paragraphs(),
        result_action="return_value",
        suppress_keyboard_interrupt=False,
        version_flags=[],
    )
    for name, says in COMMANDS.items():
        home = next((m for m, names in MODULES.items() if name in names), name)
        look = {"help": says, "help_epilogue": below.get(name)}
        app.command(f"viewer.cli.{home}:{name}", name=name, **look)
    return app


def one_line(error: Exception) -> str:
    """Say an error in one line, a failed system call with the file first."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{os.fspath(error.filename)}: {error.strerror.lower()}"
    said = [str(error), *getattr(error, "__notes__", ())]
    return "; ".join(" ".join(text.split()).rstrip(".") for text in said if text)


def tell_undecided(gaps: "Sequence[tuple[int, Undecided]]") -> None:
    """Say in one line in which gaps between frames something could not be proven."""
    for k, (a, b, when, reason) in gaps[:1]:
        rest = f", and {len(gaps) - 1} more" if len(gaps) > 1 else ""
        gap = f"{k} {a}/{b} @{when[0]:.10g}..{when[1]:.10g}: {reason}{rest}"
        print(f"undecided between frames: {gap}", file=sys.stderr)


def timed_line(event: "Event") -> str:
    """Write an event with when between two frames it was, and the time, if known."""
    if event.when is None or event.time is None:
        return str(event)
    middle, half = sum(event.when) / 2, (event.when[1] - event.when[0]) / 2
    return f"{event} @{middle:.10g}+-{half:.1g} {event.time:.9g} s"


def run_command(given: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    from cyclopts import CycloptsError, UnusedCliTokensError

    arguments = [x for x in given if x not in (TRACEBACK, UNTRUSTED)] or [TRACEBACK]
    name = arguments[0]
    who = f"wingedge {name}" if name in COMMANDS else "wingedge"
    try:
        if name not in COMMANDS:
            near = get_close_matches(name, [*COMMANDS, "--help", "--version"], n=1)
            near = ["diff"] if name == "compare" else near
            hint = f"; did you mean {near[0]!r}?" if near else ""
            there = ", ".join(COMMANDS)
            raise ValueError(f"there is no command {name!r}, only {there}{hint}")
        if UNTRUSTED in given:
            _inspect(arguments[1:])
        app = make_app(helps=not {"--help", "-h"}.isdisjoint(arguments))
        code = app(arguments, exit_on_error=False, print_error=False)
        return code if isinstance(code, int) else YES
    except BrokenPipeError:
        raise
    except Exception as error:
        said = one_line(error)
        if isinstance(error, UnusedCliTokensError):
            unknown = " ".join(error.unused_tokens or ())
            said = f"did not expect {unknown!r}; see {who} --help"
        elif isinstance(error, CycloptsError):
            said = f"{said}; see {who} --help"
        elif not isinstance(
            error, OSError | ValueError | ImportError | IndexError | RuntimeError
        ):  # a bug of ours, and still no wall of text
            said = f"unexpected {type(error).__name__}: {said}; this is a bug, and "
            said += f"{TRACEBACK} shows where"
        if TRACEBACK in given or os.environ.get("WINGEDGE_TRACEBACK"):
            print_exception(error)
        print(f"{who}: {said}", file=sys.stderr)
    return FAILED


def _inspect(words: Sequence[str]) -> None:
    """Refuse recordings that could harm who reads them."""
    from sim.story.file.inspection import check
    from sim.story.story import is_recording

    for path in map(Path, words):
        if path.is_file() and is_recording(path):
            check(path)


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
    except OSError as error:
        # nothing more can be said, also not at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader has left (`| head`)
            return PIPE_CLOSED
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
