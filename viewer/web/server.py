"""Start viser, and refuse websockets of any page but its own.

A web page from anywhere can open a websocket to 127.0.0.1, and a browser lets it: what
guards is the server, by the ``Origin`` that a browser sends and a page cannot forge.
"""

import asyncio
import importlib
import importlib.util
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
from ipaddress import ip_address
from threading import Lock
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

INSTALL_WEB = "pip install 'wingedge[web]'"


def has_viser() -> bool:
    """Tell whether viser is installed, without loading it."""
    return importlib.util.find_spec("viser") is not None


def require_viser() -> ModuleType:
    """Import viser; ImportError says how to install it."""
    if not has_viser():
        raise ImportError(f"a browser page needs viser; install it: {INSTALL_WEB}")
    return importlib.import_module("viser")


@contextmanager
def quiet() -> Iterator[None]:
    """Keep back what viser prints of its server, in a terminal and in a notebook."""
    import rich  # comes with viser, which prints with it

    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before


_ONE_AT_A_TIME = Lock()
_REFUSED = "this page is driven from its own address only\n"


def is_allowed(origin: str | None, host: str | None, names: Sequence[str] = ()) -> bool:
    """Tell whether what opens a websocket may drive the page.

    ``origin`` is what a browser says of the page that asks; other programs say nothing,
    and may. ``names`` are a proxy's, beside this machine's own.
    """
    if origin is None:
        return True
    try:
        found = urlsplit(origin)
        name, here = found.hostname or "", urlsplit(f"//{host or ''}")
        if found.scheme not in ("http", "https") or not name:
            return False  # "null": a file, or a frame that was locked up
        if name in names:
            return True
        # A name that somebody else owns may point here too (DNS rebinding), and then
        # both headers agree: so the name has to be one of this machine.
        same = (name, found.port) == (here.hostname, here.port)
    except ValueError:  # a port that is no number
        return False
    own = socket.gethostname().lower()
    if not same or name in ("localhost", own, f"{own}.local"):
        return same
    with suppress(ValueError):
        return bool(ip_address(name))
    return False


@contextmanager
def checking_origin(names: Sequence[str] = ()) -> Iterator[None]:
    """Let the server that is started in the block refuse what is not `is_allowed`.

    viser 1.1 has no place to say so. RuntimeError if no server was made so.
    """
    import websockets.asyncio.server as home

    with _ONE_AT_A_TIME:
        serve: Any = home.serve
        made = []

        def serve_guarded(handler: Any, *given: Any, **options: Any) -> Any:
            made.append(handler)
            options["process_request"] = _checked(options.get("process_request"), names)
            return serve(_quiet(handler), *given, **options)

        home.serve = serve_guarded  # type: ignore[assignment,misc]
        try:
            yield
        finally:
            home.serve = serve  # type: ignore[misc]
    if not made:
        raise RuntimeError(
            "this viser starts its server in another way, so other web pages could not "
            "be kept out; install one that was tried: pip install 'wingedge[web]'"
        )


def _quiet(handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Tell of messages that are none once per kind: they could fill a disk."""
    told: set[str] = set()

    def tell(error: object) -> None:
        kind = type(error).__name__
        if kind not in told:
            told.add(kind)
            print(f"wingedge: a page sent what is no message ({kind})", file=sys.stderr)

    def unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        tell(context.get("exception"))

    async def handle(connection: Any) -> None:
        asyncio.get_running_loop().set_exception_handler(unhandled)
        try:
            await handler(connection)
        except Exception as error:
            tell(error)
            await connection.close(1007, "what was sent is no message")

    return handle


def _checked(asked: Callable[..., Any] | None, names: Sequence[str]) -> Any:
    def process_request(connection: Any, request: Any) -> Any:
        headers = request.headers
        if headers.get("Upgrade", "").lower() == "websocket" and not is_allowed(
            headers.get("Origin"), headers.get("Host"), names
        ):
            return connection.respond(HTTPStatus.FORBIDDEN, _REFUSED)
        return None if asked is None else asked(connection, request)

    return process_request
