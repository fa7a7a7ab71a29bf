"""Parse a command line, run the command, turn what fails into one sentence."""

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module

from cyclopts import App, CycloptsError, UnusedCliTokensError

from viewer.cli import FAILED
from viewer.cli.commands import COMMANDS, Command


def make_app() -> App:
    """Build the parser; a command's module is loaded when it is called."""
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
            help_epilogue=_below(command),
            help_format="plaintext",  # lines stay lines
        )
    return app


def _below(command: Command) -> str | None:
    if not command.below:
        return None
    home, _, name = command.below.partition(":")
    text: str = getattr(import_module(home), name)()
    return text


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
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
        return _complain(who, f"{_one_line(error)}; see {who} --help")
    except BrokenPipeError:
        raise
    except OSError as error:
        return _complain(who, _said(error))
    except (ValueError, ImportError, IndexError, RuntimeError) as error:
        return _complain(who, _one_line(error))
    except Exception as error:  # a bug of ours, and still no wall of text
        if os.environ.get("WINGEDGE_TRACEBACK"):
            raise
        return _complain(
            who,
            f"unexpected {type(error).__name__}: {_one_line(error)}; this is a bug, "
            f"and WINGEDGE_TRACEBACK=1 shows where",
        )
    return code if isinstance(code, int) else 0


def _complain(who: str, sentence: str) -> int:
    print(f"{who}: {sentence}", file=sys.stderr)
    return FAILED


def _said(error: OSError) -> str:
    """Say a failed system call with the file first."""
    if error.strerror is None or error.filename is None:
        return _one_line(error)
    return f"{os.fspath(error.filename)}: {error.strerror.lower()}"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".")
