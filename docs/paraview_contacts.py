"""Show in ParaView what a recording holds: bodies by name, contacts as arrows.

    pvpython docs/paraview_contacts.py FILE [PICTURE.png]

FILE is a recording (.vtkhdf), which ParaView 6 reads. Without a picture to write a
window is opened.
"""

import sys
from math import dist

from paraview import simple

# Bodies, whatever they are called, are the blocks before the last one called contacts.
CONTACTS = "/Root/contacts[last()]"
BODIES = "/Root/contacts[last()]/preceding-sibling::*"
REGIMES = ("separated", "contact", "penetrating")
SIGNALS = ((0.6, 0.6, 0.6), (0.85, 0.1, 0.1), (0.6, 0.0, 0.6))
COLOURS = ((0.36, 0.6, 0.86), (0.95, 0.68, 0.3), (0.48, 0.75, 0.45), (0.72, 0.56, 0.8))


def show(path):
    """Show a file at the time when bodies first meet."""
    source = simple.OpenDataFile(path)
    source.UpdatePipeline()
    if not source.GetDataInformation().GetHierarchy():
        sys.exit(f"{path}: has no blocks; a recording has, in ParaView 6")
    bodies = simple.ExtractBlock(Input=source, Selectors=[BODIES])
    contacts = simple.ExtractBlock(Input=source, Selectors=[CONTACTS])
    contacts.UpdatePipeline()
    contacts = simple.CellCenters(Input=contacts, VertexCells=1)
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    for time in scene.TimeKeeper.TimestepValues:
        contacts.UpdatePipeline(time)
        regime = contacts.PointData.GetArray("regime")
        if regime and regime.GetRange()[1] > 0:
            scene.AnimationTime = time
            break
    bounds = source.GetDataInformation().GetBounds()
    arrows = simple.Glyph(Input=contacts, GlyphType="Arrow", GlyphMode="All Points")
    arrows.OrientationArray = ["POINTS", "normal"]
    arrows.ScaleArray = ["POINTS", "No scale array"]
    arrows.ScaleFactor = 0.15 * dist(bounds[::2], bounds[1::2])
    view = simple.GetActiveViewOrCreate("RenderView")
    view.ViewSize = [1200, 900]
    skin = simple.Show(bodies, view, Representation="Surface With Edges", Opacity=0.5)
    colour(skin, view, ["CELLS", "body"], names(source, path), COLOURS)
    colour(simple.Show(arrows, view), view, ["POINTS", "regime"], REGIMES, SIGNALS)
    view.CameraPosition, view.CameraViewUp = [0.7, -1.4, 0.5], [0.0, 0.0, 1.0]
    simple.ResetCamera(view)


def names(source, path):
    """Return the names of the bodies; a recording has them where ParaView looks not."""
    try:
        import h5py

        return list(h5py.File(path)["wingedge"]["bodies"].asstr()[:])
    except (ImportError, OSError):  # numbers, then
        return [str(k) for k in range(int(source.CellData["body"].GetRange()[1]) + 1)]


def colour(display, view, array, words, colours):
    """Colour by an array of integers, and show what they mean."""
    simple.ColorBy(display, array)
    table = simple.GetColorTransferFunction(array[1])
    table.InterpretValuesAsCategories = 1
    table.Annotations = [t for k, word in enumerate(words) for t in (str(k), word)]
    table.IndexedColors = sum(colours * len(words), ())[: 3 * len(words)]
    display.SetScalarBarVisibility(view, True)


if __name__ == "__main__":
    show(sys.argv[1])
    if len(sys.argv) > 2:
        simple.SaveScreenshot(sys.argv[2])
    else:
        simple.Interact()
