from itertools import product  # of sim.story.file.states, sim.story.file.rows

import numpy as np

from sim import Body, PairState
from sim.result.answer import Numbers, Work
from sim.result.answers import PairAnswers
from sim.story.file.rows import pack, unpack
from sim.story.file.states import PROOFS, REGIMES, decode, encode
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
    parts_b=(0, 4, 5),
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
    labels=(0, 1, 2, 3, 1, 5, 0, 7),
    unique=False,
    proof="search",
    reason="dented by 3 µm: «surface»",
)


def test_rows_are_read_back_bit_by_bit():
    every = [(PLAIN._replace(proof=proof), r) for proof, r in product(PROOFS, REGIMES)]
    for told in ([], [(PLAIN, "contact")], [(RICH, "contact")] * 2 + every):
        states = [PairState.of(n, regime, 9, A, B) for n, regime in told]
        ends = np.array([(0, 1)] * len(states), np.int32).reshape(-1, 2)
        rows = unpack(pack(encode(PairAnswers.of(states, ends))))
        found = decode([rows], (A, B), [(None, None)])
        assert [(s.numbers, s.regime) for s in found] == told
        assert [repr(s.numbers) for s in found] == [repr(n) for n, _ in told]
        assert rows["states"]["frame"].tolist() == [9] * len(told)
