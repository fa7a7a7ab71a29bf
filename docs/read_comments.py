"""Read the comment beside a field, or above it, as what it says of the field.

`.mkdocs.yml` gives this to griffe, which reads the source for the reference: named
tuples tell shapes and units of their fields by comments.
"""

import re
from typing import Any

from griffe import Attribute, Class, Extension


class ReadComments(Extension):
    """List the fields of named tuples and data classes by their comments."""

    def on_class_members(self, *, cls: Class, **_: Any) -> None:
        """Add a section Attributes where a class of fields has none."""
        kinds = [*map(str, cls.bases), *(str(d.value) for d in cls.decorators)]
        if cls.docstring is None or "Attributes\n---" in cls.docstring.value:
            return
        if any(kind.startswith(("NamedTuple", "dataclass")) for kind in kinds):
            fields = [f for f in cls.attributes.values() if _is_field(f)]
            section = "\n".join(
                f"{f.name} : {f.annotation}\n    {_said(f)}" for f in fields
            )
            if fields:
                cls.docstring.value += f"\n\nAttributes\n----------\n{section}"

    def on_instance(self, *, obj: Any, **_: Any) -> None:
        """Write the mark of a block that follows as Markdown has it."""
        if obj.docstring is not None:
            obj.docstring.value = re.sub(r"::$", ":", obj.docstring.value, flags=re.M)


def _is_field(attr: Attribute) -> bool:
    private = attr.name.startswith("_")
    return not private and attr.annotation is not None and "property" not in attr.labels


def _said(attr: Attribute) -> str:
    lines = attr.lines_collection[attr.filepath]
    first, last = (attr.lineno or 1) - 1, (attr.endlineno or 1) - 1
    if beside := re.search(r"  # (.*)", lines[last]):
        return beside[1]
    above = first
    while lines[above - 1].strip().startswith("# "):
        above -= 1
    return " ".join(line.strip()[2:] for line in lines[above:first])
