"""Say which public names were taken away or changed since the last tag, untold.

python .ci/check_names.py [TAG]

compares as ``griffe check`` does, which by itself also counts the inside of modules
that nobody is asked to import.  Public is what ``__all__`` has.  Exits 1 for what
breaks a use and is named in no `code` of CHANGELOG.md above the section of that tag.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import griffe

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("wingedge", "sim", "viewer")


def last_tag() -> str:
    """Return the newest tag of a version below this commit, "" if there is none."""
    command = ["git", "describe", "--tags", "--abbrev=0", "--match", "v*"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return found.stdout.strip()


def is_for_users(value: griffe.Object | griffe.Alias) -> bool:
    """Say whether a module without ``__all__``, a primitive, has it for others."""
    if value.is_alias or not (value.is_class or value.is_function):
        return False
    return value.is_class or any("Array" in str(p.annotation) for p in value.parameters)


def home_of(value: griffe.Object | griffe.Alias) -> str:
    """Return the path of what a name stands for, as far as it can be followed."""
    try:
        return value.final_target.path if value.is_alias else value.path
    except griffe.AliasResolutionError:
        return value.target_path


def exported(module: griffe.Object) -> Iterator[tuple[str, str, bool]]:
    """Yield each public name, where that lives, and whether it is a module."""
    own = [name for name, value in module.members.items() if is_for_users(value)]
    for name in map(str, module.exports or own):
        member = module.members.get(name)
        path = f"{module.path}.{name}"
        if member and not member.is_alias and member.is_module:
            yield path, path, True
            yield from exported(member)
        else:
            yield path, home_of(member) if member else path, False


def stays(breakage: griffe.Breakage, new: griffe.Object) -> bool:
    """Say whether a default is only named now, or an attribute set elsewhere."""
    here = breakage.obj
    if breakage.kind is griffe.BreakageKind.PARAMETER_CHANGED_DEFAULT:
        module = new.modules_collection[breakage.new_value.function.module.path]
        named = module.members.get(str(breakage.new_value.default))
        if named is None:
            return False
        value = named.final_target if named.is_alias else named
        return str(value.value) == str(breakage.old_value.default)
    if not (here.is_attribute and here.parent and here.parent.is_class):
        return False
    try:
        now = new.modules_collection[here.parent.path]
    except KeyError:
        return False
    sources = [now.source, *(base.source for base in now.mro())]
    return any(re.search(rf"\bself\.{here.name}\b[^=()]*=[^=]", s) for s in sources)


def changed(package: str, tag: str) -> Iterator[tuple[str, str]]:
    """Yield the path of what breaks a use of a public name, and how."""
    old = griffe.load_git(package, ref=tag, repo=ROOT, search_paths=["."])
    new = griffe.load(package, search_paths=[ROOT])
    names = list(exported(old))
    stay = {name for name, _, _ in exported(new)}
    moved = {home for name, home, _ in names if name in stay and name != home}
    public = {path for name, home, _ in names for path in (name, home)}
    classes = public - {name for name, _, is_module in names if is_module}
    for breakage in griffe.find_breaking_changes(old, new):
        path, kind = breakage.obj.path, breakage.kind
        if path in moved and kind is griffe.BreakageKind.OBJECT_REMOVED:
            continue  # it lives elsewhere, and is exported as before
        if stays(breakage, new):
            continue
        if path in public or path.rpartition(".")[0] in classes:
            yield path, breakage.explain(griffe.ExplanationStyle.MARKDOWN)


def main() -> int:
    """Print what is untold."""
    tag = sys.argv[1] if sys.argv[1:] else last_tag()
    if not tag:
        print("no tag v* yet: nothing to compare with")
        return 0
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    told = re.findall("`[^`]*`", text.partition(f"## [{tag[1:]}]")[0])
    words = set(re.findall(r"\w+", " ".join(told)))
    untold = 0
    for path, how in (found for package in PACKAGES for found in changed(package, tag)):
        parameter = how.split("`")[1].rstrip(")").partition("(")[2]
        if not words & {path.rpartition(".")[2], parameter}:
            print(f"{path}: {how.removeprefix('- ')}")
            untold += 1
    print(f"since {tag}: {untold} breaks that CHANGELOG.md does not name")
    return int(untold > 0)


if __name__ == "__main__":
    raise SystemExit(main())
