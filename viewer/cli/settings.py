"""Settings ``K=V`` of a script's ``world()``, as they are given on a command line."""

import ast
from collections.abc import Sequence


def read_settings(option: str, given: Sequence[str]) -> dict[str, object]:
    """Read settings K=V; V in upper-case settings stays text.

    Raises
    ------
    ValueError
        If one is written otherwise, or given twice.
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
