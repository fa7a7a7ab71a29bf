"""Show a run on a browser page, with its own controls."""

import atexit
import errno
import socket
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Self

from sim import Frame
from viewer.screens import IDLE, Live
from viewer.timeline import Timeline, interruptible
from viewer.web.marks import seen_in
from viewer.web.panel import WebPanel
from viewer.web.scene import BrowserScene
from viewer.web.server import quiet, require_viser

LOOPBACK = "127.0.0.1"
PORT = 8080
_TALL = 560  # pixels of the page in a notebook
_PATIENCE = 5.0  # seconds until a thread has ended
_PANEL = 400.0  # pixels that the controls take


class Page(Live):
    """Show frames on a page that a browser opens.

    Raises ImportError if viser is not installed; says how to install it. Raises OSError
    if it cannot listen there: the port is in use, or the address is another's.

    Parameters
    ----------
    host : str
        The address to listen on: 127.0.0.1 is this machine only, 0.0.0.0 everybody who
        can reach it. There is no password.
    port : int, optional
        0 for any that is free; if left out the first free one from 8080 on.
    theme : {"light", "dark"}
    layers : iterable of str
        Layers to switch on, as for `viewer.picture`; the page says which of them only
        a window draws.

    Attributes
    ----------
    url : str
        Where the page is; it is printed with the first frame.
    closed : bool
    pushed : PushedFrames
        The frames that were shown.

    Examples
    --------
    ``viewer.watch(world, screen=viewer.Page(port=9000))``, or, from a loop of your own:
    ``page.show(frame)``, and in the end ``page.wait()``.
    """

    def __init__(
        self,
        *,
        host: str = LOOPBACK,
        port: int | None = None,
        theme: str = "light",
        layers: Iterable[str] = (),
    ) -> None:
        super().__init__(theme, layers)
        viser = require_viser()
        port = _free_port(host, port)
        with quiet():
            self._server: Any = viser.ViserServer(
                host=host, port=port, label="wingedge", verbose=False
            )
        self._server.gui.configure_theme(
            dark_mode=theme == "dark",
            show_logo=False,
            show_share_button=False,  # it would publish the page
            control_width="large",
        )
        shown = LOOPBACK if host in ("", "0.0.0.0") else host
        shown = f"[{shown}]" if ":" in shown else shown
        self.url = f"http://{shown}:{self._server.get_port()}"
        self._scene: BrowserScene | None = None
        self._thread: threading.Thread | None = None
        atexit.register(self.close)

    def play(self, timeline: Timeline) -> Frame | None:
        """Show a timeline until Ctrl-C, with its controls on the page.

        Returns the last frame, or raises what ended a running world before its time.
        """
        with suppress(KeyboardInterrupt):  # the one way to leave a page
            return super().play(timeline)
        if timeline.source.trouble is not None:
            raise timeline.source.trouble
        return timeline.frame

    def wait(self) -> None:
        """Keep the page, with its controls, until Ctrl-C; then close it."""
        with self, suppress(KeyboardInterrupt), interruptible() as check:
            while not self.closed:
                check()
                self.turn()

    def serve(self, timeline: Timeline) -> Self:
        """Show a timeline from a thread of its own, until `close`; return the page.

        For a notebook. Meanwhile its world belongs to the page: do not step it.
        """
        self.open(timeline, "close() ends it")

        def run() -> None:
            while not self.closed:
                self.turn()

        self._thread = threading.Thread(target=run, name="wingedge page", daemon=True)
        self._thread.start()
        return self

    def _repr_html_(self) -> str:
        """Return the page in a frame, for a notebook."""
        if self.closed:
            return "<i>this page was closed</i>"
        return (
            f'<iframe src="{self.url}" width="100%" height="{_TALL}" '
            f'style="border:0"></iframe>'
        )

    def turn(self) -> None:
        """Do what the browser asked for; show the next frame if it is due."""
        frame = None
        if self.is_open:
            self.controls.tick()
            self._panel.serve()
            frame = self.timeline.frame if self.controls.stale else None
        if frame is None:
            time.sleep(IDLE)
            return
        self.controls.stale = False
        line, layers = self.timeline, self.controls.layers
        with self._server.atomic():
            if self._scene is None:
                seen, look = seen_in(line.source), self._theme
                self._scene = BrowserScene(self._server, *seen, look, panel=_PANEL)
            self._scene.show(frame, layers, line.before if layers.path else None)
            self._panel.update(frame, self._scene.overlays)

    def close(self) -> None:
        """End the page; a browser that shows it says so."""
        if self.closed:
            return
        self.closed = True
        atexit.unregister(self.close)
        if self._thread not in (None, threading.current_thread()):
            self._thread.join(_PATIENCE)
        with quiet():
            self._server.stop()

    def open(self, timeline: Timeline, ends: str = "Ctrl-C ends it") -> Self:
        """Begin to show a timeline; ValueError if one is shown already."""
        if self.is_open:
            raise ValueError("this page shows a run already; make another Page()")
        super().open(timeline)
        self._panel = WebPanel(self._server, self.controls, self._theme)
        # not before: from here on Ctrl-C ends it without a word
        print(f"open {self.url} in a browser; {ends}", flush=True)
        return self


def _free_port(host: str, port: int | None) -> int:
    """Find a port, or raise OSError; viser looks for one for ever."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(PORT, PORT + 100) if port is None else (port,):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as tried:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                tried.bind((host, candidate))
                return int(tried.getsockname()[1])
        except OverflowError:
            raise OSError(f"port={port}: give a number from 0 to 65535") from None
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                why = error.strerror or error
                raise OSError(
                    f"host={host!r}: cannot listen there ({why}); {LOOPBACK} is this "
                    f"machine"
                ) from None
    if port is None:
        raise OSError(f"ports {PORT} to {PORT + 99} are all in use; give port=0")
    words = "it is in use or not allowed; give another one, or 0 for any that is free"
    raise OSError(f"port={port}: {words}")
