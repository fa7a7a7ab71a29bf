"""Draw an export with VTK alone, of any version from 9.3, as its default view shows it.

    python docs/open_export.py FILE.vtm PICTURE.png

FILE is one of those that ``wingedge export RECORDING --vtm`` writes. Bodies are
transparent here; nothing else is set up: markers bring their colours.
"""

import sys
from pathlib import Path

import vtk

SIZE = 960, 640


def draw(source: Path, picture: Path) -> None:
    """Draw every block of a multiblock file, seen along -z."""
    reader = vtk.vtkXMLMultiBlockDataReader()
    reader.SetFileName(str(source))
    reader.Update()
    blocks = reader.GetOutput()
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1.0, 1.0, 1.0)
    for k in range(blocks.GetNumberOfBlocks()):
        block = blocks.GetBlock(k)
        if block is None or not block.GetNumberOfPoints():
            continue
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputData(block)
        actor = vtk.vtkActor()
        actor.SetMapper(mapper)
        if not block.GetPointData().HasArray("colour"):
            mapper.ScalarVisibilityOff()
            actor.GetProperty().SetOpacity(0.4)
            actor.GetProperty().SetPointSize(6.0)
        renderer.AddActor(actor)
    version = vtk.vtkVersion.GetVTKVersion()
    words = vtk.vtkTextActor()
    words.SetInput(f"VTK {version}: {source.name}")
    words.SetPosition(12.0, 10.0)
    words.GetTextProperty().SetColor(0.1, 0.1, 0.1)
    words.GetTextProperty().SetFontSize(16)
    renderer.AddViewProp(words)
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetSize(*SIZE)
    window.SetMultiSamples(0)
    window.AddRenderer(renderer)
    renderer.ResetCamera()
    window.Render()
    image = vtk.vtkWindowToImageFilter()
    image.SetInput(window)
    image.ReadFrontBufferOff()
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(str(picture))
    writer.SetInputConnection(image.GetOutputPort())
    writer.Write()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    draw(Path(sys.argv[1]), Path(sys.argv[2]))
