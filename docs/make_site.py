"""Complete the site: pages from beside docs, the reference, links to the source.

mkdocs calls the functions ``on_...``; `.mkdocs.yml` names this file.
"""

import importlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SOURCE = PROJECT["urls"]["Source"] + "/blob/main/"
# Pages that stay where people look for them in a checkout: their places on the site.
BESIDE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]+)")
PACKAGES = ("wingedge", "sim", "viewer")
# Packages that pages import from by their own names.
INNER = ("sim.compound", "sim.response", "sim.sequence", "sim.study")
# What answers are made of, and what no package exports since it needs another one.
MORE = {
    "sim.between": "passage.Passage passage.Instant passage.Plane "
    "changes.FeatureChanges changes.Period nearest.LeastDistance",
    "sim.bridges": "collisions.CollisionManager mujoco.follow trimesh.from_trimesh "
    "trimesh.to_trimesh usd.write_usd",
    "sim.gradients": "Derivatives Gradient slopes.Slopes onset.OnsetDerivatives "
    "bridges.for_jax bridges.for_torch",
    "sim.planar": "disk.story disk.DiskTriangleTracker disk.DiskState keys.SegmentDemo",
    "sim.result": "answer.Contact answer.Region answer.Work answers.PairAnswers",
    "sim.story": "graph.contact_graph graph.coverage graph.graph_difference "
    "graph.write_graph contacts.contact_table",
    "wingedge.cover": "Cover",
}


def reference() -> Iterator[tuple[str, str]]:
    """Yield the pages of the reference: name of a module, and text."""
    modules = [*PACKAGES, *INNER]
    while modules:
        module = importlib.import_module(modules.pop(0))
        inner, names = [], []
        for name in module.__all__:
            path = f"{module.__name__}.{name}"
            is_module = isinstance(getattr(module, name), ModuleType)
            (inner if is_module else names).append(path)
        if module.__name__ == "wingedge.primitives":
            inner, names = [], inner  # a file a pair: all on one page
        modules += inner
        yield module.__name__, page(module, names, inner)
    for home, names in MORE.items():
        paths = [f"{home}.{name}" for name in names.split()]
        yield home, page(importlib.import_module(home), paths, [])


def page(module: ModuleType, names: list[str], inner: list[str]) -> str:
    """Write a page of the reference: what the module says, and its names in full."""
    lines = [f"# `{module.__name__}`", module.__doc__ or ""]
    lines += [f"- [`{name}`]({name}.md)" for name in inner]
    lines += [f"\n::: {name}" for name in names]
    return "\n".join(lines) + "\n"


def command_line() -> str:
    """Write the page of the command line, as its parser knows it."""
    from viewer.cli import make_app

    told = make_app().generate_docs(output_format="markdown")
    contents = r"## Table of Contents.*?(?=\*\*Commands)"  # the site's own is beside it
    told = re.sub(contents, "", told, flags=re.S)
    return told.replace("# wingedge", "# The command line", 1)


def index(pages: list[str]) -> str:
    """Write the first page of the reference: its pages, a line each."""
    lines = ["# Reference\n", "Every public name, with shapes, units and errors.\n"]
    for name in pages:
        says = (importlib.import_module(name).__doc__ or "").partition("\n\n")[0]
        lines.append(f"- [`{name}`]({name}.md): {' '.join(says.split())}")
    return "\n".join(lines) + "\n"


def on_files(files: Any, config: Any) -> Any:
    """Add README, changelog and the reference to the pages that mkdocs found."""
    from mkdocs.structure.files import File

    pages = dict(sorted(reference()))
    made = {f"reference/{name}.md": text for name, text in pages.items()}
    made["reference/command_line.md"] = command_line()
    made["reference/index.md"] = index(list(pages))
    for name, place in BESIDE.items():
        made[place] = (ROOT / name).read_text("utf-8")
    for place, text in made.items():
        files.append(File.generated(config, place, content=text))
    for entry in config.nav:
        for title, place in entry.items():
            if str(place).endswith("/"):  # a folder: its pages, the first one first
                below = {f.src_uri for f in files if f.src_uri.startswith(place)}
                first = {f"{place}{name}" for name in ("index.md", "README.md")}
                entry[title] = [*(below & first), *sorted(below - first)]
    return files


def on_page_markdown(text: str, page: Any, config: Any, files: Any) -> str:
    """Lead links out of docs to the source, and links to README to the first page."""
    there = {place: name for name, place in BESIDE.items()}
    here = page.file.src_uri
    origin = there.get(here, join("docs", here))

    def led(link: re.Match[str]) -> str:
        target = normpath(join(dirname(origin), link[1]))
        place = BESIDE.get(target, target.removeprefix("docs/"))
        if files.get_file_from_path(place) is not None:
            return join(*[".."] * here.count("/"), place) if "/" in here else place
        if files.get_file_from_path(join(place, "README.md")) is not None:
            return join(*[".."] * here.count("/"), place, "README.md")
        return SOURCE + target if (ROOT / target).exists() else link[1]

    return LINK.sub(led, text)
