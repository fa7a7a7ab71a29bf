"""Read options that several commands share: settings, layers, speed, screen."""

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from viewer.screens import Screen


def read_settings(option: str, given: Sequence[str]) -> dict[str, object]:
    """Read settings K=V; V in upper-case settings stays text.

    Raises ValueError if one is written otherwise, or given twice.
    """
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


def check_speed(speed: float) -> None:
    """Raise ``ValueError`` unless time can go on at this speed."""
    if not 0 < speed < float("inf"):
        raise ValueError(f"--speed {speed:g}: give a number above 0; 1 is real time")


def screen_of(
    web: bool,
    theme: str,
    layers: tuple[str, ...],
    host: str | None,
    port: int | None,
) -> "str | Screen":
    """Return what ``viewer.watch`` takes: a page is open from here on.

    Raises ValueError if an address is given and nothing is served; ImportError, OSError
    if viser is missing, or the page cannot be served there; says what to do.
    """
    if not web:
        for option, value in (("--host", host), ("--port", port)):
            if value is not None:
                raise ValueError(f"{option} {value}: it goes with --web")
        return "window"
    from viewer.web.page import LOOPBACK, Page

    return Page(host=host or LOOPBACK, port=port, theme=theme, layers=layers)


class WatchOptions(NamedTuple):
    """Whether and how a run is watched."""

    seen: bool
    web: bool
    speed: float
    loop: bool
    theme: str
    layers: tuple[str, ...]
    host: str | None
    port: int | None

    def screen(self) -> "str | Screen":
        """Return where; a page is open from here on."""
        return screen_of(self.web, self.theme, self.layers, self.host, self.port)
