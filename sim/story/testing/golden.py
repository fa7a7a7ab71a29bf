"""Golden stories: what happened once, kept in a file beside the test."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Self
from warnings import warn

import pytest

from sim.arguments import check_count
from sim.contact_manager import ContactRules, retold
from sim.frame import Frame
from sim.story.compare import compare
from sim.story.comparing.difference import counted
from sim.story.comparing.histories import Run, Side
from sim.story.order import NOBODY, nearest_pair
from sim.story.recording import Recording
from sim.story.story import Story
from sim.tracking.options import check_length
from wingedge.positions import single_rounding

Source = Any  # a World, Recording or Story, or frames
Resolution = float | str | None  # "float32": that of single precision
RUNGS = [10.0**k for k in (-6, -4, -2, 0, 1, 2, 3)]  # of single precision


class Retelling(NamedTuple):
    """A run, and the rules by which it can be told again; None: nobody knows them."""

    run: Run
    rules: ContactRules | None
    resolution: float  # at which it is told; 0.0 where nobody knows

    @classmethod
    def of(
        cls, source: Any, frames: int | None = None, resolution: Resolution = None
    ) -> Self:
        """Run a world on, or collect frames; tell them at a resolution.

        Raises TypeError if the source is something else, has no number of frames, or
        cannot be told again; ValueError if there are not so many, or it is no length.
        """
        __tracebackhide__ = True  # pytest shows the line of the test
        run: Run
        if frames is not None:
            frames = check_count("frames", frames)
        if hasattr(source, "run"):
            if frames is None:
                raise TypeError(
                    "a world runs for ever; say how many frames, as in check(world, "
                    "frames=90), or give world.run(90)"
                )
            run = list(source.run(frames))
        elif isinstance(source, Story | Recording) and frames is None:
            run = source
        elif isinstance(source, Story):
            raise TypeError(
                "a story cannot be cut; leave out frames, or give the frames"
            )
        elif not isinstance(source, Iterable) or isinstance(source, str | PathLike):
            raise TypeError(
                f"no contacts can be told of {type(source).__name__}; give a World and "
                "frames, a Recording, as of Recording.open(path), a Story, or frames "
                "as of world.run(90)"
            )
        else:
            run = list(islice(source, frames))
            if frames is not None and len(run) < frames:
                raise ValueError(f"frames={frames}, but there are only {len(run)}")
        world = getattr(getattr(source, "step", None), "__self__", None)
        rules = world._manager.rules if world else getattr(source, "rules", None)
        known = max(rules.resolution, default=0.0) if rules else 0.0
        if isinstance(run, Story) or not run or getattr(run[0], "index", True):
            rules = None  # nobody knows what was before
        return cls(run, rules, known).at(resolution)

    def at(self, resolution: Resolution) -> Self:
        """Tell it at another resolution; None: as it was told."""
        __tracebackhide__ = True
        if resolution in (None, self.resolution):
            return self
        if self.rules is None:
            raise TypeError(
                f"resolution={resolution!r}: these contacts cannot be told again; give "
                "a World and frames, from frame 0 on, or a Recording"
            )
        single = resolution == "float32"
        r = self._single() if single else check_length("resolution", resolution)  # type: ignore[arg-type]
        return self._replace(run=self._told(r), resolution=r)

    def doubt(self, same: Callable[[list[Frame]], bool]) -> str:
        """Say from which resolution on it is as it should be; "" if nobody knows.

        Parameters: ``same``: whether frames are as they should be.  Cost: it is
        answered for seven times at most.
        """
        if self.rules is None:
            return ""
        known = self._single()
        rungs = [known * rung for rung in RUNGS if known * rung > self.resolution]
        try:
            gone = next((r for r in rungs if same(self._told(r))), None)
        except ValueError as error:  # it must not hide what failed
            return f"it cannot be told again: {error}"
        if gone is None:
            top = max(rungs, default=self.resolution)
            return f"rounding is not why: it differs at any resolution up to {top:.2g}"
        single = f"{'beyond' if gone > known else 'within'} single precision"
        return f"as expected at resolution={gone:.2g}, {single} ({known:.2g})"

    def nearest(self) -> str:
        """Say which pair was nearest; nothing of a story, which knows no positions."""
        frames = () if isinstance(self.run, Story) else self.run
        return min(map(nearest_pair, frames), default=NOBODY)[-1]

    def _told(self, r: float) -> list[Frame]:
        return list(retold(self.run, self.rules, r))  # type: ignore[arg-type]

    def _single(self) -> float:
        """Return how far single precision puts vertices off, where they are."""
        placed = (body.world_points() for body in self.run[0].bodies)  # type: ignore[index]
        return max(map(single_rounding, placed))


VIEWS = "wingedge.views"  # functions of a frame and a path, which draw it
INSTALL = "pip install 'wingedge[viewer]'"
SUFFIX = ".story"
LIBRARY = (
    "contact_regression keeps its files with pytest-regressions, which is not "
    "installed or switched off; run: pip install 'pytest-regressions>=2.7'"
)


class ContactRegression:
    """What a test asks whether the same happens as its golden file says.

    This is what the fixture ``contact_regression`` gives.
    """

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request

    def check(
        self,
        source: Source,
        name: str | None = None,
        frames: int | None = None,
        frame_tolerance: int = 0,
        tolerance: float = 1e-9,
        numbers: bool = True,
        resolution: Resolution = None,
    ) -> None:
        """Fail the test unless the same happens as its golden file says.

        The file is ``TEST_MODULE/TEST_NAME.story``, beside the module of the test.
        Where there is none it is written, and the test fails this once: look at it and
        commit it. A warning says if nothing happens in it. ``pytest --force-regen``
        writes the files of failing tests anew, ``--regen-all`` those of all tests.

        Parameters
        ----------
        source : World, Recording, Story or iterable of Frame
            What happens.
        name : str, optional
            The name of the file, for a test with several checks or for several tests
            that should agree; that of the test if left out.
        frames : int, optional
            How many frames: of a world so many from now on, else the first so many.
        frame_tolerance : int, optional
            By how many frames an event may come late or early.
        tolerance : float, optional
            How far numbers may differ, and features may be from equally close; as in
            ``sim.compare``.
        numbers : bool, optional
            Whether distances, normals and points go into the file, and are compared
            where the file has them.
        resolution : float or "float32", optional
            How far at most each vertex may be off; that of the file if left out.
        """
        __tracebackhide__ = True  # pytest shows the line of the test
        again = Retelling.of(source, frames, resolution)
        path = self._path(name)
        allowed: Any = dict(tolerance=tolerance, numbers=numbers)
        allowed |= {"frame_tolerance": frame_tolerance}

        def judge(_: Path, golden: Path) -> None:
            __tracebackhide__ = True
            expected = _read(golden, path)
            r = expected.resolution if resolution is None and again.rules else None
            self._judge(expected, path, again.at(r), allowed)

        def write(file: Path) -> None:
            story = Story.of(again.run, numbers=numbers)
            replace(story, resolution=again.resolution).write(file)
            if file == path and not story.events:
                warn(
                    f"{path}: nothing happens in its "
                    f"{counted(story.frames, 'frame')}{again.nearest()}; a test of "
                    "an empty story can never notice that a contact is lost",
                    stacklevel=2,
                )

        try:
            from pytest_regressions.common import perform_regression_check

            self._request.config.getoption("force_regen")
            datadir = self._request.getfixturevalue("lazy_datadir")
        except (ImportError, ValueError, pytest.FixtureLookupError):
            pytest.fail(LIBRARY, pytrace=False)
        try:
            how: Any = dict(check_fn=judge, dump_fn=write, extension=SUFFIX)
            where = datadir, path.parent, self._request
            name = path.name.removesuffix(SUFFIX)
            perform_regression_check(*where, basename=name, **how)
        except OSError as error:
            pytest.fail(
                f"{error.filename or path}: {error.strerror or error}; the golden file "
                f"{path} can neither be read nor written",
                pytrace=False,
            )

    def _judge(
        self, expected: Story, path: Path, again: Retelling, allowed: dict[str, Any]
    ) -> None:
        """Tell what differs from the golden file, the first thing first."""
        __tracebackhide__ = True
        option = self._request.config.getoption
        side = Side.of(again.run, numbers=allowed["numbers"])
        found = compare(expected, side, **allowed)
        if found.same:
            return
        root, digest = self._request.config.rootpath, side.story.digest
        shown = path.relative_to(root) if path.is_relative_to(root) else path
        told = f"digest {expected.digest} -> {digest}"
        if expected.digest == digest:
            told = f"the same events, digest {digest}"
        lines = [found.summary, f"contacts differ from {shown}", told, ""]
        lines += [str(found).removesuffix(found.summary)]
        if expected.digest != digest:
            allowed["numbers"] = False
            lines += [again.doubt(lambda run: compare(expected, run, **allowed).same)]
        if option("contact_picture"):
            events = (d for d in found.differences if d.a or d.b)
            first = next(events, found.differences[0])
            frame = side.frame(first.b.frame if first.b else first.frame)
            folder = self._request.getfixturevalue("tmp_path")
            lines.append(try_picture(frame, folder / f"{path.stem}.png"))
        if not option("force_regen"):
            lines.append("if it is meant to be so: pytest --force-regen")
        raise AssertionError("\n".join(lines).rstrip())

    def _path(self, name: str | None) -> Path:
        """Name the file as was asked, or else as pytest-regressions would."""
        __tracebackhide__ = True
        item = self._request.node
        if name is None:
            name = re.sub(r"\W", "_", item.name)
            if item.cls and item.config.getoption("with_test_class_names", False):
                name = re.sub(r"\W", "_", item.cls.__name__) + f"_{name}"
        elif not re.fullmatch(r"\w[\w.+-]*", name):
            raise ValueError(
                f"name={name!r} is no name of a golden file; use letters, digits "
                "and _ . + - alone"
            )
        return Path(item.path).with_suffix("") / (name + SUFFIX)


def try_picture(frame: Frame | None, path: Path) -> str:
    """Draw a frame by the first view that is registered; say what came of it.

    Whatever goes wrong is said, not raised: it must not hide the failure.
    """
    from importlib.metadata import entry_points

    if frame is None:
        return "no picture: the positions of that frame are not known"
    views = sorted(entry_points(group=VIEWS), key=lambda view: view.name)
    if not views:
        return f"no picture: nobody here draws any; run: {INSTALL}"
    try:
        views[0].load()(frame, path)
    except Exception as error:
        return f"no picture: {str(error) or type(error).__name__}"
    return f"picture of frame {frame.index}: {path}"


def _read(golden: Path, path: Path) -> Story:
    """Read a golden file, of which pytest-regressions made a copy."""
    __tracebackhide__ = True
    try:
        return Story.read(golden)
    except ValueError as error:
        said = str(error).removeprefix(str(golden)).lstrip(", :")
        raise AssertionError(
            f"{path} is no golden story: {said}; to write it anew: pytest --force-regen"
        ) from None
