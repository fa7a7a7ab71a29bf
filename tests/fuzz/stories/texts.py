"""Written stories that are drawn, damaged, and judged by a grammar of their own."""

import random
import re
from hashlib import blake2b
from pathlib import Path

from sim import Event, Story

NUMBER = r"(?:0|[1-9][0-9]{0,17})"
LID = rf"l\({NUMBER}(?:-{NUMBER})+\)"
FEATURE = rf"(?:[vf]{NUMBER}|e{NUMBER}\({NUMBER}-{NUMBER}\)|{LID})"
TOUCH = rf"[VEF]{{2}} {FEATURE} {FEATURE}"
IDS = rf"#{NUMBER}(?:\+#{NUMBER})*"
PAIR = "[^/]+/[^/]+"
GRAMMAR = [
    re.compile(pattern)
    for pattern in (
        rf"({NUMBER}) (?:begin|penetrate|separate|end|brush) ({PAIR}) ({TOUCH})",
        rf"({NUMBER}) change ({PAIR}) ({TOUCH}) -> ({TOUCH})",
        rf"({NUMBER}) (?:birth|death) ({PAIR}) #{NUMBER} ({TOUCH})",
        rf"({NUMBER}) split ({PAIR}) #{NUMBER} -> ({IDS})",
        rf"({NUMBER}) merge ({PAIR}) ({IDS}) -> #{NUMBER}",
        rf"({NUMBER}) convexity_lost ([^/]+) (?:{FEATURE}|winding) ([0-9].*)",
        rf"({NUMBER}) (?:convexity_restored|inverted|upright|collapsed|expanded) "
        "([^/]+)",
    )
]
ODD = "0123456789 #+-/>()vefVEFl\n\t\r\0\x0b\x85\u2028\uff11\ufeff\u00e9\ud800"
WORDS = [
    "->",
    "#1",
    "v0",
    "e1(2-3)",
    "l(1-2-3)",
    "begin",
    "inverted",
    "9" * 25,
    "1e999",
]
NAMES = ["jelly", "left finger", "soap #2", "#1", "v0", "\u0436", "VF v0 f0", "e1(2-3)"]
OF_A_CONTACT = ("begin", "change", "penetrate", "separate", "end")
KINDS = (*OF_A_CONTACT, "split", "merge", "birth", "brush")
PAIR_EVENT = re.compile(
    rf"({NUMBER}) (?:{'|'.join(OF_A_CONTACT)}) ({PAIR}?) "
    rf"{TOUCH}(?: -> {TOUCH})?"
)
VALUES = [
    "0",
    "-1",
    "0.0005",
    "2.43",
    "-6.79012345679e-05",
    "1e+20",
    "3999999.9995000004",
]
LONG = 20_000  # times that a word is said again


def is_event(line: str) -> bool:
    """Judge by the grammar whether a line is an event."""
    for rule, pattern in enumerate(GRAMMAR):
        found = pattern.fullmatch(line)
        if found is None:
            continue
        _, names, *rest = found.groups()
        if not all(n.isprintable() and "->" not in n for n in names.split("/")):
            return False
        if rule == 5:
            return _is_depth(rest[0])
        return (
            all(map(_is_ids if rest[0][0] == "#" else _is_touch, rest))
            if rest
            else True
        )
    return False


def _is_touch(text: str) -> bool:
    kind, *features = text.split(" ")
    return kind == "".join(
        ("E" if f.count("-") == 1 else "F") if f[0] == "l" else f[0].upper()
        for f in features
    )


def _is_ids(text: str) -> bool:
    ids = [int(mark[1:]) for mark in text.split("+")]
    return len(ids) > 1 and ids == sorted(set(ids))


def _is_depth(text: str) -> bool:
    try:
        return f"{float(text):.6g}" == text != "inf"
    except ValueError:
        return False


def drawn(rng: random.Random) -> str:
    """Draw a story and write it, by other means than the package does."""
    bodies = rng.sample(NAMES, rng.randint(1, 4))
    first, lines, lasting = rng.choice([0, 7, 10**9]), [], set()
    frame = first
    for _ in range(rng.randint(0, 12)):
        frame += rng.randint(1, 3)
        if len(bodies) < 2 or rng.random() < 0.2:
            kind = rng.choice(["inverted", "convexity_lost", "convexity_restored"])
            dent = " " + _feature(rng) + " 0.0123" if kind == "convexity_lost" else ""
            lines.append(f"{frame} {kind} {rng.choice(bodies)}{dent}")
            continue
        pair = "/".join(bodies[k] for k in sorted(rng.sample(range(len(bodies)), 2)))
        kind = rng.choice(KINDS)
        if kind in OF_A_CONTACT:
            kind = kind if pair in lasting else "begin"
            if pair in lasting and kind == "begin":
                kind = "change"
            (lasting.discard if kind == "end" else lasting.add)(pair)
        said = {
            "change": f"{_touch(rng)} -> {_touch(rng)}",
            "split": "#1 -> #1+#4",
            "merge": "#0+#2+#3 -> #0",
            "birth": f"#5 {_touch(rng)}",
        }.get(kind) or _touch(rng)
        lines.append(f"{frame} {kind} {pair} {said}")
    dt = rng.choice([0.0, 1 / 60, 0.01])
    head = f"bodies {'/'.join(bodies)}\nframes {frame - first + 1}\nfirst {first}\n"
    body = "".join(f"{line}\n" for line in ["", *lines] if lines)
    rows = _rows(lines, rng)
    body += "".join(f"{row}\n" for row in ["", "numbers 0", *rows] if rows)
    return sealed(f"wingedge story 1\ndigest 0\n{head}dt {dt!r}\n{body}")


def _rows(lines: list[str], rng: random.Random) -> list[str]:
    """Draw numbers of some events of pairs."""
    found: dict[str, str] = {}
    for line in lines:
        told = PAIR_EVENT.fullmatch(line)
        if told and rng.random() < 0.5:
            count = rng.choice([2, 5, 8])
            found[f"{told[1]} {told[2]}"] = " ".join(rng.choices(VALUES, k=count))
    return [f"{key} {values}" for key, values in found.items()]


def _touch(rng: random.Random) -> str:
    features = [_feature(rng), _feature(rng)]
    letters = [{"(2-": "E", "(1-": "F"}.get(f[1:4]) or f[0].upper() for f in features]
    return " ".join(["".join(letters), *features])


def _feature(rng: random.Random) -> str:
    return rng.choice(["v0", "v12", "f3", "e7(3-9)", "e0(1-0)", "l(2-4)", "l(1-2-3)"])


def sealed(text: str) -> str:
    head, gap, rest = text.partition("\n\n")
    lines, gap2, rows = rest.partition("\n\n")
    if rows:
        title, _, values = rows.partition("\n")
        if re.fullmatch("numbers( .*)?", title):
            title = f"numbers {_digest(values)}"
        rows = f"{title}\n{values}"
    digest = _digest(f"{lines}\n" if gap2 else lines)
    head = re.sub(r"\ndigest .*", f"\ndigest {digest}", head, count=1)
    return f"{head}{gap}{lines}{gap2}{rows}"


def _digest(lines: str) -> str:
    return blake2b(lines.encode(errors="replace"), digest_size=8).hexdigest()


def damaged(text: str, rng: random.Random) -> tuple[str, str]:
    how = rng.choice(sorted(DAMAGE))
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        text = DAMAGE[how](text, rng)
    seal = rng.random()
    if seal < 0.3:
        return f"{how}, sealed", sealed(text)
    if seal < 0.6:
        text = re.sub(r"\n\nnumbers .*", "\n\nnumbers", text, count=1)
        return f"{how}, no digest", re.sub(r"\ndigest .*", "", text, count=1)
    return how, text


def _letter(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return (
        text[:at] + rng.choice(["", rng.choice(ODD)]) + text[at + rng.randint(0, 1) :]
    )


def _line(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    what = rng.randrange(4)
    if what == 0:
        del lines[i]
    elif what == 1:
        lines.insert(i, lines[j])
    elif what == 2:
        lines[i], lines[j] = lines[j], lines[i]
    else:
        lines[i] += lines[j]
    return "\n".join(lines)


def _word(text: str, rng: random.Random) -> str:
    words = re.split(r"([ \n])", text)
    i, j = rng.randrange(len(words)), rng.randrange(len(words))
    words[i] = rng.choice([words[j], "", rng.choice(WORDS), words[i] + words[j]])
    return "".join(words)


def _number(text: str, rng: random.Random) -> str:
    found = list(re.finditer("[0-9]+", text))
    if not found:
        return text
    one = rng.choice(found)
    value = rng.choice(["0", "00", "01", "-1", "1.0", "1e3", "9" * 18, "9" * 30, "7"])
    return text[: one.start()] + value + text[one.end() :]


def _cut(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _ends(text: str, rng: random.Random) -> str:
    end = rng.choice(["\r\n", "\r", "\n\n", "\n ", " \n", "\x0b"])
    return text.replace("\n", end, rng.choice([-1, 1, 3]))


def _long(text: str, rng: random.Random) -> str:
    if len(text) > LONG:
        return text
    words = re.split("([ \n])", text)
    i = rng.randrange(len(words))
    words[i] = rng.choice(["", " ", "+", "-", "/"]).join([words[i] or "#1"] * LONG)
    return "".join(words)


DAMAGE = {
    "letter": _letter,
    "line": _line,
    "word": _word,
    "number": _number,
    "cut": _cut,
    "line ends": _ends,
    "long": _long,
}


def fault_of_line(line: str) -> str:
    """Say what is wrong with how a line is read; empty if nothing is.

    It is read if and only if the grammar has it, and prints back the same.
    """
    expected = is_event(line.removesuffix("\n").removesuffix("\r"))
    try:
        event = Event.parse(line)
    except ValueError as error:
        if expected:
            return f"refused: {error}"
        return "" if 20 < len(str(error)) < 600 else f"no sentence: {str(error)[:99]}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if not expected:
        return "read, and no event"
    return "" if f"{event}" in (line, line[:-1], line[:-2]) else f"read as {event}"


def fault_of_text(text: str) -> str:
    try:
        story = Story.parse(text)
    except ValueError as error:
        return _fault_of_message(str(error), text)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return fault_of_story(story, text)


def fault_of_file(path: Path) -> str:
    data = path.read_bytes()
    try:
        story = Story.read(path)
    except ValueError as error:
        said = str(error).removeprefix(f"{path}, ")
        if said == str(error):
            return f"names no file: {said[:99]}"
        return _fault_of_message(said, data.decode("latin-1"))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return fault_of_story(story, data.decode())


def _fault_of_message(said: str, text: str) -> str:
    found = re.match(r"line (\d+): .{10}", said, re.S)
    if not found or len(said) > 900:
        return f"no sentence: {said[:99]}"
    return "" if int(found[1]) <= text.count("\n") + 1 else f"no such line: {said[:99]}"


def fault_of_story(story: Story, text: str) -> str:
    plain = text.replace("\r\n", "\n")
    if "\ndigest " not in plain:
        plain = plain.replace("\n", "\ndigest ?\n", 1)
    plain = plain if plain.endswith("\n") else f"{plain}\n"
    if str(story) != sealed(plain):
        return "read as another story"
    if not all(map(is_event, story.lines)):
        return "read, and has a line that is no event"
    if [e.frame for e in story.events] != sorted(e.frame for e in story.events):
        return "read, and frames are out of order"
    names = {n for e in story.events for n in (e.a, e.b) if n}
    if not names <= set(story.bodies):
        return "read, and tells of others"
    again = Story.from_table(
        story.table(),
        bodies=story.bodies,
        frames=story.frames,
        first=story.first,
        dt=story.dt,
        numbers=story.numbers,
    )
    return "" if again == story else "its table is another story"
