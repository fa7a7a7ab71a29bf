"""Write the table of keys of docs/viewer.md from the one that binds them.

    python docs/write_viewer.py

A test keeps page and table equal.
"""

from pathlib import Path

from viewer.window.keys import help_lines

PAGE = Path(__file__).with_name("viewer.md")
BEGIN, END = "<!-- keys -->", "<!-- end of keys -->"


def key_table() -> str:
    """Write keys and mouse as a table in Markdown."""
    rows = [f"| {shown} | {does} |" for shown, does in help_lines()]
    return "\n".join(["| key | what it does |", "|---|---|", *rows])


def written(page: str) -> str:
    """Return a page with the table between its two marks written anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{key_table()}\n{END}{after}"


def main() -> None:
    """Write the table of the page anew."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(written(page), encoding="utf-8")


if __name__ == "__main__":
    main()
