"""Golden stories: what happened once, kept in a file beside the test."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from inspect import signature
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, runtime_checkable
from warnings import warn

import numpy as np
import pytest

from sim.events.event import Event
from sim.frame import Frame
from sim.result.answer import KINDS
from sim.result.answers import PairAnswers
from sim.result.state import PairState
from sim.story.compare import compare, remedy
from sim.story.comparing.difference import Comparison, counted
from sim.story.recording import Recording
from sim.story.story import Story
from wingedge.graph import corners_of

GROUP = "wingedge.views"
INSTALL = "pip install 'wingedge[viewer]'"
TOLD = "as the golden file tells it, on bodies as they are now"


def try_picture(
    frame: Frame | None, path: Path, group: str = GROUP, beside: Frame | None = None
) -> str:
    """Draw a frame into a file if anybody here can; return a sentence about it.

    A view is a function of a frame and a path that is registered in the entry-point
    group; the first by name draws.  Where it takes ``beside``, words and another frame,
    it draws that one at the left.  Whatever goes wrong is said, not raised: a picture
    that cannot be drawn must not hide the failure that it was to show.

    Parameters: ``beside``: the frame as a golden file tells it: see `as_told`.
    """
    from importlib.metadata import entry_points

    if frame is None:
        return "no picture: the positions of that frame are not known"
    views = sorted(entry_points(group=group), key=lambda view: view.name)
    if not views:
        return f"no picture: nobody here draws any; run: {INSTALL}"
    before, given = "", {}
    try:
        draw = views[0].load()
        if beside is not None and "beside" in signature(draw).parameters:
            before = f", left of it frame {beside.index} {TOLD}"
            given = {"beside": (TOLD, beside)}
        draw(frame, path, **given)
    except Exception as error:
        return f"no picture: {str(error) or type(error).__name__}"
    return f"picture of frame {frame.index}{before}: {path}"


def as_told(run: "Run", event: Event | None, told: Story) -> Frame | None:
    """Return the frame of an event as a golden file tells it; None where it cannot be.

    Features, distance, normal and point are those of the file.  It has no positions:
    bodies stand where they are now, and where the closest point is not unique, or not
    told, the middle of the feature of A stands for it.
    """
    touch = None if event is None else event.after or event.before
    frame = None if event is None else frame_of(run, event.frame)
    if event is None or touch is None or frame is None:
        return None
    a, b, whose = touch.feature_a, touch.feature_b, (event.frame, event.a, event.b)
    row = next((row for row in told.numbers if row.key == whose), None)
    try:
        now, body = frame.pair(event.a, event.b), frame.body(event.a)
        corners = corners_of(body.mesh, a)
        corners_of(now.mesh_b, b)  # whether there is such a feature now
        if row is None or "lid" in (a.kind, b.kind):
            return None
    except (KeyError, IndexError):
        return None
    normal = np.array(row.normal or now.normal)
    point = np.array(row.point or body.world_points()[corners].mean(axis=0))
    numbers = now.numbers._replace(
        distance=row.distance,
        lower=-np.inf,  # no file has bounds
        upper=np.inf,
        size=row.size,
        normal=tuple(normal.tolist()),
        point_a=tuple(point.tolist()),
        point_b=tuple((point + row.distance * normal).tolist()),
        dimension_a=KINDS.index(a.kind),
        parts_a=(a.index,),
        dimension_b=KINDS.index(b.kind),
        parts_b=(b.index,),
        corners=(),
        labels=(),
        unique=True,
        proof="none",
    )
    regime = "penetrating" if row.distance < 0.0 else "contact"
    regime = "separated" if event.kind == "end" else regime
    state = PairState(numbers, regime, event.frame, now.a, now.b, now.editions)
    names = [body.name for body in frame.bodies]
    return replace(frame, pairs=PairAnswers.among([state], names), events=(event,))


@runtime_checkable
class Runs(Protocol):
    """A world: what can be run on."""

    def run(self, n: int) -> Iterator[Frame]:
        """Step so many frames."""


Source = Runs | Recording | Story | Iterable[Frame]
Run = Recording | Story | list[Frame]


def run_of(source: Source, frames: int | None = None) -> Run:
    """Run a world on, or collect frames; a story, and a whole recording, are as given.

    Parameters: ``frames``: how many frames; needed for a world, all that there are
    otherwise.

    Raises TypeError if the source is something else, or no number of frames fits it;
    ValueError if there are not so many frames.
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    if frames is not None and (
        isinstance(frames, bool) or not isinstance(frames, int | np.integer)
    ):
        raise TypeError(f"frames={frames!r} must be a whole number")
    if isinstance(source, Runs):
        if frames is None:
            raise TypeError(
                "a world runs for ever; say how many frames, as in check(world, "
                "frames=90), or give world.run(90)"
            )
        return list(source.run(frames))
    if isinstance(source, Story) and frames is not None:
        raise TypeError("a story cannot be cut; leave out frames, or give the frames")
    if isinstance(source, Story) or (isinstance(source, Recording) and frames is None):
        return source
    if not isinstance(source, Iterable) or isinstance(source, str | PathLike):
        raise TypeError(
            f"no contacts can be told of {type(source).__name__}; give a World and "
            "frames, a Recording, as of Recording.open(path), a Story, or frames as of "
            "world.run(90)"
        )
    if frames is None:
        return list(source)
    if frames < 0:
        raise ValueError(f"frames={frames} must be 0 or more")
    run = list(islice(source, frames))
    if len(run) < frames:
        raise ValueError(f"frames={frames}, but there are only {len(run)}")
    return run


def frame_of(run: Run, number: int | None) -> Frame | None:
    """Return the frame of this number, or the last one; None where none is known."""
    if isinstance(run, Story) or len(run) == 0:
        return None
    k = len(run) - 1 if number is None else number - run[0].index
    return run[k] if 0 <= k < len(run) else None


def picture(
    request: pytest.FixtureRequest,
    run: Run,
    number: int | None,
    name: str,
    beside: Frame | None = None,
) -> list[str]:
    """Draw a frame if the option asks for it; return a sentence about it, or none."""
    if not request.config.getoption("contact_picture"):
        return []
    path = request.getfixturevalue("tmp_path") / f"{name}.png"
    return [try_picture(frame_of(run, number), path, beside=beside)]


FIXTURE = "contact_regression"
SUFFIX = ".story"
LIBRARY = (
    f"{FIXTURE} keeps its files with pytest-regressions, which is not installed or "
    "switched off; run: pip install 'pytest-regressions>=2.7'"
)

_ITEMS = pytest.StashKey[dict[Path, list[str]]]()


class ContactRegression:
    """What a test asks whether the same happens as its golden file says.

    This is what the fixture ``contact_regression`` gives.
    """

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request
        self._seen: set[str] = set()

    def check(
        self,
        source: Source,
        name: str | None = None,
        frames: int | None = None,
        frame_tolerance: int = 0,
        tolerance: float | Mapping[str, float] = 1e-9,
        numbers: bool = True,
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
        tolerance : float, or mapping of name to float, optional
            How far numbers may differ, and features may be from equally close; as in
            ``sim.compare``.
        numbers : bool, optional
            Whether distances, normals and points go into the file, and are compared
            where the file has them.
        """
        __tracebackhide__ = True  # pytest shows the line of the test
        run = run_of(source, frames)
        story = Story.of(run, numbers=numbers)
        basename = self._basename(name)
        path = _folder(self._request.node) / (basename + SUFFIX)
        allowed: dict[str, Any] = {
            "frame_tolerance": frame_tolerance,
            "tolerance": tolerance,
            "numbers": numbers,
        }

        def judge(_: Path, golden: Path) -> None:
            __tracebackhide__ = True
            expected = _read(golden, path)
            found = compare(expected, run, **allowed)
            if not found.same:
                words = self._words(found, expected, story.digest, run, path, allowed)
                raise AssertionError(words)

        self._keep(basename, path, story, judge)

    def _keep(
        self,
        basename: str,
        path: Path,
        story: Story,
        judge: Callable[[Path, Path], None],
    ) -> None:
        """Write, compare or write anew, as the options of pytest-regressions say."""
        __tracebackhide__ = True

        def dump(file: Path) -> None:
            story.write(file)
            if file == path and not story.events:
                warn(
                    f"{path}: nothing happens in its {counted(story.frames, 'frame')}; "
                    "a test of an empty story can never notice that a contact is lost",
                    stacklevel=2,
                )

        try:
            from pytest_regressions.common import perform_regression_check

            self._request.config.getoption("force_regen")
            datadir = self._request.getfixturevalue("lazy_datadir")
        except (ImportError, ValueError, pytest.FixtureLookupError):
            pytest.fail(LIBRARY, pytrace=False)
        try:
            perform_regression_check(
                datadir,
                path.parent,
                self._request,
                check_fn=judge,
                dump_fn=dump,
                extension=SUFFIX,
                basename=basename,
            )
        except OSError as error:
            pytest.fail(
                f"{error.filename or path}: {error.strerror or error}; the golden file "
                f"{path} can neither be read nor written",
                pytrace=False,
            )

    def _basename(self, name: str | None) -> str:
        """Name the file without its ending, and make sure that no other check does."""
        __tracebackhide__ = True
        node = self._request.node
        if name is None:
            path = _default_path(node)
            mine = self._items().get(path, [])
            others = [other for other in mine if other != node.nodeid]
            if others:
                raise ValueError(
                    f"{node.nodeid} and {others[0]} would share the golden file "
                    f"{path.name}; give each its own: check(..., name='...')"
                )
            name = path.name.removesuffix(SUFFIX)
        elif not re.fullmatch(r"\w[\w.+-]*", name):
            raise ValueError(
                f"name={name!r} is no name of a golden file; use letters, digits and "
                "_ . + - alone"
            )
        if name in self._seen:
            raise ValueError(
                f"the golden file {name}{SUFFIX} is checked twice in one test; give "
                "each check its own: check(..., name='...')"
            )
        self._seen.add(name)
        return name

    def _items(self) -> dict[Path, list[str]]:
        """Return which tests have which golden file, if they do not name another."""
        session = self._request.session
        found = session.stash.get(_ITEMS, None)
        if found is None:
            found = session.stash[_ITEMS] = {}
            for item in session.items:
                if FIXTURE in getattr(item, "fixturenames", ()):
                    found.setdefault(_default_path(item), []).append(item.nodeid)
        return found

    def _words(
        self,
        found: Comparison,
        expected: Story,
        digest: str,
        run: Run,
        path: Path,
        allowed: dict[str, Any],
    ) -> str:
        """Tell what differs from the golden file, the first thing first; what to do."""
        config = self._request.config
        inside = path.is_relative_to(config.rootpath)
        shown = path.relative_to(config.rootpath) if inside else path
        digests = expected.digest, digest
        same = digests[0] == digests[1]
        told = f"the same events, digest {digests[0]}" if same else " -> ".join(digests)
        lines = [found.summary, f"contacts differ from {shown}"]
        lines += [told if same else f"digest {told}", ""]
        lines += [str(found).removesuffix(found.summary)]
        events = (d for d in found.differences if d.a or d.b)
        first = next(events, found.differences[0])
        number = first.b.frame if first.b else first.frame
        here = (e for e in expected.events if e.frame == first.frame and e.b)
        named = (e for e in here if f"{e.a}/{e.b}" in first.pairs)
        before = as_told(run, first.a or next(named, None), expected)
        lines += picture(self._request, run, number, path.stem, before)
        lines += remedy(expected, run, found, allowed)
        if not config.getoption("force_regen"):
            lines.append("if it is meant to be so: pytest --force-regen")
        return "\n".join(lines).rstrip()


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


def _folder(item: pytest.Item) -> Path:
    return item.path.with_suffix("")


def _default_path(item: pytest.Item) -> Path:
    """Name the golden file of a test as pytest-regressions would."""
    name = re.sub(r"\W", "_", item.name)
    cls = getattr(item, "cls", None)
    if cls is not None and item.config.getoption("with_test_class_names", False):
        name = re.sub(r"\W", "_", cls.__name__) + f"_{name}"
    return _folder(item) / (name + SUFFIX)
