"""Who may bring which command, written by hand from the documentation: by stream, by command, the roles."""

from __future__ import annotations

from baccarat.table.role import Role

P, D, F, S = Role.PARTICIPANT, Role.DEALER, Role.FLOORPERSON, Role.CASINO_SUPERVISOR
BOSS, CLERK, CAGE, ADMIN = Role.PIT_BOSS, Role.PIT_CLERK, Role.CAGE_CASHIER, Role.ADMINISTRATOR
FLOOR = {F, S, BOSS, CLERK}

TABLE: dict[str, set[Role]] = {
    # people
    "sit": {P, D, F}, "leave": {P, D, F}, "buy_in": {D}, "come_on": {D, F}, "go_off": {D, F},
    # the cards before the play; what an electronic shoe or a link brings is brought by nobody
    "receive_cards": {D}, "prepare_cards": {D, F}, "shuffle_cards": {D}, "lace_cards": {D},
    "commit_shoe": set(), "contribute": {P}, "close_inputs": set(), "give_share": set(), "seal_order": set(),
    "fail_shoe": set(), "reveal_seed": set(), "report_overdue_seed": set(),
    "report_lost_seed": {F, S}, "abandon_shoe": {F, S}, "adopt_rules": {F, S},
    "answer_cut": {P, D}, "cut_cards": {P, D}, "give_up_cut": {P, D}, "order_recut": {S},
    "place_cover_card": {D}, "load_shoe": {D},
    "burn_cards": {D}, "close_shoe": {D}, "answer_shoe": {P, D}, "pass_shoe": {P, D}, "order_pass": {D, F},
    # the round
    "place_wager": {P}, "change_wager": {P}, "withdraw_wager": {P}, "speak_wager": {P}, "confirm_wager": {D, S},
    "request_free_hand": {P}, "call_no_more_bets": {D}, "call_cards": {D}, "draw_card": {P, D}, "hand_cards": {D},
    "return_cards": {P}, "relinquish": {P}, "order_relinquish": {D, F}, "answer_turn": {P, D}, "turn_card": {D},
    "announce_count": {D}, "ask_banker_first": {P}, "press_house_money": {P}, "settle_house_money": {D},
    "announce_result": {D}, "collect_losers": {D}, "take_vigorish": {D}, "pay": {D}, "give_award": {D},
    "clear_table": {D}, "collect_vigorish": {D},
    # meters: a table of a house is linked by the house, with two persons, and never by an act at the table
    "seal_trigger": set(), "end_round": {D}, "join_link": set(),
    "adopt_witnesses": set(), "adopt_kind": set(), "show_meters": set(), "correct_meter": {D, F},
    # forms, irregularities, corrections
    "receive_forms": {CLERK}, "document_vigorish": {CLERK}, "void_form": {CLERK}, "miss_form": {CLERK},
    "report_exception": {F, S}, "report_error_card": {D, F}, "report_exposed_card": {D, F}, "report_face_up": {D, F},
    "correct_card": {D, F}, "correct_payment": {D, F}, "confirm_card": {F}, "settle_due": {D},
    "report_uncollected": {F, S}, "pay_goodwill": {F, S},
}  # fmt: skip

BOOKS: dict[str, dict[str, set[Role]]] = {
    "house": {"add_pit": {ADMIN}, "link_tables": {ADMIN}},
    "pit A": {"give_notice": {S, BOSS, ADMIN}, "open_table": {S, BOSS, ADMIN}, "change_options": {S, BOSS, ADMIN},
              "change_witnesses": {S, BOSS, ADMIN}, "state_table_kind": {S, BOSS, ADMIN}},
    "cage": {
        "bring_bankroll": {ADMIN}, "open_tray": FLOOR, "fill_tray": FLOOR, "credit_tray": FLOOR,
        "count_tray": FLOOR | {D}, "close_tray": FLOOR | {D}, "count_drop": {S, CAGE, ADMIN}, "cash_out": {CAGE},
    },
    # what a table does with forms enters the book by the table's own act
    "forms": {
        "receive_series": set(), "make_out_form": set(), "drop_original": set(), "void_paper": set(),
        "report_missing": set(), "forward_forms": {CLERK},
    },
    "coupons": {"issue_coupons": {S, ADMIN}, "cancel_coupons": {S, ADMIN}, "count_coupons": {S, CAGE, ADMIN}},
    # what a participant chooses, he chooses for himself
    "players": {
        "set_loss_limit": {P}, "confirm_loss_limit": {P}, "set_play_reminder": {P}, "take_time_out": {P},
        "exclude_myself": {P}, "return_to_play": {P}, "elect_protection": {ADMIN},
    },
    "link L": {"set_next_terms": {S, ADMIN}},
    "day": {"book_complimentary": {S, CLERK, ADMIN}, "close_day": {S, ADMIN}, "open_day": {S, ADMIN}},
}  # fmt: skip
