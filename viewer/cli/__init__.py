"""Run the command line ``wingedge``."""

import os
import sys
from collections.abc import Sequence

from viewer.cli.codes import FAILED, INTERRUPTED, PIPE_CLOSED, YES
from viewer.cli.commands import overview, run_command

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
