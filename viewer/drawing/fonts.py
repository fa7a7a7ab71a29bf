"""Fonts of this machine, for letters that VTK's own font lacks: 箱, ж, ნ."""

import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

_FOLDERS = {
    "linux": ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts"),
    "darwin": ("/System/Library/Fonts", "/Library/Fonts", "~/Library/Fonts"),
    "win32": ("C:/Windows/Fonts",),
}
# Those that have most letters first: each is asked until one draws something, and VTK
# draws nothing where a font has no such letter.
_KNOWN = (
    *("notosanscjk", "ipaexg", "ipag", "takaogothic", "droidsansfallback", "wqy-"),
    *("ヒラギノ角ゴシック w3", "hiragino sans", "arial unicode", "applesdgothicneo"),
    *("yugothm", "meiryo", "msgothic", "msyh", "malgun", "dejavusans.", "unifont"),
)


@lru_cache(maxsize=1)
def other_fonts() -> tuple[str, ...]:
    """List files of fonts that may have more letters, the most promising first.

    Cost: one walk through the folders of fonts, once; nothing before a letter is
    missing.
    """
    files = sorted(_files(), key=lambda p: (_rank(p), "bold" in p.name.lower(), p.name))
    return tuple(str(path) for path in files if _rank(path) < len(_KNOWN))


def _files() -> Iterator[Path]:
    for folder in _FOLDERS.get(sys.platform, _FOLDERS["linux"]):
        for path in Path(folder).expanduser().rglob("*"):
            if path.suffix.lower() in {".ttf", ".ttc", ".otf"}:
                yield path


def _rank(path: Path) -> int:
    name = path.name.lower()
    found = (k for k, known in enumerate(_KNOWN) if name.startswith(known))
    return next(found, len(_KNOWN))
