import pytest  # of viewer.cli.options

from viewer.cli.options import PLAIN, Watching, read_layers
from viewer.theme import EXTRA


def test_layers_and_speeds_are_read_and_without_a_page_it_is_a_window():
    assert read_layers("") == ()
    assert read_layers(" distance, path,") == ("distance", "path")
    assert read_layers(",".join(EXTRA)) == EXTRA
    with pytest.raises(ValueError, match="there is no layer 'pink'; there are dist"):
        read_layers("path,pink")
    assert PLAIN.screen() == "window"
    with pytest.raises(ValueError, match="--port 8080: it goes with --web"):
        Watching(theme="dark", port=8080)
    for speed in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="give a number above 0; 1 is real time"):
            Watching(speed=speed)


@pytest.mark.web
def test_a_page_is_where_it_was_asked_for():
    pytest.importorskip("viser", reason="viser is in the extra 'web'")
    page = Watching(True, theme="dark", show="path", host="localhost", port=0).screen()
    try:
        assert page.url.startswith("http://localhost:")
        page.show(_frame())
        assert page._panel.controls.layers.path
    finally:
        page.close()


def _frame():
    from sim import scenes

    return scenes.load("demo").step()
