"""Complete the site: pages from beside docs, made ones, links to the source.

mkdocs calls the functions ``on_...``; `.mkdocs.yml` names this file.
"""

import importlib
import pkgutil
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from types import ModuleType
from typing import Any

from numpy.typing import ArrayLike

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SOURCE = PROJECT["urls"]["Source"] + "/blob/main/"
# Pages that stay where people look for them in a checkout: their places on the site.
BESIDE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
# The guides come first, where both say a word.
FEW_HITS = "---\nsearch:\n  boost: 0.2\n---\n"
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]+)")
PACKAGES = ("wingedge", "sim", "viewer")
# Packages that pages import from by their own names.
INNER = ("sim.response", "sim.sequence", "sim.study")
# What answers are made of, and what no package exports since it needs another one.
MORE = {
    "sim.between": "passage.Passage passage.Instant passage.Plane "
    "passage.LeastDistance",
    "sim.bridges": "collisions.CollisionManager mujoco.follow trimesh.to_trimesh",
    "sim.gradients": "Derivatives Gradient slopes.Slopes",
    "sim.result": "answer.Contact answer.Work state.Region answers.PairAnswers",
    "sim.story": "graph.contact_graph order.contact_table",
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


def is_for_users(module: ModuleType, value: object) -> bool:
    """Say whether a primitive's module has it for others: it takes arrays."""
    if getattr(value, "__module__", None) != module.__name__:
        return False
    return isinstance(value, type) or ArrayLike in value.__annotations__.values()


def page(module: ModuleType, names: list[str], inner: list[str]) -> str:
    """Write a page of the reference: what the module says, and its names in full."""
    lines = [FEW_HITS, f"# `{module.__name__}`", module.__doc__ or ""]
    lines += [f"- [`{name}`]({name}.md)" for name in inner]
    for name in names:
        lines.append(f"\n::: {name}")
        value = pkgutil.resolve_name(name)
        if isinstance(value, ModuleType):
            shown = [n for n, x in vars(value).items() if is_for_users(value, x)]
            lines.append(f"    options: {{members: [{', '.join(shown)}]}}")
    return "\n".join(lines) + "\n"


def command_line() -> str:
    """Write the page of the command line, as its parser knows it."""
    from viewer.cli import make_app

    told = make_app().generate_docs(output_format="markdown")
    contents = r"## Table of Contents.*?(?=\*\*Commands)"  # the site's own is beside it
    told = re.sub(contents, "", told, flags=re.S)
    told = re.sub(r'"([^"\n]*\*[^"\n]*)"', r"`\1`", told)  # stars that are no emphasis
    return told.replace("# wingedge", "# The command line", 1)


def key_table() -> str:
    """Write the keys of the window as a table, from the one that binds them."""
    from viewer.window.keys import help_lines

    rows = [f"| {shown} | {does} |" for shown, does in help_lines()]
    return "\n".join(["| key | what it does |", "|---|---|", *rows])


def index(pages: list[str]) -> str:
    """Write the first page of the reference: its pages, a line each."""
    lines = ["# Reference\n", "Every public name, with shapes, units and errors.\n"]
    for name in pages:
        says = (importlib.import_module(name).__doc__ or "").partition("\n\n")[0]
        lines.append(f"- [`{name}`]({name}.md): {' '.join(says.split())}")
    return "\n".join(lines) + "\n"


def on_files(files: Any, config: Any) -> Any:
    """Add what stands beside docs, and what is made, to the pages that mkdocs found."""
    from mkdocs.structure.files import File

    sys.path.insert(0, str(ROOT / "docs"))
    import draw_gallery
    import list_tolerances

    pages = dict(sorted(reference()))
    order = [name for top in PACKAGES for name in pages if name.split(".")[0] == top]
    made = {"reference/index.md": index(order)}
    made |= {f"reference/{name}.md": pages[name] for name in order}
    made["reference/command_line.md"] = command_line()
    made["gallery/README.md"] = draw_gallery.index()
    made["tolerances.md"] = list_tolerances.page()
    made |= {place: (ROOT / name).read_text("utf-8") for name, place in BESIDE.items()}
    for place, text in made.items():
        files.append(File.generated(config, place, content=text))
    for entry in config.nav:
        for title, place in entry.items():
            if str(place).endswith("/"):  # a folder stands for its pages
                inside = (file.src_uri for file in files.documentation_pages())
                entry[title] = [name for name in inside if name.startswith(place)]
    return files


def on_page_markdown(text: str, page: Any, config: Any, files: Any) -> str:
    """Lead links out of docs to the source, and links to README to the first page."""
    here = page.file.src_uri
    written = {place: name for name, place in BESIDE.items()}
    home = dirname(written.get(here, join("docs", here)))

    def led(link: re.Match[str]) -> str:
        target = normpath(join(home, link[1]))
        place = BESIDE.get(target, target.removeprefix("docs/"))
        for name in (place, join(place, "README.md")):
            if files.get_file_from_path(name) is not None:
                return relpath(name, dirname(here) or ".")
        return SOURCE + target if (ROOT / target).exists() else link[1]

    if here == "viewer.md":
        text = text.replace("<!-- keys -->", key_table())
    if here == "deformation.md":
        from pictures import deformations

        text = text.replace("<!-- deformers -->", deformations.table())
    return LINK.sub(led, text)
