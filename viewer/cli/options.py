"""Share what commands need: options, exit codes, progress on stderr."""

import ast
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from cyclopts import Parameter

if TYPE_CHECKING:
    from viewer.screens import Screen


def read_settings(option: str, given: Sequence[str]) -> dict[str, object]:
    """Read settings K=V, each once, else ValueError; V of K in capitals stays text."""
    found: dict[str, object] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise ValueError(
                f"{option} {text}: write K=V, K a keyword argument of world() or a "
                f"variable of the environment"
            )
        if name in found:
            raise ValueError(f"{option} {text}: {name} is given twice")
        found[name] = value if name.isupper() else _value(value)
    return found


def write_settings(settings: dict[str, object]) -> str:
    """Write settings in one line, sorted by name."""
    return ", ".join(f"{name}={settings[name]!r}" for name in sorted(settings))


def _value(text: str) -> object:
    """Read a Python number, text, truth value, None, or list; else it is text."""
    try:
        value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value if isinstance(value, int | float | str | list | None) else text


def read_layers(show: str) -> tuple[str, ...]:
    """Read names of layers with commas between; ``ValueError`` names what is none."""
    from viewer.layers.switches import EXTRA, NAMES

    names = tuple(name.strip() for name in show.split(",") if name.strip())
    for name in names:
        if name not in NAMES:
            raise ValueError(
                f"--show {show}: there is no layer {name!r}; there are "
                f"{', '.join(EXTRA)}"
            )
    return names


@Parameter(name="*")
@dataclass(frozen=True)
class Watching:
    """How a run is watched.

    Parameters
    ----------
    web : bool
        Watch it on a page of this machine that a browser opens; Ctrl-C ends it.
    speed : float
        Times as fast as the frames' own time.
    loop : bool
        Begin again after the last frame.
    theme : str
        The colours.
    show : str
        Layers to switch on, with commas between: neighbours, distance, elements, depth,
        cover, path.
    host : str
        With --web: the address to listen on; without it this machine only. 0.0.0.0 is
        everybody who can reach it, and there is no password.
    port : int
        With --web: the port, 0 for any; without it the first free one from 8080 on.
    """

    web: bool = False
    speed: float = 1.0
    loop: bool = False
    theme: Literal["light", "dark"] = "light"
    show: str = ""
    host: str | None = None
    port: int | None = None

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for what makes no sense."""
        if not 0 < self.speed < float("inf"):
            words = f"--speed {self.speed:g}: give a number above 0; 1 is real time"
            raise ValueError(words)
        read_layers(self.show)
        for option, value in (("--host", self.host), ("--port", self.port)):
            if value is not None and not self.web:
                raise ValueError(f"{option} {value}: it goes with --web")

    @property
    def look(self) -> dict[str, Any]:
        """What movies, pages and windows take."""
        layers = read_layers(self.show)
        return {"speed": self.speed, "theme": self.theme, "layers": layers}

    def given(self) -> list[str]:
        """List the options that say how, as they are written."""
        names = ("speed", "loop", "theme", "show")
        return [f"--{k}" for k in names if getattr(self, k) != getattr(PLAIN, k)]

    def screen(self) -> "str | Screen":
        """Return what ``viewer.watch`` takes: a page is open from here on."""
        if not self.web:
            return "window"
        from viewer.web.page import LOOPBACK, Page

        theme, layers = self.theme, read_layers(self.show)
        host = self.host or LOOPBACK
        return Page(host=host, port=self.port, theme=theme, layers=layers)


PLAIN = Watching()


Item = TypeVar("Item")

_PATIENCE = 1.0  # seconds


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Pass items on, of so many; show a bar when they take longer than a second."""
    with counting(what) as told:
        for done, item in enumerate(items):
            told(done, total)
            yield item


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function of how much is done and of how much: a bar after a second."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    start, lock, shown = time.perf_counter(), Lock(), ExitStack()
    update: list[Callable[..., None]] = []

    def show() -> None:
        from rich.console import Console
        from rich.progress import Progress

        with lock:
            if not update:
                # lines printed meanwhile go above it; into a pipe they go as they are
                bar = Progress(
                    console=Console(stderr=True),
                    transient=True,
                    redirect_stdout=sys.stdout.isatty(),
                )
                task = shown.enter_context(bar).add_task(what, total=None)
                update.append(partial(bar.update, task))

    def told(done: int, total: int) -> None:
        if time.perf_counter() - start > _PATIENCE:
            show()
        for say in update:
            say(completed=done, total=total)

    timer = Timer(_PATIENCE, show)
    timer.daemon = True
    timer.start()
    try:
        yield told
    finally:
        timer.cancel()
        timer.join()  # it may be showing the bar just now
        shown.close()


waiting = counting  # where nothing is counted
