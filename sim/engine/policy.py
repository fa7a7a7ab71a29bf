"""Which engine runs the kernels: machine code where there is some, else Python."""

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.engine.library import Functions

ENGINES = ("auto", "python", "compiled")
VARIABLE = "WINGEDGE_ENGINE"


class Engine:
    """The engine of all trackers in this process.

    Attributes
    ----------
    mode : {"auto", "python", "compiled"}
        What was asked for; empty before the first tracker asks.
    compiled : dict or None
        The compiled function of every entry by its name, while it runs them.
    reason : str
        Why there is no compiled code; empty if there is, or none was tried for.
    """

    def __init__(self) -> None:
        self.mode = ""
        self.compiled: Functions | None = None
        self.reason = ""
        self._found: Functions | None = None

    def choose(self, name: str) -> None:
        """Take another engine from the next frame on; see ``set_engine``."""
        if name not in ENGINES:
            raise ValueError(f"engine {name!r} is not one of {', '.join(ENGINES)}")
        if name != "python" and self._found is None and not self.reason:
            self._find()
        if name == "compiled" and self._found is None:
            raise RuntimeError(
                f"the compiled engine cannot be had: {self.reason}; set_engine('auto') "
                f"does without it"
            )
        self.mode = name
        self.compiled = None if name == "python" else self._found

    def obey_environment(self) -> None:
        """Choose what ``WINGEDGE_ENGINE`` names, unless an engine was chosen already.

        Raises ValueError if it names no engine; RuntimeError if it asks for compiled
        code that cannot be had.
        """
        if self.mode:
            return
        name = os.environ.get(VARIABLE) or "auto"
        if name not in ENGINES:
            raise ValueError(
                f"the environment variable {VARIABLE} is {name!r}; it must be one of "
                f"{', '.join(ENGINES)}"
            )
        self.choose(name)
        if self.reason:
            print(
                f"wingedge: the kernels are interpreted, some 100 times slower: "
                f"{self.reason}",
                file=sys.stderr,
            )

    def _find(self) -> None:
        from sim.engine.library import NoCompiledKernels, found

        try:
            self._found = found()
        except NoCompiledKernels as error:
            self.reason = str(error)


ENGINE = Engine()


def set_engine(name: str) -> None:
    """Choose the engine of all trackers, from their next frame on.

    Both run one source and give the same bits; nothing that is remembered is lost.

    Parameters
    ----------
    name : {"auto", "python", "compiled"}
        "python" interprets the kernels.  "compiled" takes the machine code that came
        with the package, or raises.  "auto", which needs not be asked for, takes it
        where it is, and interprets elsewhere.

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
