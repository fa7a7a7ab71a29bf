"""Time the live window: frames a second, Python's share, memory.

    python benchmarks/bench_viewer.py [--frames 300] [--memory 10000] [--before TREE]
                                      [--log FILE]

A window of 1280 x 720 in memory with everything drawn: bodies and their edges, closest
features, names, normals, legend, title, story, plots, slider.  Bodies stand in a row
and breathe: all their vertices are new in every frame, and neighbours touch and part.
Each frame is drawn once, as a window that plays does; frames are made beforehand.
``update`` is what Python spends until the renderer is called, ``render`` the rest;
medians of wall clock, and processor time of all threads.  ``open`` is a window's first
picture, from nothing.
Movie: 100 pictures of the demo as .mp4; "fine" is how all were drawn once, estimated.
Memory: what the process holds after 500 frames and after all.  ``--before TREE``: the
root of another version of this project, with its kernels linked (``python -m
sim.engine.link`` there); each scene is timed in both, each in a process of its own.
Exit code 1 below 60 frames a second for 2 bodies of 500 faces, below 30 for 2 of 5000
or 50 of 60, above 12 s for the movie, or above 8 MB gained.
"""

import os
import statistics
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench import Say, breathing, main, resident, sphere

from sim import Frame, scenes
from viewer.gl import probe
from viewer.movies import movie
from viewer.sources import StoredFrames
from viewer.timeline import Timeline
from viewer.window.window import WindowScreen

SIZE = 1280, 720
SCENES = (2, 5000), (10, 1000), (2, 500), (50, 60)  # bodies, faces of each
RATE = {(2, 500): 60.0, (2, 5000): 30.0, (50, 60): 30.0}
GAIN = 8e6
MOVIE = 12.0  # seconds
FIRST = 20  # frames that are not counted: plots fill up, VTK compiles its shaders


class Spent(NamedTuple):
    """Seconds of one frame."""

    update: float
    render: float


def made(bodies: int, faces: int, frames: int) -> list[Frame]:
    """Make frames of bodies in a row that swell and shrink, each at its own time."""
    mesh = sphere(faces // 2 + 2)

    def swell(t: float, k: int) -> float:
        return 1.0 + 0.1 * abs((0.5 * t + 0.25 * k) % 2.0 - 1.0)

    return list(breathing(mesh, bodies, 2.15, swell, dt=1 / 60).run(frames))


class Drawn:
    """A window that is told which frame to draw, and says what that took."""

    def __init__(self, frames: list[Frame]) -> None:
        self.window = WindowScreen(size=SIZE, off_screen=True)
        self.window.open(Timeline(StoredFrames(frames)))
        self._render, self._spent = self.window.plotter.render, 0.0
        self.window.plotter.render = self._timed

    def draw(self, k: int) -> Spent:
        """Draw frame k."""
        self.window.timeline.seek(k)
        begin = time.perf_counter()
        self.window.draw()
        whole = time.perf_counter() - begin
        return Spent(whole - self._spent, self._spent)

    def _timed(self) -> None:
        begin = time.perf_counter()
        self._render()
        self._spent = time.perf_counter() - begin


def timed(bodies: int, faces: int, frames: int) -> tuple[str, bool]:
    """Draw every frame of a scene once; return a line, and whether it is in bounds."""
    shown = made(bodies, faces, frames + FIRST)
    begin = time.perf_counter()
    drawn = Drawn(shown)
    drawn.draw(0)
    opened = time.perf_counter() - begin
    for k in range(1, FIRST):
        drawn.draw(k)
    begin = time.process_time()
    spent = [drawn.draw(k) for k in range(FIRST, frames + FIRST)]
    busy = (time.process_time() - begin) / frames
    drawn.window.close()
    update, render = (statistics.median(column) for column in zip(*spent, strict=True))
    rate = 1.0 / statistics.median(s.update + s.render for s in spent)
    fits = rate >= RATE.get((bodies, faces), 0.0)
    return (
        f"{bodies:2} x {faces:4} faces  {rate:6.1f} frames/s   "
        f"update {update * 1e3:5.2f} ms   render {render * 1e3:6.2f} ms, "
        f"{render / (update + render):4.0%}   processor {busy * 1e3:6.2f} ms   "
        f"open {opened:4.2f} s   {'' if fits else 'OUTSIDE THE PROMISE'}"
    ).rstrip(), fits


def timed_in(tree: Path, *scene: int) -> tuple[str, bool]:
    """Do as ``timed`` in a new process, with the packages of another tree."""
    here = Path(__file__).parent
    program = f"import bench_viewer; print(*bench_viewer.timed(*{scene}))"
    path = os.pathsep.join([str(tree.resolve()), str(here)])
    told = subprocess.check_output(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        cwd=here,  # whose packages ``-c`` finds, too
        text=True,
    ).split(" ")
    return " ".join(told[:-1]), told[-1].strip() == "True"


def filmed(pictures: int) -> tuple[float, str]:
    """Write a movie of the demo; return the seconds that it took, and words.

    The processor's time is that of all threads, and of the program that encodes.
    """
    begin, busy = time.perf_counter(), sum(os.times()[:4])
    with TemporaryDirectory() as folder:
        movie(scenes.load("demo"), Path(folder, "demo.mp4"), frames=pictures, fps=60.0)
    wall, processor = time.perf_counter() - begin, sum(os.times()[:4]) - busy
    return wall, f"{wall:6.1f} s, processor {processor:6.1f} s"


def held(count: int) -> tuple[str, bool]:
    """Draw so many frames; return a line about memory, and whether it is in bounds."""
    frames = made(2, 500, 240)
    drawn = Drawn(frames)
    for k in range(500):
        drawn.draw(k % len(frames))
    before = resident()
    for k in range(count):
        drawn.draw(k % len(frames))
    gained = resident() - before
    drawn.window.close()
    fits = gained <= GAIN
    return (
        f"memory  {before / 1e6:.1f} MB after 500 frames, {gained / 1e6:+.2f} MB after "
        f"{count} more   {'' if fits else 'OUTSIDE THE PROMISE'}"
    ).rstrip(), fits


def run(options: Namespace, say: Say) -> bool:
    """Print a line per scene, and one about memory."""
    say(f"renderer: {probe().renderer}; {SIZE[0]} x {SIZE[1]}, everything drawn")
    fits = True
    for scene in SCENES:
        if options.before is None:
            line, good = timed(*scene, options.frames)
        else:
            say("before " + timed_in(options.before, *scene, options.frames)[0])
            line, good = timed_in(Path(__file__).parents[1], *scene, options.frames)
        say(line if options.before is None else f"now    {line}")
        fits &= good
    wall, told = filmed(100)
    fits &= wall <= MOVIE
    outside = "" if wall <= MOVIE else "OUTSIDE THE PROMISE"
    say(f"movie   100 pictures of the demo: {told}   {outside}".rstrip())
    if options.memory:  # 0 leaves it out
        line, good = held(options.memory)
        say(line)
        return fits and good
    return fits


if __name__ == "__main__":
    sys.exit(
        main(__doc__, run, "pyvista", "vtk", frames=300, memory=10_000, before=None)
    )
