"""Loading: the cover card goes into the stack, and the stack into the shoe."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import RefusalNote
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Count, Means
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.input_field import InputField
from baccarat.table.registration import add_step, dealer_does, evolves, handles
from baccarat.table.source import CardSource
from baccarat.table.state import TableState
from baccarat.table.step.sealing import is_unsealed, refuse_unsealed
from baccarat.table.step_function import Filled, asks, automates, fills, tells
from baccarat.table.story_words import count_of_cards, note_text
from baccarat.values import count_text

COVER_CARD, LOAD = "cover_card", "load"


class PlaceCoverCard(Command, frozen=True, kw_only=True, tag="place_cover_card"):
    """The dealer places the cover card, with `behind` cards behind it, and the second cut card at the end."""

    behind: Annotated[Count, Means("how many cards lie behind the cover card")]
    STEPS = frozenset({COVER_CARD})
    CARD = CommandCard(ask_is_public=True, discretion="order")

    def is_discretionary(self, state: TableState, rules: Rulebook) -> bool:
        """Whether it lies at another depth than is filed: more rounds are dealt from the shoe, or fewer."""
        del state
        return self.behind != rules.elections.cover_card_depth

    def discretion_text(self, state: TableState, rules: Rulebook) -> str:
        """With its depth, and the one that is filed."""
        del state
        filed = rules.elections.cover_card_depth
        return f"{self}: {count_text(self.behind, 'card')} behind it" + ("" if filed is None else f", {filed} filed")


class LoadShoe(Command, frozen=True, kw_only=True, tag="load_shoe"):
    """The stack goes into the shoe."""

    STEPS = frozenset({LOAD})
    CARD = CommandCard(console="plain", ask="The dealer puts the stack into the shoe.", ask_is_public=True)


class CoverCardPlaced(Event, frozen=True, kw_only=True, tag="cover_card_placed"):
    """The cover card is in, with `behind` cards behind it."""

    behind: int
    warnings: tuple[RefusalNote, ...] = ()
    CARD = EventCard(sights(everybody="behind", staff="warnings"), sort="other")


class ShoeLoaded(Event, frozen=True, kw_only=True, tag="shoe_loaded"):
    """The stack is in the shoe."""

    CARD = EventCard(sights(), sort="other")


@handles(PlaceCoverCard)
def place_cover_card(rules: TableRules, state: TableState, command: PlaceCoverCard) -> HandlerResult:
    """Deep enough, where the document sets a floor; otherwise a departure from practice is only a warning."""
    if is_unsealed(state):
        return refuse_unsealed(rules, Reason.OUT_OF_ORDER, step=COVER_CARD)
    option = rules.edition.options["cover_card_depth"]
    floor = option.at_least or 1
    if not floor <= command.behind < state.shoe.cards:
        return refuse(rules, Reason.DEPTH, "cover_card_depth", *option.cite, behind=command.behind, floor=floor)
    warnings: list[RefusalNote] = []
    if isinstance(option.warn_below, int) and command.behind < option.warn_below:
        warnings.append(RefusalNote("cover_card_depth_unusual", {"behind": command.behind, "usual": option.warn_below}))
    filed = rules.elections.cover_card_depth
    if filed is not None and command.behind != filed:
        warnings.append(RefusalNote("another_depth_is_filed", {"filed": filed}))
    return [CoverCardPlaced(behind=command.behind, warnings=tuple(warnings), cites=rules.cites[COVER_CARD])]


@handles(LoadShoe)
def load_shoe(rules: TableRules, state: TableState, _command: LoadShoe) -> HandlerResult:
    """Both cut cards are in: the stack goes into the shoe."""
    if is_unsealed(state):
        return refuse_unsealed(rules, Reason.OUT_OF_ORDER, step=LOAD)
    return [ShoeLoaded(cites=rules.cites[LOAD])]


evolves(CoverCardPlaced)(lambda state, event: replace(state, shoe=replace(state.shoe, cover=event.behind)))
evolves(ShoeLoaded)(lambda state, _: replace(state, shoe=replace(state.shoe, loaded=True)))


add_step(
    COVER_CARD, due=lambda _rules, state: state.shoe.cover is None, expect=dealer_does("place_cover_card", COVER_CARD)
)
add_step(LOAD, due=lambda _rules, state: not state.shoe.loaded, expect=dealer_does("load_shoe", LOAD))


@fills(PlaceCoverCard)
def _fill_cover_card(rules: TableRules, state: TableState, _due: Due) -> Filled:
    depth, floor = rules.elections.cover_card_depth, rules.edition.options["cover_card_depth"].at_least or 1
    return {}, (InputField(name="behind", kind="number", value=depth, least=floor, most=state.shoe.cards - 1),)


@asks(PlaceCoverCard)
def _ask_cover(rules: TableRules, _state: TableState, due: Due) -> Due:
    depth = rules.elections.cover_card_depth
    where = f" with {count_of_cards(depth)} behind it" if depth else ""
    return replace(due, say=f"The dealer puts the cover card into the stack{where}.")


@automates(PlaceCoverCard)
def _make_cover(rules: TableRules, _state: TableState, _due: Due, _source: CardSource) -> Command:
    return PlaceCoverCard(behind=rules.elections.cover_card_depth or 14)


tells(CoverCardPlaced)(lambda x: f"The cover card goes in, {x.behind} cards behind it{note_text(x.warnings)}.")
tells(ShoeLoaded)(lambda _: "The stack goes into the shoe.")
