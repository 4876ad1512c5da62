// What the scripts of the pages share, apart from what the house sends.

declare namespace Page {
  /** What may be put into an element; null, undefined and false are left out. */
  type Child = Node | string | number | null | undefined | false;
  type Children = (Child | readonly Child[])[];

  type Listeners = {
    [Type in keyof HTMLElementEventMap as `on${Type}`]?: (event: HTMLElementEventMap[Type]) => unknown;
  };
  /** Attributes of an element, and its listeners. */
  type Attributes = Listeners & Record<string, unknown>;

  /** Asks the house: method, path, body, headers, and within how many milliseconds. */
  type Ask = <M extends House.Method, Path extends string>(
    method: M,
    path: Path,
    body?: House.Body<M, Path>,
    headers?: Record<string, string>,
    how?: Patience,
  ) => Promise<House.Answer<M, Path>>;
  interface Patience {
    within?: number;
  }

  /** Why something was not done: a refusal of the table, a problem of the house, or an error. */
  interface Reason {
    say?: string;
    message?: string;
    what?: string;
    params?: Record<string, string | number>;
    code?: string;
    status?: number;
    cites?: string[];
    clauses?: string[];
  }

  /** What the house answers to a command at a table. */
  type Answered = House.Done | House.RefusedAnswer | House.ProblemMessage;

  /** A card as the house writes it, "8s", or as a view has it; null is one that lies face down. */
  type Card = string | House.Card | null | undefined;

  /** A sentence of the house, with its name and parameters for other languages. */
  interface Sentence {
    say?: string;
    what?: string;
    params?: Params;
  }
  type Params = Record<string, any>;

  /** The events of a connection, with what each tells. */
  interface LineEvents {
    change: any;
    link: string;
    waits: House.RunningTimer[];
    noted: number;
    entered: number;
    result: undefined;
  }
  interface LineTarget extends EventTarget {
    addEventListener<Type extends keyof LineEvents>(
      type: Type,
      listener: (event: CustomEvent<LineEvents[Type]>) => unknown,
    ): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject | null): void;
  }

  /** How much longer the house waits for something, by the page's own clock in milliseconds. */
  interface Wait {
    what: string;
    seat: number;
    until: number;
    of: number;
  }

  /** What a button for an act that is due needs to know. */
  interface AboutDue {
    seat: number;
    cards: number;
    depth?: number;
    offering?: House.Side | null;
    wagers: House.Wager[];
    press: string[];
    titles: Record<string, string>;
    wait: Wait | null;
  }

  /** What lies on the felt, for the user at a seat; 0 is none. */
  interface OnFelt {
    taken: Record<number, boolean>;
    own: number;
    wagers: House.Wager[];
    lines: House.WagerLine[];
    open: boolean;
    curator: number | null;
    maySit: boolean;
    markers: Record<number, number>;
  }

  /** One hand as it lies on the table. */
  interface HandShown {
    cards: Card[];
    count?: number | null;
    note?: string;
    holder?: string;
    wait?: Wait | null;
    won?: boolean;
    beaten?: boolean;
    former?: boolean;
  }

  /** The bar of the table. */
  interface Called {
    state: string;
    title: string;
    under?: string;
    underCites?: string[];
    call: House.DealerCall | null;
    then: Partial<House.CitedWords> | null;
    round: number | string;
    shoe: number;
    step: string;
    wait?: Wait | null;
  }

  /** The cards that the user holds, and the act of giving them back. */
  interface Squeezed {
    due: House.Due | null;
    seat: number;
    table: string;
    side: House.Side;
    positions: number[];
    wait: Wait | null;
  }

  /** The one act that is next at the dealer's console. */
  interface ShownAct {
    head: string;
    cites?: string[];
    calls?: string[];
    label?: string;
    sum?: string;
    follows?: string;
    can?: boolean;
    warns?: boolean;
    instead?: Node[];
  }

  type Desk = import("/page/js/dealer/desk.js").Desk;

  /** A part of the work: its name, its data, and how it is made. */
  type Part = [name: string, from: unknown, made: () => HTMLElement];

  /** What the console shows instead of the work of the act. */
  interface Mode {
    panels: () => Part[];
    act?: () => ShownAct;
    do?: () => Promise<void>;
    key?: (card: string) => Promise<void>;
    chosen?: { fields: House.InputField[] } | null;
  }

  /** A rare act of the dealer, with its key. */
  interface OtherAct {
    key: string;
    sign?: string;
    text: string;
    isOn: boolean;
    act: () => unknown;
  }

  /** What an irregularity or a correction is chosen from. */
  interface Choice {
    what?: string;
    number?: number;
    say?: string;
    command: Record<string, any>;
    fields: House.InputField[];
    cites: string[];
  }

  /** What would follow if a command was sent, for one card that was keyed. */
  type Outlook = Partial<House.OutlookShown> & { position?: number | null; card?: string };

  /** A line of a journal as it is shown: an act, or a step as the heading of what follows it. */
  interface JournalLine {
    key: string;
    index: number;
    sort: string;
    say: string;
    cites: string[];
    number: number | null;
    at: number;
    step?: string;
    round?: number;
  }

  /** A line of a replayed round: an event that has a sentence, or a refusal. */
  interface FilmLine {
    act: House.NarratedAct;
    sort: string;
    say: string;
    cites: string[];
    number: number | null;
    step?: string;
    counts: Record<string, number>;
    taken: House.WagerTaken[];
    changes: House.Patch[];
  }
  type Film = import("/page/js/watch/film.js").Film;

  /** What surveillance of one table shows, and the position in it. */
  interface Watched {
    title: string;
    /** How many shoes the table has had. */
    shoes: number;
    shoe: House.ReplayedShoe | null;
    film: Film | null;
    /** At the live edge the round before, too. */
    earlier: Film | null;
    /** Null at the live edge. */
    stop: number | null;
    /** The sorts of lines that are hidden. */
    without: Set<string>;
    clause: string;
    found: (House.FoundAct[] & { more: boolean }) | null;
    /** Why nothing new comes; empty while the house is connected. */
    link: string;
    playing: number;
  }
  /** How a round is gone to: at a record, at its first event, or at the live edge. */
  interface Going {
    seq?: number;
    first?: boolean;
    live?: boolean;
  }

  type ActDialog = ReturnType<typeof import("/page/js/floor/act-dialog.js").actDialog>;
  type HouseLine = import("/page/js/house_line.js").HouseLine;
  type AnswerLine = HTMLElementTagNameMap["answer-line"];

  /** What the floor shows: the view, the chosen pit and table, and what the house has sent. */
  interface FloorPage {
    session: House.Welcome;
    view: string;
    pit: string;
    table: string;
    person: string;
    floor: House.FloorDay & { tables: House.FloorTable[] };
    tables: string[];
    proposals: House.ProposalShown[];
    notices: House.NoticeShown[];
    line: HouseLine;
    dialog: ActDialog;
    refresh: () => Promise<void>;
    /** The request for what is not sent, and whether to ask once more after it. */
    asking: Promise<void> | null;
    again: boolean;
    /** The timer of a request that waits. */
    rests: number;
  }

  /** What moves at a table of the lobby, with the time of this page at which no more wagers are accepted. */
  type News = House.LobbyTable & { until?: number | null };

  /** What a table is called by. */
  type Titled = Pick<House.TableCard, "heading" | "number" | "table" | "jurisdiction">;

  /** Shows a section of the office. */
  type OfficeSection = (view: HTMLElement, office: Office) => Promise<void>;
  interface Office {
    session: House.Welcome;
    answer: AnswerLine;
  }

  /** What is being answered: the seed and the kinds of its exercises, how many, and what was answered. */
  interface Sitting {
    seed: string;
    kinds: House.DrillKind[];
    count: number;
    marks: House.GradedAnswer[];
  }

  /** A table as it was at one moment. */
  interface Then {
    view: House.TableView;
    counts: Record<string, number>;
    wagers: House.Wager[];
  }

  /** A field of a form: its element, and how its value is read. */
  interface Control {
    field: House.FieldShown;
    element: HTMLElement | "";
    read: () => unknown;
  }

  /** What a Submission states, by option. */
  type Draft = Record<string, any>;
  type SetValue = (value: unknown) => void;
  /** Draws the control of an option. */
  type DrawOption = (
    option: House.OptionShown,
    value: any,
    set: SetValue,
    form: HTMLElementTagNameMap["submission-form"],
  ) => HTMLElement | HTMLElement[];

  /** A card that is peeled: how far, along which line, and what it does to points of the card. */
  interface Fold {
    far: number;
    normal: Point;
    middle: Point;
    mirrored: (point: Point) => Point;
    lying: Point[];
    flap: Point[];
    matrix: string;
    isLifted: (point: Point) => boolean;
  }
  type Edge = "bottom" | "top" | "left" | "right";

  /** A coupon that goes with the next wager: its value in cents, and its number. */
  interface Coupon {
    coupon: number;
    coupon_number: number;
  }

  /** What a round was for somebody: of one that is over, the house has it from its books. */
  type Slip = Pick<House.OwnRound, "table" | "shoe" | "round" | "staked" | "won" | "vigorish" | "net" | "lines">;

  /** A receipt that this browser keeps. */
  interface Receipt {
    table: string;
    seq: number;
    text: string;
  }

  /** A point, or a way from one to another. */
  type Point = [number, number];
}

/** Events that elements of the pages send. */
interface HTMLElementEventMap {
  act: CustomEvent<string>;
  answer: CustomEvent<string>;
  choose: CustomEvent<string>;
  closed: CustomEvent<undefined>;
  decided: CustomEvent<null>;
  done: CustomEvent<{ act: House.OpenAct; proposal: House.ProposalShown | null }>;
  do: CustomEvent<null>;
  entered: CustomEvent<null>;
  follow: CustomEvent<{ table: string; isFollowed: boolean }>;
  go: CustomEvent<string>;
  key: CustomEvent<string>;
  peel: CustomEvent<number>;
  place: CustomEvent<string>;
  round: CustomEvent<number>;
  seek: CustomEvent<number>;
  shoe: CustomEvent<number>;
  sit: CustomEvent<number>;
  stop: CustomEvent<number>;
  turned: CustomEvent<null>;
  unfollow: CustomEvent<string>;
}

interface DocumentEventMap {
  follow: CustomEvent<{ table: string; isFollowed: boolean }>;
  unfollow: CustomEvent<string>;
}

/** Elements with an id that a script makes. */
interface PageElements {
  beside: HTMLElement;
  grade: HTMLElement;
  role: HTMLSelectElement;
  language: HTMLSelectElement;
}

/** What is found by a selector is taken for an HTML element: parts of pictures have what scripts use of one, too. */
interface ParentNode {
  querySelector<Name extends keyof HTMLElementTagNameMap>(selector: Name): HTMLElementTagNameMap[Name] | null;
  querySelector(selector: string): HTMLElement | null;
  querySelectorAll<Name extends keyof HTMLElementTagNameMap>(selector: Name): NodeListOf<HTMLElementTagNameMap[Name]>;
  querySelectorAll(selector: string): NodeListOf<HTMLElement>;
}
interface Element {
  closest<Name extends keyof HTMLElementTagNameMap>(selector: Name): HTMLElementTagNameMap[Name] | null;
  closest(selector: string): HTMLElement | null;
}
