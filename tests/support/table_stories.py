"""Stories of irregularities: short scenes at a table, told as transcripts; the golden files are made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from baccarat.play.hand import Side
from card_scenes import (
    BANKER_DRAWS,
    PLAYER_DRAWS,
    STAND,
    banker_third,
    cover_card,
    cover_card_simulated,
    drawn_early,
    error_card,
    exposed,
    face_up,
    face_up_in_the_burn,
    face_up_third,
    no_next_hand,
    runs_out,
    runs_out_early,
    stays_against_an_ace,
    two_at_once,
    two_unseen,
)
from correction_scenes import corrected_after_third, corrected_in_time, corrected_late, stake_taken
from paths import DATA
from shoe_scenes import (
    coupons,
    electronic_shoe,
    foul_shoe,
    free_hand,
    kept_over_a_reshuffle,
    lost_seed,
    plugged,
    recut,
    waived,
    with_curator,
)
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import Game
from transcript import transcript

FOLDER = DATA / "transcripts"


class Story(NamedTuple):
    """One scene: what it shows, under which edition and elections, and how it goes."""

    name: str
    title: str
    edition: str
    elections: dict[str, Any]
    tell: Callable[[str, dict[str, Any]], Game]

    @property
    def path(self) -> Path:
        """The golden file."""
        return FOLDER / f"{self.edition}-{self.name}.txt"

    def lines(self) -> Iterator[str]:
        """The story: its title, what was filed, and what happened after the table was opened."""
        yield f"{self.title} ({self.edition})"
        for key, value in self.elections.items():
            yield f"filed: {key} = {value}"
        yield ""
        game = self.tell(self.edition, self.elections)
        yield from transcript(game.table.log[game.opened :])


SEEN: dict[str, list[dict[str, Any]]] = {
    **{
        edition: [{"disclosed_third_card": "discard_two"}, {"disclosed_third_card": "simulated_round"}]
        for edition in MASSACHUSETTS
    },
    NEW_JERSEY: [
        {"disclosed_card_procedure": 1, "ten_value_extra": 10},
        {"disclosed_card_procedure": 2},
        {"disclosed_card_procedure": 3},
    ],
}
"""What may be filed for a card that was seen."""


def _filed(edition: str, name: str, title: str, tell: Callable[[str, dict[str, Any]], Game]) -> Iterator[Story]:
    """A story for each procedure that may be filed."""
    for elections in SEEN[edition]:
        word = str(next(iter(elections.values()))).replace("_", "-")
        yield Story(f"{name}-filed-{word}", title, edition, elections, tell)


def _stories(edition: str) -> Iterator[Story]:
    player, banker = Side.PLAYER, Side.BANKER
    plain: list[tuple[str, str, Callable[[str, dict[str, Any]], Game]]] = [
        ("error-card-unseen", "An unseen card drawn in error after both hands are complete",
         error_card(STAND, "9H", to=None, seen=False)),
        ("third-card-unseen-banker-draws", "An unseen third card to a Player who stays; the Banker must draw",
         error_card(BANKER_DRAWS, "5D", to=player, seen=False)),
        ("third-card-unseen-banker-stays", "An unseen third card to a Player who stays; the Banker stays as well",
         error_card(STAND, "5D", to=player, seen=False)),
        ("third-card-seen-banker-draws", "A third card seen with a Player who stays; the Banker must draw",
         error_card(BANKER_DRAWS, "5D", to=player, seen=True)),
        ("third-card-to-the-wrong-hand", "The Player's third card laid, in its turn, on the Banker's hand",
         error_card(PLAYER_DRAWS, "2D", to=banker, seen=False)),
        ("face-up-first", "The first card of a round lies face up in the shoe", face_up(0)),
        ("face-up-later", "The Player's second card lies face up in the shoe", face_up(2)),
        ("seen-in-its-place", "A card of the Banker's is seen before its turn", exposed),
        ("cover-card", "The cover card appears in the middle of a round", cover_card),
        ("runs-out", "The shoe cannot finish a round", runs_out),
        ("runs-out-in-the-deal", "The shoe ends before four cards are dealt", runs_out_early),
        ("card-corrected-in-time", "A card keyed wrongly, noticed before the third cards", corrected_in_time),
        ("card-corrected-after-a-third-card", "A card keyed wrongly, noticed after a third card was dealt on it",
         corrected_after_third),
        ("payment-corrected", "A card keyed wrongly, noticed after the payment", corrected_late),
        ("winning-stake-taken", "A winning stake taken, because a card was keyed wrongly", stake_taken),
        ("banker-third-card-unseen", "An unseen third card to a Banker who stays", banker_third("5D", seen=False)),
        ("two-unseen", "Two unseen cards drawn in error after both hands are complete", two_unseen),
        ("no-next-hand", "An unseen card drawn in error after the last hand of the shoe", no_next_hand),
        ("face-up-at-a-third-card", "The card that the Player is to draw lies face up in the shoe", face_up_third),
        ("foul-shoe", "A card comes once more than the decks hold it", foul_shoe),
        ("banker-stays-against-an-ace", "The Banker stays on six against an ace", stays_against_an_ace),
        ("face-up-in-the-burn", "A card to be burned lies face up in the shoe", face_up_in_the_burn),
        ("coupons", "Match play coupons win, lose and push", coupons),
        ("recut", "A casino supervisor orders a new cut", recut),
        ("electronic-shoe", "An electronic shoe, from its commitment to its seed, given up after a round",
         electronic_shoe),
        ("lost-seed", "The seed of an electronic shoe is lost before its order is sealed", lost_seed),
    ]  # fmt: skip
    for name, title, tell in plain:
        yield Story(name, title, edition, {}, tell)
    yield from _filed(edition, "third-card-seen-banker-stays", "A third card seen with a Player who stays; the Banker "
                      "stays as well", error_card(STAND, "5D", to=player, seen=True))  # fmt: skip
    if edition in MASSACHUSETTS[1:]:
        yield Story("plugged", "A set that was played before comes again", edition, {}, plugged)
    if edition in MASSACHUSETTS:
        yield Story("cover-card-in-a-simulated-round", "The cover card appears in a simulated round", edition, {},
                    cover_card_simulated)  # fmt: skip
        yield Story("banker-third-card-seen", "A third card to a Banker who stays, seen", edition, {},
                    banker_third("5D", seen=True))  # fmt: skip
        if edition == MASSACHUSETTS[-1]:
            yield Story("free-hand", "A hand without wagers", edition, {}, free_hand)
        yield Story("error-card-seen", "A card drawn in error and seen after both hands are complete", edition, {},
                    error_card(STAND, "9H", to=None, seen=True))  # fmt: skip
        yield Story("drawn-early-and-seen", "A card drawn and seen before the wagering has ended", edition, {},
                    drawn_early)  # fmt: skip
        yield Story("two-at-once", "Two cards drawn in error, the second seen", edition, {}, two_at_once)
        yield Story("seen-in-its-place-set-aside", "A card of the Banker's is seen before its turn", edition,
                    {"disclosed_correct_card": "set_aside"}, exposed)  # fmt: skip
        return
    yield Story("curator-over-a-reshuffle", "A curator who has not lost deals on after a reshuffle", edition, {},
                kept_over_a_reshuffle)  # fmt: skip
    yield Story("vigorish-waived", "Vigorish is waived on a form that the patron has not signed", edition, {}, waived)
    yield Story("curator", "An unseen card drawn in error while a participant deals", edition, {}, with_curator)
    yield Story("error-card-seen-filed-1-one-more", "A ten-value card drawn in error and seen; one more is filed",
                edition, {"disclosed_card_procedure": 1, "ten_value_extra": 1},
                error_card(STAND, "KD", to=None, seen=True))  # fmt: skip
    yield Story("third-card-seen-banker-draws-filed", "A third card seen with a Player who stays; the Banker must "
                "draw, and the filed procedure comes first", edition, {"nj_disclosed_banker_third": "filed_procedure"},
                error_card(BANKER_DRAWS, "5D", to=player, seen=True))  # fmt: skip
    yield Story("third-card-unseen-open-style", "An unseen third card to a Player who stays, the cards dealt face up",
                edition, {"reveal": "face_up"}, error_card(BANKER_DRAWS, "5D", to=player, seen=False))  # fmt: skip
    yield Story("cover-card-in-a-simulated-round", "The cover card appears in a simulated round", edition,
                {"disclosed_card_procedure": 3}, cover_card_simulated)  # fmt: skip
    yield from _filed(edition, "banker-third-card-seen", "A third card to a Banker who stays, seen",
                      banker_third("5D", seen=True))  # fmt: skip
    yield from _filed(edition, "error-card-seen", "A ten-value card drawn in error and seen after both hands are "
                      "complete", error_card(STAND, "KD", to=None, seen=True))  # fmt: skip
    yield from _filed(edition, "drawn-early-and-seen", "A card drawn and seen before the wagering has ended",
                      drawn_early)  # fmt: skip
    yield from _filed(edition, "two-at-once", "Two cards drawn in error, the second seen", two_at_once)


STORIES = [story for edition in EDITIONS for story in _stories(edition)]
