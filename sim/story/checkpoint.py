"""What a stage carries from one frame to the next, as values that a file can hold."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Self

from sim.contact_manager import ContactManager, FrameRecord, HeldPairs, Pair
from sim.events.body_status import BodyStatus
from sim.result.answers import PairAnswers
from sim.result.renaming import renamed
from sim.result.state import PairState
from sim.tracking.carried import Ids, Memory


class Checkpoint(NamedTuple):
    """What a stage hands on, beside positions and poses; a row a pair, in order."""

    pairs: PairAnswers  # the last answers: regime, regions, the corner that was chosen
    contacts: Ids  # identities of the contacts that last, else -1
    regions: Mapping[Pair, int]  # the next identity of a region
    statuses: tuple[BodyStatus | None, ...]  # what every body was told to be last
    opened: tuple[bool, ...]  # whether the live array of a body was handed out
    next_contact: int
    law: bytes = b""  # what a law remembers, packed
    overlaps: Mapping[Pair, Ids] = MappingProxyType({})  # what else they remember
    new: frozenset[int] = frozenset()  # bodies whose positions were
    held: HeldPairs = MappingProxyType({})  # told with other features

    @classmethod
    def out_of(cls, stage: ContactManager, told: FrameRecord | None = None) -> Self:
        """Return what is carried out of a frame, the last one if left out."""
        told = stage.told if told is None else told
        return cls(
            told.answers,
            told.contacts,
            told.regions,
            told.statuses,
            tuple(body.is_open for body in stage.bodies),
            told.next_contact,
            told.law[0],
            told.memory.overlaps(told.answers.pairs()),
            told.new,
            told.held,
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
        rows = zip(carry.pairs.pairs(), carry.pairs, strict=True)
        for k, (pair, state) in enumerate(rows):
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
        left = list(found)
        pairs = PairAnswers.of(found.values(), carry.pairs.ends[left])
        contacts = carry.contacts[left]
        return carry._replace(pairs=pairs, contacts=contacts, overlaps=overlaps)

    def put(self, stage: ContactManager) -> None:
        """Let a stage of the same bodies go on from here."""
        memory = Memory(len(self.pairs), 0)
        rows = zip(self.pairs.pairs(), self.pairs, strict=True)
        for k, (pair, state) in enumerate(rows):
            memory.begin(k, state, self.overlaps.get(pair))
        stage.told = stage.told._replace(
            answers=self.pairs,
            memory=memory,
            contacts=self.contacts,
            regions=dict(self.regions),
            next_contact=self.next_contact,
            statuses=self.statuses,
            law=(self.law, None),
            held=dict(self.held),
        )
