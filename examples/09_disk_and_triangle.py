"""A disk and a triangle, moved by keys: the tracker of the plane tells their contact.

H J K L move the disk, R turns the triangle, S and T stretch it, Shift turns these
round. You will see one line per event, in the form that bodies in space have; the text
of the keys is the test. In a window if there is a screen, else ``disk_triangle.png``
shows the last frame.
"""

from sim.planar.disk import DiskDemo, story

KEYS = "L*30 K*12 L*10 K*30 L*30 J*12"


def main(view: bool = True) -> None:
    told = story(KEYS)
    print(*told.lines, sep="\n")
    print(f"{told.frames} frames, digest {told.digest}")

    frame = list(DiskDemo().play(KEYS))[-1]
    state = frame.state
    print(f"in region {state.region}: {state.touch}, distance {state.distance:.4f}")
    assert (state.region, str(state.feature_b)) == (5, "e1")
    assert [event.kind for event in told.events[:2]] == ["begin", "end"]

    # scaled down to nothing, and beyond: a segment, then a mirrored triangle
    demo = DiskDemo()
    flat = list(demo.play("Shift+S*100"))[-1].state
    assert (flat.region, flat.hit) == (0, False)
    mirrored = list(demo.play("Shift+S*50"))[-1].state
    assert (mirrored.region, mirrored.hit) == (5, False)
    print(f"mirrored, the centre is in region {mirrored.region}")

    if view:
        import viewer
        from viewer.demos.play import picture, play

        try:
            log = play("disk")
            print(f"your keys: {log}" if log else "now look at disk_triangle.png")
            picture("disk", log or KEYS, "disk_triangle.png")
        except (ImportError, viewer.NoPicture) as error:
            print(error)


if __name__ == "__main__":
    main()
