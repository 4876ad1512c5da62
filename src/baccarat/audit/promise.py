"""Promises: what must hold of cards, money, journals and people, each under a short name; and which check covers it.

The names occur in every answer of an audit. C is for cards, M for money, J for the journal, D for duties.
"""

from __future__ import annotations

PROMISES = {
    "C1": "every card of the decks is in exactly one place: shoe, burn, layout, discards, or set aside",
    "C2": "cards leave the shoe in its order; a completed round takes four to six, the third cards after the others",
    "C3": "the cut is within the bounds of the edition; a new one comes before a card is drawn or inputs are closed",
    "C4": "the burn is the first card and as many more as that card says",
    "C5": "once the cover card is out, the round is finished and exactly one more is dealt",
    "C6": "a card drawn in error goes where its clause says, and a simulated round holds no wager",
    "C7": "which cards come depends on the order and the position alone, and an electronic shoe can prove it",
    "M1": "all accounts together change only when chips are issued or redeemed; every movement balances",
    "M2": "over a round, what participants, layout, bank, vigorish and pools gain and lose sums to zero",
    "M3": "no balance of a participant is ever below zero",
    "M4": "after “no more bets” no wager changes before it is settled, except as House Money allows",
    "M5": "each wager has exactly one outcome, once: lost, pushed, paid, or returned",
    "M6": "a payment is the exact odds times the stake; vigorish is rounded as filed; what is marked is owed",
    "M7": "a void round returns every wager and leaves the meters as they were; its cards stay used",
    "M8": "what went into a meter was paid, is shown, is held in reserve or is carried over, to the micro-cent",
    "M9": "nothing passes from one participant to another directly",
    "M10": "after a correction everybody has what the corrected cards owe; more is goodwill, within its filed limit",
    "J2": "entries are numbered without a gap, each bound to the one before by its hash; checkpoints fit them",
    "J3": "the id of a command takes effect at most once",
    "J4": "the recorded commands, decided again, lead to the recorded events and to the same state",
    "J5": "a correction is an event of its own that names what it corrects; nothing is changed afterwards",
    "J8": "forms are numbered without a gap, and void numbers stay on record",
    "D3": "each act is done in a capacity that may do it, and where two persons are needed they are two",
    "D4": "an option changes no sooner than thirty minutes after surveillance and the Commission were notified",
}
"""Each promise in a sentence."""

CHECK_SUBJECTS = {
    "chain": "every entry follows from the one before: number and hash (J2)",
    "decided again": "every command leads to exactly what is recorded (C1–C7, M4–M7, J4, J5, D3)",
    "money": "no money appears or vanishes (M1, M2, M9)",
    "promises": "cards, balances, markers, meters, dues after every round (C1, C2, C4, C6, M3, M5, M6, M8, M10)",
    "ids": "no id of a person takes effect twice (J3)",
    "shuffles": "commitment, order, root, every card and the revealed seed of electronic shoes (C7)",
    "checkpoints": "signed checkpoints fit the entries that they cover (J2)",
    "signatures": "the checkpoints are signed by those whose keys were given (J2)",
    "house": "every act decided again over all streams; the books balance (M1, M8, J8, D4)",
}
"""What each check covers, with its promises."""
