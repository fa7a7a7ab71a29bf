"""The folder of a study: one folder a case, finished when its row is there."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sim.study.cases import FORMAT, Script, StudyCase, StudyError

HEAD = "study.json"


class StudyFolder:
    """Where a study keeps its cases; several studies of one script share it.

    ``cases/ID/``: ``case.json`` what is to run, ``run.vtkhdf`` the recording,
    ``row.json`` the result, written last, and ``seconds`` how long it took.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def mistakes(self, script: Path) -> list[str]:
        """List what speaks against keeping this script's cases here; writes nothing."""
        if self.path.exists() and not self.path.is_dir():
            return [f"{self.path}: is no folder; name another"]
        head = self.path / HEAD
        if head.exists():
            try:
                of = json.loads(head.read_text(encoding="utf-8"))["script"]
            except (ValueError, KeyError, TypeError, OSError):
                return [f"{head}: is damaged; name another folder"]
            if of != script.name:
                return [f"{self.path}: belongs to {of}, not to {script.name}"]
        elif self.path.exists() and any(self.path.iterdir()):
            return [f"{self.path}: holds other files and no study; name another folder"]
        there = next(
            p
            for p in (self.path.absolute(), *self.path.absolute().parents)
            if p.exists()
        )
        if not os.access(there, os.W_OK):
            return [f"{self.path}: nothing can be written there"]
        return []

    def begin(self, script: Script) -> None:
        """Make the folder, and say whose it is."""
        (self.path / "cases").mkdir(parents=True, exist_ok=True)
        text = json.dumps({"script": script.path.name, "format": FORMAT})
        if not (self.path / HEAD).exists():
            _put(self.path / HEAD, text)

    def case(self, id_: str) -> Path:
        """Return the folder of a case."""
        return self.path / "cases" / id_

    def plan(self, case: StudyCase, script: Script) -> None:
        """Write down what a case is to run, for whoever gets its id."""
        folder = self.case(case.id)
        folder.mkdir(exist_ok=True)
        told = {
            "script": os.path.abspath(script.path),
            "digest": script.digest,
            "settings": case.settings,
            "frames": script.frames,
        }
        if not (folder / "case.json").exists():
            _put(folder / "case.json", json.dumps(told, indent=1))

    def is_finished(self, id_: str) -> bool:
        """Say whether the row of a case is there."""
        return (self.case(id_) / "row.json").exists()

    def row(self, id_: str) -> dict[str, Any] | None:
        """Return the row of a finished case, or None."""
        folder = self.case(id_)
        try:
            row: dict[str, Any] = json.loads((folder / "row.json").read_bytes())
        except FileNotFoundError:
            return None
        with suppress(OSError, ValueError):
            row["seconds"] = float((folder / "seconds").read_bytes())
        return row

    def finish(self, id_: str, row: dict[str, Any], seconds: float) -> None:
        """Write the row of a case: from now on it is finished."""
        folder = self.case(id_)
        _put(folder / "seconds", f"{seconds:.4f}")
        _put(folder / "row.json", json.dumps(row, indent=1))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder: one study runs in it at a time; a killed one lets go.

        Raises StudyError if another one runs.
        """
        with open(self.path / "lock", "a+b") as file:
            if not _lock(file.fileno()):
                raise StudyError([f"{self.path}: another study runs here; wait for it"])
            yield


def _put(path: Path, text: str) -> None:
    """Write a file that is whole or not there."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


def _lock(descriptor: int) -> bool:
    """Lock a file for this process, until it is closed; False if another one has it."""
    try:
        if os.name == "nt":  # no other way on Windows
            from msvcrt import LK_NBLCK, locking  # type: ignore[attr-defined]

            locking(descriptor, LK_NBLCK, 1)
        else:
            from fcntl import LOCK_EX, LOCK_NB, flock

            flock(descriptor, LOCK_EX | LOCK_NB)
    except OSError:
        return False
    return True
