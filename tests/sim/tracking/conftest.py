"""What is compared with an oracle."""

from collections.abc import Callable

import pytest

from sim import PairState


def within_oracle(state: PairState, truth: PairState) -> bool:
    """Compare with the oracle to the digits that are promised."""
    size = max(state.size, truth.size)
    allowed = 1e-9 * abs(truth.distance) + 1e-13 * size
    return abs(state.distance - truth.distance) <= allowed


@pytest.fixture(name="within_oracle")
def _within_oracle() -> Callable[[PairState, PairState], bool]:
    return within_oracle
