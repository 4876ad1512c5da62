"""The vocabulary of editions for docs/new-edition.md: every section, field, fact, step and word, taken from the code.

What a field may be comes from its type; what it means is here, and a field without a meaning stops `make docs`.
"""

# ruff: noqa: E501  the sentences of the page are on one line each

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

import msgspec

from baccarat.law import section
from baccarat.law.edition_file import OPTIONAL_SECTIONS, SECTIONS
from baccarat.law.fact import BASIC, OF_A_HAND, OF_THE_FIRST_FOUR
from baccarat.law.option_value import FORMS
from baccarat.law.row import RULE_KEYS, Draw, WagerResult
from baccarat.law.sound.words import FACT_VALUES
from baccarat.law.steps import STEPS, WITH_OPTION, WITH_SECTION
from baccarat.law.submission import FIELDS, OWN_STATEMENTS
from baccarat.law.toml_text import toml_value
from baccarat.play.wager.royal9 import EVENTS

CITE = "the clauses that say it: one number, or a list of them"
REMEDIES = {
    "discard_two": "it goes to the discards, with one more card unseen",
    "discard_value": "it goes to the discards, and as many more as it is worth, face up; the steps then include `expose`",
    "simulated_round": "it opens a round without wagers, all of whose cards are then discarded",
}
MEANINGS: dict[str, dict[str, str]] = {
    "Option": {
        "description": "what is stated or elected, in our words; a Submission's faults and drafts quote it",
        "shall": "the one value that the document fixes",
        "may": "true: the licensee may do it, and does not unless the Submission says so",
        "elect": "the values of which the licensee elects one",
        "at_least": "a floor of a number; with `states = \"odds\"` odds to one",
        "at_most": "a ceiling of a number",
        "states": "the form of what the licensee states, see *statements* below",
        "default": "what holds if the Submission omits it; without it an election must be stated",
        "optional": "true: the Submission may leave it out, and then it is `none`",
        "applies": "elections under which the option applies at all",
        "warn_below": "a number, or an option with a number, below which a Submission gets a warning",
        "part": "what the option is about; round records state only what is about play",
        "reading": "the number of the reading that it relies on, see readings.md",
        "house": "true: no document names it, and a reading lets the house file it; it is no part of what the edition says",
    },
    "Constraint": {
        "when": "elections under which it applies",
        "need": "elections that must then hold: a value, or a list of values of which one must",
        "need_any": "options of which at least one must then be true",
        "differ": "options whose values must not be the same; the first is compared with the others",
    },
    "CardValue": {
        "ranks": "letters of the ranks: `A23456789TJQK`, or some of them; each rank has one value",
        "value": "`face` for the number on the card, or a number for all of these ranks",
    },
    "PointCount": {"keep": "only the last digit of a sum counts", "value": "what every rank counts in a hand",
                   "example_cite": "the clauses that give worked examples"},
    "CutLaw": {
        "at_least": "the fewest cards on either side of the cut",
        "start": "the seat that is offered the cut first",
        "direction": "the direction of the offer",
        "last_curator_first": "true: after a reshuffle the last curator is asked first",
        "start_cite": "the clauses of `start`",
        "direction_cite": "of `direction`",
        "last_curator_first_cite": "of `last_curator_first`",
    },
    "Burn": {
        "count": "as many more cards are burned as the first one is worth by `value`",
        "exposed": "whether all burned cards are shown, or the option that says so (`face_up`, `face_down`)",
        "value": "how many more each rank requires; one row with all ranks always burns the same number",
    },
    "Base": {"wagers": "wagers of which one must lie at the same seat", "option": "the option that requires it",
             "cite": "the clauses that require it, if no option does"},
    "FixedStake": {"shall": "the stake, in cents"},
    "WagerLaw": {
        "title": "what the document calls it",
        "only_cite": "the clauses that allow no other wagers than those listed",
        "hand": "the hand that it is on: rules may then refer to `hand_…` and `other_…`",
        "on": "two wagers with the same rules, each on its hand, such as `{ dragon_player = \"player\", … }`",
        "main": "true: a main wager; each hand has one, whose highest stake is handed the cards",
        "early": "true: settled before third cards, and may be pressed; only `house_money`, with its section",
        "opening": "true: pairs among the first two cards of each hand decide it, see *facts*",
        "offered": "the option by which the licensee offers it; without one it is always offered",
        "base": "the wager that must be made with it",
        "stake": "the one stake that it may have; a Submission then states no limits for it",
        "rules": "the rows that say when it wins, loses or is returned; one answers every case",
    },
    "MatchPlay": {"wagers": "wagers with which a coupon may lie", "offered": "the option by which coupons are accepted"},
    "VerbalLaw": {"offered": "the option by which spoken wagers are accepted",
                  "confirmed_by": "everyone who must confirm one, such as `dealer`, `casino supervisor`"},
    "FreeHand": {"offered": "the option by which a hand is dealt while nobody wagers"},
    "Deal": {"hands": "the hand of each of the first four cards, in order",
             "face_up_cite": "the clauses of dealing face up", "face_down_cite": "the clauses of dealing face down"},
    "Reveal": {
        "style": "how the cards are dealt, or the option that says so",
        "holder": "who is handed the cards of a hand",
        "other_side": "the option by which a participant may turn a hand on which nobody wagers",
        "passes": "true: a relinquished right to turn the cards goes to a neighbour",
        "player_cite": "the clauses of turning the Player's Hand", "banker_cite": "the clauses of the Banker's Hand",
        "player_tie_cite": "the clauses of equal highest wagers on the Player",
        "banker_tie_cite": "the same on the Banker", "nobody_cite": "the clauses of the dealer turning the cards",
        "other_side_cite": "the clauses of `other_side`", "face_up_cite": "the clauses of cards dealt face up",
    },
    "HouseMoneyLaw": {
        "moved_cite": "that only the dealer moves a payout",
        "start": "the hand of the dealer at which its own settlement begins", "direction": "its direction",
        "press": "the wagers onto which a payout may be pressed", "press_cite": "the clauses of the press",
    },
    "ThirdCard": {"most": "the most cards that a hand draws"},
    "Draw": {
        "hand": "whose row it is", "act": "whether the hand draws or stays",
        "natural": "whether the row is for a round with a natural, in which nobody draws, or without",
        "holds": "the counts of the hand's first two cards to which it applies; by default all",
        "third": "for the Banker: values of the Player's third card, or `\"none\"` if the Player stayed",
        "restored": "true: the row is missing from the text and is here by a reading",
    },
    "CallLaw": {
        "name": "the name of the call; `no_more_bets` ends the wagering, `cards` is the word to deal",
        "say": "words that are called", "count": "the hand whose two-card count is called",
        "final": "true: both final counts and the winner are called",
        "total_cards": "true: the number of cards dealt is called",
        "if": "facts of the round under which it is called", "when": "elections under which it is called",
    },
    "SettlementLaw": {
        "losers_first": "true: losing wagers are taken before winners are paid; false: after",
        "start": "the winning seat that is settled first", "direction": "the direction from there",
        "sweeps": "rounds over the winning seats; `[[\"pay\", \"vigorish\"]]` is one round with both at each seat, "
                  "`[[\"pay\"], [\"vigorish\"]]` is two",
        "option": "the option by which one of several procedures is filed; then there are no `sweeps` here",
        "procedure": "the procedures by the value of that option, each with `sweeps` and `cite`",
    },
    "Procedure": {"sweeps": "as above"},
    "Vigorish": {
        "coins": "by each rate in percent, the coin in cents to which vigorish is rounded up if that is elected: "
                 "`{ 3 = 15 }`",
        "rounding_cite": "the clauses of rounding, and of the coins",
        "at_payout_cite": "the clauses of taking it with the payment", "deferred_cite": "the clauses of marking it",
        "due_cite": "the clauses of when marked vigorish falls due", "kept_cite": "the clauses of the marker staying",
        "free_cite": "the clauses of wagers without vigorish", "exempt": "wagers that free a Banker win of vigorish",
    },
    "Exempt": {"when": "elections under which it holds", "wagers": "the wagers whose stakes must reach the Banker's"},
    "Royal9Law": {
        "chairs": "`\"submission\"`: the licensee states a combination for each seat; or the suits by chair",
        "courts": "the court cards of a combination, of `KQJ`", "ladder": "the prizes, highest first; the last is lost",
        "meter": "the progressive meters", "chairs_cite": "the clauses of the combinations",
        "definition_cite": "the clauses that say what a Royal 9 is",
    },
    "Rung": {"row": "what the prize is called", "event": "what must be seen, see *events*; or one by `any_two`",
             "meter": "the meter that pays", "percent": "how much of it", "prize": "or a sum, in cents"},
    "ChairRow": {"suits": "the suit of the court card and of the nine, such as `SH`"},
    "MeterLaw": {"name": "the meter's name", "description": "what it is called",
                 "seed": "what it starts with, in cents, by pay table", "rate_bp": "what a wager adds, in hundredths of "
                 "a percent, by pay table", "seed_cite": "the clauses of the seed", "rate_cite": "the clauses of the rate"},
    "MustHitLaw": {"participants": "the wager whose seats take part", "shows": "where a hit is shown",
                   "shows_cite": "the clauses of where it is shown"},
    "VoidLaw": {"returns": "what is returned when the shoe cannot finish a round", "next": "what play continues with",
                "same_set": "true: the same cards, shuffled again"},
    "RemedyLaw": {
        "fixed": "the one treatment of a seen card, see *remedies*",
        "option": "or the option by which the licensee files one", "choices": "the treatments by that option's values",
        "ten_option": "the option that says how many more cards follow a ten-value card under `discard_value`",
    },
    "RemedyChoice": {"remedy": "the treatment"},
    "ErrorCard": {
        "third_seen": "a Player's third card that was not due, seen, while the Banker stays",
        "seen": "any other card drawn in error and seen", "unseen_cite": "the clauses of an unseen card",
        "third_unseen_cite": "the clauses of an unseen third card while the Banker stays",
        "banker_unseen_cite": "the clauses of an unseen card that becomes the Banker's",
        "banker_seen_cite": "the same of a seen one",
        "in_shoe_cite": "the clauses of one that lay face up in the shoe before it was dealt, where the document names it",
    },
    "VigorishForm": {
        "copies": "parts of the form", "content_cite": "the clauses of what it says", "signed_cite": "of who signs it",
        "order_cite": "of the order of its numbers", "access_cite": "of who may handle blank forms",
        "account_cite": "of accounting for numbers", "drop_cite": "of the drop box", "void_cite": "of voided forms",
        "forward_cite": "of sending the duplicates to accounting", "book_cite": "of booking the day's waivers",
        "code_cite": "of the rules on complimentaries",
    },
    "Curator": {
        "deals_cite": "the clauses of the curator dealing, and nobody else",
        "first_seat": "the seat that is offered the shoe first", "direction": "the direction of the shoe",
        "choice_cite": "the clauses of keeping or passing it", "loss_cite": "of passing it after a loss",
        "order_cite": "of taking it away", "start_cite": "of the offer when play commences",
        "dealer_cite": "of naming the dealer to deal", "nobody_cite": "of the dealer as curator",
        "pass_cite": "of the offer of a relinquished shoe",
    },
    "ManualShuffle": {"elements": "what a shuffle by hand contains: `plug`, `riffle`, `turn`, `strip`, `cut`",
                      "last": "the element that comes last", "riffles_before_strip": "riffles before the first strip",
                      **{f"{each}_cite": f"the clause of the {each}" for each in ("plug", "riffle", "turn", "strip", "cut")}},
    "StepRow": {"name": "a step of the table, see *steps*", "within": "for an act inside a step: which step",
                "when": "elections under which this row holds"},
    "Uniform": {"option": "an option that all tables of a pit have alike"},
    "NoticeLaw": {
        "options": "options whose change is announced", "to": "who is notified in writing",
        "minutes": "how long before, or the option that says so", "when": "which changes", "reading": "the reading",
    },
    "NoMoreBets": {},
    "RecordDefaults": {"seats": "seats of a round record that does not state them", "seats_with_royal9": "with Royal 9",
                       "options": "elections of a round record that omits them"},
}  # fmt: skip
AN_OPTION, WAGERS, HAND = "the name of an option", "a list of wagers", "`player` or `banker`"
ALLOWED = {
    "WagerLaw.hand": HAND,
    "WagerLaw.on": "a table of names of wagers to hands",
    "WagerLaw.offered": AN_OPTION,
    "WagerLaw.rules": "a list of rows, see *rules of a wager*",
    "Base.option": AN_OPTION,
    "Base.wagers": WAGERS,
    "Constraint.need_any": "a list of options",
    "Constraint.differ": "a list of options",
    "Draw.hand": HAND,
    "Draw.act": "`draw` or `stay`",
    "Draw.third": "a list of values 0 to 9, or `none`",
    "Draw.holds": "a list of counts 0 to 9",
    "CallLaw.if": "a table of facts, each with a value or a list of values",
    "Burn.exposed": '`all`, or `{ option = "…" }`',
    "Reveal.style": '`face_up` or `face_down`, or `{ option = "…" }`',
    "Reveal.other_side": AN_OPTION,
    "MatchPlay.wagers": WAGERS,
    "MatchPlay.offered": AN_OPTION,
    "VerbalLaw.offered": AN_OPTION,
    "FreeHand.offered": AN_OPTION,
    "HouseMoneyLaw.press": WAGERS,
    "Exempt.wagers": WAGERS,
    "SettlementLaw.sweeps": "a list of rounds, each a list of `pay` and `vigorish`",
    "Procedure.sweeps": "a list of rounds, each a list of `pay` and `vigorish`",
    "SettlementLaw.option": AN_OPTION,
    "SettlementLaw.procedure": "a table by the values of the option",
    "Vigorish.coins": "a table of percentages to cents",
    "RemedyLaw.option": AN_OPTION,
    "RemedyLaw.ten_option": "the name of an option with the values 0, 1 or 10",
    "RemedyLaw.choices": "a table by the values of the option",
    "Uniform.option": AN_OPTION,
    "NoticeLaw.options": "a list of options",
    "NoticeLaw.minutes": 'a number, or `{ option = "…" }`',
    "MustHitLaw.participants": "the name of a wager",
    "RecordDefaults.options": "a table of options to values",
}
"""What a field may be, if its type does not say enough."""
TOP = {
    "name": ("text", "the edition's name, which no shipped one has; Submissions name it as `ruleset`"),
    "title": ("text", "what the document is called"),
    "jurisdiction": ("text", "whose document it is"),
    "revision": ("a number", "which revision of this data"),
    "steps_left_out": (
        "a list of steps",
        'steps that every shipped document has and this one does not, such as `["wash"]`: a row that is merely missing is refused',
    ),
}
HEADINGS: dict[str, tuple[Any, str]] = {
    "[option.NAME]": (section.Option, "One key of a Submission."),
    "[[constraint]]": (section.Constraint, "What elections require of one another."),
    "[wager.NAME]": (section.WagerLaw, "One wager, by its name: lower-case letters, digits and underscores."),
    "[[tableau]]": (Draw, "One row of the tableau; one row answers every case."),
    "[[call]]": (section.CallLaw, "One announcement of the dealer, in order."),
    "[[step]]": (section.StepRow, "One step of the table's cycle, in order."),
    "[[uniform]]": (section.Uniform, "An option that is the same in a whole pit."),
    "[[notice]]": (section.NoticeLaw, "Who is notified of a change, how long before."),
    "[record]": (section.RecordDefaults, "What a round record may omit; not law."),
}
FACTS = {
    "player_count": "the Player's final count", "banker_count": "the Banker's", "player_cards": "the Player's number of cards",
    "banker_cards": "the Banker's", "cards": "the number of cards in both hands", "winner": "who has won",
    "hand_count": "of a wager with `hand`: the final count of its hand", "other_count": "of the other hand",
    "lead": "the count of its hand less that of the other", "pairs": "how many hands opened with a pair",
    "player_pair": "whether the Player's first two cards are of one rank", "banker_pair": "whether the Banker's are",
}  # fmt: skip
RULE_WORDS = {
    "result": "`win`, `lose` or `push`", "pays": "the entry of `[pays]` by which a win is paid, such as `tie` or `total.four`",
    "row": "what the line is called; a fact in braces is filled in: `margin {lead}`",
    "vigorish": "true: the win owes vigorish", "cite": CITE, "when": "elections under which the row holds",
}  # fmt: skip
STEP_MEANINGS = {
    "receive": "the decks come to the table", "inspect": "the dealer inspects the cards",
    "verify": "the floorperson does", "spread": "they are laid out face up", "wash": "they are mixed face down",
    "stack": "they are stacked", "shuffle": "they are shuffled", "lace": "about a deck is laced in",
    "reshuffle": "they are shuffled again", "offer_cut": "the cut is offered", "cut": "the stack is cut",
    "cover_card": "the cover card goes in", "load": "the stack goes into the shoe", "burn": "cards are burned",
    "close": "the shoe is over and its cards are shown or changed", "expose": "discards are turned after `discard_value`",
    "pass_shoe": "the curator keeps or passes the shoe", "offer_shoe": "the shoe is offered",
    "wager": "wagers are made, until the call", "call_cards": "the word to deal is called",
    "deal": "four cards are dealt", "turn_banker_first": "the Banker's Hand is opened first, on request",
    "turn_player": "the Player's Hand is turned", "turn_banker": "the Banker's Hand is turned",
    "house_money": "House Money is settled and pressed", "third_cards": "third cards are dealt and turned",
    "announce": "the result is called", "settle": "wagers are settled", "must_hit": "the Must Hit is checked",
    "clear": "the cards go to the discards",
    "recut": "a new cut is ordered", "no_more_bets": "the call that ends the wagers",
    "cover_card_out": "the cover card comes out", "relinquish": "the right to turn the cards passes on",
    "player_third": "the Player's third card", "banker_third": "the Banker's",
    "last_hand": "the last hand is called, and the shoe ends",
}  # fmt: skip


def vocabulary() -> str:
    """The whole vocabulary as a page."""
    assert set(STEP_MEANINGS) == set(STEPS), f"steps without a meaning: {set(STEPS) ^ set(STEP_MEANINGS)}"
    assert set(FACTS) == {*BASIC, *OF_A_HAND, *OF_THE_FIRST_FOUR}, "facts without a meaning"
    assert set(RULE_WORDS) == set(RULE_KEYS), "words of a rule without a meaning"
    parts = ["### At the top\n", *_rows([(key, kind, "", words) for key, (kind, words) in TOP.items()])]
    for heading, (struct, say) in HEADINGS.items():
        parts += ["", f"### `{heading}`\n", f"{say}\n", *_fields(struct)]
    for name, struct in (SECTIONS | OPTIONAL_SECTIONS).items():
        need = "Every edition has it." if name in SECTIONS else "Only if the document has it."
        parts += ["", f"### `[{name}]`\n", f"{_first_line(struct)} {need}\n", *_fields(struct)]
    return "\n".join([*parts, *_words()]) + "\n"


def _words() -> list[str]:
    """The words that are not fields: rules, facts, pays, statements, remedies, events, steps, options."""
    own = ", ".join(f"`{word}`" for word in OWN_STATEMENTS)
    return [
        "", "### Rules of a wager\n",
        "Each row of `rules` has these words; every other word in it must be a fact, with a value or a list of values.\n",
        *_rows([(key, "", "", words) for key, words in RULE_WORDS.items()]),
        "", "### Facts\n",
        "Besides these, every term of `[definition]`: a term of a hand (`count`, `cards`) gives `player_TERM`, "
        "`banker_TERM`, and for a wager with `hand` also `hand_TERM` and `other_TERM`; a term of the round is itself a fact, "
        "true or false. `natural` is always defined. A wager with `opening = true` has the facts of the first "
        "four cards and no others; every other wager has all except those.\n",
        *_rows([(fact, _values(fact), "", words) for fact, words in FACTS.items()]),
        "", "### `[definition]`\n",
        "A term of one hand: `natural = { count = [8, 9], cards = [2], cite = \"…\" }`. A term of the round: facts, and "
        "terms defined before it: `six = { banker_count = [6], winner = \"banker\", cite = \"…\" }`.\n",
        "### `[pays]`\n",
        "By name, or by group and name, each with `cite`: `shall = \"8 to 5\"` for fixed odds; `option = \"tie_odds\"` with "
        "`at_least = \"8 to 1\"` for odds that are elected; `by = \"OPTION\"` with one entry for each value of that option "
        "for a pay table that is elected: `{ by = \"lucky_six_table\", long = \"12 to 1\", short = \"10 to 1\", … }`. Without "
        "`by` the option is `dragon_paytable`. Odds are written `NUMBER to NUMBER`; a payment with a "
        "fraction of a cent is raised to the cent.\n",
        "### `[clause]`, `[physical]`, `[pending]`\n",
        "`[clause]`: every clause by its number, with what it requires in your own words. `[physical]`: clauses that "
        "software can only record, each with what is recorded, in a sentence. `[pending]`: clauses that nothing rules "
        "yet, listed by who will.\n",
        "### Statements\n",
        f"What `states` may be. An option that the program does not know may state {own}; or say `may`, `shall`, `elect`, "
        "`at_least`, `at_most`; and something in the edition must refer to it.\n",
        *_rows([(word, form, "", "") for word, form in FORMS.items()]),
        "", "### Remedies\n", "What happens to a card that was seen.\n",
        *_rows([(word, "", "", words) for word, words in REMEDIES.items()]),
        "", "### Events of the Royal 9 ladder\n",
        *_rows([(word, "", "", str(event.__doc__)) for word, event in EVENTS.items()]),
        "", "### Steps\n", "Rows of `[[step]]` in the order of the table's cycle; each act is cited by its row.\n",
        *_rows([(word, _step(word), "", words) for word, words in STEP_MEANINGS.items()]),
        "", "### Options that the program knows\n",
        "They mean the same in every edition, see options.md. An edition's own option may have any other name.\n",
        ", ".join(f"`{key}`" for key in FIELDS) + ".",
    ]  # fmt: skip


def _step(name: str) -> str:
    """Where a step comes, and when an edition has it."""
    kind = STEPS[name]
    where = f"within {_either(kind.within)}" if kind.within else "a step"
    if kind.always:
        return f"{where}; always present"
    if kind.usual:
        needs = f"; needs {_either(kind.needs)}" if kind.needs else ""
        return f"{where}{needs}; present, or named in `steps_left_out`"
    if name in WITH_OPTION:
        return f"{where}; with the option `{WITH_OPTION[name][0]}`"
    if name in WITH_SECTION:
        return f"{where}; with `[{WITH_SECTION[name]}]`"
    return f"{where}; needs {_either(kind.needs)}" if kind.needs else where


def _either(names: tuple[str, ...]) -> str:
    return " or ".join(f"`{name}`" for name in names)


def _values(fact: str) -> str:
    if fact in FACT_VALUES:
        return ", ".join(str(value) for value in FACT_VALUES[fact])
    return {"lead": "-9 to 9", "pairs": "0, 1, 2", "player_pair": "true or false", "banker_pair": "true or false"}.get(
        fact, "0 to 9"
    )


def _first_line(struct: Any) -> str:
    return str(struct.__doc__).splitlines()[0]


def _fields(struct: Any, inside: str = "") -> list[str]:
    """The fields of a section, and below them those of the tables inside it."""
    meanings = MEANINGS[struct.__name__]
    rows, inner = [], []
    hints = typing.get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        words = CITE if field.encode_name == "cite" and "cite" not in meanings else meanings[field.encode_name]
        default = "to be stated" if field.required else _default(field)
        kind = ALLOWED.get(f"{struct.__name__}.{field.encode_name}")
        if kind is None:
            kind = "clauses" if field.encode_name.endswith("cite") else type_words(hints[field.name])
        rows.append((f"{inside}{field.encode_name}", kind, default, words))
        inner += [(field.encode_name, each) for each in _structs(hints[field.name])]
    lines = _rows(rows)
    for name, each in inner:
        lines += ["", f"Within `{inside}{name}`: {_first_line(each)}\n", *_fields(each, f"{inside}{name}.")]
    return lines


def _default(field: Any) -> str:
    value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    if value is None or value in ((), {}):
        return "nothing"
    return f"`{list(value) if isinstance(value, tuple) else toml_value(value)}`"


def _rows(rows: list[tuple[str, str, str, str]]) -> list[str]:
    heads = ["word", "what it may be", "default", "meaning"]
    used = [column for column in range(4) if column == 0 or any(row[column] for row in rows)]
    lines = ["| " + " | ".join(heads[c] for c in used) + " |", "|" + "---|" * len(used)]
    for row in rows:
        cells = [f"`{row[0]}`", *row[1:]]
        lines.append("| " + " | ".join(cells[c].replace("|", "\\|") for c in used) + " |")
    return lines


# ------------------------------------------------------------------------------------------------- types


def _structs(kind: Any) -> Iterator[Any]:
    """The sections that a type holds."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
    for each in get_args(kind):
        if each is not Ellipsis and not isinstance(each, str | int):
            yield from _structs(each)


def type_words(kind: Any) -> str:
    """A type in words for an author of TOML."""
    origin, args = get_origin(kind), get_args(kind)
    if kind is bool:
        return "true or false"
    if kind is int:
        return "a number"
    if kind is str:
        return "text"
    if kind is Any:
        return "a value"
    if origin is typing.Annotated:
        return type_words(args[0])
    if origin is typing.Literal:
        return " or ".join(f"`{each}`" for each in args)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(dict.fromkeys(type_words(each) for each in args if each is not type(None)))
    if origin in (tuple, list):
        return f"a list: {type_words(args[0])}"
    if origin in (dict, Mapping):
        if kind == section.Conditions or args[1] is Any:
            return "a table of options, each with a value or a list of values"
        return f"a table of {type_words(args[0])} to {type_words(args[1])}"
    assert issubclass(kind, msgspec.Struct | WagerResult), f"no words for {kind}"
    return "a table"
