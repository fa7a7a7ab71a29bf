import numpy as np
import pytest

from sim import Body, PairState
from sim.result.answer import Numbers, Work
from sim.result.answers import PairAnswers
from sim.story.file.states import PROOFS, REGIMES, START, STATE, decode, encode
from wingedge import shapes

A, B = Body(shapes.box(), name="a"), Body(shapes.box(), name="b")
PLAIN = Numbers(
    distance=0.1,
    lower=-0.0,
    upper=1e-300,
    size=np.inf,
    normal=(1 / 3, -2 / 3, 2 / 3),
    point_a=(1e300, -1e-17, 0.0),
    point_b=(1.0, 2.0, 3.0),
    dimension_a=0,
    parts_a=(7,),
    dimension_b=2,
    parts_b=(0, 4, 9),
    corners=(),
    labels=(),
    unique=True,
    proof="ring",
    reason="",
    work=Work(1, 2, 3, 4, 5),
)
RICH = PLAIN._replace(
    dimension_a=1,
    parts_a=(3, 5),
    corners=tuple(0.1 * k for k in range(12)),
    labels=tuple(range(8)),
    unique=False,
    proof="search",
    reason="dented by 3 µm: «surface»",
)


def rows_of(states, pair=(0, 1), reported=True):
    """Lay states out as all pairs of a frame, each the same one."""
    ends = np.array([pair] * len(states), np.int32).reshape(-1, 2)
    return PairAnswers.of(states, ends), np.full(len(states), reported)


def test_every_field_of_the_numbers_and_of_the_row_has_its_place():
    moved = {"corners", "labels", "reason"}  # into the tables of lists
    assert set(Numbers._fields) - moved <= set(STATE.names)
    assert STATE["work"].shape == (len(Work._fields),)
    state = PairState(PLAIN, "contact", 9, A, B)
    rows = encode(*rows_of([state], (2, 5), False))["states"]
    assert rows["frame"].tolist() == [9]
    assert rows["pair"].tolist() == [[2, 5]]
    assert rows["reported"].tolist() == [0]


@pytest.mark.parametrize("start", [START, {"ints": 10, "floats": 20, "text": 30}])
@pytest.mark.parametrize(
    "numbers", [[], [PLAIN], [RICH], [PLAIN, RICH, PLAIN, RICH, RICH]]
)
def test_rows_are_read_back_bit_by_bit(numbers, start):
    states = [PairState(n, "contact", 9, A, B) for n in numbers]
    rows = encode(*rows_of(states), start)
    assert decode(rows, start) == [(n, "contact") for n in numbers]
    assert [repr(n) for n, _ in decode(rows, start)] == [repr(n) for n in numbers]


@pytest.mark.parametrize("regime", REGIMES)
@pytest.mark.parametrize("proof", PROOFS)
def test_every_regime_and_proof_has_a_code(regime, proof):
    state = PairState(PLAIN._replace(proof=proof), regime, 0, A, B)
    ((numbers, found),) = decode(encode(*rows_of([state])))
    assert (numbers.proof, found) == (proof, regime)
