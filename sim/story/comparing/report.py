"""How a comparison is written: plain text, Markdown, JUnit XML."""

from sim.story.comparing.difference import FIRST, Comparison, Difference

HEAD = ("frame", "pair", "kind", "what")
RUN = "bodies, frames and time"  # the case of what is about no pair


def rows(comparison: Comparison, first: int) -> list[tuple[str, str, str, str]]:
    """Return the first differences as rows of a table."""
    return [
        (str(found.frame), found.pair, found.kind, found.words)
        for found in comparison.differences[:first]
    ]


def left_out(comparison: Comparison, first: int) -> str:
    """Say how many differences a table does not show; empty if it shows all."""
    more = len(comparison.differences) - first
    return f"... and {more} more" if more > 0 else ""


def table(comparison: Comparison, first: int = FIRST) -> str:
    """Write the first differences in columns, and the summary."""
    if comparison.same:
        return comparison.summary
    lines = [HEAD, *rows(comparison, first)]
    widths = [max(len(line[k]) for line in lines) for k in range(3)]
    text = []
    for frame, pair, kind, words in lines:
        columns = frame.rjust(widths[0]), pair.ljust(widths[1]), kind.ljust(widths[2])
        text.append("  ".join((*columns, words)).rstrip())
    more = left_out(comparison, first)
    return "\n".join([*text, *([more] if more else []), comparison.summary])


def markdown(comparison: Comparison, first: int) -> str:
    """Write the summary and a table of the first differences."""
    lines = [f"**{_cell(comparison.summary)}**"]
    if not comparison.same:
        lines += ["", "| frame | pair | kind | what |", "|---:|---|---|---|"]
        for row in rows(comparison, first):
            lines.append(f"| {' | '.join(map(_cell, row))} |")
    more = left_out(comparison, first)
    if more:
        lines += ["", more]
    if comparison.excused:
        lines += ["", "Let pass:", ""]
        lines += [f"- {_cell(str(found))}" for found in comparison.excused[:first]]
    return "\n".join(lines) + "\n"


def junit(comparison: Comparison, name: str) -> str:
    """Write a suite with one case per pair, as CI systems read it.

    The elements are those of Jenkins' schema (junit-10.xsd of its xUnit plugin):
    testsuites, testsuite, testcase, failure, system-out.
    """
    from xml.etree import ElementTree

    cases: dict[str, list[Difference]] = {RUN: []}
    cases |= {pair: [] for pair in comparison.pairs}
    for found in comparison.differences:
        for who in found.pairs or (RUN,):
            cases.setdefault(who, []).append(found)
    failures = sum(1 for found in cases.values() if found)
    counts = {
        "name": name,
        "tests": str(len(cases)),
        "failures": str(failures),
        "errors": "0",
    }
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", counts | {"skipped": "0"})
    for who, differences in cases.items():
        case = ElementTree.SubElement(
            suite, "testcase", {"classname": name, "name": who, "time": "0"}
        )
        if differences:
            message = str(differences[0])
            if len(differences) > 1:
                message += f" (and {len(differences) - 1} more)"
            failure = ElementTree.SubElement(
                case, "failure", {"message": message, "type": differences[0].kind}
            )
            failure.text = "\n".join(map(str, differences))
    said = ElementTree.SubElement(suite, "system-out")
    said.text = "\n".join([comparison.summary, *map(str, comparison.excused)])
    ElementTree.indent(suites)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return head + ElementTree.tostring(suites, encoding="unicode") + "\n"


def _cell(text: str) -> str:
    """Write text so that Markdown takes it for nothing else."""
    for character in "\\|*_`<":
        text = text.replace(character, "\\" + character)
    return text
