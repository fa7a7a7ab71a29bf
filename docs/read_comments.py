"""Read the comment beside a field, or above it, as what it says of the field.

`.mkdocs.yml` gives this to griffe, which reads the source for the reference: named
tuples tell shapes and units of their fields by comments.
"""

import re
from itertools import takewhile
from typing import Any

from griffe import Attribute, Class, Docstring, Extension

IN_A_SENTENCE = re.compile(r"^Parameters: (``.*?)(?:\n\n|\Z)", re.M | re.S)
MADE = re.compile(r"(?:attribute|\w+_at|column)\(.*?, (['\"])(.*)\1(?:, 3)?\)")
NAMES = r"``\*{0,2}\w+``(?:, ``\w+``)*"
PARAMETER = re.compile(rf"(?:^|(?<=; ))({NAMES})([^:]*): (.*?)(?=; {NAMES}[^:;]*: |$)")


class ReadComments(Extension):
    """List the fields of named tuples and data classes by their comments."""

    def on_class_members(self, *, cls: Class, **_: Any) -> None:
        """Add a section Attributes where a class of fields has none."""
        kinds = [*map(str, cls.bases), *(str(d.value) for d in cls.decorators)]
        if cls.docstring is None or "Attributes\n---" in cls.docstring.value:
            return
        if any(kind.startswith(("NamedTuple", "dataclass")) for kind in kinds):
            fields = [
                f"{f.name} : {f.annotation}\n    {_said(f)}"
                for f in cls.attributes.values()
                if f.annotation and f.name[0] != "_" and "property" not in f.labels
            ]
            if fields:
                section = ["\n\nAttributes\n----------", *fields]
                cls.docstring.value += "\n".join(section)

    def on_attribute_instance(self, *, attr: Attribute, **_: Any) -> None:
        """Let a property that a call makes say what the call says of it."""
        if made := MADE.fullmatch(str(attr.value)):
            attr.docstring, attr.value = Docstring(made[2], parent=attr), None
            attr.labels = {"property"}

    def on_instance(self, *, obj: Any, **_: Any) -> None:
        """Make a section of what lists parameters in a sentence; ``::`` is a colon."""
        if obj.docstring is not None:
            text = re.sub(r"::$", ":", obj.docstring.value, flags=re.M)
            obj.docstring.value = IN_A_SENTENCE.sub("", text)
            for paragraph in IN_A_SENTENCE.findall(text):
                obj.docstring.value += f"\n\n{_section(paragraph)}"


def _section(paragraph: str) -> str:
    """Lay out "Parameters: ``a``, ``b`` (3,): text; ``c``: text." as numpydoc does."""
    told = " ".join(paragraph.split())
    lines = ["Parameters", "----------"]
    for names, kind, text in PARAMETER.findall(told):
        given = f" : {kind.strip()}" if kind.strip() else ""
        said = text.strip().rstrip(".") + "."
        lines += [names.replace("`", "") + given, f"    {said[0].upper()}{said[1:]}"]
    return "\n".join(lines)


def _said(attr: Attribute) -> str:
    lines = attr.lines_collection[attr.filepath]
    first, last = (attr.lineno or 1) - 1, (attr.endlineno or 1) - 1
    if beside := re.search(r"  # (.*)", lines[last]):
        return beside[1]
    above = takewhile(lambda line: line.strip()[:2] == "# ", lines[first - 1 :: -1])
    return " ".join(line.strip()[2:] for line in [*above][::-1])
