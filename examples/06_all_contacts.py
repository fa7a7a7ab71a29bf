"""A body touches another in several places at once, and every contact has a name.

An arch is pressed onto a table (the case that the paper leaves open, Fig. 8): one foot
touches, while it is held there the other one does, then what is between; pressed
further they are one contact, and apart again when it is lifted.  You will see one line
per event; ``all_contacts.png`` shows the three contacts, if GL is there.
"""

from sim import scenes


def main(view: bool = True) -> None:
    world = scenes.load("arch")  # World(..., regions=True)
    kinds, most = [], None
    for frame in world.run(scenes.length("arch")):
        for event in frame.events:
            print(event)
            kinds.append(event.kind)
        state = frame.pair("arch", "table")
        if len(state.regions) == 3 and most is None:
            most = frame
            for region in state.regions:
                print(f"    {region}")
    if view:
        import viewer

        try:
            viewer.picture(most, "all_contacts.png")
            print("now look at all_contacts.png")
        except (ImportError, viewer.NoPicture) as error:
            print(error)
    story = [kind for kind in kinds if kind not in ("begin", "change", "end")]
    assert story == ["birth"] * 3 + ["merge", "split"] + ["death"] * 3


if __name__ == "__main__":
    main()
