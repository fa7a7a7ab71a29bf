"""Scripts that define ``world(**settings)``: load them, say where they went wrong."""

import ast
import os
import runpy
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.world import World


NO_WORLD = "there is no function world(); define one that returns a sim.World"


class ScriptError(RuntimeError):
    """Say where a user's script went wrong."""


def load(script: Path, settings: Mapping[str, object] | None = None) -> "World":
    """Run a script and call its ``world()`` with settings; ScriptError if it fails."""
    from sim.world import World

    if not script.is_file():
        what = "is a folder" if script.is_dir() else "does not exist"
        raise ScriptError(f"{script}: {what}; give a Python file")
    if b"\0" in script.read_bytes():  # each Python says that in other words
        raise ScriptError(f"{script}: is no text, so no script; give a Python file")
    with blamed(script):
        names = runpy.run_path(os.fspath(script))
    if not callable(names.get("world")):
        raise ScriptError(f"{script}: {NO_WORLD}")
    with blamed(script):
        made = names["world"](**(settings or {}))
    if not isinstance(made, World):
        raise ScriptError(
            f"{script}: world() returned {type(made).__name__}; it must return a "
            f"sim.World"
        )
    return made


@contextmanager
def importing_beside(script: Path) -> Iterator[None]:
    """Find modules beside the script, as if Python had been started on it."""
    folder = os.path.abspath(script.parent)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with suppress(ValueError):  # the script may have removed it
            sys.path.remove(folder)


@contextmanager
def blamed(script: Path) -> Iterator[None]:
    """Turn what a script raises into a ScriptError with file and line."""
    try:
        yield
    except (KeyboardInterrupt, BrokenPipeError, ScriptError):
        raise
    except SyntaxError as error:
        if script.suffix.lower() not in ("", ".py", ".pyw"):
            said = f"{script}: give a Python file that defines world()"
            raise ScriptError(said) from error
        line = "" if error.lineno is None else f", line {error.lineno}"  # no text
        where = f"{error.filename or script}{line}"
        raise ScriptError(f"{where}: {type(error).__name__}: {error.msg}") from error
    except SystemExit as error:
        where = _where(script, error)
        raise ScriptError(
            f"{where}: the script ended itself (exit {error.code}); keep what is not "
            f'world() under if __name__ == "__main__"'
        ) from error
    except Exception as error:
        from sim.errors import RecordingError

        said = "; ".join([str(error), *getattr(error, "__notes__", ())])
        words = " ".join(said.split())
        where = _where(script, error)
        if where == str(script):
            # a recording that is not the script's own names itself
            own = not isinstance(error, RecordingError)
            raise ScriptError(f"{where}: {words}" if own else words) from error
        raise ScriptError(f"{where}: {type(error).__name__}: {words}") from error


def _where(script: Path, error: BaseException) -> str:
    """Name the innermost line of the script that was running."""
    own = os.path.abspath(script)
    for entry in reversed(traceback.extract_tb(error.__traceback__)):
        if os.path.abspath(entry.filename) == own:
            return f"{script}, line {entry.lineno}"
    return str(script)


def parameters(script: Path) -> tuple[set[str] | None, list[str]]:
    """Return the names that ``world()`` takes, None for any, and those that it needs.

    Runs nothing.  Raises ScriptError if there is no such file or function, or it is no
    Python.
    """
    try:
        tree = ast.parse(script.read_bytes(), os.fspath(script))
    except OSError as error:
        raise ScriptError(f"{script}: {error.strerror}; give a Python file") from None
    except (SyntaxError, ValueError) as error:
        raise ScriptError(f"{script}: is no Python: {error}") from None
    for node in reversed(tree.body):
        if isinstance(node, ast.FunctionDef) and node.name == "world":
            given = node.args
            ends = zip(given.kwonlyargs, given.kw_defaults, strict=True)
            needs = [
                *given.args[: max(0, len(given.args) - len(given.defaults))],
                *(arg for arg, default in ends if default is None),
            ]
            takes = {arg.arg for arg in (*given.args, *given.kwonlyargs)}
            return None if given.kwarg else takes, [arg.arg for arg in needs]
    for part in ast.walk(tree):
        imported = isinstance(part, ast.alias) and (part.asname or part.name) == "world"
        if imported or (isinstance(part, ast.Name) and part.id == "world"):
            return None, []  # by name, or made by a call
    raise ScriptError(f"{script}: {NO_WORLD}")
