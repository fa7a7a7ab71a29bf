"""Which engine runs the kernels, and when compiled code is worth its wait.

"auto" starts interpreted.  Once the kernels have taken as long as compiled code would
cost to get - loading it, or compiling it first - a thread gets it, compiling in a child
process, and the next frame runs compiled.  What fails leaves the kernels interpreted:
slower, nothing else; ``ENGINE.reason`` says why.
"""

import atexit
import contextlib
import gc
import os
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.engine.build import Compiled

ENGINES = ("auto", "python", "compiled")
VARIABLE = "WINGEDGE_ENGINE"

LOADING = 0.05  # seconds of kernel time that are worth looking for compiled code
COMPILING = 2.0  # and compiling it


class Engine:
    """The engine of all trackers in this process.

    Attributes
    ----------
    mode : {"auto", "python", "compiled"}
        What was asked for.
    compiled : dict or None
        The compiled function of every entry, while it runs them.
    is_waiting : bool
        Whether kernel time is counted, because more of it would change the engine.
    reason : str
        Why there is no compiled code; empty if none was tried for.
    """

    def __init__(self) -> None:
        self.mode = "auto"
        self.compiled: Compiled | None = None
        self.is_waiting = True
        self.reason = ""
        self._loaded: Compiled | None = None
        self._spent = 0.0
        self._wanted = LOADING
        self._key: str | None = None
        self._thread: threading.Thread | None = None
        self._guard = threading.RLock()
        self._loading = threading.RLock()
        self._named = False

    def choose(self, name: str) -> None:
        """Take another engine from the next frame on; see ``set_engine``."""
        if name not in ENGINES:
            raise ValueError(f"engine {name!r} is not one of {', '.join(ENGINES)}")
        if name == "compiled":
            self._get(compiling=True)
            if self._loaded is None:
                raise RuntimeError(
                    f"the compiled engine cannot be had: {self.reason}; 'wingedge "
                    f"doctor' says more, set_engine('auto') does without it"
                )
        self._named = True
        self.mode = name
        self.compiled = None if name == "python" else self._loaded
        self.is_waiting = name == "auto" and self.compiled is None and not self.reason

    def obey_environment(self) -> None:
        """Choose what ``WINGEDGE_ENGINE`` names, unless the program chose already.

        Raises ValueError if it names no engine; RuntimeError if it asks for compiled
        code that cannot be had.
        """
        if self._named:
            return
        name = os.environ.get(VARIABLE) or "auto"
        if name not in ENGINES:
            raise ValueError(
                f"the environment variable {VARIABLE} is {name!r}; it must be one of "
                f"{', '.join(ENGINES)}"
            )
        self.choose(name)

    def spend(self, seconds: float) -> None:
        """Count kernel time; once it is enough, get compiled code aside."""
        self._spent += seconds
        if self._spent >= self._wanted and self._thread is None:
            with self._guard:
                if self._thread is None and self.is_waiting:
                    compiling = self._wanted == COMPILING
                    self._thread = threading.Thread(
                        target=self._aside,
                        args=(compiling,),
                        name="wingedge-engine",
                        daemon=True,
                    )
                    self._thread.start()

    def expect(self, seconds: float) -> None:
        """Decide before a batch whose interpreted kernel time is known about."""
        if self.is_waiting and self._spent + seconds >= LOADING:
            # A batch keeps its caller waiting anyway, and loading is short.
            self._get(compiling=False)
            self._take()
            self.spend(seconds if self._spent + seconds >= COMPILING else 0.0)

    def try_out(self) -> str:
        """Get compiled code if it can be had, leaving the engine as it is.

        Returns why it cannot be had, or nothing.
        """
        self._get(compiling=True)
        return "" if self._loaded is not None else self.reason

    def wait(self) -> None:
        """Wait until what runs aside has ended."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _aside(self, compiling: bool) -> None:
        self._get(compiling)
        with self._guard:
            self._thread = None
        self._take()

    def _take(self) -> None:
        if self.mode == "auto":
            self.compiled = self._loaded
        self.is_waiting = (
            self.mode == "auto" and self.compiled is None and not self.reason
        )

    def _get(self, compiling: bool) -> None:
        """Load compiled code, compiling it first if need be and wanted."""
        if self._loaded is not None:
            return
        with self._loading:
            from sim.engine import build  # every kernel: not before they are wanted

        try:
            with self._loading, uncollected():
                if self._key is None:
                    self._key = build.fingerprint()
            payload = build.read(build.path_of(self._key), self._key)
            if payload is None and compiling:
                payload = build.compile_aside(self._key)
            if payload is None:
                self._wanted = COMPILING
                return
            with self._loading:
                self._loaded = self._loaded or build.load(payload)
            self.reason = ""
        except build.NoCompiledKernels as error:
            self.reason = str(error)

    def close(self) -> None:
        """Let a thread that is loading end first: LLVM must not be torn down in it."""
        self._loading.acquire()

    def before_fork(self) -> None:
        """Let a thread that is loading end first.

        The other process has no such thread, but its half-done imports, and the locks
        that it holds: it would wait for them for ever, at its end at the latest.
        """
        self._guard.acquire()
        self._loading.acquire()

    def after_fork(self, *, is_child: bool) -> None:
        """Go on, in either process; the other one has no thread that runs aside."""
        if is_child:
            self._thread = None
        self._loading.release()
        self._guard.release()


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Import without a full collection on the way.

    Importing LLVM makes enough objects to set one off, a pause of 30 ms; it can wait
    until the program itself makes as many.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


ENGINE = Engine()
atexit.register(ENGINE.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=ENGINE.before_fork,
        after_in_parent=lambda: ENGINE.after_fork(is_child=False),
        after_in_child=lambda: ENGINE.after_fork(is_child=True),
    )


def set_engine(name: str) -> None:
    """Choose the engine of all trackers, from their next frame on.

    Both run one source and give the same bits; nothing that is remembered is lost.

    Parameters
    ----------
    name : {"auto", "python", "compiled"}
        "python" interprets the kernels.  "compiled" waits until they are compiled, a
        few seconds once per machine, 0.1 s later.  "auto", which needs not be asked
        for, starts interpreted and changes when compiled code is worth it and ready,
        without a pause; without the extra ``wingedge[compiled]`` it stays interpreted.

    Raises
    ------
    ValueError
        If there is no such engine.
    RuntimeError
        If compiled kernels cannot be had here; the message says why.

    Notes
    -----
    The environment variable ``WINGEDGE_ENGINE`` chooses for programs that do not.
    """
    ENGINE.choose(name)
