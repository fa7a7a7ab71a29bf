import pickle  # of sim.engine.bound, sim.engine.emitter
import weakref
from typing import NamedTuple

import pytest

from sim.engine.bound import Bound, laid_out
from sim.kernels.language import Record, Vec, kernel, record


@record
class Place(Record):
    """Where something is."""

    point: Vec
    number: int


@record
class Answer(Record):
    """Every kind of field."""

    count: int
    distance: float
    place: Place
    normal: Vec
    last: int


class Desk(NamedTuple):
    answer: Answer
    scale: float


@kernel
def everything(d: Desk, answer: Answer) -> int:
    answer.count += 1
    answer.distance = d.scale * answer.count
    d.answer.normal = (answer.distance, 1, -0.0)
    x, y, z = answer.normal
    place = d.answer.place
    place.point = (z, y, x + 1.0 / 3.0)
    place.number = move(place, answer.count)
    return answer.place.number


@kernel
def move(place: Place, count: int) -> int:
    place.point = (place.point[1], 2.0 * place.point[2], place.point[0])
    return count - 26


@kernel
def names_no_field(answer: Answer) -> int:
    answer.size = 1
    return 0


@kernel
def a_float_for_an_int(answer: Answer) -> int:
    answer.count = 0.5
    return 0


@kernel
def replaces_a_place(answer: Answer) -> int:
    answer.place = answer.place
    return 0


def filled() -> Answer:
    return Answer(count=41, distance=0.5, last=-1)


@pytest.mark.llvm
def test_both_engines_leave_the_same_bytes(monkeypatch, linked_anew):
    from sim.engine.library import ENGINE

    one, other = filled(), filled()
    expected = everything(Desk(one, 0.1), one)
    compiled = linked_anew([everything])
    call = Bound(everything)
    monkeypatch.setattr(ENGINE, "compiled", compiled)
    assert call(Desk(other, 0.1), other) == expected == 16
    assert bytes(other) == bytes(one)
    assert one.place.point == (1.0, 2.0 * (0.1 * 42 + 1.0 / 3.0), -0.0)
    assert (one.count, one.last) == (42, -1)


def test_a_view_is_made_once_a_copy_a_value_and_a_field_of_its_type():
    answer = filled()
    assert answer.place is answer.place
    answer.place.point = (1.0, 2.0, 3.0)
    assert answer._place.point == (1.0, 2.0, 3.0)
    answer.place.number = 5
    copy = pickle.loads(pickle.dumps(answer))
    answer.place.number = 6
    assert copy.place.number == 5
    with pytest.raises(TypeError, match="field 'name' of Bad is <class 'str'>"):

        @record
        class Bad(Record):
            name: str


@pytest.mark.llvm
@pytest.mark.parametrize(
    ("function", "why"),
    [
        (names_no_field, "no field 'size'"),
        (a_float_for_an_int, "int is promised, this is float"),
        (replaces_a_place, "'place' is a place"),
    ],
)
def test_what_a_record_cannot_take_is_refused(function, why):
    from sim.engine.compiler import assemble
    from sim.engine.emitter import RefusedKernel

    with pytest.raises(RefusedKernel, match=why):
        assemble([function])


def test_a_table_is_laid_out_once_for_all_entries_that_are_called_on_it():
    """The first frame of a pair laid the same tables out for each of its entries."""
    table = Desk(Answer(), 2.0)
    cells = laid_out(table)
    assert laid_out(table) is cells
    assert laid_out(Desk(table.answer, 2.0)) is not cells
    told = weakref.ref(cells)
    del cells
    assert told() is None
    assert laid_out(table).table is table
