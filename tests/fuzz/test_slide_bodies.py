"""A body slides over every shape of the zoo, and every frame is good."""

import pytest
import slide_bodies as slides

from wingedge import Feature, shapes


@pytest.mark.parametrize("body", slides.BODIES)
@pytest.mark.parametrize("shape", slides.ZOO)
def test_a_body_slides_over_a_shape_and_every_frame_is_good(shape, body):
    report = slides.slide(shape, body, 120)
    assert report.least >= 0.0, "inside"
    assert report.most <= 1.0, "off the surface"
    assert report.drift < 1.0
    assert report.chatter == []
    assert report.jumps == []
    assert report.wrong == []
    assert report.far > 200.0, "it did not get anywhere"
    assert report.words["slide"] > 60
    assert report.good


def test_a_step_over_two_edges_is_no_neighbour():
    mesh = shapes.grid_box(3)
    row = [Feature("face", k) for k in range(3)]
    assert slides.beside(mesh, (row[0],), (row[1],))
    assert not slides.beside(mesh, (row[0],), (row[2],))
    assert slides.beside(mesh, tuple(row[:2]), (row[2],))
