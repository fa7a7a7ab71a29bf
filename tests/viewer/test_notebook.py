import base64
import io

import pytest


@pytest.fixture
def executed(tmp_path):
    """Execute cells in a kernel of its own; return the outputs of each."""
    why = "it is in the extra 'screens'"
    nbclient, nbformat, _ = (
        pytest.importorskip(name, reason=f"no {name}: {why}")
        for name in ("nbclient", "nbformat", "ipykernel")
    )

    def execute(*cells):
        book = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(c) for c in cells]
        )
        client = nbclient.NotebookClient(book, timeout=300, kernel_name="python3")
        client.execute(cwd=str(tmp_path))
        return [cell.outputs for cell in book.cells]

    return execute


def pictures(outputs):
    from PIL import Image

    found = [output.get("data", {}).get("image/png") for output in outputs]
    return [Image.open(io.BytesIO(base64.b64decode(png))) for png in found if png]


@pytest.mark.gui
@pytest.mark.notebook
def test_values_are_seen_where_the_viewer_was_imported_and_told_elsewhere(executed):
    made = (
        "from sim import Recording, scenes; from wingedge import shapes",
        "world = scenes.load('demo')\n"
        "with world.record('run.vtkhdf'): frame = list(world.run(9))[-1]\n"
        "recording, box = Recording.open('run.vtkhdf'), shapes.box()",
    )
    values = "box", "world.bodies[0]", "frame", "recording"
    lost = "recording.close(); recording._repr_png_()"
    drawn = "viewer.picture(box, size=(160, 96))"
    cells = executed(*made, *values, "import viewer", *values, drawn, lost)
    (image,) = pictures(cells[11])
    assert image.size == (160, 96)
    told, seen = cells[2:6], cells[7:11]
    for (before,), (after,) in zip(told, seen, strict=True):
        assert "image/png" not in before.data
        (picture,) = pictures([after])
        assert picture.size == (560, 360)
        assert len(picture.convert("RGB").getcolors(100_000)) > 50
        table = before.data["text/html"]
        png = after.data["image/png"].replace("\n", "")
        assert after.data["text/html"].startswith(f"{table}<img ")
        assert png[:100] in after.data["text/html"]
    assert cells[-1] == []  # None, and no error
