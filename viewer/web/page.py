"""Show a run on a browser page, with its own controls."""

import atexit
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Self

from viewer.screens import IDLE, Live
from viewer.timeline import Timeline, interruptible
from viewer.web.marks import seen_in
from viewer.web.panel import WebPanel
from viewer.web.scene import BrowserScene
from viewer.web.server import quiet, require_viser

LOOPBACK = "127.0.0.1"
PORT = 8080
_PANEL = 400.0  # pixels that the controls take


class Page(Live):
    """Show frames on a page that a browser opens.

    ``viewer.watch(world, screen=viewer.Page(port=9000))``, or, from a loop of your own:
    ``page.show(frame)``, and in the end ``page.wait()``. ``url`` is where the page is,
    printed with the first frame; ``pushed`` are the frames that were shown.

    Parameters: ``host``: the address to listen on: 127.0.0.1 is this machine only,
    0.0.0.0 everybody who can reach it, and there is no password; ``port``: 0 for any
    that is free, if left out the first free one from 8080 on; ``theme``: "light" or
    "dark"; ``layers``: to switch on, as for `viewer.picture`; the page says which of
    them only a window draws.

    Raises ImportError if viser is not installed; says how to install it. Raises OSError
    if it cannot listen there: the port is in use, or the address is another's.
    """

    left_by = (KeyboardInterrupt,)  # the one way to leave a page

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
        atexit.register(self.close)

    def wait(self) -> None:
        """Keep the page, with its controls, until Ctrl-C; then close it."""
        with self, suppress(KeyboardInterrupt), interruptible() as check:
            while not self.closed:
                check()
                self.turn()

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
            self._panel.update(frame, self._scene.empty)

    def close(self) -> None:
        """End the page; a browser that shows it says so."""
        if self.closed:
            return
        self.closed = True
        atexit.unregister(self.close)
        with quiet():
            self._server.stop()

    def open(self, timeline: Timeline) -> Self:
        """Begin to show a timeline; ValueError if one is shown already."""
        if self.is_open:
            raise ValueError("this page shows a run already; make another Page()")
        super().open(timeline)
        self._panel = WebPanel(self._server, self.controls, self._theme)
        # not before: from here on Ctrl-C ends it without a word
        print(f"open {self.url} in a browser; Ctrl-C ends it", flush=True)
        return self


def _free_port(host: str, port: int | None) -> int:
    """Find a port, or raise OSError; viser looks for one for ever."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(PORT, PORT + 100) if port is None else (port,):
        try:
            with socket.create_server((host, candidate), family=family) as tried:
                return int(tried.getsockname()[1])
        except (OSError, OverflowError, TypeError) as error:
            why = error
    raise OSError(
        f"host={host!r}, port={port}: cannot listen there ({why}); give another port, "
        f"0 for any that is free, or {LOOPBACK}, which is this machine"
    )
