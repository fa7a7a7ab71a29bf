"""Share what commands need: kinds of options, settings, how a run is watched."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

if TYPE_CHECKING:
    from cyclopts import Token

    from viewer.screens import Screen


def whole(_: object, tokens: Sequence["Token"]) -> int:
    """Read a whole number; ``ValueError`` for what is none, where cyclopts rounds."""
    (token,) = tokens
    try:
        return int(token.value)
    except ValueError:
        raise ValueError(f"{token.value!r} is no whole number") from None


Whole = Annotated[int, Parameter(converter=whole)]
Place = Annotated[int | None, Parameter(allow_leading_hyphen=True, converter=whole)]
Texts = Annotated[list[str] | None, Parameter(negative="")]  # may be repeated
_WRITTEN = "A file written by `wingedge run --record` or `World.record`."
Recorded = Annotated[Path, Parameter(help=_WRITTEN)]


def read_settings(option: str, given: Sequence[str] | None) -> dict[str, object]:
    """Read settings K=V, each once, else ValueError; with K in capitals V is text."""
    settings: dict[str, object] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise ValueError(
                f"{option} {text}: write K=V, K a keyword argument of world() or a "
                f"variable of the environment"
            )
        if name in settings:
            raise ValueError(f"{option} {text}: {name} is given twice")
        settings[name] = value if name.isupper() else _value(value)
    return settings


def _value(text: str) -> object:
    """Read a Python number, text, truth value, None, or list; else it is text."""
    try:
        value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value if isinstance(value, int | float | str | list | None) else text


def read_layers(show: str) -> tuple[str, ...]:
    """Read names of layers with commas between; ``ValueError`` names what is none."""
    from viewer.theme import EXTRA, NAMES

    names = tuple(name.strip() for name in show.split(",") if name.strip())
    for name in names:
        if name not in NAMES:
            there = ", ".join(EXTRA)
            raise ValueError(
                f"--show {show}: there is no layer {name!r}; there are {there}"
            )
    return names


@Parameter(name="*")
@dataclass(frozen=True)
class Watching:
    """How a run is watched.

    Args:
        web: Serve a page on this machine that you open in a browser; Ctrl-C ends it.
        speed: How many times as fast as real time.
        loop: Start again after the last frame.
        theme: Colours of the picture.
        show: Layers to switch on, separated by commas: distance, path, parts.
        host: With --web: the address to listen on; by default this machine only. With
            0.0.0.0 everyone who can reach this machine can watch: there is no password.
        port: With --web: the port, 0 for any; by default the first free one from 8080
            on.
    """

    web: bool = False
    speed: float = 1.0
    loop: bool = False
    theme: Literal["light", "dark"] = "light"
    show: str = ""
    host: str | None = None
    port: Annotated[int | None, Parameter(converter=whole)] = None

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

        host, layers = self.host or LOOPBACK, read_layers(self.show)
        return Page(host=host, port=self.port, theme=self.theme, layers=layers)


PLAIN = Watching()
