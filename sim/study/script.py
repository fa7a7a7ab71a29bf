"""Scripts that define ``world(**settings)``: load them, say where they went wrong."""

import os
import runpy
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from sim.errors import RecordingError
from sim.world import World

NO_WORLD = "there is no function world(); define one that returns a sim.World"


class ScriptError(RuntimeError):
    """Say where a user's script went wrong."""


def load(script: Path, settings: Mapping[str, object] | None = None) -> World:
    """Run a script and call its ``world()`` with settings; ScriptError if it fails."""
    if not script.is_file():
        what = "is a folder" if script.is_dir() else "does not exist"
        raise ScriptError(f"{script}: {what}; give a Python file")
    if b"\0" in script.read_bytes():  # each Python says that in other words
        raise ScriptError(f"{script}: is no text, so no script; give a Python file")
    with blamed(script):
        names = runpy.run_path(os.fspath(script))
        if not callable(names.get("world")):
            raise ScriptError(f"{script}: {NO_WORLD}")
        made = names["world"](**(settings or {}))
    if not isinstance(made, World):
        said = f"returned {type(made).__name__}; it must return a sim.World"
        raise ScriptError(f"{script}: world() {said}")
    return made


@contextmanager
def blamed(script: Path) -> Iterator[None]:
    """Turn what a script raises into a ScriptError with file and line.

    Modules beside the script are found, as if Python had been started on it.
    """
    folder = os.path.abspath(script.parent)
    sys.path.insert(0, folder)
    try:
        yield
    except (BrokenPipeError, ScriptError):
        raise
    except SyntaxError as error:
        line = "" if error.lineno is None else f", line {error.lineno}"  # no text
        said = f"{error.filename or script}{line}: {type(error).__name__}: {error.msg}"
        if script.suffix.lower() not in ("", ".py", ".pyw"):
            said = f"{script}: give a Python file that defines world()"
        raise ScriptError(said) from error
    except SystemExit as error:
        said = f"the script ended itself (exit {error.code}); keep what is not world() "
        said += 'under if __name__ == "__main__"'
        raise ScriptError(f"{_where(script, error)}: {said}") from error
    except Exception as error:
        sentence = "; ".join([str(error), *getattr(error, "__notes__", ())])
        words, where = " ".join(sentence.split()), _where(script, error)
        if where != str(script):
            words = f"{type(error).__name__}: {words}"
        elif isinstance(error, RecordingError):  # it names its file
            raise ScriptError(words) from error
        raise ScriptError(f"{where}: {words}") from error
    finally:
        with suppress(ValueError):  # the script may have removed it
            sys.path.remove(folder)


def _where(script: Path, error: BaseException) -> str:
    """Name the innermost line of the script that was running."""
    own = os.path.abspath(script)
    for entry in reversed(traceback.extract_tb(error.__traceback__)):
        if os.path.abspath(entry.filename) == own:
            return f"{script}, line {entry.lineno}"
    return str(script)
