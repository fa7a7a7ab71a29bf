"""Link the kernels into one shared library, for this machine or for another one.

python -m sim.engine.link [TARGET]

writes it beside this module, where the engine looks for it: after an edit of a kernel.
A wheel brings its own (``.ci/hatch_build.py``).  The linker is that of ziglang, for all
targets; for this machine any C compiler will do.  It needs no numpy.  Cost: 6 to 9 s.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from sim.engine.library import FILES, SYMBOL, digest, this_machine
from sim.kernels.audit.hinges import judge_each
from sim.kernels.audit.sag import measure_sag
from sim.kernels.closest.level_parts import measure_held, widen
from sim.kernels.intake import offer_positions
from sim.kernels.limits import are_maps
from sim.kernels.overlap.penetration import hulls_frame
from sim.kernels.pairs import answer_pairs, follow_pair, keep_frame
from sim.kernels.rows import store, tell_pairs
from sim.kernels.sweep import bound_bodies, lay_out_boxes, place_bodies, sweep_boxes
from wingedge.registry import HOMES, wings

ENTRIES = (
    keep_frame,
    store,
    widen,
    are_maps,
    hulls_frame,
    judge_each,
    offer_positions,
    measure_sag,
    lay_out_boxes,
    sweep_boxes,
    place_bodies,
    bound_bodies,
    answer_pairs,
    follow_pair,
    tell_pairs,
    measure_held,
)


class Target(NamedTuple):
    """One platform: as LLVM calls it, as the linker does, and as wheels do."""

    triple: str
    linker: str
    tag: str


TARGETS = {
    "linux-x86_64": Target(
        "x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64"
    ),
    "linux-aarch64": Target(
        "aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64"
    ),
    "macos-x86_64": Target(
        "x86_64-apple-macosx11.0.0", "x86_64-macos.11.0", "macosx_11_0_x86_64"
    ),
    "macos-arm64": Target(
        "arm64-apple-macosx11.0.0", "aarch64-macos.11.0", "macosx_11_0_arm64"
    ),
    "windows-amd64": Target("x86_64-pc-windows-gnu", "x86_64-windows-gnu", "win_amd64"),
}


def entries() -> tuple[Callable[..., int], ...]:
    """Return all that is compiled: what the core calls, and what ``sim`` registered."""
    others = [name for name, home in HOMES.items() if home.startswith("sim.kernels.")]
    return (*(getattr(wings, name) for name in others), *ENTRIES)


def module_text() -> str:
    """Return all kernels as one LLVM module, with the digest of their sources."""
    from sim.engine.compiler import assemble

    text = digest()
    if text is None:
        raise RuntimeError("there are no sources of kernels to link")
    stored = f'@{SYMBOL} = constant [{len(text) + 1} x i8] c"{text}\\00"'
    return assemble(entries()) + stored + "\n"


def link(name: str, out: Path, text: str | None = None) -> Path:
    """Write the library of a target: of all kernels, or of another LLVM module.

    Raises ``ValueError`` if there is no such target, ``RuntimeError`` if there is no
    linker or it fails, ``ImportError`` without llvmlite.
    """
    if name not in TARGETS:
        raise ValueError(f"target {name!r} is not one of {', '.join(TARGETS)}")
    from sim.engine.compiler import compile_text

    target = TARGETS[name]
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        source, made = Path(folder, "kernels.o"), Path(folder, out.name)
        source.write_bytes(compile_text(text or module_text(), target.triple))
        command = [*_linker(name), "-shared", "-o", str(made), str(source)]
        if name.startswith("linux"):
            command += ["-Wl,-z,noexecstack", "-s"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or not made.exists():
            raise RuntimeError(f"the linker failed: {done.stderr.strip()[-2000:]}")
        made.replace(out)  # whole at any moment
    return out


def _linker(name: str) -> list[str]:
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc", "-target", TARGETS[name].linker]
    own = shutil.which("cc")
    if own is None or name != this_machine():
        raise RuntimeError(f"no linker for {name}: pip install ziglang")
    return [own]


def main() -> None:
    """Link and say where the result lies."""
    name = sys.argv[1] if len(sys.argv) > 1 else this_machine()
    try:
        print(link(name, Path(__file__).with_name(FILES.get(name, "kernels"))))
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        sys.exit(f"wingedge: {error}")


if __name__ == "__main__":
    main()
