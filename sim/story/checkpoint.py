"""What a stage carries from one frame to the next, as values that a file can hold."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import numpy as np

from sim.contact_manager import ContactManager, FrameRecord, Pair
from sim.events.body_status import BodyStatus
from sim.result.answers import PairAnswers
from sim.result.renaming import renamed
from sim.result.state import PairState
from sim.tracking.carried import Ids, Memory

Overlaps = Mapping[Pair, Ids]
CarriedPair = tuple[Pair, PairState, int, int]
LEFT = -2  # in place of a contact: not looked at in the last frame


class Checkpoint(NamedTuple):
    """What a stage hands on, beside positions and poses; a row a pair, in order."""

    pairs: PairAnswers  # the last answers: regime, regions, the corner that was chosen
    contacts: Ids  # identities of the contacts that last, else -1, or LEFT
    regions: Ids  # the next identity of a region
    statuses: tuple[BodyStatus | None, ...]  # what every body was told to be last
    opened: tuple[bool, ...]  # whether the live array of a body was handed out
    next_contact: int
    law: bytes = b""  # what a law remembers, packed
    overlaps: Overlaps = MappingProxyType({})  # what else they remember, by pair
    new: frozenset[int] = frozenset()  # bodies whose positions were

    @classmethod
    def out_of(cls, stage: ContactManager, told: FrameRecord | None = None) -> Self:
        """Return what is carried out of a frame, the last one if left out."""
        told = stage.told if told is None else told
        regions = [0] * len(told.answers)
        if told.regions:
            regions = [told.regions.get(pair, 0) for pair in told.answers.pairs()]
        return cls(
            told.answers,
            told.contacts,
            np.array(regions, np.int32),
            told.statuses,
            tuple(body.is_open for body in stage.bodies),
            told.next_contact,
            told.law[0],
            told.memory.overlaps(told.answers.pairs()),
            told.new,
        )

    @classmethod
    def into_next(cls, stage: ContactManager) -> Self:
        """Return what is carried to the next frame, in the names of today.

        Raises ValueError if a pair is in contact by a feature that is gone from a
        body's mesh.
        """
        carry = cls.out_of(stage)
        found: dict[int, PairState] = {}
        overlaps = dict(carry.overlaps)
        for k, (pair, state, *_) in enumerate(carry.rows()):
            last = renamed(state)
            if last is not state:
                overlaps.pop(pair, None)  # ids of another mesh
            lost = last is not state and state.regions
            if lost or (last is None and state.regime != "separated"):
                raise ValueError(
                    f"bodies '{state.a.name}' and '{state.b.name}' touched by features "
                    "that their meshes no longer have; step the world once before it "
                    "is recorded"
                )
            if last is not None:
                found[k] = last
        rows = list(found)
        pairs = PairAnswers.of(found.values(), carry.pairs.ends[rows])
        carry = carry._replace(pairs=pairs, overlaps=overlaps)
        return carry._replace(
            contacts=carry.contacts[rows], regions=carry.regions[rows]
        )

    def rows(self) -> Iterator[CarriedPair]:
        """Go through the pairs: their states, contacts and next regions."""
        numbers = self.contacts.tolist(), self.regions.tolist()
        return zip(self.pairs.pairs(), self.pairs, *numbers, strict=True)

    def after(self, carry: Self) -> Self:
        """Carry on: of a pair that was not looked at only its next region is known."""
        left = {row[0]: (*row[:2], LEFT, row[3]) for row in self.rows() if row[3] > 0}
        found = left | {row[0]: row for row in carry.rows()}
        known = carry.statuses, carry.opened, carry.next_contact, carry.law
        return self.of([found[k] for k in sorted(found)], *known, carry.overlaps)

    @classmethod
    def of(cls, rows: Sequence[CarriedPair], *rest: Any) -> Self:
        """Make it of pairs, their states, contacts and next regions, then the rest."""
        pairs, states, *numbers = zip(*rows, strict=True) if rows else ((),) * 4
        ends = np.array(pairs, np.int32).reshape(-1, 2)
        contacts, regions = (np.array(column, np.int32) for column in numbers)
        return cls(PairAnswers.of(states, ends), contacts, regions, *rest)

    def put(self, stage: ContactManager) -> None:
        """Let a stage of the same bodies go on from here."""
        seen = self.contacts != LEFT
        answers, memory = self.pairs.where(seen), Memory(int(seen.sum()), 0)
        for k, (pair, state) in enumerate(zip(answers.pairs(), answers, strict=True)):
            memory.begin(k, state, self.overlaps.get(pair))
        stage.told = stage.told._replace(
            answers=answers,
            memory=memory,
            contacts=self.contacts[seen],
            regions=dict(zip(self.pairs.pairs(), self.regions.tolist(), strict=True)),
            next_contact=self.next_contact,
            statuses=self.statuses,
            law=(self.law, None),
        )
