"""The events of a story for other programs: JSON Lines, and CSV."""

import csv
import io
import json
from collections.abc import Iterable

from sim.story.events import Event, Touch
from sim.story.spelling import Ends, print_feature
from wingedge import Feature

# Features as in the lines, "e7(3-9)"; identities of regions joined by "+".
CSV = (
    *("frame", "kind", "a", "b", "contact", "before", "before_a", "before_b"),
    *("after", "after_a", "after_b", "dent", "depth", "parents", "children"),
)


def json_of(event: Event) -> str:
    """Write an event as one JSON object; what it does not say is left out."""
    said: dict[str, object] = {"frame": event.frame, "kind": event.kind, "a": event.a}
    if event.b:
        said |= {"b": event.b, "contact": event.contact}
    for name, touch in (("before", event.before), ("after", event.after)):
        if touch is not None:
            a = _json_feature(touch.feature_a, touch.ends_a)
            b = _json_feature(touch.feature_b, touch.ends_b)
            said[name] = {"kind": touch.kind, "a": a, "b": b}
    if event.parents:
        said["parents"] = event.parents
    if event.children:
        said["children"] = event.children
    if event.dent is not None:
        place = event.dent.place
        if place is not None:
            said["dent"] = _json_feature(place, event.dent.ends)
        said["depth"] = event.dent.depth
    said["line"] = str(event)
    return json.dumps(said, ensure_ascii=False)


def csv_of(events: Iterable[Event]) -> str:
    """Write events as CSV (RFC 4180): the columns of ``CSV``, then one row each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV)
    for event in events:
        dent = event.dent
        place = print_feature(dent.place, dent.ends) if dent and dent.place else ""
        writer.writerow(
            [
                *(event.frame, event.kind, event.a, event.b),
                event.contact if event.b else "",
                *_cells(event.before),
                *_cells(event.after),
                *(place, dent.depth if dent else ""),
                *("+".join(map(str, ids)) for ids in (event.parents, event.children)),
            ]
        )
    return text.getvalue()


def _cells(touch: Touch | None) -> tuple[str, str, str]:
    if touch is None:
        return "", "", ""
    a = print_feature(touch.feature_a, touch.ends_a)
    return touch.kind, a, print_feature(touch.feature_b, touch.ends_b)


def _json_feature(feature: Feature, ends: Ends | None) -> dict[str, object]:
    """Say a feature by its name, and by the vertices that name it."""
    said: dict[str, object] = {"feature": str(feature)}
    vertices = ends or (feature.vertices if feature.kind == "lid" else ())
    return said | ({"vertices": vertices} if vertices else {})
