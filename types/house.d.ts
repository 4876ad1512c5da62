// Written by tools/interface.py from the message types. Do not edit.

declare namespace House {
  /** The floorperson abandons a shoe while no wager lies and no round is open: it is closed, and the table may be. */
  interface AbandonShoe {
    do: "abandon_shoe";
    reason: string;
  }

  /** What is logged. */
  type AccessEvent = "signed on" | "sign-on failed" | "session ended" | "unlocked" | "person added" | "roles changed" | "deactivated" | "activated" | "erased" | "password set" | "code made" | "code used" | "device enrolled" | "device revoked" | "proposed" | "approved" | "stepped up" | "declined" | "denied";

  /** Who signed on in which role, who gave whom which rights, what was denied, in the requested order. */
  interface AccessLog {
    lines: AccessLogEntry[];
    next: string;
  }

  /** One line of the log. */
  interface AccessLogEntry {
    number: number;
    at: number;
    what: AccessEvent;
    person: string;
    by: string;
    about: string;
    times: number;
    first_at: number;
    last_at: number;
  }

  /** One act of settling that the dealer still owes: what, at which seat, how much. */
  interface Act {
    act: string;
    seat: number;
    amount: number;
    row: string;
    stake: number;
    cites: string[];
  }

  /** The outcome of an act: its record. */
  interface ActDone {
    table: string;
    seq: number;
    repeat: boolean;
  }

  /** What somebody may do in a stream, as in `GET /api/me/acts`. */
  interface ActsShown {
    stream: string;
    acts: OpenAct[];
  }

  /** The house has another pit. */
  interface AddPit {
    do: "add_pit";
    name: string;
  }

  /** Two persons record the kind of this table, opened before that was required; it does not change afterwards. */
  interface AdoptKind {
    do: "adopt_kind";
    cards: TableCards;
  }

  /** The floorperson has the next shoe played by other rules: a Submission, and its edition. */
  interface AdoptRules {
    do: "adopt_rules";
    submission: Record<string, any>;
  }

  /** Two persons replace this table's witnesses; every later commitment names the new ones. */
  interface AdoptWitnesses {
    do: "adopt_witnesses";
    witnesses: string[];
  }

  /** Something to look at: what and where it is, since when, in microseconds UTC, a sentence and clauses. */
  interface Alert {
    id: string;
    kind: AlertKind;
    table: string;
    at: number;
    say: string;
    cites?: string[];
    shoe?: number;
    round?: number;
    seq?: number;
    what?: string;
    params?: Record<string, any>;
  }

  /** What an alert is about. */
  type AlertKind = "late_wager" | "maximum_late" | "vigorish" | "stopped" | "overdue" | "program_stopped" | "witness_awaited" | "correction" | "correction_asked" | "outside_band" | "history";

  /** Alerts, newest first. */
  interface Alerts {
    alerts: Alert[];
  }

  /** An edition as a person reads it. */
  interface AnnotatedEdition {
    edition: string;
    title: string;
    revision: number;
    before: string;
    clauses: number;
    states: Partial<Record<ClauseStatus, number>>;
    unshown: number;
    sections: SectionNote[];
    tableau: TableauNote;
    readings: Record<string, ReadingNote>;
  }

  /** The dealer calls a hand's two-card count. */
  interface AnnounceCount {
    do: "announce_count";
  }

  /** The dealer calls the final counts and the winner. */
  interface AnnounceResult {
    do: "announce_result";
  }

  /** A participant takes or declines the cut; the dealer or the clock may decline for one who is away. */
  interface AnswerCut {
    do: "answer_cut";
    seat: number;
    accept: boolean;
  }

  /** An answer graded: whether it is right, what was answered, what is right, and why. */
  interface AnswerGrade {
    right: boolean;
    given: string;
    answer: string;
    why: AnswerReason[];
    cites: string[];
  }

  /** Why an answer is right: a sentence, and the clauses that decide. */
  interface AnswerReason {
    say: string;
    cites: string[];
  }

  /** A participant takes or declines the shoe, perhaps naming the dealer to deal; the clock may decline for one. */
  interface AnswerShoe {
    do: "answer_shoe";
    seat: number;
    accept: boolean;
    dealer_deals?: boolean;
  }

  /** A participant takes or declines a relinquished right; the clock may decline for one. */
  interface AnswerTurn {
    do: "answer_turn";
    seat: number;
    accept: boolean;
  }

  /** An answer that has been graded: the grade, the mark, and the trainee's new state. */
  interface AnsweredExercise {
    graded: AnswerGrade;
    mark: GradedAnswer;
    trainee: Trainee;
  }

  /** A second person, in a capacity, who has approved one command by its name. */
  interface Approval {
    who: string;
    role: Role;
    what?: string;
  }

  /** The hash of exactly what was shown. */
  interface ApprovalBody {
    seen: string;
  }

  /** A participant asks that the Banker's cards be turned first. */
  interface AskBankerFirst {
    do: "ask_banker_first";
    seat: number;
  }

  /** An audit: its stream, its progress, and what it found. */
  interface Audit {
    id: string;
    stream: string;
    entries: number;
    state: AuditState;
    read: number;
    clean: boolean;
    checks: AuditCheck[];
    findings: JournalFinding[];
    left_out: number;
    remarks: string[];
    why: string;
    judged: boolean;
  }

  /** One kind of check: how often it was made, and how often it failed; or why it was skipped. */
  interface AuditCheck {
    name: string;
    what: string;
    times: number;
    failed: number;
    left_out: string;
  }

  /** The state of an audit. */
  type AuditState = "running" | "done" | "stopped";

  /** An act that somebody else does: by whom, and in words. */
  interface AwaitedAct {
    by: Role;
    act: string;
    seat: number;
    say: string;
    cites: string[];
    sentence: Sentence;
  }

  /** A Royal 9 award is paid. */
  interface Awarded {
    event: "awarded";
    cites: string[];
    seat: number;
    row: string;
    amount: number;
    stake?: number;
    stake_back?: boolean;
  }

  /** The Banker's cards are turned first in this round. */
  interface BankerFirstGranted {
    event: "banker_first_granted";
    cites: string[];
    seat: number;
  }

  /** What a form waived is booked as a cash complimentary to its patron. */
  interface BookComplimentary {
    do: "book_complimentary";
    booked: Complimentary;
  }

  /** Cash has become chips. */
  interface BoughtIn {
    event: "bought_in";
    cites: string[];
    seat: number;
    amount?: number;
  }

  /** The vigorish boxes: what each seat owes, and at which end seat 1 lies for the dealer. */
  interface Boxes {
    seats: number;
    owed: Record<number, number>;
    seat_one: string;
    cites: string[];
    seat_one_cites: string[];
  }

  /** The owners put money into the cage. */
  interface BringBankroll {
    do: "bring_bankroll";
    amount: number;
  }

  /** The dealer draws the first card, or after it is turned the others that it calls for: all, or `cards` of them. */
  interface BurnCards {
    do: "burn_cards";
    cards?: number;
  }

  /** A burned card is shown; the first says how many more follow. */
  interface BurnedCardTurned {
    event: "burned_card_turned";
    cites: string[];
    position: number;
    card: Card;
    more: number;
  }

  /** A participant changes cash into chips. */
  interface BuyIn {
    do: "buy_in";
    seat: number;
    amount: number;
  }

  /** The connection ends, and why; `address` is where the client should connect instead. */
  interface Bye {
    type: "bye";
    why: string;
    say: string;
    address?: string;
  }

  /** The cage, in cents. */
  interface CageShown {
    bankroll: number;
    redeemed: number;
    slips: number;
    trays: Record<string, TrayShown>;
    drops: Record<string, number>;
    over_short: Record<string, number>;
  }

  /** What was done in the cage: when, in microseconds UTC, by which record, and in words. */
  interface CageSlip {
    seq: number;
    at: number;
    done: CitedSentence[];
  }

  /** The dealer tells the curator to deal. */
  interface CallCards {
    do: "call_cards";
  }

  /** The dealer ends the wagering, or the clock does when the time for it is over. */
  interface CallNoMoreBets {
    do: "call_no_more_bets";
  }

  /** A call with the names of the persons who asked and answered. */
  interface CallShown {
    table: string;
    since: number;
    by: string;
    answered_at: number;
    answered_by: string;
    withdrawn_at: number;
    name: string;
    answered_name: string;
  }

  /** The tables that wait for a floorperson, the longest first; and calls that were answered, or withdrawn, a short */
  interface Calls {
    calls: CallShown[];
    answered: CallShown[];
    withdrawn: CallShown[];
  }

  /** A dealer is on the game, perhaps in the place of another. */
  interface CameOn {
    event: "came_on";
    cites: string[];
    who: string;
    instead_of: string;
  }

  /** Cancel coupons that have not been presented. */
  interface CancelCoupons {
    do: "cancel_coupons";
    first: number;
    last: number;
    reason: string;
  }

  /** One playing card. Identical cards of different decks are equal. */
  interface Card {
    rank: Rank;
    suit: Suit;
  }

  /** An unseen card waits to be the first card of the next hand. */
  interface CardCarried {
    event: "card_carried";
    cites: string[];
    position: number;
  }

  /** A card was keyed wrongly and is now right; before the result its hand's count is called again. */
  interface CardCorrected {
    event: "card_corrected";
    cites: string[];
    corrects?: number;
    position: number;
    was: Card;
    card: Card;
    burn_left: number | null;
    reason?: string;
    requester?: string;
    approver?: string;
  }

  /** A card lies in a hand; its value is not known here. */
  interface CardDrawn {
    event: "card_drawn";
    cites: string[];
    position: number;
    to: Side;
    carried: boolean;
  }

  /** The salt of a card and the sibling hashes on its way to the root, in hexadecimal digits. */
  interface CardProof {
    salt: string;
    path: string[];
  }

  /** A card drawn in error becomes a hand's third card. */
  interface CardReassigned {
    event: "card_reassigned";
    cites: string[];
    position: number;
    to: Side;
    card: Card | null;
  }

  /** A seen card leaves its hand, and the next card of the shoe takes its place. */
  interface CardSetAside {
    event: "card_set_aside";
    cites: string[];
    position: number;
    card: Card;
  }

  /** The value of a position is known to all; early if it was seen before its turn. */
  interface CardTurned {
    event: "card_turned";
    cites: string[];
    position: number;
    card: Card;
    early: boolean;
  }

  /** Cards have been burned, shown or face down. */
  interface CardsBurned {
    event: "cards_burned";
    cites: string[];
    positions: number[];
    left: number;
    shown: boolean;
  }

  /** The dealer directs the curator to deal. */
  interface CardsCalled {
    event: "cards_called";
    cites: string[];
    say: string;
  }

  /** The stack is cut with `in_front` cards in front, which go behind. */
  interface CardsCut {
    event: "cards_cut";
    cites: string[];
    seat: number;
    in_front: number;
  }

  /** Cards go from the shoe to the discards: some to be shown first, the others unseen. */
  interface CardsDiscarded {
    event: "cards_discarded";
    cites: string[];
    positions: number[];
    to_show: number[];
  }

  /** Positions of a hand are with a seat, face down. */
  interface CardsHanded {
    event: "cards_handed";
    cites: string[];
    side: Side;
    seat: number;
    positions: number[];
  }

  /** Cards have been laced into the stack. */
  interface CardsLaced {
    event: "cards_laced";
    cites: string[];
    cards: number;
    warnings?: RefusalNote[];
  }

  /** One act of preparation is done. */
  interface CardsPrepared {
    event: "cards_prepared";
    cites: string[];
    act: string;
    by: Role;
    inspector?: string;
  }

  /** A set of cards is at the table. */
  interface CardsReceived {
    event: "cards_received";
    cites: string[];
    set_id?: string;
    decks: number;
    preshuffled: boolean;
    batch_shuffled: boolean;
  }

  /** The holder has seen the cards and given them back. */
  interface CardsReturned {
    event: "cards_returned";
    cites: string[];
    side: Side;
    seat: number;
  }

  /** The stack has been shuffled, with warnings where the text says "should". */
  interface CardsShuffled {
    event: "cards_shuffled";
    cites: string[];
    by?: string;
    last: boolean;
    again: boolean;
    steps: string[];
    device: boolean;
    cards: number;
    warnings?: RefusalNote[];
  }

  /** How well a case is known: its box, at which exercise it is due, and how often it was right and wrong. */
  interface CaseProgress {
    box: number;
    due: number;
    right: number;
    wrong: number;
  }

  /** Chips that left a table are redeemed for cash. */
  interface CashOut {
    do: "cash_out";
    amount: number;
  }

  /** What a device signs: the house's id in hexadecimal digits, and the challenge in base64. */
  interface Challenge {
    house: string;
    challenge: string;
  }

  /** Options change at tables of the pit, at all of them unless some are named, from a time on. */
  interface ChangeOptions {
    do: "change_options";
    changes: Record<string, any>;
    effective: number;
    tables?: string[] | null;
  }

  /** What a draft would change at a table, and what it still needs to be in force. */
  interface ChangePlan {
    checked: CheckAnswer;
    table: string;
    pit: string;
    in_force: string;
    filed: string;
    since: number;
    no_place: string[];
    differences: OptionDifference[];
    changes: Record<string, any>;
    notices: NoticeNeeded[];
    earliest: number | null;
    leads_to: CitedSentence[];
    refused: CitedSentence | null;
    approvers: Role[];
  }

  /** A participant raises or lowers a wager. */
  interface ChangeWager {
    do: "change_wager";
    seat: number;
    on: WagerKind;
    stake: number;
  }

  /** Other witnesses have a share in the order of a table's shoes, from its next commitment on. */
  interface ChangeWitnesses {
    do: "change_witnesses";
    table: string;
    witnesses: string[];
    effective: number;
  }

  /** What `baccarat rules check` says of a Submission. */
  interface CheckAnswer {
    valid: boolean;
    edition: string;
    hash: string;
    faults: FaultShown[];
    more_faults: number;
    warnings: string[];
    remarks: string[];
  }

  /** A signed note of how many entries a stream had, and their root. */
  interface CheckpointCard {
    size: number;
    root: string;
    signed: SignatureCard[];
    note: string;
  }

  /** The checkpoints of a stream, oldest first. */
  interface Checkpoints {
    stream: string;
    checkpoints: CheckpointCard[];
    next: string;
  }

  /** An amount of chips, in cents. */
  interface Chips {
    amount: number;
  }

  /** A sentence with the clauses behind it. */
  interface CitedSentence {
    say: string;
    cites: string[];
    parts: string[];
    part_notes: RefusalNote[];
    what: string;
    params: Record<string, any>;
  }

  /** Words, and the clauses behind them; their name and parameters are for readers of another language. */
  interface CitedWords {
    say: string;
    cites: string[];
    what: string;
    params: Record<string, number | string>;
  }

  /** One clause: our words, how it is accounted for and where, and how many tests show it. */
  interface ClauseNote {
    key: string;
    say: string;
    kind: string;
    state: ClauseStatus;
    places: string[];
    tests: number;
  }

  /** How a clause is accounted for, the weakest first. */
  type ClauseStatus = "unaccounted" | "pending" | "physical" | "ruled";

  /** A clause in our words, with the numbers of the readings that interpret it. */
  interface ClauseText {
    say: string[];
    readings: Record<string, string>;
  }

  /** Clauses in our words, by their citations; unknown ones are left out. */
  interface ClauseTexts {
    clauses: Record<string, ClauseText>;
  }

  /** The dealer moves all cards to the discards. */
  interface ClearTable {
    do: "clear_table";
  }

  /** The day is closed; the numbers of the forms that lie there blank are counted. */
  interface CloseDay {
    do: "close_day";
    blanks?: number[];
  }

  /** Everything that the order depends on but the witnesses' shares is fixed: nobody contributes or cuts any more. */
  interface CloseInputs {
    do: "close_inputs";
  }

  /** The dealer ends the shoe. */
  interface CloseShoe {
    do: "close_shoe";
  }

  /** The closing inventory: what was counted goes back to the cage. */
  interface CloseTray {
    do: "close_tray";
    table: string;
    counted: Inventory;
  }

  /** The dealer takes every losing wager. */
  interface CollectLosers {
    do: "collect_losers";
  }

  /** The dealer collects what a marker says. */
  interface CollectVigorish {
    do: "collect_vigorish";
    seat: number;
  }

  /** A dealer comes on the game, perhaps in the place of another; without a name, it is the person who acts. */
  interface ComeOn {
    do: "come_on";
    person?: string;
    instead_of?: string;
  }

  /** An electronic shoe commits to its seed, before anything of its order is decided. */
  interface CommitShoe {
    do: "commit_shoe";
    table: string;
    shoe: string;
    commitment: string;
    order?: number;
    log?: string;
    promises?: WitnessPromise[];
  }

  /** What an electronic shoe has published of its order, and at its end the seed that explains all of it. */
  interface Commitment {
    order: number;
    origin: string;
    witnesses: WitnessPromise[];
    inputs: string;
    shares: WitnessShare[];
    seated: number[];
    table: string;
    shoe: string;
    rulebook: string;
    decks: number;
    hash: string;
    contributions: SeedContribution[];
    seed: string;
    lost: boolean;
    disproved: boolean;
    overdue?: boolean;
  }

  /** Waived vigorish booked for a patron as paid by the house in cash: the form, the sum, the code. */
  interface Complimentary {
    table: string;
    serial: number;
    patron: string;
    amount: number;
    code: string;
  }

  /** A Complimentary Vigorish Form: serially numbered, original and duplicate, signed. */
  interface ComplimentaryForm {
    serial: number;
    amount: number;
    patron: string;
    dealer: string;
    pit_boss: string;
    pit_clerk: string;
    patron_signed: boolean;
    why_not_signed: string;
    stated_by: string;
    copies: number;
  }

  /** The floorperson confirms a card that the shoe cannot contain, or that cannot be proved: the shoe is foul. */
  interface ConfirmCard {
    do: "confirm_card";
    position: number;
    card: Card;
    proof?: CardProof | null;
  }

  /** A participant still wants the higher limit, or none, for which he asked a day ago. */
  interface ConfirmLossLimit {
    do: "confirm_loss_limit";
    effective: number;
  }

  /** A person whom the document names repeats a spoken wager back. */
  interface ConfirmWager {
    do: "confirm_wager";
    seat: number;
    on: WagerKind;
    stake?: number;
  }

  /** A participant contributes a text to the order of an electronic shoe; nobody has to, and nobody waits for it. */
  interface Contribute {
    do: "contribute";
    seat: number;
    value: string;
  }

  /** A text of a participant goes into the order, after those that came before it. */
  interface ContributionMade {
    event: "contribution_made";
    cites: string[];
    seat: number;
    value: string;
  }

  /** A card of this round, or of the burn, was keyed wrongly. */
  interface CorrectCard {
    do: "correct_card";
    corrects: number;
    reason: string;
    position: number;
    card: Card;
  }

  /** A meter shows too little, by this sum; it falls by awards only. */
  interface CorrectMeter {
    do: "correct_meter";
    corrects: number;
    reason: string;
    meter: string;
    amount: number;
  }

  /** A seat was paid too little (above zero) or too much (below zero). */
  interface CorrectPayment {
    do: "correct_payment";
    corrects: number;
    reason: string;
    seat: number;
    amount: number;
  }

  /** An entry that two persons may correct: the command except for its fields. */
  interface CorrigibleShown {
    number: number;
    say: string;
    what: string;
    params: Record<string, any>;
    command: Record<string, any>;
    fields: InputField[];
    cites: string[];
    seconds: Role[];
  }

  /** The lines of a witness's answer, each a signature, and the size of the checkpoint that it was asked about. */
  interface Cosignatures {
    size?: number | null;
    lines: string[];
  }

  /** A hand's two-card count has been called. */
  interface CountAnnounced {
    event: "count_announced";
    cites: string[];
    side: Side;
    count: number;
  }

  /** The coupons that a table has taken are counted by their numbers. */
  interface CountCoupons {
    do: "count_coupons";
    table: string;
    numbers: number[];
  }

  /** The cash of a drop box is counted and goes to the cage; forms stay with accounting. */
  interface CountDrop {
    do: "count_drop";
    table: string;
    counted: number;
  }

  /** An inventory of a tray that stays open, as at the end of a day or a shift. */
  interface CountTray {
    do: "count_tray";
    table: string;
    counted: Inventory;
  }

  /** What a coupon is good for; the documents know one kind. */
  type CouponKind = "match play";

  /** A coupon is back with its owner, because nothing decided the wager that it lay with. */
  interface CouponReturned {
    event: "coupon_returned";
    cites: string[];
    seat: number;
    on: WagerKind;
    face: number;
  }

  /** The house keeps a coupon: it has been paid with its wager, or has lost with it. */
  interface CouponTaken {
    event: "coupon_taken";
    cites: string[];
    seat: number;
    on: WagerKind;
    face: number;
    paid: boolean;
  }

  /** The cover card has appeared and is put aside. */
  interface CoverCardOut {
    event: "cover_card_out";
    cites: string[];
  }

  /** The cover card is in, with `behind` cards behind it. */
  interface CoverCardPlaced {
    event: "cover_card_placed";
    cites: string[];
    behind: number;
    warnings?: RefusalNote[];
  }

  /** Every edition that the house knows. */
  interface Coverage {
    editions: EditionCover[];
  }

  /** Chips out of a tray, back to the cage. */
  interface CreditTray {
    do: "credit_tray";
    table: string;
    chips: Inventory;
  }

  /** Who you are here. */
  interface CurrentPerson {
    who: string;
    role: Role;
    table: string;
  }

  /** A seat has taken or declined the cut. */
  interface CutAnswered {
    event: "cut_answered";
    cites: string[];
    seat: number;
    accept: boolean;
  }

  /** The person who has the cut puts the cut card in, with `in_front` cards in front. */
  interface CutCards {
    do: "cut_cards";
    in_front: number;
    seat?: number;
  }

  /** The dealer cuts. */
  interface CutFellToDealer {
    event: "cut_fell_to_dealer";
    cites: string[];
  }

  /** The participant who had taken the cut has given it up or is gone: it is offered on. */
  interface CutGivenUp {
    event: "cut_given_up";
    cites: string[];
    seat: number;
  }

  /** A gaming day: each table, and all together. */
  interface DayShown {
    name: string;
    number: number;
    closed: boolean;
    complimentaries: number;
    tables: Record<string, FiguresShown>;
    total: FiguresShown;
  }

  /** Gaming days that are closed, newest first. */
  interface Days {
    days: DayShown[];
    next: string;
  }

  /** What the dealer calls, whole and in its parts. */
  interface DealerCall {
    say: string;
    cites: string[];
    what: string;
    params: Record<string, number | string>;
    calls: SpokenCall[];
  }

  /** A dealer who is on the game. */
  interface DealerOnGame {
    who: string;
    name: string;
    is_you: boolean;
    is_nobody: boolean;
  }

  /** A match play coupon that the result has decided, and that still lies on the table. */
  interface DecidedCoupon {
    seat: number;
    on: WagerKind;
    face: number;
    result: string;
  }

  /** A device that has signed its challenge; challenge and signature in base64. */
  interface DeviceProof {
    device: string;
    challenge: string;
    signature: string;
  }

  /** A device of a table. */
  interface DeviceShown {
    id: string;
    table: string;
    made_at: number;
    revoked: boolean;
  }

  /** The table for which a device is enrolled. */
  interface DeviceTable {
    table: string;
  }

  /** The devices of the house. */
  interface Devices {
    devices: DeviceShown[];
  }

  /** How two editions differ in one point. */
  type DifferenceKind = "changed" | "added" | "deleted" | "moved" | "same law in other words";

  /** How many points of law differ, and how many clauses, by the way in which they do. */
  interface DifferenceSummary {
    law: Partial<Record<DifferenceKind, number>>;
    clauses: Partial<Record<DifferenceKind, number>>;
    alike: number;
  }

  /** A card on its way to the discards is shown. */
  interface DiscardShown {
    event: "discard_shown";
    cites: string[];
    position: number;
    card: Card;
  }

  /** The discretionary acts in a stream, with a total for each person. */
  interface DiscretionShown {
    acts: DiscretionaryActShown[];
    persons: PersonTotalShown[];
  }

  /** One act that was left to somebody's judgement. */
  interface DiscretionaryAct {
    act: string;
    who: string;
    role?: string;
    seconds?: string[];
    reason?: string;
    stream: string;
    file?: string;
    record: number;
    line?: number;
    at?: number;
    shoe?: number;
    round?: number;
    clauses?: string[];
    what?: string;
    measure?: "" | "card" | "count" | "nothing" | "order" | "round" | "seen" | "shoe" | "sum" | "terms" | "trigger" | "wagers";
    worth?: string;
    best?: string;
    best_gain?: string;
    by_order?: number | null;
    rounds?: number;
    known?: boolean;
    stage?: string;
  }

  /** An act of discretion, with what it was worth in words; people and reasons by name where names are stored. */
  interface DiscretionaryActShown {
    act: DiscretionaryAct;
    say: string;
  }

  /** A command. */
  interface Do {
    type: "do";
    id: string;
    command: Command;
  }

  /** The pit clerk prepares a form for vigorish that is waived; the pit boss sees the original dropped. */
  interface DocumentVigorish {
    do: "document_vigorish";
    seat: number;
    form: ComplimentaryForm;
  }

  /** The command was done, and its record. */
  interface Done {
    type: "done";
    id: string;
    seq: number;
    repeat?: boolean;
  }

  /** The next card comes out of the shoe, face down, to the hand that is entitled to it. */
  interface DrawCard {
    do: "draw_card";
    seat?: number;
  }

  /** The rulings on both hands, as far as the cards that are up decide them. */
  interface DrawOrStay {
    hands: RuledHand[];
    grid: Grid | null;
  }

  /** One answer that may be chosen, and the key for it. */
  interface DrillChoice {
    key: string;
    say: string;
  }

  /** What a drill trains; the order is that in which a round asks for it. */
  type DrillKind = "call" | "count" | "draw" | "winner" | "payout" | "vigorish" | "order" | "remedy";

  /** A drill that there is under some rules: how many cases it has, and how long a table allows for one. */
  interface DrillOffered {
    kind: DrillKind;
    title: string;
    cases: number;
    seconds: number;
  }

  /** A wager that lies on the layout, in cents. */
  interface DrillWager {
    seat: number;
    on: string;
    title: string;
    stake: number;
  }

  /** What can be trained under some rules. */
  interface Drills {
    rulebook: string;
    edition: string;
    title: string;
    drills: DrillOffered[];
  }

  /** The dealer drops the original while the pit boss and the pit clerk who signed it watch. */
  interface DropOriginal {
    do: "drop_original";
    table: string;
    original: ComplimentaryForm;
    present: Approval[];
  }

  /** An act now due: by whom, what, and under which clause; the seat, the sum or the card where it has one. */
  interface Due {
    by: Role;
    act: string;
    cites: string[];
    seat: number;
    optional: boolean;
    amount: number;
    position: number | null;
    say: string;
  }

  /** An act that a table waits for: by whom, its name on a page, and a sentence. */
  interface DueAct {
    by: Role;
    name: string;
    say: string;
  }

  /** A seat has what the corrected cards owe it; below zero, what they do not owe it is back. */
  interface DueSettled {
    event: "due_settled";
    cites: string[];
    seat: number;
    amount: number;
    lying: number;
    vigorish: number;
  }

  /** How an edition differs from another: in numbers, then every point; clauses are paired by what they rule. */
  interface EditionComparison {
    left: string;
    right: string;
    left_title: string;
    right_title: string;
    summary: DifferenceSummary;
    law: EditionDifference[];
    clauses: EditionDifference[];
  }

  /** How many clauses an edition has, how many of each status, and how many are ruled but shown by no test. */
  interface EditionCover {
    edition: string;
    title: string;
    clauses: number;
    states: Record<string, number>;
    unshown: number;
  }

  /** One point in which two editions differ: where, what each says, the clauses on either side, and how it differs. */
  interface EditionDifference {
    place: string;
    left: string;
    right: string;
    cites: string[];
    change: DifferenceKind;
  }

  /** The options of an edition in the document's order, and its wagers. */
  interface EditionOptions {
    edition: string;
    title: string;
    options: OptionShown[];
    wagers: FiledWager[];
  }

  /** The editions that this house knows, by name, each with its title. */
  interface Editions {
    editions: Record<string, string>;
  }

  /** The house elects how long a higher limit waits, and when it reminds participants who have chosen nothing. */
  interface ElectProtection {
    do: "elect_protection";
    wait_hours: number;
    reminder_minutes: number;
  }

  /** What the licensee filed where the document gives a choice of remedies. */
  interface ElectedRemedy {
    option: string;
    value: any;
  }

  /** The dealer ends the round for the Must Hit; a hit opens the trigger and states the lot, otherwise */
  interface EndRound {
    do: "end_round";
    trigger?: number | null;
    salt?: string;
    lot?: number;
    not_reached?: string;
    lost?: string;
  }

  /** The code that was typed at a device, and its public key in base64. */
  interface Enrolment {
    code: string;
    key: string;
  }

  /** A card is out of the shoe by mistake, seen or unseen. */
  interface ErrorCardDrawn {
    event: "error_card_drawn";
    cites: string[];
    position: number;
    to: Side | null;
    card: Card | null;
    in_shoe?: boolean;
  }

  /** A marker's debt is a receivable; the marker stays on record. */
  interface ExceptionReported {
    event: "exception_reported";
    cites: string[];
    seat: number;
    patron?: string;
    amount?: number;
    reason?: string;
    requester?: string;
    approver?: string;
  }

  /** A participant excludes himself for some days. */
  interface ExcludeMyself {
    do: "exclude_myself";
    effective: number;
    days: number;
  }

  /** An exercise as the trainee sees it. It contains neither its solution nor its case, which often gives it away. */
  interface Exercise {
    number: number;
    kind: DrillKind;
    seconds: number;
    question: Question;
  }

  /** The same, with the answer and how long it took; an empty answer shows the right one. */
  interface ExerciseAnswered {
    seed: string;
    kinds?: DrillKind[];
    trainee?: Partial<Trainee>;
    answer: string;
    milliseconds: number;
  }

  /** Which exercise comes next: by a seed, by what the trainee knows, and of which kinds; without any, of all. */
  interface ExerciseRequest {
    seed: string;
    kinds?: DrillKind[];
    trainee?: Partial<Trainee>;
  }

  /** A card lay face up in the shoe. */
  interface FaceUpFound {
    event: "face_up_found";
    cites: string[];
    position: number;
    card: Card;
  }

  /** An electronic shoe reports that its order has failed the gate: it is not sealed, and the table stops. */
  interface FailShoe {
    do: "fail_shoe";
    why: GateFault;
  }

  /** One thing wrong with a Submission: which option, what is wrong, what is allowed, by which clauses. */
  interface FaultShown {
    option: string;
    say: string;
    allowed: string;
    clauses: string[];
  }

  /** One of the values that a field may have, and the text that a person reads. */
  interface FieldChoice {
    value: any;
    say: string;
  }

  /** One field of an act: its kind, what it means, and what may be typed or chosen there. */
  interface FieldShown {
    name: string;
    kind: string;
    say: string;
    required?: boolean;
    default?: any;
    choices?: FieldChoice[] | null;
    least?: number | null;
    most?: number | null;
    longest?: number | null;
    fields?: FieldShown[];
  }

  /** The figures of a table, or of all, in cents; `pools` in millionths of a cent. Fractions are exact. */
  interface FiguresShown {
    rounds: number;
    drop: number;
    win: number;
    hold: string;
    vigorish: number;
    waived: number;
    over_short: number;
    pools: number;
    handle: Record<string, number>;
    theoretical: string;
    theoretical_decimal: string;
    low: number;
    high: number;
    within: boolean;
    unpriced: number;
  }

  /** What was filed for a table: the edition, every election stated, and the hash of both. */
  interface FiledRules {
    ruleset: string;
    stated: Record<string, any>;
    hash: string;
  }

  /** A wager of an edition: whether the document fixes its stake, so that it has no limits. */
  interface FiledWager {
    name: string;
    fixed_stake: boolean;
  }

  /** More chips for a tray, out of the cage. */
  interface FillTray {
    do: "fill_tray";
    table: string;
    chips: Inventory;
  }

  /** The secret of the one-time link, and the name and password of the new administrator. */
  interface FirstAdministrator {
    link: string;
    name: string;
    password: string;
  }

  /** The floor at one moment: the gaming day, all tables together, and each. */
  interface Floor {
    day: string;
    number: number;
    closed: boolean;
    marked: number;
    figures: FloorBand | null;
    history: string;
    now: number;
    tables: FloorTable[];
  }

  /** A win compared with what theory expects of the stakes; in cents, except for `away` and `hold`. */
  interface FloorBand {
    win: number;
    drop: number;
    hold: string;
    vigorish: number;
    theoretical: number;
    deviation: number;
    away: string;
    within: boolean;
    rounds: number;
  }

  /** A table that waits for a floorperson: since when (microseconds UTC), and who asked; who answered it, and when. */
  interface FloorCall {
    table: string;
    since: number;
    by: string;
    answered_at: number;
    answered_by: string;
    withdrawn_at: number;
  }

  /** The gaming day, and all tables together. */
  interface FloorDay {
    day: string;
    number: number;
    closed: boolean;
    marked: number;
    figures: FloorBand | null;
    history: string;
  }

  /** A table as the floor shows it. */
  interface FloorTable {
    card: TableCard;
    pit: string;
    stopped: string;
    needs: RemedyStep[];
    program_stopped: boolean;
    witness_wait: WitnessWait | null;
    marks: string;
    last: LastRound[];
    rounds_an_hour: number | null;
    marked: number;
    figures: FloorBand | null;
    coming: PendingRules | null;
    due: DueAct[];
  }

  /** What has gone into a meter and out of it at this table, and what a link of tables added or took, in cents. */
  interface Flow {
    contributed: number;
    seeded: number;
    paid: number;
    elsewhere: number;
  }

  /** Show what may be done in this stream too, to somebody who follows the whole house; none if it is empty. */
  interface Follow {
    type: "follow";
    stream: string;
  }

  /** How an exercise is answered. */
  type Form = "choice" | "number" | "sum" | "order";

  /** A number is recorded as missing; it will not be used. */
  interface FormMissed {
    event: "form_missed";
    cites: string[];
    serial: number;
    reason: string;
    requester: string;
    approver: string;
  }

  /** A form that was made out, with the names on it; the sum in cents. */
  interface FormPaper {
    serial: number;
    table: string;
    edition: string;
    amount: number;
    patron: string;
    dealer: string;
    pit_boss: string;
    pit_clerk: string;
    patron_signed: boolean;
    why_not_signed: string;
    stated_by: string;
    copies: number;
    dropped: boolean;
    forwarded: boolean;
    cites: string[];
  }

  /** A form by its number: the table that received it, what became of it, and the sum. */
  interface FormShown {
    serial: number;
    table: string;
    state: "missing" | "used" | "void";
    amount: number;
    forwarded: boolean;
  }

  /** A form's number is used up, and void. */
  interface FormVoided {
    event: "form_voided";
    cites: string[];
    serial: number;
    pit_boss: string;
    pit_clerk: string;
    copies: number;
  }

  /** Every form received, and what became of each number that is no longer blank. */
  interface Forms {
    series: SeriesShown[];
    forms: FormShown[];
    blank: number;
  }

  /** Prenumbered forms lie ready. */
  interface FormsReceived {
    event: "forms_received";
    cites: string[];
    first: number;
    last: number;
  }

  /** At the end of the day the pit clerk sends duplicates and void forms to accounting. */
  interface ForwardForms {
    do: "forward_forms";
  }

  /** An act in which something was found: the round, the number of its record and of its event, and the sentence. */
  interface FoundAct {
    round: number;
    seq: number;
    number: number;
    at: number;
    sort: string;
    say: string;
    what: string;
    params: Record<string, any>;
    cites: string[];
  }

  /** What a search found in a shoe, in order. */
  interface FoundActs {
    table: string;
    shoe: number;
    found: FoundAct[];
    more: boolean;
  }

  /** The next hand is dealt without wagers, unless somebody makes one. */
  interface FreeHandRequested {
    event: "free_hand_requested";
    cites: string[];
    seat: number;
  }

  /** What is wrong with the order of an electronic shoe. */
  type GateFault = "other cards" | "not committed" | "not shuffled" | "same as last";

  /** The dealer pays a Royal 9 award. */
  interface GiveAward {
    do: "give_award";
    seat: number;
  }

  /** Somebody who must be notified of a change is notified. */
  interface GiveNotice {
    do: "give_notice";
    notice: Notice;
  }

  /** A witness opens the share that it promised, in a note that it has signed for this closing. */
  interface GiveShare {
    do: "give_share";
    key: string;
    note: string[];
  }

  /** The participant who has taken the cut gives it up; dealer or clock may do so for one who is away (A-95). */
  interface GiveUpCut {
    do: "give_up_cut";
    seat: number;
  }

  /** A dealer goes off the game; without a name, it is the person who acts. */
  interface GoOff {
    do: "go_off";
    person?: string;
  }

  /** A seat was given what no cards owe it. */
  interface GoodwillPaid {
    event: "goodwill_paid";
    cites: string[];
    seat: number;
    amount?: number;
    reason?: string;
    requester?: string;
    approver?: string;
  }

  /** An answered exercise, as it is on the score sheet. */
  interface GradedAnswer {
    number: number;
    kind: DrillKind;
    case: string;
    ask: string;
    given: string;
    answer: string;
    right: boolean;
    milliseconds: number;
    cites: string[];
  }

  /** The Banker's rows that look at the Player's third card: an act for each of its values, from 0 to 9. */
  interface Grid {
    rows: Record<number, string[]>;
    count: number | null;
    third: number | null;
  }

  /** A hand on the layout: its cards, such as 9s, and its count. */
  interface Hand {
    cards: string[];
    count: number;
  }

  /** The dealer hands a hand's unturned cards, face down, to the participant who turns them. */
  interface HandCards {
    do: "hand_cards";
  }

  /** A hand as it counts now, and whether it is a natural. */
  interface HandCount {
    count: number;
    natural: boolean;
  }

  /** A row of the tableau gives a hand no third card, given the Player's third card or its absence. */
  interface HandStays {
    event: "hand_stays";
    cites: string[];
    side: Side;
    count: number;
    natural: boolean;
    against: Card | null;
  }

  /** A card that lies face down before you. */
  interface HeldCard {
    position: number;
    card: string;
  }

  /** The cards that you hold, to be looked at before they are turned; none at a table with real cards. */
  interface HeldCards {
    table: string;
    cards: HeldCard[];
  }

  /** A losing House Money wager is taken. */
  interface HouseMoneyCollected {
    event: "house_money_collected";
    cites: string[];
    seat: number;
    stake: number;
  }

  /** House Money of one seat: its stake, what it wins, and where the win goes; nothing where it has lost. */
  interface HouseMoneyLine {
    seat: number;
    stake: number;
    win: number | null;
    onto: string;
    state: "done" | "later" | "now";
  }

  /** A winning House Money wager is paid: to the participant, or in part onto a main wager. */
  interface HouseMoneyPaid {
    event: "house_money_paid";
    cites: string[];
    seat: number;
    stake: number;
    win: number;
    to_wager: number;
    onto: WagerKind | null;
  }

  /** What has changed in the house since frame `after` of this run, each topic whole; without it, everything. */
  interface HouseShown {
    type: "house";
    run: string;
    seq: number;
    after?: number | null;
    now: number;
    set: Topics;
  }

  /** A round of a table that is over; rounds are counted from 1 in their shoe, shoes from 1 at their table. */
  interface IndexedRound {
    shoe: number;
    round: number;
    last_seq: number;
    at: number;
    result: RoundResult;
  }

  /** What somebody enters before an act can be done. */
  interface InputField {
    name: string;
    kind: "card" | "choice" | "flag" | "number" | "series" | "sum" | "text";
    value: any;
    choices: any[];
    least: number | null;
    most: number | null;
    is_optional: boolean;
    leaves_out: string;
  }

  /** Seed, contributions and cut are fixed, under one hash; the witnesses open their shares for this record. */
  interface InputsClosed {
    event: "inputs_closed";
    cites: string[];
    origin: string;
    shoe: string;
    witnesses: WitnessPromise[];
    inputs: string;
  }

  /** Chips by their value in cents: how many of each, as a count sheet lists them. */
  interface Inventory {
    chips: Record<number, number>;
  }

  /** Coupons with consecutive numbers are given to a patron. */
  interface IssueCoupons {
    do: "issue_coupons";
    first: number;
    last: number;
    value: number;
    patron: string;
    kind?: CouponKind;
  }

  /** The first message: the ticket, and where to resume if the client was here before. */
  interface Join {
    type: "join";
    ticket: string;
    run?: string;
    after?: number | null;
    words?: WordsKind;
  }

  /** Two persons let this table share the meters of a link; without that its meters are its own. */
  interface JoinLink {
    do: "join_link";
    link: string;
  }

  /** One fault of a journal. */
  interface JournalFinding {
    kind: string;
    say: string;
    file?: string;
    line?: number;
    stream?: string;
    record?: number | null;
    promise?: string;
    clauses?: string[];
    expected?: string;
    found?: string;
  }

  /** Public keys: of the logs of this house, one per stream, and of the witnesses that it knows. */
  interface Keys {
    logs: Record<string, string>;
    witnesses: string[];
  }

  /** It is on record what this table is, from the next shoe on. */
  interface KindAdopted {
    event: "kind_adopted";
    cites: string[];
    cards: TableCards;
    requester?: string;
    approver?: string;
  }

  /** The dealer laces a number of cards into the stack. */
  interface LaceCards {
    do: "lace_cards";
    cards: number;
  }

  /** The cover card has been out: one more hand. */
  interface LastHandCalled {
    event: "last_hand_called";
    cites: string[];
    say: string;
  }

  /** A round that is over, and who won it. */
  interface LastRound {
    round: number;
    outcome: string;
  }

  /** A participant leaves, or is seen to have left. */
  interface Leave {
    do: "leave";
    seat: number;
  }

  /** A participant has left with these chips. */
  interface Left {
    event: "left";
    cites: string[];
    seat: number;
    chips?: number;
  }

  /** A new lesson: what the house promises of its shoe before anything is dealt. */
  interface LessonBegun {
    lesson: string;
    commitment: string;
    rulebook: string;
    chips: number;
    least: number;
    rounds: number;
  }

  /** The wagers of each round so far, the one to be dealt now among them. */
  interface LessonRequest {
    wagers: LessonWager[][];
  }

  /** The last of these rounds: everything that happened in it, and the learner's chips after it, in cents. */
  interface LessonRound {
    round: number;
    chips: number;
    events: ShownEvent[];
  }

  /** What the learner puts on an area, in cents. */
  interface LessonWager {
    on: WagerKind;
    stake: number;
  }

  /** Least and most of a wager, in cents. */
  interface Limits {
    min: number;
    max: number;
  }

  /** A wager of a line: what it lies on, its stake with what was pressed onto it, and the odds that it is paid. */
  interface LineWager {
    on: string;
    title: string;
    stake: number;
    odds: string;
  }

  /** The meters of this table are those of a link. */
  interface LinkJoined {
    event: "link_joined";
    cites: string[];
    link: string;
    requester?: string;
    approver?: string;
  }

  /** Tables that have not been fed yet share their meters from now on. */
  interface LinkTables {
    do: "link_tables";
    name: string;
    tables: string[];
  }

  /** The stack goes into the shoe. */
  interface LoadShoe {
    do: "load_shoe";
  }

  /** What moves at a table. */
  interface LobbyTable {
    table: string;
    rules: string;
    phase: string;
    closes_in: number | null;
    round: number;
    marks: string;
    free: number[];
    automated: number[];
  }

  /** What moves at the tables of the house. */
  interface LobbyTables {
    tables: LobbyTable[];
  }

  /** Losing wagers are in the bank. */
  interface LosersCollected {
    event: "losers_collected";
    cites: string[];
    amounts: Record<number, number>;
  }

  /** The pit clerk takes the next blank form and makes it out. */
  interface MakeOutForm {
    do: "make_out_form";
    table: string;
    form: ComplimentaryForm;
  }

  /** What a wager costs, for reading: percentages, and the deviation of a unit staked. */
  interface Measures {
    edge: string;
    edge_resolved: string;
    deviation: string;
    hit: string;
    push: string;
  }

  /** The house puts into a meter what was missing there; below zero, takes back what it has put in by mistake. */
  interface MeterCorrected {
    event: "meter_corrected";
    cites: string[];
    corrects?: number;
    meter: string;
    amount: number;
    reason?: string;
    requester?: string;
    approver?: string;
    goodwill?: boolean;
  }

  /** The progressive meters in micro-cents, where their money came from, and the Must Hit in cents. */
  interface Meters {
    amounts: Record<string, number>;
    link: string;
    reserve?: number;
    contributed?: number;
    seeded?: number;
    goodwill?: number;
    elsewhere?: number;
    must_hit: number;
    must_hit_seal: string;
    must_hit_run: number;
    must_hit_flow?: Flow;
  }

  /** What the meters of each table show, in millionths of a cent, and the links that tables share. */
  interface MetersAnswer {
    tables: Record<string, any>;
    links: Record<string, string[]>;
  }

  /** What a result changed of the meters, in micro-cents: what they showed before, and what was put into them. */
  interface MetersBefore {
    amounts: Record<string, number>;
    seeded: number;
    reserve: number;
  }

  /** The meters as the link shows them. */
  interface MetersShown {
    event: "meters_shown";
    cites: string[];
    meters: Record<string, number>;
    reserve?: number;
    must_hit: number;
    must_hit_seal: string;
    must_hit_run: number;
    won: string[];
  }

  /** A blank form of the series in use cannot be found: one person reports it, another confirms. */
  interface MissForm {
    do: "miss_form";
    serial: number;
    reason: string;
  }

  /** What the house holds and owes at this table, in cents, and the forms that say so; chips lie with their owners. */
  interface Money {
    bank?: number;
    payable?: Record<number, number>;
    markers?: Record<number, number>;
    receivables?: Record<string, number>;
    vigorish_earned?: number;
    complimentary?: number;
    goodwill?: number;
    next_form?: number;
    last_form?: number;
    forms?: number[];
    void_forms?: number[];
    missing_forms?: number[];
  }

  /** The Must Hit was won by a seat, or not; where it is shown; the trigger only if it was hit. */
  interface MustHitEnded {
    event: "must_hit_ended";
    cites: string[];
    hit: boolean;
    seat: number;
    award: number;
    meter: number;
    shows: string[];
    trigger: number | null;
    salt: string;
    not_reached: string;
    withheld: boolean;
    lost?: string;
    requester?: string;
    approver?: string;
  }

  /** A record: who asked for what, and the outcome. */
  interface NarratedAct {
    seq: number;
    at: number;
    act: string;
    who?: string;
    role?: string;
    origin?: string;
    device?: string;
    approvals?: NarratedApproval[];
    events?: NarratedEvent[];
    refused?: NarratedRefusal | null;
    hash: string;
    follows: boolean;
  }

  /** A second person, and in what capacity. */
  interface NarratedApproval {
    who: string;
    role: string;
  }

  /** An event: its number over the whole stream, its sort, a sentence, clauses, and what it changed at the table. */
  interface NarratedEvent {
    number: number;
    sort: string;
    event?: string;
    say?: string;
    what?: string;
    params?: Record<string, any>;
    cites?: string[];
    step?: string;
    counts?: Record<string, number>;
    taken?: WagerTaken[];
    patch?: Patch | null;
  }

  /** Why an act was refused. */
  interface NarratedRefusal {
    code: string;
    say: string;
    cites: string[];
    what: string;
    params: Record<string, any>;
  }

  /** The secret of a link, and the new password. */
  interface NewPassword {
    link: string;
    password: string;
  }

  /** A new person: a name to sign on with, and roles. */
  interface NewPerson {
    name: string;
    roles: Role[];
  }

  /** Wagers are frozen; what each Royal 9 wager adds to the meters is added, in micro-cents. */
  interface NoMoreBetsCalled {
    event: "no_more_bets_called";
    cites: string[];
    say: string;
    contributions: Record<string, number>;
    reserve?: number;
  }

  /** The table's journal has grown up to this record, refusals included; sent to those who oversee the house. */
  interface Noted {
    type: "noted";
    seq: number;
  }

  /** One notice that was given: to whom, of which election in which pit, when, in seconds of the house's clock. */
  interface Notice {
    to: string;
    pit: string;
    option: string;
    value: any;
    sent: number;
    written?: boolean;
  }

  /** A notice that the change needs; times in seconds, none until it has been given. */
  interface NoticeNeeded {
    to: string;
    option: string;
    value: any;
    minutes: number;
    cites: string[];
    sent: number | null;
    ripe_at: number | null;
  }

  /** A notice: who was notified of which election, when, in seconds; whether a change has used it. */
  interface NoticeShown {
    to: string;
    pit: string;
    option: string;
    value: any;
    sent: number;
    written: boolean;
    served: boolean;
    minutes: number;
    ripe_at: number;
    cites: string[];
  }

  /** Notices, newest first. */
  interface Notices {
    notices: NoticeShown[];
    next: string;
  }

  /** A secret that works once; it is shown here and nowhere else. */
  interface OneTime {
    secret: string;
  }

  /** An act of a role in a stream: its form, who else approves it, and whether it would be accepted now. */
  interface OpenAct {
    act: string;
    name: string;
    stream: string;
    group: string;
    say: string;
    open: boolean;
    refused: CitedSentence | null;
    due: boolean;
    cites: string[];
    approvers: Role[];
    fields: FieldShown[];
    drafts: (Record<string, any>)[];
  }

  /** What you may do, and the streams in which there are acts. */
  interface OpenActs {
    streams: string[];
    acts: OpenAct[];
  }

  /** The next day begins. */
  interface OpenDay {
    do: "open_day";
    name: string;
  }

  /** A table opens in the pit under filed rules, from a given time; its kind does not change while it is open. */
  interface OpenTable {
    do: "open_table";
    table: string;
    filed: FiledRules;
    effective: number;
    cards?: TableCards;
    witnesses?: string[];
    reveal_within?: number;
  }

  /** The opening inventory of a table, out of the cage. */
  interface OpenTray {
    do: "open_tray";
    table: string;
    chips: Inventory;
  }

  /** The note with which a witness opened its share, line by line, and the share key that signed it. */
  interface OpenedNote {
    key: string;
    note: string[];
  }

  /** An option in which a draft differs from what is filed: what holds now, and what would. */
  interface OptionDifference {
    option: string;
    before: any;
    after: any;
    cites: string[];
  }

  /** One option of an edition: what it says, what may be elected, and the clauses. */
  interface OptionShown {
    key: string;
    part: string;
    sort: "elect" | "fixed" | "may" | "stated";
    kind: "choice" | "flag" | "limits" | "list" | "number" | "odds" | "part" | "table" | "text";
    say: string;
    allowed: string;
    choices: any[];
    least: number | null;
    most: number | null;
    default: any;
    must_be_stated: boolean;
    example: any;
    applies: Record<string, any>;
    reading: string;
    cites: string[];
  }

  /** The committed seed is known, and another order than its own was sealed: the table stops. */
  interface OrderDisproved {
    event: "order_disproved";
    cites: string[];
    seed: string;
    sealed: string;
    derived: string;
  }

  /** The dealer or floorperson takes the shoe from a curator for cause, or the clock from one who does not deal. */
  interface OrderPass {
    do: "order_pass";
    reason: string;
    seat?: number;
  }

  /** A casino supervisor orders a new cut before any card has left the shoe; a house may require a request. */
  interface OrderRecut {
    do: "order_recut";
    reason: string;
  }

  /** The dealer, the floorperson or the clock takes the right from a participant who unreasonably delays the game. */
  interface OrderRelinquish {
    do: "order_relinquish";
    reason: string;
    seat?: number;
  }

  /** The order before the cut is fixed, and every card will prove that it stood in it. */
  interface OrderSealed {
    event: "order_sealed";
    cites: string[];
    root: string;
  }

  /** What a command would lead to, or why it would be refused; nothing has been done. */
  interface OutlookShown {
    refused: SaidEvent | null;
    events: SaidEvent[];
    calls: string[];
    follows: string;
    follows_sentence: Sentence;
    counts: Record<string, number>;
    ruled: DrawOrStay | null;
    ahead: RemedyStep[];
  }

  /** What protects you here; sums in cents, times in seconds of the house's clock. */
  interface OwnProtection {
    limit: number;
    lost: number;
    at_risk: number;
    wanted: number | null;
    wanted_from: number;
    wait_hours: number;
    reminder_minutes: number;
    out_until: number;
    is_excluded: boolean;
    now: number;
    since: number;
  }

  /** A round of one person that is over; rounds and shoes are counted from 1. */
  interface OwnRound {
    table: string;
    shoe: number;
    round: number;
    at: number;
    seat: number;
    rulebook: string;
    staked: number;
    won: number;
    vigorish: number;
    net: number;
    lines: WagerLine[];
  }

  /** Your rounds that are over, newest first. */
  interface OwnRounds {
    rounds: OwnRound[];
    next: string;
  }

  /** All your rounds together, in cents, and what the exact odds of your wagers expect of them. */
  interface OwnTotals {
    rounds: number;
    staked: number;
    vigorish: number;
    net: number;
    expected: number;
    two_deviations: number;
    unpriced: number;
    best: OwnRound[];
    worst: OwnRound[];
  }

  /** A seat's winning wagers are paid, and its stakes come back. */
  interface Paid {
    event: "paid";
    cites: string[];
    seat: number;
    win: number;
    stake: number;
  }

  /** A paragraph of a document, as it is cited: its clauses, the readings that they rely on, and what has changed. */
  interface ParagraphNote {
    paragraph: string;
    clauses: ClauseNote[];
    readings: string[];
    change: DifferenceKind | null;
  }

  /** The curator passes the shoe on, by choice or because the Banker lost. */
  interface PassShoe {
    do: "pass_shoe";
    seat: number;
  }

  /** The old password, and the new one. */
  interface PasswordChange {
    old: string;
    new: string;
  }

  /** The password, given again. */
  interface PasswordConfirmation {
    password: string;
  }

  /** The dealer pays the winning wagers of one seat. */
  interface Pay {
    do: "pay";
    seat: number;
  }

  /** A supervisor gives a seat what no cards owe it, within the filed limit; somebody outside the pit approves. */
  interface PayGoodwill {
    do: "pay_goodwill";
    seat: number;
    amount: number;
    reason: string;
    patron?: string;
  }

  /** One line of a pay table: its probability, and what a unit gains by it; exact, as fractions. */
  interface PayLinePrice {
    row: string;
    combinations: string;
    probability: string;
    gain: string;
    pays?: string;
    award?: number | null;
  }

  /** Money moves between the bank and a seat to correct a wrong payment. */
  interface PaymentCorrected {
    event: "payment_corrected";
    cites: string[];
    corrects?: number;
    seat: number;
    amount?: number;
    vigorish?: number;
    reason?: string;
    requester?: string;
    approver?: string;
  }

  /** Rules that are filed for a table but not in use yet; `since` in seconds. */
  interface PendingRules {
    edition: string;
    hash: string;
    since: number;
    holds: boolean;
  }

  /** People, by their ids. */
  interface People {
    people: PersonShown[];
    next: string;
  }

  /** What changes: the roles, or whether the person may sign on. */
  interface PersonChange {
    roles?: Role[] | null;
    active?: boolean | null;
  }

  /** A person who may sign on; the name is in the directory until it is erased. */
  interface PersonShown {
    id: string;
    name: string;
    roles: Role[];
    active: boolean;
    has_password: boolean;
    made_at: number;
  }

  /** What was left to one person's judgement. */
  interface PersonTotal {
    who: string;
    acts: number;
    approved: number;
    worth: string;
    known: number;
  }

  /** The total of one person, also in words. */
  interface PersonTotalShown {
    total: PersonTotal;
    say: string;
  }

  /** Is anybody there? */
  interface Ping {
    type: "ping";
  }

  /** A pit: its tables with the rules that hold, held and will hold there, and its notices. */
  interface PitShown {
    name: string;
    tables: Record<string, RulesShown[]>;
    notices: NoticeShown[];
  }

  /** The pits of the house. */
  interface Pits {
    pits: PitShown[];
  }

  /** The dealer places the cover card, with `behind` cards behind it, and the second cut card at the end. */
  interface PlaceCoverCard {
    do: "place_cover_card";
    behind: number;
  }

  /** A participant puts chips, perhaps with a coupon, on one area of the layout. */
  interface PlaceWager {
    do: "place_wager";
    seat: number;
    on: WagerKind;
    stake: number;
    coupon?: number;
    coupon_number?: number;
  }

  /** The answer to a ping. */
  interface Pong {
    type: "pong";
  }

  /** One of the acts that prepare the cards: inspect, verify, spread, wash, stack. */
  interface PrepareCards {
    do: "prepare_cards";
    act: string;
  }

  /** An act with the command that does it. */
  interface PreparedAct {
    what: string;
    by: Role;
    command: Record<string, any>;
    fields: InputField[];
    seat: number;
    amount: number;
    position: number | null;
    say: string;
    cites: string[];
    calls: string[];
    follows: string;
    sentence: Sentence;
    follows_sentence: Sentence;
    is_optional: boolean;
  }

  /** A winner has chosen where the payout goes. */
  interface PressChosen {
    event: "press_chosen";
    cites: string[];
    seat: number;
    onto: WagerKind;
  }

  /** A winner asks that the payout be added to a main wager. */
  interface PressHouseMoney {
    do: "press_house_money";
    seat: number;
    onto: WagerKind;
  }

  /** A choice made on a card that was wrong is off; the participant may choose again. */
  interface PressUndone {
    event: "press_undone";
    cites: string[];
    seat: number;
    onto: WagerKind;
  }

  /** One problem, by RFC 9457. */
  interface ProblemDetail {
    type?: string;
    title: string;
    status: number;
    detail?: string;
    instance?: string;
    code?: string;
    clauses?: string[];
    what?: string;
    params?: Record<string, any>;
    faults?: string[];
  }

  /** A message that was not understood; nothing has changed and nothing of it is stored. */
  interface ProblemMessage {
    type: "problem";
    say: string;
    what?: string;
    params?: Record<string, number | string>;
    id?: string;
    again?: boolean;
  }

  /** An act that needs a second person: its stream, and the command. */
  interface ProposalRequest {
    stream: string;
    command: Record<string, any>;
  }

  /** A proposal: what is to be done, by whom it was proposed, and the hash by which it is approved. */
  interface ProposalShown {
    id: string;
    stream: string;
    act: string;
    command: Record<string, any>;
    hash: string;
    proposer: string;
    role: Role;
    approvers: Role[];
    state: ProposalState;
    made_at: number;
    lapses_at: number;
    proposer_name: string;
    own: boolean;
    may_approve: boolean;
    corrects: CitedSentence | null;
    leads_to: CitedSentence[];
    refused: CitedSentence | null;
  }

  /** The state of a proposal; an open one may have lapsed without this being recorded yet. */
  type ProposalState = "open" | "approved" | "declined" | "withdrawn" | "lapsed";

  /** Proposals that wait for a second person. */
  interface Proposals {
    proposals: ProposalShown[];
  }

  /** A card that was turned: its position in the cut shoe, and the proof that it was there when it was sealed. */
  interface ProvedCard {
    position: number;
    card: string;
    salt: string;
    path: string[];
  }

  /** A question about a scene, and how it is answered. */
  interface Question {
    ask: string;
    what: string;
    params: Record<string, number | string>;
    form: Form;
    scene: Scene;
    choices: DrillChoice[];
  }

  /** The thirteen ranks, in the order of a new deck. */
  type Rank = "A" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K";

  /** What is doubtful in a text, how it is read, and why. */
  interface ReadingNote {
    problem: string;
    reading: string;
    why: string;
  }

  /** A set of cards comes to the table, as its decks' boxes name it. */
  interface ReceiveCards {
    do: "receive_cards";
    set_id: string;
    decks: number;
    preshuffled?: boolean;
    batch_shuffled?: boolean;
  }

  /** The pit clerk takes a series of prenumbered forms into use at this table. */
  interface ReceiveForms {
    do: "receive_forms";
    first: number;
    last: number;
  }

  /** The pit clerk takes in prenumbered forms for a table. */
  interface ReceiveSeries {
    do: "receive_series";
    table: string;
    first: number;
    last: number;
  }

  /** An act that was done: its record, and those that it led to in other streams. */
  interface RecordedAct {
    stream: string;
    seq: number;
    repeat: boolean;
    joined: Record<string, number>;
  }

  /** The stack is to be cut again, by this seat or the dealer. */
  interface RecutOrdered {
    event: "recut_ordered";
    cites: string[];
    seat: number;
    reason?: string;
    requester?: string;
    approver?: string;
  }

  /** A sentence within another, or attached to an event: its name and its parameters. */
  interface RefusalNote {
    what: string;
    params?: Record<string, number | string>;
  }

  /** The command was refused, and nothing has changed. */
  interface RefusedAnswer {
    type: "refused";
    id: string;
    code: string;
    say: string;
    what?: string;
    params?: Record<string, number | string | RefusalNote[]>;
    cites?: string[];
    seq?: number;
    repeat?: boolean;
  }

  /** The holder gives up the right to turn the cards. */
  interface Relinquish {
    do: "relinquish";
    seat: number;
  }

  /** A step of a remedy that is still to come. */
  interface RemedyStep {
    say: string;
    cites: string[];
    what: string;
    params: Record<string, any>;
  }

  /** A round in sentences: the whole table before its first record, then every record with what each event changed. */
  interface Replay {
    table: string;
    shoe: number;
    round: number;
    over: boolean;
    rulebook: string;
    view: TableView | null;
    acts: NarratedAct[];
    last: number;
    more: boolean;
  }

  /** A shoe: its rounds that are over, in order, and whether it is closed. */
  interface ReplayedShoe {
    table: string;
    shoe: number;
    over: boolean;
    round: number;
    rounds: RoundCard[];
  }

  /** A card has come out of the shoe that no hand was entitled to; which it is, if it was seen. */
  interface ReportErrorCard {
    do: "report_error_card";
    to?: Side | null;
    card?: Card | null;
    proof?: CardProof | null;
    in_shoe?: boolean;
  }

  /** Two persons turn the debt of somebody who walked away into a receivable. */
  interface ReportException {
    do: "report_exception";
    seat: number;
    reason: string;
  }

  /** A card of a hand has been seen before its turn. */
  interface ReportExposedCard {
    do: "report_exposed_card";
    position: number;
    card: Card;
    proof?: CardProof | null;
  }

  /** The next card of the shoe lies face up. */
  interface ReportFaceUp {
    do: "report_face_up";
    card: Card;
    proof?: CardProof | null;
  }

  /** Nobody has the seed of a shoe any more: one person reports it, another confirms. */
  interface ReportLostSeed {
    do: "report_lost_seed";
    reason: string;
  }

  /** A number that was received and cannot be found is reported by one person and confirmed by another. */
  interface ReportMissing {
    do: "report_missing";
    table: string;
    serial: number;
    reason: string;
  }

  /** The clock reports that the seed of a shoe that is over was not revealed by the table's deadline. */
  interface ReportOverdueSeed {
    do: "report_overdue_seed";
    due_for: number;
  }

  /** Two persons record an amount that a correction could not collect as a receivable. */
  interface ReportUncollected {
    do: "report_uncollected";
    seat: number;
    reason: string;
  }

  /** Something that may have gone wrong, and how it is reported. */
  interface ReportableIrregularity {
    what: string;
    command: Record<string, any>;
    fields: InputField[];
    cites: string[];
    by: Role[];
    elected: ElectedRemedy[];
  }

  /** A participant asks for a hand without wagers. */
  interface RequestFreeHand {
    do: "request_free_hand";
    seat: number;
  }

  /** The result is known: the calls, what the dealer must do, what the meters show, in micro-cents. */
  interface ResultAnnounced {
    event: "result_announced";
    cites: string[];
    outcome: string;
    player: number;
    banker: number;
    calls: string[];
    acts?: Act[];
    coupons?: DecidedCoupon[];
    returned?: Record<number, number>;
    return_cites?: string[];
    meters: Record<string, number>;
    seeded?: number;
    from_reserve?: number;
  }

  /** A card was corrected before any chip had moved: what was set aside goes back, and the result is called again. */
  interface ResultWithdrawn {
    event: "result_withdrawn";
    cites: string[];
    payable?: Record<number, number>;
    meters: Record<string, number>;
    seeded?: number;
    from_reserve?: number;
  }

  /** The holder, having seen the cards, gives them back. */
  interface ReturnCards {
    do: "return_cards";
    seat: number;
  }

  /** A participant is back, after the time for which he wanted to stay away. */
  interface ReturnToPlay {
    do: "return_to_play";
    effective: number;
  }

  /** The seed of an electronic shoe that is over is opened, and shows whether the sealed order followed from it. */
  interface RevealSeed {
    do: "reveal_seed";
    seed: string;
  }

  /** The roads of a shoe after its last round that is over. */
  interface RoadsShown {
    table: string;
    shoe: number;
    results: string;
    marks: string;
    bead_plate: any;
    big_road: any;
    big_eye_boy: any;
    small_road: any;
    cockroach_pig: any;
    ask: any;
    statistics: any;
  }

  /** In what capacity a person acts. */
  type Role = "participant" | "dealer" | "floorperson" | "casino supervisor" | "pit boss" | "pit clerk" | "cage cashier" | "administrator" | "surveillance" | "regulator" | "public";

  /** The role to change to. */
  interface RoleChange {
    role: Role;
    password?: string | null;
    proof?: DeviceProof | null;
    second_window?: boolean;
  }

  /** The round in progress. */
  interface Round {
    number: number;
    kind: RoundKind;
    why: string[];
    asked_by?: number;
    wagers?: Wager[];
    spoken?: Spoken[];
    confirmers?: Record<string, string>;
    closed: boolean;
    cards_called: boolean;
    banker_first: boolean;
    player: number[];
    banker: number[];
    turned: Record<number, Card>;
    holders?: Partial<Record<Side, number>>;
    handed?: Side[];
    returned?: Side[];
    offering?: Side | null;
    offered?: number[];
    counted: Side[];
    stays: Side[];
    presses?: Record<number, WagerKind>;
    pressed?: Record<number, number>;
    house_lines?: Act[];
    house_corrected?: Record<number, number>;
    announced: boolean;
    acts?: Act[];
    coupons?: DecidedCoupon[];
    returned_due?: Record<number, number>;
    return_cites?: string[];
    winner: Side | null;
    must_hit_due?: boolean;
    void: boolean;
    called?: Record<number, Card>;
    meters_before?: MetersBefore;
    corrected?: boolean;
    withheld?: Record<number, number>;
    lying?: Record<number, number>;
    untaken?: Record<number, number>;
    righted?: Record<number, number>;
    raised?: Record<string, number>;
  }

  /** A round that is over, as everybody saw it; rounds are counted from 1 in their shoe, shoes from 1. */
  interface RoundCard {
    shoe: number;
    round: number;
    at: number;
    result: RoundResult;
  }

  /** The entries of a round that two persons may correct, the latest first. */
  interface RoundCorrigible {
    table: string;
    shoe: number;
    round: number;
    entries: CorrigibleShown[];
  }

  /** A round that is over: the result, and everything that happened, as far as you may see it. */
  interface RoundDetail {
    table: string;
    shoe: number;
    round: number;
    at: number;
    result: RoundResult;
    role: Role;
    seat: number;
    events: ShownEvent[];
  }

  /** What a round is dealt for. */
  type RoundKind = "wagered" | "free hand" | "simulated";

  /** The round that was about to begin holds no wagers: the seen card opens it; the meters are as before. */
  interface RoundMadeSimulated {
    event: "round_made_simulated";
    cites: string[];
    position: number;
    card: Card;
    contributions: Record<string, number>;
    reserve?: number;
  }

  /** The result of a round, as everybody saw it. */
  interface RoundResult {
    kind: string;
    outcome?: string;
    player?: Hand | null;
    banker?: Hand | null;
    void?: boolean;
    player_pair?: boolean;
    banker_pair?: boolean;
    natural?: boolean;
  }

  /** The shoe cannot finish the round: every wager goes back, and what was settled of it is undone. */
  interface RoundVoided {
    event: "round_voided";
    cites: string[];
    returned?: Record<number, number>;
    taken_back?: Record<number, number>;
    contributions: Record<string, number>;
    reserve?: number;
  }

  /** Rounds that are over, newest first. */
  interface RoundsPage {
    table: string;
    rounds: RoundCard[];
    next: string;
  }

  /** The prices of all wagers of a rulebook, from a full shoe. */
  interface RulebookPrices {
    rulebook: string;
    edition: string;
    title: string;
    cards: number;
    wagers: WagerPrice[];
    missing: Record<string, string>;
    remarks: string[];
    notes: string[];
  }

  /** What the tableau says of a hand. */
  interface RuledHand {
    side: Side;
    act: string;
    say: string;
    cites: string[];
    sentence: Sentence;
  }

  /** The coming shoe is played by these rules. The other fields are set where they differ from before. */
  interface RulesAdopted {
    event: "rules_adopted";
    cites: string[];
    hash: string;
    ruleset: string;
    submission?: Record<string, any> | null;
    seats: number | null;
    new_cards: boolean;
    curator_begins: boolean;
    meters: Record<string, number> | null;
    must_hit: number | null;
    seeded?: Record<string, number>;
    must_hit_seeded?: number;
  }

  /** Rules of a table, and from when they hold, in seconds. */
  interface RulesShown {
    edition: string;
    hash: string;
    since: number;
  }

  /** A running timer: what the table waits for, at which seat, and how many seconds are left of how many. */
  interface RunningTimer {
    what: string;
    seat: number;
    left: number;
    of: number;
  }

  /** Something that has happened, or would happen: its name, the sentence, the clauses. */
  interface SaidEvent {
    event: string;
    say: string;
    cites: string[];
    what: string;
    params: Record<string, any>;
  }

  /** A person has taken a seat; a shoe or a cut that could not be offered to anybody is offered now. */
  interface Sat {
    event: "sat";
    cites: string[];
    seat: number;
    who?: string;
  }

  /** What is seen on the table: the cards of both hands, None where one lies face down, and the wagers. */
  interface Scene {
    player: (string | null)[];
    banker: (string | null)[];
    wagers: DrillWager[];
    notes: string[];
  }

  /** How many exercises were answered, how many of them correctly, and in how many milliseconds on average. */
  interface Score {
    asked: number;
    right: number;
    slow: number;
    milliseconds: number;
  }

  /** A whole score sheet, as it is written as JSON. */
  interface ScoreSheet {
    edition: string;
    rulebook: string;
    total: Score;
    by_kind: Partial<Record<DrillKind, Score>>;
    marks: GradedAnswer[];
  }

  /** The marks that a score sheet is made of. */
  interface ScoreSheetRequest {
    marks: GradedAnswer[];
  }

  /** The order of the stack, not yet cut, is sealed under this root; every card will prove that it stood in it. */
  interface SealOrder {
    do: "seal_order";
    root: string;
  }

  /** The trigger of a meter that begins again is sealed: its hash is known, its value is not. */
  interface SealTrigger {
    do: "seal_trigger";
    seal: string;
  }

  /** A seat: whether somebody sits there; who, and with what chips, only for those who may know. */
  interface SeatView {
    seat: number;
    taken: boolean;
    who?: string;
    chips?: number;
  }

  /** The people: who sits where, who deals, who has the shoe and who was offered it. */
  interface Seats {
    participants: SeatView[];
    dealers?: string[];
    relieved?: Record<string, [number, number]>;
    curator: number | null;
    curator_right?: number | null;
    shoe_offers: number[];
    must_pass: boolean;
    passed_by?: number | null;
    given_up: boolean;
    last_curator?: number | null;
    last_cutter?: number | null;
    free_hands: number;
  }

  /** A section of a document: its number, what it is about, and its paragraphs in order. */
  interface SectionNote {
    number: string;
    title: string;
    paragraphs: ParagraphNote[];
  }

  /** What a seat has put into the order of an electronic shoe: a text, whose UTF-8 bytes are used. */
  interface SeedContribution {
    seat: number;
    value: string;
  }

  /** The seed will never be known: what the shoe promised cannot be checked. */
  interface SeedLost {
    event: "seed_lost";
    cites: string[];
    reason?: string;
    requester?: string;
    approver?: string;
  }

  /** The deadline of the reveal has passed: the table stops until the seed is revealed or reported lost. */
  interface SeedOverdue {
    event: "seed_overdue";
    cites: string[];
    due_for: number;
    within: number;
  }

  /** The seed is known, and everything that was published about the shoe follows from it. */
  interface SeedRevealed {
    event: "seed_revealed";
    cites: string[];
    seed: string;
    sealed: boolean;
  }

  /** The last frame that the client has; it also shows that the client is alive. */
  interface SeenMessage {
    type: "seen";
    seq: number;
  }

  /** A sentence as a name and parameters; the words themselves are next to it. */
  interface Sentence {
    what: string;
    params: Record<string, number | string>;
  }

  /** Prenumbered forms that a table received. */
  interface SeriesShown {
    table: string;
    first: number;
    last: number;
  }

  /** A session: who, in which role, where, since when; no secret. */
  interface SessionShown {
    id: string;
    person: string;
    role: Role;
    device: string;
    table: string;
    made_at: number;
    seen_at: number;
  }

  /** The live sessions of a person. */
  interface Sessions {
    sessions: SessionShown[];
  }

  /** The most that a participant wants to lose in a gaming day; 0 is no limit. */
  interface SetLossLimit {
    do: "set_loss_limit";
    effective: number;
    amount: number;
  }

  /** Other terms for the next jackpot of a meter; the running one keeps its own (M8). */
  interface SetNextTerms {
    do: "set_next_terms";
    meter: string;
    terms: Terms;
  }

  /** After how many minutes of play a participant is reminded; 0: never. */
  interface SetPlayReminder {
    do: "set_play_reminder";
    effective: number;
    minutes: number;
  }

  /** The dealer pays a seat what the corrected cards owe it, or collects what it was overpaid. */
  interface SettleDue {
    do: "settle_due";
    seat: number;
  }

  /** The dealer takes or pays the House Money wager of one seat. */
  interface SettleHouseMoney {
    do: "settle_house_money";
    seat: number;
  }

  /** What the dealer does at one seat, or with all losing wagers: sums in cents, none where nothing of it moves. */
  interface SettlementLine {
    seat: number;
    seats: number[];
    wagers: LineWager[];
    collect: number | null;
    vigorish: number | null;
    is_marked: boolean;
    box: number | null;
    pay: number | null;
    award: number | null;
    row: string;
    say: string;
    cites: string[];
    state: "done" | "later" | "now";
  }

  /** A card was corrected while the round was being settled: nothing more is paid by the announced result. */
  interface SettlementStopped {
    event: "settlement_stopped";
    cites: string[];
    payable: Record<number, number>;
    withheld: Record<number, number>;
    lying: Record<number, number>;
    untaken: Record<number, number>;
  }

  /** A witness has opened its share, in a signed note, line by line. */
  interface ShareGiven {
    event: "share_given";
    cites: string[];
    key: string;
    note: string[];
  }

  /** What a witness is asked for in the order of a shoe. */
  type SharePart = "promise" | "share";

  /** The shoe as a table has it (a part of `TableState`): the cards in play, from their arrival to the close. */
  interface Shoe {
    number: number;
    set_id?: string;
    former_set?: string;
    used_sets?: string[];
    after_void: boolean;
    decks: number;
    preshuffled?: boolean;
    reshuffle?: boolean;
    done?: string[];
    inspector?: string;
    shuffled_by?: string[];
    cut_offers?: number[];
    cutter?: number | null;
    in_front: number | null;
    recuts?: number;
    cover?: number | null;
    loaded: boolean;
    commitment: Commitment | null;
    root: string;
    former_seed: string;
    next: number;
    burn: number[];
    burn_left?: number;
    burned: Record<number, Card>;
    burn_shown: boolean;
    burn_corrected?: boolean;
    cover_out: boolean;
    last_called: boolean;
    is_last: boolean;
    finished: boolean;
    abandoned: boolean;
    taken_away: boolean;
    pending?: number[];
    carried: number[];
    carried_cites?: Record<number, string[]>;
    disclosed: Record<number, Card>;
    disclosed_cites?: string[];
    exposing: number[];
    exposing_cites?: string[];
    seen?: Record<string, number>;
    goodwill?: number;
    given_before?: number;
  }

  /** No more hands are dealt from this shoe, though it was not at its end. */
  interface ShoeAbandoned {
    event: "shoe_abandoned";
    cites: string[];
    reason?: string;
    taken_away: boolean;
  }

  /** A seat has taken or declined the shoe. */
  interface ShoeAnswered {
    event: "shoe_answered";
    cites: string[];
    seat: number;
    accept: boolean;
    dealer_deals: boolean;
  }

  /** A shoe: how many of its rounds are over, and when the first and the last of them were, in microseconds UTC. */
  interface ShoeCard {
    shoe: number;
    rounds: number;
    began: number;
    at: number;
  }

  /** The shoe is over: the set is shuffled again, or another must come; cards left for no hand go with it. */
  interface ShoeClosed {
    event: "shoe_closed";
    cites: string[];
    same_set: boolean;
    unused: number[];
    seed: string;
  }

  /** A seed is fixed, and hidden until the shoe is over; everything but the commitment forms its header. */
  interface ShoeCommitted {
    event: "shoe_committed";
    cites?: string[];
    table: string;
    shoe: string;
    rulebook: string;
    decks: number;
    commitment: string;
    order?: number;
    origin?: string;
    witnesses?: WitnessPromise[];
  }

  /** The order of an electronic shoe has failed the gate: the table stops. */
  interface ShoeFailed {
    event: "shoe_failed";
    cites: string[];
    why: GateFault;
  }

  /** Nobody took the shoe: the dealer is curator. */
  interface ShoeFellToDealer {
    event: "shoe_fell_to_dealer";
    cites: string[];
  }

  /** No more hands are dealt from this shoe. */
  interface ShoeFinished {
    event: "shoe_finished";
    cites: string[];
  }

  /** A card has come that cannot be in the shoe: the table stops, or the shoe ends with the round being settled. */
  interface ShoeFouled {
    event: "shoe_fouled";
    cites: string[];
    position: number;
    card: Card;
    why: string;
    ends_with_round?: boolean;
  }

  /** The stack is in the shoe. */
  interface ShoeLoaded {
    event: "shoe_loaded";
    cites: string[];
  }

  /** The shoe is to be offered again. */
  interface ShoePassed {
    event: "shoe_passed";
    cites: string[];
    seat: number;
    reason?: string;
    ordered: boolean;
  }

  /** Everything shown of a shoe's shuffle; docs/shuffle.md says how it is checked. */
  interface ShoeProof {
    table: string;
    shoe: number;
    name: string;
    rulebook: string;
    decks: number;
    commitment: string;
    order: number;
    origin: string;
    witnesses: WitnessPromise[];
    contributions: string[];
    inputs: string;
    closing: string;
    notes: OpenedNote[];
    root: string;
    in_front: number | null;
    cards: ProvedCard[];
    seed: string;
    disproved: boolean;
  }

  /** Shoes of a table, newest first. */
  interface Shoes {
    table: string;
    shoes: ShoeCard[];
    next: string;
  }

  /** What the link shows now, in micro-cents (the Must Hit in cents), and which meters were won elsewhere. */
  interface ShowMeters {
    do: "show_meters";
    meters?: Record<string, number>;
    reserve?: number;
    must_hit?: number;
    must_hit_seal?: string;
    must_hit_run?: number;
    won?: string[];
  }

  /** One event as you may see it: its fields, a sentence, and the clauses behind it. */
  interface ShownEvent {
    event: TableEvent;
    say?: string;
    what?: string;
    params?: Record<string, any>;
  }

  /** A dealer shuffles the stack, by hand or with a device. */
  interface ShuffleCards {
    do: "shuffle_cards";
    steps?: string[];
    device?: boolean;
    cards?: number;
  }

  /** The two hands of the game. */
  type Side = "player" | "banker";

  /** Who signs on, in which role. */
  interface SignOn {
    name: string;
    password: string;
    role: Role;
    proof?: DeviceProof | null;
  }

  /** A signature under a checkpoint: by whom, and, for the cosignature of a witness, when, in seconds since 1970. */
  interface SignatureCard {
    name: string;
    at?: number;
  }

  /** A seen card waits to open a round without wagers. */
  interface SimulatedRoundOrdered {
    event: "simulated_round_ordered";
    cites: string[];
    position: number;
    card: Card;
  }

  /** A person takes a seat. */
  interface Sit {
    do: "sit";
    seat: number;
    person?: string;
  }

  /** The last slips of the cage, newest first. */
  interface Slips {
    slips: CageSlip[];
  }

  /** A participant wagers aloud, with or without cash on the table. */
  interface SpeakWager {
    do: "speak_wager";
    seat: number;
    on: WagerKind;
    stake: number;
    cash: boolean;
  }

  /** A spoken wager that does not stand yet: who has confirmed it so far. */
  interface Spoken {
    seat: number;
    on: WagerKind;
    stake: number;
    verbal: Verbal;
  }

  /** One call as data, so that it can be shown in another language; `say` are the document's own words. */
  interface SpokenCall {
    name: string;
    say: string;
    hand: string;
    count: number;
    player: number;
    banker: number;
    winner: string;
  }

  /** What is said at a table now, and the words of every clause that it names. */
  interface SpokenMoment {
    call: DealerCall;
    then: CitedWords;
    topic: string;
    question: string;
    rulings: CitedWords[];
    tableau: TableauCell | null;
    hands: Record<string, HandCount>;
    closed_by: string[];
    lines: WagerLine[];
    table: string;
    at: StateReference;
    clauses: Record<string, ClauseText>;
    witness_wait: WitnessWait | null;
  }

  /** A spoken wager was not confirmed and exchanged for chips in time: it is off. */
  interface SpokenWagerOff {
    event: "spoken_wager_off";
    cites: string[];
    seat: number;
    on: WagerKind;
  }

  /** The state of the table when it was said, so that words are not shown with the state of another moment. */
  interface StateReference {
    step: string;
    shoe: number;
    round: number;
    kind: string;
    closed: boolean;
    stopped: boolean;
  }

  /** Two persons record the kind of a table opened before that was required, once, between two shoes. */
  interface StateTableKind {
    do: "state_table_kind";
    table: string;
    cards: TableCards;
  }

  /** The table has gone on to its next step. */
  interface StepBegan {
    event: "step";
    cites: string[];
    step: string;
  }

  /** A step, and whether the table has passed it, is at it, or will come to it. */
  interface StepShown {
    name: string;
    state: "later" | "now" | "past";
    cites: string[];
  }

  /** Another person's approval, given at this console by name and password. */
  interface StepUp {
    seen: string;
    name: string;
    password: string;
    role: Role;
  }

  /** A stream: a table, or a book of the house. */
  interface StreamCard {
    name: string;
    entries: number;
    events: number;
    hash: string;
  }

  /** What is signed of a stream: how many entries there are, the newest checkpoint, and those of each witness. */
  interface StreamSignatures {
    stream: string;
    entries: number;
    newest: CheckpointCard | null;
    cosigned: CheckpointCard[];
    witnesses: string[];
  }

  /** The streams of the house. */
  interface Streams {
    streams: StreamCard[];
  }

  /** A Submission: what was filed under which edition, and the tables that play by it. */
  interface SubmissionCard {
    name: string;
    edition: string;
    hash: string;
    shipped: boolean;
    tables: string[];
  }

  /** A whole Submission. */
  interface SubmissionDetail {
    edition: string;
    title: string;
    hash: string;
    submission: Record<string, any>;
    warnings: string[];
  }

  /** Submissions that come with the program, and those in force. */
  interface Submissions {
    submissions: SubmissionCard[];
    usual: string;
  }

  /** The four suits, in the order of a new deck. */
  type Suit = "s" | "h" | "d" | "c";

  /** A table as you may see it. */
  interface TableAnswer {
    table: string;
    role: Role;
    seat: number;
    view: TableView;
  }

  /** A table as the lobby shows it. */
  interface TableCard {
    table: string;
    edition: string;
    title: string;
    heading: TableTitle;
    number: number;
    seats: number;
    free: number[];
    automated: number[];
    watching: number;
    step: string;
    shoe: number;
    round: number;
    limits: Record<string, Limits>;
    stakes: Limits | null;
    titles: Record<string, string>;
    side_wagers: string[];
    jurisdiction: string;
    form: string;
    form_say: string;
    results: string;
    marks: string;
    open: boolean;
    free_hand: boolean;
    match_play: boolean;
    banker_first: boolean;
    press: string[];
    cut_depth: number;
    rules: string;
    cards: TableCards | null;
    when_away: string;
  }

  /** What lies in the shoe of a table, and who deals it. */
  type TableCards = "real" | "electronic" | "automated";

  /** The cards of the round lie in the discards; the next round may begin, a simulated one if cards open it. */
  interface TableCleared {
    event: "table_cleared";
    cites: string[];
    positions: number[];
    must_pass: boolean;
    opens: Card[];
  }

  /** What the sign over a table shows. */
  interface TableSign {
    card: TableCard;
    now: LobbyTable;
    last: IndexedRound | null;
    meters: any;
  }

  /** One table at one moment: the step it is at, and five parts that change at their own pace. */
  interface TableState {
    step: string;
    rules: string;
    stopped?: string;
    seats: Seats;
    shoe: Shoe;
    round: Round;
    money: Money;
    meters: Meters;
    cards?: TableCards;
    witnesses?: string[];
    reveal_within?: number;
  }

  /** The title of a table, in parts. */
  interface TableTitle {
    game: string;
    edition: string;
    traits: string[];
    rate: string;
    coin: number;
    deferred: boolean;
    say: string;
  }

  /** A table as one viewer sees it: the state's parts with the fields of this role, and the acts that are due. */
  interface TableView {
    role: Role;
    seat: number;
    state: TableState;
    due: Due[];
  }

  /** The rows of the tableau that depend on the Player's third card, and the place of this round in it. */
  interface TableauCell {
    rows: TableauRow[];
    banker: number;
    third: number | null;
  }

  /** The tableau as a table: what each hand does on its count, unless a hand is a natural. */
  interface TableauNote {
    section: string;
    counts: number[];
    player: string[];
    banker: string[][];
    cites: string[];
  }

  /** What the Banker does on a count, by the value of the Player's third card, 0 to 9, and where there is none. */
  interface TableauRow {
    banker: number;
    acts: string[];
  }

  /** The tables of the house. */
  interface Tables {
    tables: TableCard[];
  }

  /** A participant wants to stay away for some hours. */
  interface TakeTimeOut {
    do: "take_time_out";
    effective: number;
    hours: number;
  }

  /** The dealer collects or marks the vigorish of one seat. */
  interface TakeVigorish {
    do: "take_vigorish";
    seat: number;
  }

  /** What a meter begins with, and what each wager adds to it and to the reserve, in micro-cents. */
  interface Terms {
    seed: number;
    contribution: number;
    reserve?: number;
  }

  /** A third card was dealt on a count that was wrong: it leaves the hand, and the clauses say where it goes. */
  interface ThirdCardTakenBack {
    event: "third_card_taken_back";
    cites: string[];
    position: number;
    side: Side;
    card: Card | null;
  }

  /** A ticket for one socket, valid for half a minute, and the address of the socket. */
  interface TicketAnswer {
    ticket: string;
    socket: string;
  }

  /** The table that a socket is to join. */
  interface TicketRequest {
    table: string;
  }

  /** What somebody knows of a rulebook: how many exercises were answered, and the progress of each case. */
  interface Trainee {
    rulebook: string;
    answered: number;
    standings: Record<string, CaseProgress>;
    last: string;
  }

  /** A tray: whether it is open, what was last counted, what went there; in cents. */
  interface TrayShown {
    open: boolean;
    counted: number | null;
    sent: number;
  }

  /** A trigger is fixed, and hidden until it is hit. */
  interface TriggerSealed {
    event: "trigger_sealed";
    cites: string[];
    seal: string;
  }

  /** A seat has taken or declined the right. */
  interface TurnAnswered {
    event: "turn_answered";
    cites: string[];
    side: Side;
    seat: number;
    accept: boolean;
  }

  /** A card is turned up: its value comes from outside, proved or on the dealer's word. */
  interface TurnCard {
    do: "turn_card";
    position: number;
    card: Card;
    proof?: CardProof | null;
  }

  /** Nobody takes the right, or its offer is ended by order, with a reason: the dealer turns the cards. */
  interface TurnFellToDealer {
    event: "turn_fell_to_dealer";
    cites: string[];
    side: Side;
    reason?: string;
  }

  /** A right to turn a hand has been given up, or taken with a reason. */
  interface TurnRelinquished {
    event: "turn_relinquished";
    cites: string[];
    side: Side;
    seat: number;
    reason?: string;
  }

  /** What a correction could not take back is a receivable; the chips that were there are taken. */
  interface UncollectedReported {
    event: "uncollected_reported";
    cites: string[];
    seat: number;
    patron?: string;
    amount?: number;
    collected?: number;
    lying?: number;
    vigorish?: number;
    reason?: string;
    requester?: string;
    approver?: string;
  }

  /** A spoken wager: whether cash lies with it, and who has confirmed it. */
  interface Verbal {
    cash: boolean;
    confirmed_by: string[];
  }

  /** The whole table as this client may see it, after frame `seq` of this run. */
  interface View {
    type: "view";
    seq: number;
    run: string;
    table: string;
    view: TableView;
    words?: WordsChange;
  }

  /** A marker's debt is paid, and the marker goes. */
  interface VigorishCollected {
    event: "vigorish_collected";
    cites: string[];
    seat: number;
    amount?: number;
  }

  /** A form covers a marker's debt to the cent; the win includes it, and so does a complimentary. */
  interface VigorishDocumented {
    event: "vigorish_documented";
    cites: string[];
    seat: number;
    form?: ComplimentaryForm;
  }

  /** Vigorish of a seat is collected, or marked with a button. */
  interface VigorishTaken {
    event: "vigorish_taken";
    cites: string[];
    seat: number;
    amount: number;
    marked: boolean;
  }

  /** In which role you visit a practice house. */
  interface Visit {
    role?: Role;
    second_window?: boolean;
  }

  /** Who you are here, and the token of a second window. */
  interface VisitorAnswer {
    who: string;
    role: Role;
    table: string;
    token?: string;
  }

  /** A form is voided: both parts marked, signed by pit boss and pit clerk, its number recorded. */
  interface VoidForm {
    do: "void_form";
    serial: number;
    copies?: number;
  }

  /** The pit clerk keeps a form of which every part is marked void and signed. */
  interface VoidPaper {
    do: "void_paper";
    table: string;
    serial: number;
    pit_boss: string;
    pit_clerk: string;
    copies: number;
  }

  /** A stake of a seat on one spot of the layout. */
  interface Wager {
    seat: number;
    on: WagerKind;
    stake: number;
    press: WagerKind | null;
    coupon: number;
    verbal: Verbal | null;
  }

  /** A wager has another stake. */
  interface WagerChanged {
    event: "wager_changed";
    cites: string[];
    seat: number;
    on: WagerKind;
    stake: number;
    before: number;
  }

  /** One of those who must confirm a spoken wager has done so. */
  interface WagerConfirmed {
    event: "wager_confirmed";
    cites: string[];
    seat: number;
    on: WagerKind;
    who: Role;
    person?: string;
  }

  /** A wager by its name in editions, Submissions and records. */
  type WagerKind = "player" | "banker" | "tie" | "dragon_player" | "dragon_banker" | "dragon7" | "panda8" | "house_money" | "total4" | "total5" | "total6" | "royal9";

  /** What happened to one wager, in cents. */
  interface WagerLine {
    seat: number;
    on: WagerKind;
    stake: number;
    result: string;
    win: number;
    vigorish: number;
    rate: number;
    coin: number;
    row: string;
    cites: string[];
  }

  /** A wager lies on the table. */
  interface WagerPlaced {
    event: "wager_placed";
    cites: string[];
    seat: number;
    on: WagerKind;
    stake: number;
    coupon: number;
    cash: boolean;
  }

  /** What a wager costs: the house edge of a unit staked, exactly and to nine places, and its spread. */
  interface WagerPrice {
    wager: string;
    name: string;
    edge: string;
    edge_decimal: string;
    edge_resolved_decimal: string;
    deviation_decimal: string;
    hit_decimal: string;
    push_decimal: string;
    deals: string;
    lines: PayLinePrice[];
    measures: Measures;
    table: string[][];
  }

  /** A wager has been spoken; it does not stand yet. */
  interface WagerSpoken {
    event: "wager_spoken";
    cites: string[];
    seat: number;
    on: WagerKind;
    stake: number;
  }

  /** A wager that is taken from the layout while others are still there. */
  interface WagerTaken {
    seat: number;
    on: string;
  }

  /** A wager has been taken back. */
  interface WagerWithdrawn {
    event: "wager_withdrawn";
    cites: string[];
    seat: number;
    on: WagerKind;
    stake: number;
  }

  /** Wagers that neither won nor lost are back with their owners. */
  interface WagersReturned {
    event: "wagers_returned";
    cites: string[];
    amounts: Record<number, number>;
  }

  /** What the table waits for now; sent whenever that changes, and on joining. */
  interface Waits {
    type: "waits";
    waits?: RunningTimer[];
  }

  /** What house this is, and who you are in it. */
  interface Welcome {
    title: string;
    practice: boolean;
    who: string;
    name: string;
    role: Role;
    table: string;
    roles: Role[];
    pages: string[];
    can: string[];
    sign_on_roles: Role[];
  }

  /** A dealer is off the game. */
  interface WentOff {
    event: "went_off";
    cites: string[];
    who: string;
  }

  /** A participant takes a wager back. */
  interface WithdrawWager {
    do: "withdraw_wager";
    seat: number;
    on: WagerKind;
  }

  /** A witness that has a share in the order of a shoe: its share key, and the promise of the share. */
  interface WitnessPromise {
    key: string;
    promise: string;
  }

  /** A share that a witness has opened: its key, the share, and the hash of the record that it was opened for. */
  interface WitnessShare {
    key: string;
    share: string;
    leaf: string;
  }

  /** A shoe that waits: for which witnesses, for what, and since when, in microseconds UTC. */
  interface WitnessWait {
    part: SharePart;
    witnesses: string[];
    since: number;
  }

  /** Other witnesses have a share in the order of this table's shoes, from the next commitment on. */
  interface WitnessesChanged {
    event: "witnesses_changed";
    cites: string[];
    witnesses: string[];
    requester?: string;
    approver?: string;
  }

  /** What has changed in the words alone, after frame `seq`; all of them for a client that resumes. */
  interface WordsChanged {
    type: "words";
    seq: number;
    words: WordsChange;
  }

  /** Which words a client asks for: none, the moment of the table, or the work of the table. */
  type WordsKind = "" | "moment" | "work";

  /** The work of a table: the steps, the acts that you may do, their outcomes, and what may be reported. */
  interface WorkShown {
    steps: StepShown[];
    acts: PreparedAct[];
    waiting: AwaitedAct[];
    choices: AwaitedAct[];
    counts: Record<string, number>;
    ruled: DrawOrStay | null;
    settlement: SettlementLine[];
    settlement_cites: string[];
    house_money: HouseMoneyLine[];
    boxes: Boxes | null;
    irregularities: ReportableIrregularity[];
    table: string;
    role: Role;
    stopped: string;
    remedy_done: SaidEvent[];
    remedy_ahead: RemedyStep[];
    corrigible: CorrigibleShown[];
    dealers: DealerOnGame[];
    floor_called: FloorCall | null;
    floor_answered: CallShown | null;
    witness_wait: WitnessWait | null;
  }

  type Command =
    | AdoptRules
    | Sit
    | BuyIn
    | Leave
    | ComeOn
    | GoOff
    | ReceiveCards
    | PrepareCards
    | ShuffleCards
    | LaceCards
    | CommitShoe
    | Contribute
    | CloseInputs
    | GiveShare
    | SealOrder
    | FailShoe
    | AnswerCut
    | GiveUpCut
    | CutCards
    | OrderRecut
    | PlaceCoverCard
    | LoadShoe
    | BurnCards
    | RevealSeed
    | ReportLostSeed
    | ReportOverdueSeed
    | AbandonShoe
    | CollectVigorish
    | CloseShoe
    | AnswerShoe
    | PassShoe
    | OrderPass
    | PlaceWager
    | ChangeWager
    | WithdrawWager
    | SpeakWager
    | ConfirmWager
    | RequestFreeHand
    | CallNoMoreBets
    | CallCards
    | DrawCard
    | HandCards
    | ReturnCards
    | AnnounceCount
    | AskBankerFirst
    | TurnCard
    | Relinquish
    | OrderRelinquish
    | AnswerTurn
    | PressHouseMoney
    | SettleHouseMoney
    | AnnounceResult
    | CollectLosers
    | TakeVigorish
    | Pay
    | GiveAward
    | ClearTable
    | SealTrigger
    | EndRound
    | ReportErrorCard
    | ReportExposedCard
    | ReportFaceUp
    | CorrectCard
    | CorrectPayment
    | ConfirmCard
    | SettleDue
    | ReportUncollected
    | PayGoodwill
    | JoinLink
    | ShowMeters
    | CorrectMeter
    | DocumentVigorish
    | ReceiveForms
    | VoidForm
    | ReportException
    | MissForm
    | AdoptWitnesses
    | AdoptKind
    | GiveNotice
    | OpenTable
    | ChangeOptions
    | ChangeWitnesses
    | StateTableKind
    | SetNextTerms
    | BringBankroll
    | OpenTray
    | FillTray
    | CreditTray
    | CountTray
    | CloseTray
    | CountDrop
    | CashOut
    | ReceiveSeries
    | MakeOutForm
    | DropOriginal
    | VoidPaper
    | ReportMissing
    | ForwardForms
    | IssueCoupons
    | CancelCoupons
    | CountCoupons
    | SetLossLimit
    | ConfirmLossLimit
    | SetPlayReminder
    | TakeTimeOut
    | ExcludeMyself
    | ReturnToPlay
    | ElectProtection
    | BookComplimentary
    | CloseDay
    | OpenDay
    | AddPit
    | LinkTables;

  type TableEvent =
    | StepBegan
    | RulesAdopted
    | Sat
    | BoughtIn
    | Left
    | VigorishCollected
    | CameOn
    | WentOff
    | CardCarried
    | CardReassigned
    | CardsDiscarded
    | DiscardShown
    | SimulatedRoundOrdered
    | RoundMadeSimulated
    | CardsReceived
    | CardsPrepared
    | CardsShuffled
    | CardsLaced
    | ShoeCommitted
    | ContributionMade
    | InputsClosed
    | ShareGiven
    | OrderSealed
    | ShoeFailed
    | CutAnswered
    | CutFellToDealer
    | CutGivenUp
    | CardsCut
    | RecutOrdered
    | CoverCardPlaced
    | ShoeLoaded
    | CardsBurned
    | BurnedCardTurned
    | SeedRevealed
    | OrderDisproved
    | SeedLost
    | SeedOverdue
    | ShoeAbandoned
    | ShoeClosed
    | ShoeAnswered
    | ShoeFellToDealer
    | ShoePassed
    | WagerPlaced
    | WagerChanged
    | WagerWithdrawn
    | WagerSpoken
    | WagerConfirmed
    | SpokenWagerOff
    | FreeHandRequested
    | NoMoreBetsCalled
    | CardsCalled
    | CardDrawn
    | CoverCardOut
    | RoundVoided
    | BankerFirstGranted
    | CardsHanded
    | CardsReturned
    | CardTurned
    | CountAnnounced
    | TurnRelinquished
    | TurnAnswered
    | TurnFellToDealer
    | PressChosen
    | PressUndone
    | HouseMoneyCollected
    | HouseMoneyPaid
    | HandStays
    | ResultAnnounced
    | ResultWithdrawn
    | LosersCollected
    | VigorishTaken
    | Paid
    | Awarded
    | CouponTaken
    | CouponReturned
    | WagersReturned
    | TableCleared
    | LastHandCalled
    | ShoeFinished
    | TriggerSealed
    | MustHitEnded
    | ErrorCardDrawn
    | CardSetAside
    | FaceUpFound
    | CardCorrected
    | ThirdCardTakenBack
    | PaymentCorrected
    | ShoeFouled
    | SettlementStopped
    | DueSettled
    | UncollectedReported
    | GoodwillPaid
    | LinkJoined
    | MetersShown
    | MeterCorrected
    | VigorishDocumented
    | FormsReceived
    | FormVoided
    | ExceptionReported
    | FormMissed
    | WitnessesChanged
    | KindAdopted;

  type ToClient =
    | View
    | WordsChanged
    | Waits
    | Done
    | RefusedAnswer
    | ProblemMessage
    | Noted
    | HouseShown
    | Pong
    | Bye
    | PatchMessage;

  type FromClient =
    | Join
    | Do
    | SeenMessage
    | Ping
    | Follow;

  type Routes =
    | ["GET", ["api", "welcome"], Welcome, undefined]
    | ["POST", ["api", "visit"], VisitorAnswer, Visit | undefined]
    | ["GET", ["api", "session"], CurrentPerson, undefined]
    | ["POST", ["api", "session"], CurrentPerson, SignOn]
    | ["DELETE", ["api", "session"], null, undefined]
    | ["PUT", ["api", "session", "role"], VisitorAnswer, RoleChange]
    | ["POST", ["api", "administrator"], CurrentPerson, FirstAdministrator]
    | ["POST", ["api", "tickets"], TicketAnswer, TicketRequest]
    | ["POST", ["api", "devices", string, "challenge"], Challenge, undefined]
    | ["POST", ["api", "session", "unlock"], CurrentPerson, PasswordConfirmation]
    | ["POST", ["api", "session", "password"], null, PasswordChange]
    | ["GET", ["api", "tables"], Tables, undefined]
    | ["GET", ["api", "tables", string], TableCard, undefined]
    | ["GET", ["api", "tables", string, "view"], TableAnswer, undefined]
    | ["GET", ["api", "lobby"], LobbyTables, undefined]
    | ["GET", ["api", "tables", string, "sign"], TableSign, undefined]
    | ["GET", ["api", "tables", string, "work"], WorkShown, undefined]
    | ["POST", ["api", "tables", string, "outlook"], OutlookShown, Record<string, any>]
    | ["POST", ["api", "tables", string, "floor-call"], FloorCall, undefined]
    | ["DELETE", ["api", "tables", string, "floor-call"], null, undefined]
    | ["GET", ["api", "floor-calls"], Calls, undefined]
    | ["GET", ["api", "tables", string, "rounds", string, "corrigible"], RoundCorrigible, undefined]
    | ["GET", ["api", "tables", string, "shoes"], Shoes, undefined]
    | ["GET", ["api", "tables", string, "rounds"], RoundsPage, undefined]
    | ["GET", ["api", "tables", string, "shoes", string, "rounds", string], RoundDetail, undefined]
    | ["GET", ["api", "tables", string, "roads"], RoadsShown, undefined]
    | ["GET", ["api", "tables", string, "roads.txt"], string, undefined]
    | ["GET", ["api", "tables", string, "shoes", string, "proof"], ShoeProof, undefined]
    | ["GET", ["api", "tables", string, "moment"], SpokenMoment, undefined]
    | ["GET", ["api", "clauses"], ClauseTexts, undefined]
    | ["GET", ["api", "tables", string, "held"], HeldCards, undefined]
    | ["GET", ["api", "tables", string, "receipts", string], string, undefined]
    | ["GET", ["api", "tables", string, "shoes", string], ReplayedShoe, undefined]
    | ["GET", ["api", "tables", string, "shoes", string, "replay"], Replay, undefined]
    | ["GET", ["api", "tables", string, "shoes", string, "search"], FoundActs, undefined]
    | ["POST", ["api", "tables", string, "acts"], ActDone, Record<string, any>]
    | ["POST", ["api", "tables", string, "chips"], ActDone, Chips]
    | ["GET", ["api", "submissions"], Submissions, undefined]
    | ["GET", ["api", "submissions", string], SubmissionDetail, undefined]
    | ["GET", ["api", "tables", string, "submission"], SubmissionDetail, undefined]
    | ["POST", ["api", "submissions", "check"], CheckAnswer, Record<string, any>]
    | ["GET", ["api", "tables", string, "odds"], RulebookPrices, undefined]
    | ["GET", ["api", "submissions", string, "odds"], RulebookPrices, undefined]
    | ["GET", ["api", "editions"], Editions, undefined]
    | ["GET", ["api", "editions", string, "options"], EditionOptions, undefined]
    | ["GET", ["api", "tables", string, "filed"], SubmissionDetail, undefined]
    | ["POST", ["api", "tables", string, "plan"], ChangePlan, Record<string, any>]
    | ["POST", ["api", "submissions", "odds"], RulebookPrices, Record<string, any>]
    | ["GET", ["api", "editions", string, "clauses"], AnnotatedEdition, undefined]
    | ["GET", ["api", "editions", string, "differences", string], EditionComparison, undefined]
    | ["GET", ["api", "coverage"], Coverage, undefined]
    | ["GET", ["api", "drills", string], Drills, undefined]
    | ["POST", ["api", "drills", string, "exercise"], Exercise, ExerciseRequest]
    | ["POST", ["api", "drills", string, "answer"], AnsweredExercise, ExerciseAnswered]
    | ["POST", ["api", "drills", string, "sheet.json"], ScoreSheet, ScoreSheetRequest]
    | ["POST", ["api", "drills", string, "sheet.csv"], string, ScoreSheetRequest]
    | ["POST", ["api", "drills", string, "sheet.html"], string, ScoreSheetRequest]
    | ["POST", ["api", "lessons"], LessonBegun, undefined]
    | ["POST", ["api", "lessons", string, "round"], LessonRound, LessonRequest]
    | ["POST", ["api", "lessons", string, "end"], ShoeProof, LessonRequest]
    | ["GET", ["api", "streams"], Streams, undefined]
    | ["GET", ["api", "journal"], string, undefined]
    | ["GET", ["api", "streams", string, "journal"], string, undefined]
    | ["GET", ["api", "streams", string, "checkpoints"], Checkpoints, undefined]
    | ["GET", ["api", "streams", string, "checkpoint"], string, undefined]
    | ["POST", ["api", "streams", string, "checkpoint"], string, undefined]
    | ["GET", ["api", "streams", string, "signed"], StreamSignatures, undefined]
    | ["GET", ["api", "tables", string, "shoes", string, "bundle"], Record<string, any>, undefined]
    | ["GET", ["api", "tables", string, "shoes", string, "rounds", string, "bundle"], Record<string, any>, undefined]
    | ["GET", ["api", "people"], People, undefined]
    | ["POST", ["api", "people"], PersonShown, NewPerson]
    | ["GET", ["api", "people", string], PersonShown, undefined]
    | ["DELETE", ["api", "people", string], null, undefined]
    | ["PATCH", ["api", "people", string], PersonShown, PersonChange]
    | ["POST", ["api", "people", string, "link"], OneTime, undefined]
    | ["POST", ["api", "password"], null, NewPassword]
    | ["GET", ["api", "people", string, "sessions"], Sessions, undefined]
    | ["DELETE", ["api", "sessions", string], null, undefined]
    | ["GET", ["api", "devices"], Devices, undefined]
    | ["POST", ["api", "devices"], DeviceShown, Enrolment]
    | ["POST", ["api", "devices", "code"], OneTime, DeviceTable]
    | ["DELETE", ["api", "devices", string], null, undefined]
    | ["GET", ["api", "access-log"], AccessLog, undefined]
    | ["POST", ["api", "books", string, "acts"], RecordedAct, Record<string, any>]
    | ["GET", ["api", "proposals"], Proposals, undefined]
    | ["POST", ["api", "proposals"], ProposalShown, ProposalRequest]
    | ["GET", ["api", "proposals", string], ProposalShown, undefined]
    | ["POST", ["api", "proposals", string, "approval"], RecordedAct, ApprovalBody]
    | ["POST", ["api", "proposals", string, "step-up"], RecordedAct, StepUp]
    | ["POST", ["api", "proposals", string, "refusal"], ProposalShown, ApprovalBody]
    | ["GET", ["api", "day"], DayShown, undefined]
    | ["GET", ["api", "days"], Days, undefined]
    | ["GET", ["api", "pits"], Pits, undefined]
    | ["GET", ["api", "notices"], Notices, undefined]
    | ["GET", ["api", "forms"], Forms, undefined]
    | ["GET", ["api", "meters"], MetersAnswer, undefined]
    | ["GET", ["api", "cage"], CageShown, undefined]
    | ["GET", ["api", "floor"], Floor, undefined]
    | ["GET", ["api", "me", "acts"], OpenActs, undefined]
    | ["POST", ["api", "house-tickets"], TicketAnswer, undefined]
    | ["GET", ["api", "forms", string], FormPaper, undefined]
    | ["GET", ["api", "cage", "slips"], Slips, undefined]
    | ["GET", ["api", "keys"], Keys, undefined]
    | ["GET", ["api", "streams", string, "witness-request"], string, undefined]
    | ["POST", ["api", "streams", string, "cosignatures"], string, Cosignatures]
    | ["GET", ["api", "alerts"], Alerts, undefined]
    | ["POST", ["api", "streams", string, "audit"], Audit, undefined]
    | ["GET", ["api", "audits", string], Audit, undefined]
    | ["GET", ["api", "audits", string, "discretion"], DiscretionShown, undefined]
    | ["GET", ["api", "tables", string, "shoes", string, "rounds", string, "card"], string, undefined]
    | ["GET", ["api", "exports", "day.csv"], string, undefined]
    | ["GET", ["api", "exports", "day.jsonl"], string, undefined]
    | ["GET", ["api", "exports", "tables", string, "rounds.csv"], string, undefined]
    | ["GET", ["api", "exports", "tables", string, "rounds.jsonl"], string, undefined]
    | ["GET", ["api", "own", "rounds"], OwnRounds, undefined]
    | ["GET", ["api", "own", "totals"], OwnTotals, undefined]
    | ["GET", ["api", "exports", "own", "rounds.csv"], string, undefined]
    | ["GET", ["api", "exports", "own", "rounds.jsonl"], string, undefined]
    | ["GET", ["api", "own", "protection"], OwnProtection, undefined]
    | ["POST", ["api", "own", "protection"], RecordedAct, Record<string, any>]
    | ["GET", ["api", "tables", string, "felt.svg"], string, undefined];

  /** A part of the changes of a document, such as a view's state: see docs/wire.md. */
  interface Changes {
    splice?: Record<string, [number, number, ...unknown[]]>;
    set?: Record<string, unknown>;
    drop?: string[];
  }

  /** What has changed in the words; all of them if there is no `from`. */
  interface WordsChange extends Changes {
    from?: number;
    seq: number;
  }

  /** What has changed in a view: see docs/wire.md. */
  interface Patch extends Changes {
    due?: Due[];
    events?: TableEvent[];
  }

  interface PatchMessage extends Patch {
    type: "patch";
    from: number;
    seq: number;
    words?: WordsChange;
  }

  /** What is followed of the whole house, by topic. */
  interface Topics {
    day?: FloorDay;
    notices?: NoticeShown[];
    books?: number;
    calls?: Calls;
    proposals?: ProposalShown[];
    alerts?: Alert[];
    acts?: ActsShown;
    [table: `table ${string}`]: FloorTable;
  }

  type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  type Parts<Path extends string> = Path extends `${infer Part}?${string}`
    ? Parts<Part>
    : Path extends `/${infer Part}/${infer More}`
      ? [Part, ...Parts<`/${More}`>]
      : Path extends `/${infer Part}`
        ? [Part]
        : [];
  type Route<M extends Method, Path extends string, R = Routes> = Path extends string
    ? R extends [M, infer Way, infer Answer, infer Body]
      ? Parts<Path> extends Way
        ? [Answer, Body]
        : never
      : never
    : never;

  /** The answer to a request: of anything if the address is known only at run time. */
  type Answer<M extends Method, Path extends string> = string extends Path ? any : Route<M, Path>[0];
  /** The body of a request. */
  type Body<M extends Method, Path extends string> = string extends Path ? any : Route<M, Path>[1];
}

/** The elements that scripts of the pages define. */
interface HTMLElementTagNameMap {
  "alert-list": import("/page/js/element/alert-list.js").AlertList;
  "answer-line": import("/page/js/element/answer-line.js").AnswerLine;
  "approval-card": import("/page/js/element/approval-card.js").ApprovalCard;
  "bac-felt": import("/page/js/element/bac-felt.js").BacFelt;
  "card-pad": import("/page/js/element/card-pad.js").CardPad;
  "card-squeeze": import("/page/js/element/card-squeeze.js").CardSqueeze;
  "chip-tray": import("/page/js/element/chip-tray.js").ChipTray;
  "clause-tag": import("/page/js/element/clause-tag.js").ClauseTag;
  "dealer-call": import("/page/js/element/dealer-call.js").DealerCall;
  "draw-stay": import("/page/js/element/draw-stay.js").DrawStay;
  "drill-answer": import("/page/js/element/drill-answer.js").DrillAnswer;
  "drill-scene": import("/page/js/element/drill-scene.js").DrillScene;
  "due-act": import("/page/js/element/due-act.js").DueAct;
  "entry-form": import("/page/js/element/entry-form.js").EntryForm;
  "hand-cards": import("/page/js/element/hand-cards.js").HandCards;
  "house-form": import("/page/js/element/house-form.js").HouseForm;
  "journal-list": import("/page/js/element/journal-list.js").JournalList;
  "lobby-card": import("/page/js/element/lobby-card.js").LobbyCard;
  "next-act": import("/page/js/element/next-act.js").NextAct;
  "notice-clock": import("/page/js/element/notice-clock.js").NoticeClock;
  "pay-table": import("/page/js/element/pay-table.js").PayTable;
  "player-protection": import("/page/js/element/player-protection.js").PlayerProtection;
  "remedy-steps": import("/page/js/element/remedy-steps.js").RemedySteps;
  "road-board": import("/page/js/element/road-board.js").RoadBoard;
  "round-slip": import("/page/js/element/round-slip.js").RoundSlip;
  "settings-menu": import("/page/js/element/settings-menu.js").SettingsMenu;
  "squeeze-panel": import("/page/js/element/squeeze-panel.js").SqueezePanel;
  "submission-form": import("/page/js/element/submission-form.js").SubmissionForm;
  "table-strip": import("/page/js/element/table-strip.js").TableStrip;
  "table-then": import("/page/js/element/table-then.js").TableThen;
  "table-tile": import("/page/js/element/table-tile.js").TableTile;
  "time-scrub": import("/page/js/element/time-scrub.js").TimeScrub;
  "why-drawer": import("/page/js/element/why-drawer.js").WhyDrawer;
  "win-band": import("/page/js/element/win-band.js").WinBand;
}

/** The elements of the pages, by their ids; a page has some of them. */
interface PageElements {
  about: HTMLElementTagNameMap["p"] | HTMLElementTagNameMap["span"];
  act: HTMLElementTagNameMap["next-act"];
  alerts: HTMLElementTagNameMap["alert-list"];
  all: HTMLElementTagNameMap["table"];
  "all-head": HTMLElementTagNameMap["h2"];
  answer: HTMLElementTagNameMap["answer-line"];
  areas: HTMLElementTagNameMap["div"];
  asks: HTMLElementTagNameMap["ul"];
  audit: HTMLElementTagNameMap["button"];
  "audit-panel": HTMLElementTagNameMap["section"];
  audited: HTMLElementTagNameMap["div"];
  banker: HTMLElementTagNameMap["hand-cards"];
  body: HTMLElementTagNameMap["div"];
  boxes: HTMLElementTagNameMap["div"] | HTMLElementTagNameMap["section"];
  "boxes-head": HTMLElementTagNameMap["h2"];
  call: HTMLElementTagNameMap["dealer-call"];
  calls: HTMLElementTagNameMap["section"];
  "calls-count": HTMLElementTagNameMap["span"];
  "calls-list": HTMLElementTagNameMap["ul"];
  chain: HTMLElementTagNameMap["span"];
  clauses: HTMLElementTagNameMap["section"];
  clock: HTMLElementTagNameMap["span"];
  company: HTMLElementTagNameMap["p"];
  content: HTMLElementTagNameMap["main"];
  count: HTMLElementTagNameMap["select"];
  counts: HTMLElementTagNameMap["p"] | HTMLElementTagNameMap["section"];
  csv: HTMLElementTagNameMap["a"];
  day: HTMLElementTagNameMap["p"];
  due: HTMLElementTagNameMap["due-act"];
  edition: HTMLElementTagNameMap["select"];
  exports: HTMLElementTagNameMap["div"];
  felt: HTMLElementTagNameMap["bac-felt"];
  file: HTMLElementTagNameMap["input"];
  "file-answer": HTMLElementTagNameMap["div"];
  "file-keys": HTMLElementTagNameMap["input"];
  "file-title": HTMLElementTagNameMap["h2"];
  find: HTMLElementTagNameMap["input"];
  form: HTMLElementTagNameMap["form"];
  found: HTMLElementTagNameMap["p"];
  game: HTMLElementTagNameMap["details"];
  hands: HTMLElementTagNameMap["div"];
  happened: HTMLElementTagNameMap["ol"];
  "happened-title": HTMLElementTagNameMap["h2"];
  history: HTMLElementTagNameMap["p"] | HTMLElementTagNameMap["section"];
  instead: HTMLElementTagNameMap["div"];
  journal: HTMLElementTagNameMap["journal-list"];
  json: HTMLElementTagNameMap["a"];
  kind: HTMLElementTagNameMap["h1"];
  kinds: HTMLElementTagNameMap["div"];
  last: HTMLElementTagNameMap["section"];
  "learn-acts": HTMLElementTagNameMap["div"];
  "learn-purse": HTMLElementTagNameMap["dl"];
  "learn-squeeze": HTMLElementTagNameMap["div"];
  "learn-step": HTMLElementTagNameMap["p"];
  "learn-text": HTMLElementTagNameMap["div"];
  "learn-title": HTMLElementTagNameMap["h1"];
  legend: HTMLElementTagNameMap["p"];
  limits: HTMLElementTagNameMap["section"];
  list: HTMLElementTagNameMap["table"];
  "list-title": HTMLElementTagNameMap["h2"];
  locked: HTMLElementTagNameMap["div"];
  lost: HTMLElementTagNameMap["p"];
  meters: HTMLElementTagNameMap["dl"];
  more: HTMLElementTagNameMap["button"] | HTMLElementTagNameMap["div"];
  name: HTMLElementTagNameMap["h1"];
  none: HTMLElementTagNameMap["div"] | HTMLElementTagNameMap["p"];
  note: HTMLElementTagNameMap["answer-line"];
  notes: HTMLElementTagNameMap["ul"];
  notices: HTMLElementTagNameMap["div"] | HTMLElementTagNameMap["section"];
  order: HTMLElementTagNameMap["p"];
  orders: HTMLElementTagNameMap["section"];
  "orders-list": HTMLElementTagNameMap["div"];
  "orders-table": HTMLElementTagNameMap["select"];
  others: HTMLElementTagNameMap["nav"];
  outcome: HTMLElementTagNameMap["p"];
  owed: HTMLElementTagNameMap["p"];
  own: HTMLElementTagNameMap["section"];
  "own-slip": HTMLElementTagNameMap["div"];
  "own-title": HTMLElementTagNameMap["h2"];
  pace: HTMLElementTagNameMap["div"];
  paper: HTMLElementTagNameMap["div"];
  papers: HTMLElementTagNameMap["section"];
  pick: HTMLElementTagNameMap["div"];
  pits: HTMLElementTagNameMap["div"];
  place: HTMLElementTagNameMap["p"];
  player: HTMLElementTagNameMap["hand-cards"];
  plots: HTMLElementTagNameMap["div"];
  problem: HTMLElementTagNameMap["answer-line"];
  proof: HTMLElementTagNameMap["div"];
  "proof-title": HTMLElementTagNameMap["h2"];
  protection: HTMLElementTagNameMap["section"];
  "protection-title": HTMLElementTagNameMap["h2"];
  purse: HTMLElementTagNameMap["dl"];
  rail: HTMLElementTagNameMap["div"];
  "receipt-count": HTMLElementTagNameMap["summary"];
  "receipt-list": HTMLElementTagNameMap["ul"];
  receipts: HTMLElementTagNameMap["details"];
  record: HTMLElementTagNameMap["dl"];
  remarks: HTMLElementTagNameMap["div"];
  roads: HTMLElementTagNameMap["road-board"] | HTMLElementTagNameMap["section"];
  roles: HTMLElementTagNameMap["label"];
  round: HTMLElementTagNameMap["section"];
  rules: HTMLElementTagNameMap["a"];
  score: HTMLElementTagNameMap["div"];
  "score-head": HTMLElementTagNameMap["h2"];
  scrub: HTMLElementTagNameMap["time-scrub"];
  search: HTMLElementTagNameMap["input"];
  section: HTMLElementTagNameMap["div"];
  sections: HTMLElementTagNameMap["nav"] | HTMLElementTagNameMap["ol"];
  setting: HTMLElementTagNameMap["form"];
  "setting-head": HTMLElementTagNameMap["h2"];
  signed: HTMLElementTagNameMap["dl"];
  "signed-panel": HTMLElementTagNameMap["section"];
  slip: HTMLElementTagNameMap["round-slip"];
  sorts: HTMLElementTagNameMap["section"];
  spoken: HTMLElementTagNameMap["p"];
  squeeze: HTMLElementTagNameMap["squeeze-panel"];
  state: HTMLElementTagNameMap["span"];
  steps: HTMLElementTagNameMap["ol"];
  stream: HTMLElementTagNameMap["select"];
  strip: HTMLElementTagNameMap["table-strip"];
  submission: HTMLElementTagNameMap["select"];
  sums: HTMLElementTagNameMap["dl"] | HTMLElementTagNameMap["section"];
  swings: HTMLElementTagNameMap["div"];
  tables: HTMLElementTagNameMap["table"] | HTMLElementTagNameMap["ul"];
  then: HTMLElementTagNameMap["table-then"];
  "then-step": HTMLElementTagNameMap["span"];
  "then-title": HTMLElementTagNameMap["h2"];
  title: HTMLElementTagNameMap["h1"];
  total: HTMLElementTagNameMap["span"];
  training: HTMLElementTagNameMap["p"];
  tray: HTMLElementTagNameMap["chip-tray"];
  twice: HTMLElementTagNameMap["label"];
  view: HTMLElementTagNameMap["div"];
  views: HTMLElementTagNameMap["div"];
  wagers: HTMLElementTagNameMap["div"];
  waiting: HTMLElementTagNameMap["section"];
  "waiting-count": HTMLElementTagNameMap["span"];
  ways: HTMLElementTagNameMap["div"];
  where: HTMLElementTagNameMap["span"];
  which: HTMLElementTagNameMap["select"];
  why: HTMLElementTagNameMap["why-drawer"];
  work: HTMLElementTagNameMap["div"];
}
