"""What the table's scripts do by themselves, without a browser: the fold of a card, a row of wagers, a silent line."""

from __future__ import annotations

import pytest

from page_script import run_page_script

FOLDS = """
const { foldOf, rim } = await import("/page/js/table/fold.js");
const area = (points) => Math.abs(points.reduce((sum, [x, y], index) => {
  const [nx, ny] = points[(index + 1) % points.length];
  return sum + x * ny - nx * y;
}, 0)) / 2;
const part = (grip, tip) => {
  const { lying, flap } = foldOf(grip, tip);
  return [area(lying) / 87500, area(flap) / 87500];
};
const grip = [125, 350];
const found = {
  still: part(grip, grip), outwards: part(grip, [125, 420]), along: part(grip, [165, 350]),
  half: part(grip, [125, 0]), little: part(grip, [120, 330]), sideways: part(grip, [25, 348]),
};
"""


def test_a_card_that_is_not_peeled_shows_only_its_back() -> None:
    found = run_page_script(FOLDS)
    for still in ("still", "outwards", "along"):
        assert found[still] == [1, 0], f"{still}: the whole back lies there, and nothing of the face is seen"
    lying, flap = found["half"]
    assert (round(lying, 3), round(flap, 3)) == (0.5, 0.5)
    assert 0 < found["little"][1] < 0.06
    assert found["sideways"][1] < 0.2, "a pull to the side does not open half of the card"
    assert all(abs(lying + flap - 1) < 1e-9 for lying, flap in found.values())


CORNERS = (
    FOLDS.replace("const found = {", "const folds = {")
    + """
const corner = [250, 350], { isLifted } = foldOf(corner, [190, 290]);
const found = {
  places: [[240, 330], [246, 120], [100, 344], [3, 4], [20, 300]].map(rim),
  corner: part(corner, [190, 290]), outwards: part(corner, [300, 400]), up: part(corner, [260, 300]),
  lifted: [[0, 0], [250, 0], [250, 350], [0, 350]].map(isLifted),
};
"""
)


def test_a_card_is_taken_at_the_nearest_edge_or_corner_and_a_corner_lifts_alone() -> None:
    found = run_page_script(CORNERS)
    assert found["places"] == [[250, 350], [250, 120], [100, 350], [0, 0], [0, 300]]
    assert found["corner"][1] == pytest.approx(60 * 60 / 2 / 87500, abs=1e-9), "a triangle: both sides lifted alike"
    assert found["outwards"] == [1, 0], "a corner is pulled only into the card"
    assert 0 < found["up"][1] < 0.1
    assert found["lifted"] == [False, False, True, False], "the thumb of that corner covers its index, and no other"


WAGERS = """
globalThis.sessionStorage = { getItem: () => null, setItem: () => {} };
const { OwnWagers } = await import("/page/js/table/own_wagers.js");
const sent = [], own = new OwnWagers("t", async (command) => {
  sent.push(command);
  await new Promise((later) => setTimeout(later, 5));
  return { type: command.stake > 7500 ? "refused" : "done" };
});
own.see({ seat: 3, wagers: [], round: "0 1", isClosed: false });
const answers = await Promise.all([1, 2, 3, 4].map(() => own.add("banker", 2500)));
await own.act("undo");
const found = {
  sent: sent.map((each) => [each.do, each.stake]), answers: answers.map((each) => each.type), total: own.total,
};
"""


def test_chips_that_are_put_within_one_tick_all_come_to_lie() -> None:
    found = run_page_script(WAGERS)
    assert found["sent"] == [
        ["place_wager", 2500], ["change_wager", 5000], ["change_wager", 7500], ["change_wager", 10000],
        ["change_wager", 5000],
    ]  # fmt: skip
    assert found["answers"] == ["done", "done", "done", "refused"]
    assert found["total"] == 5000


SILENCE = """
let now = 1_000_000, isDeaf = false, looks = () => {};
Date.now = () => now;
globalThis.setInterval = (look) => { looks = look; return 1; };
globalThis.setTimeout = (again) => { queueMicrotask(again); return 1; };
globalThis.location = { href: "http://house/table/t", protocol: "http:" };
const tickets = [], lines = [], links = [];
globalThis.fetch = async () => {
  tickets.push(now);
  return { status: 200, ok: true, json: async () => ({ ticket: "x", socket: "/socket" }) };
};
globalThis.WebSocket = class {
  static OPEN = 1;
  constructor() { this.readyState = 1; this.said = []; lines.push(this); queueMicrotask(() => this.onopen?.()); }
  send(text) {
    const { type } = JSON.parse(text);
    this.said.push(type);
    if (!isDeaf && type === "ping") queueMicrotask(() => this.onmessage?.({ data: '{"type":"pong"}' }));
  }
  close() { this.isClosed = true; }
};
const { TableSocket } = await import("/page/js/table_socket.js");
const table = new TableSocket("t"), settled = () => new Promise((done) => setImmediate(done));
table.addEventListener("link", () => links.push([now - 1_000_000, table.isUp]));
const pass = async (seconds) => { for (let at = 0; at < 2 * seconds; at++) { now += 500; looks(); await settled(); } };
await settled();
await pass(20);
const pings = lines[0].said.filter((type) => type === "ping").length, isUpWhileAnswered = table.isUp;
isDeaf = true;
const heard = table.heardAt;
table.do({ do: "place_wager" });
await pass(8);
const lost = { isUp: table.isUp, since: table.lostAt === heard, isClosed: lines[0].isClosed === true };
now += 600_000; // the machine slept
isDeaf = false;
await pass(4);
const found = {
  pings, isUpWhileAnswered, lost, isBack: table.isUp, lines: lines.length, tickets: tickets.length,
  again: lines.at(-1).said.includes("do"),
};
"""


def test_a_line_that_falls_silent_is_noticed_and_made_anew_and_what_was_not_answered_is_sent_again() -> None:
    found = run_page_script(SILENCE)
    assert found["isUpWhileAnswered"], "a table where nothing happens is not lost"
    assert found["pings"] == 5, "one on coming, one after every five seconds of silence"
    assert found["lost"] == {"isUp": False, "since": True, "isClosed": True}
    assert found["isBack"]
    assert found["again"]
    assert found["lines"] == found["tickets"] >= 2


LATER = """
globalThis.setInterval = () => 1;
globalThis.setTimeout = (again) => { queueMicrotask(again); return 1; };
globalThis.location = { href: "http://house/table/t", protocol: "http:" };
globalThis.fetch = async () => ({ status: 200, ok: true, json: async () => ({ ticket: "x", socket: "/socket" }) });
const lines = [];
globalThis.WebSocket = class {
  static OPEN = 1;
  constructor() { this.readyState = 1; this.said = []; lines.push(this); queueMicrotask(() => this.onopen?.()); }
  send(text) { this.said.push(JSON.parse(text)); }
};
const { TableSocket } = await import("/page/js/table_socket.js");
const table = new TableSocket("t"), settled = () => new Promise((done) => setImmediate(done));
await settled();
const answers = [];
void table.do({ do: "place_wager" }).then((said) => answers.push(said.type));
await settled();
const { id } = lines[0].said.at(-1), hear = (said) => lines.at(-1).onmessage({ data: JSON.stringify(said) });
hear({ type: "problem", id, say: "This table is served by another node.", again: true });
await settled();
const answersBefore = answers.length;
hear({ type: "bye", why: "moved", say: "This table is served by another node now; join again." });
lines[0].onclose();
await settled();
const sent = lines[1].said.filter((said) => said.type === "do").map((said) => said.id === id);
hear({ type: "done", id, seq: 7, repeat: false });
await settled();
const found = { answersBefore, lines: lines.length, sent, answers };
"""


def test_what_is_for_later_is_no_answer_and_is_sent_again_when_the_line_is_made_anew() -> None:
    found = run_page_script(LATER)
    assert found["answersBefore"] == 0
    assert found["lines"] == 2
    assert found["sent"] == [True]
    assert found["answers"] == ["done"]


HOUSE_LINE = """
globalThis.setInterval = () => 1;
globalThis.setTimeout = (again) => { queueMicrotask(again); return 1; };
globalThis.location = { href: "http://house/floor", protocol: "http:" };
const lines = [];
let status = 201;
globalThis.fetch = async () => ({
  status, ok: status < 300,
  json: async () => (status < 300 ? { ticket: "x", socket: "/socket" } : { detail: "locked" }),
});
globalThis.WebSocket = class {
  static OPEN = 1;
  constructor() { this.readyState = 1; this.said = []; lines.push(this); queueMicrotask(() => this.onopen?.()); }
  send(text) { this.said.push(JSON.parse(text)); }
  close() { this.onclose?.(); }
  say(frame) { this.onmessage({ data: JSON.stringify({ type: "house", now: 1000, ...frame }) }); }
};
const { HouseLine } = await import("/page/js/house_line.js");
const settled = () => new Promise((done) => setImmediate(done));
const line = new HouseLine(), changes = [];
line.addEventListener("change", ({ detail }) => changes.push([...detail].sort()));
await settled();
const tables = { "table b": { card: { table: "b" } }, "table a": { card: { table: "a" } } };
lines[0].say({ run: "r", seq: 1, set: { day: 1, ...tables } });
lines[0].say({ run: "r", seq: 2, after: 1, set: { day: 2 } });
const names = line.tables.map((table) => table.card.table), day = line.get("day");
lines[0].close(); // the connection is lost
await settled();
const rejoined = lines[1].said[0];
lines[1].say({ run: "r", seq: 5, after: 2, set: { day: 5 } });
lines[1].say({ run: "r", seq: 9, after: 8, set: { day: 9 } }); // something is missing
await settled();
const afterGap = lines[2].said[0], kept = line.get("day");
lines[2].say({ run: "s", seq: 1, set: { day: 10 } });
const whole = [line.get("day"), line.tables.length];
status = 423;
lines[2].close();
await settled();
const locked = [line.denied?.status, line.isUp, lines.length];
status = 201;
line.retry();
await settled();
const found = { names, day, rejoined, afterGap, kept, whole, changes, locked, back: lines.length };
"""


def test_the_line_of_the_house_takes_topics_goes_on_where_it_was_and_waits_while_the_console_is_locked() -> None:
    found = run_page_script(HOUSE_LINE)
    assert found["names"] == ["a", "b"]
    assert found["day"] == 2
    assert found["rejoined"] == {"type": "join", "ticket": "x", "run": "r", "after": 2}
    assert found["afterGap"] == {"type": "join", "ticket": "x"}, "after a gap everything is asked for"
    assert found["kept"] == 5, "a frame that does not follow is not taken"
    assert found["whole"] == [10, 0], "the whole house takes the place of all that was known"
    assert found["changes"] == [["day", "table a", "table b"], ["day"], ["day"], ["day"]]
    assert found["locked"] == [423, False, 3], "nobody asks again while the console is locked"
    assert found["back"] == 4


RECEIPTS = """
const stored = new Map();
globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => stored.set(key, text) };
const asked = [];
globalThis.fetch = async (address) => {
  if (address === "/api/keys") return { ok: true, json: async () => ({ logs: { "table 1": "key" } }) };
  asked.push(Number(address.split("/").at(-1)));
  return { ok: true, status: 200, text: async () => "proof\\n\\nexample.org/house/table/1\\n" };
};
const { ReceiptKeeper } = await import("/page/js/table/receipts.js");
const keeper = new ReceiptKeeper("1");
keeper.add(4);
keeper.add(9);
keeper.resultAnnounced();
keeper.add(11);
await keeper.fetchPending();
const first = [...asked];
keeper.resultAnnounced();
await keeper.fetchPending();
clearTimeout(keeper.timer);
const found = { first, all: asked, pending: [...keeper.pending] };
"""


RECEIPTS_LATER = """
const stored = new Map();
globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => stored.set(key, text) };
const whole = { ok: true, status: 200, text: async () => "proof\\n\\nexample.org/house/table/1\\n" };
const broken = { ok: true, status: 200, text: async () => { throw new TypeError("the connection is lost"); } };
const keys = [{ ok: false, status: 503 }, { ok: true, json: async () => ({ logs: { "table 1": "key" } }) }];
const answers = ANSWERS;
globalThis.fetch = async (address) => {
  if (address === "/api/keys") return keys.shift();
  const answer = answers.shift() ?? whole;
  if (answer === "lost") throw new TypeError("the network is gone");
  return typeof answer === "number" ? { ok: false, status: answer } : answer;
};
const { ReceiptKeeper } = await import("/page/js/table/receipts.js");
const keeper = new ReceiptKeeper("1");
keeper.add(4);
keeper.add(9);
keeper.resultAnnounced();
let tries = 0;
const waits = [];
for (; tries < 10 && keeper.pending.size; tries++) {
  clearTimeout(keeper.timer);
  keeper.timer = 0;
  await keeper.fetchPending();
  waits.push(Boolean(keeper.timer));
}
clearTimeout(keeper.timer);
const kept = JSON.parse(stored.get("receipts example.org/house/table/1") ?? "[]").map(({ seq }) => seq);
const found = { kept, tries, waits };
"""


@pytest.mark.parametrize("answer", ["423", "429", "500", "503", '"lost"', "broken"])
def test_a_house_that_is_busy_for_a_moment_is_asked_again_for_every_receipt(answer: str) -> None:
    """Somebody else may keep it busy, or the house itself may wish that nobody has a receipt."""
    found = run_page_script(RECEIPTS_LATER.replace("ANSWERS", f"[{answer}, whole, {answer}]"))
    assert found == {"kept": [4, 9], "tries": 4, "waits": [True, True, True, False]}


@pytest.mark.parametrize(("answer", "kept"), [("403", [9]), ("410", [9]), ("401", []), ("404", [])])
def test_a_receipt_that_will_never_be_given_is_not_asked_for_again(answer: str, kept: list[int]) -> None:
    """It was dropped, or is another's; and a house that signs nothing, or does not know us, gives none at all."""
    found = run_page_script(RECEIPTS_LATER.replace("ANSWERS", f"[{answer}]"))
    assert found == {"kept": kept, "tries": 2, "waits": [True, False]}


COSIGNED = """
const stored = new Map();
globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => stored.set(key, text) };
let signatures = "\\n— example.org/house AAAA\\n", status = 200;
const asked = [];
globalThis.fetch = async (address) => {
  const keys = { logs: { "table 1": "key" }, witnesses: ["key"] };
  if (address === "/api/keys") return { ok: true, json: async () => keys };
  asked.push(Number(address.split("/").at(-1)));
  const text = `proof\\n\\nexample.org/house/table/1\\n9\\nroot\\n${signatures}`;
  return { ok: status === 200, status, text: async () => text };
};
const { ReceiptKeeper } = await import("/page/js/table/receipts.js");
const keeper = new ReceiptKeeper("1");
keeper.add(4);
keeper.resultAnnounced();
await keeper.fetchPending();
status = 503;
await keeper.fetchPending();
status = 200;
signatures += "— example.org/surveillance BBBB\\n";
await keeper.fetchPending();
await keeper.fetchPending();
clearTimeout(keeper.timer);
const [{ text }] = JSON.parse(stored.get("receipts example.org/house/table/1"));
const found = { asked, isCosigned: text.includes("surveillance"), left: [...keeper.uncosigned] };
"""


def test_a_receipt_is_asked_for_again_until_a_witness_has_cosigned_it() -> None:
    """Without that it shows nothing against a house that signs two histories, one for each reader."""
    assert run_page_script(COSIGNED) == {"asked": [4, 4, 4], "isCosigned": True, "left": []}


def test_a_wager_of_the_next_round_waits_for_its_own_result_before_its_receipt_is_asked_for() -> None:
    found = run_page_script(RECEIPTS)
    assert found == {"first": [4, 9], "all": [4, 9, 11], "pending": []}


WORDS = """
globalThis.setInterval = () => 1;
globalThis.setTimeout = (again) => { queueMicrotask(again); return 1; };
globalThis.location = { href: "http://house/table/t", protocol: "http:" };
const lines = [], asked = [];
globalThis.fetch = async (address) => {
  asked.push(address);
  return { status: 201, ok: true, json: async () => ({ ticket: "x", socket: "/socket" }) };
};
globalThis.WebSocket = class {
  static OPEN = 1;
  constructor() { this.readyState = 1; this.said = []; lines.push(this); queueMicrotask(() => this.onopen?.()); }
  send(text) { this.said.push(JSON.parse(text)); }
  close() { this.onclose?.(); }
  say(message) { this.onmessage({ data: JSON.stringify(message) }); }
};
const { TableSocket } = await import("/page/js/table_socket.js");
const settled = () => new Promise((done) => setImmediate(done));
const table = new TableSocket("t", { words: "moment" }), shown = [];
table.addEventListener("change", () => shown.push([table.view.state.step, table.words.call, [...table.words.rulings]]));
await settled();
const view = { state: { step: "wager" }, due: [] };
lines[0].say({ type: "view", run: "r", seq: 1, view, words: { seq: 4, set: { call: "a", rulings: [1, 2] } } });
const changed = { from: 4, seq: 5, set: { call: "b" }, splice: { rulings: [0, 1] } };
lines[0].say({ type: "patch", from: 1, seq: 2, set: { step: "deal" }, words: changed });
lines[0].say({ type: "words", seq: 2, words: { from: 5, seq: 6, set: { call: "c" } } });
lines[0].say({ type: "patch", from: 2, seq: 3, set: { step: "turn" } });
lines[0].close(); // the connection is lost
await settled();
lines[1].say({ type: "words", seq: 3, words: { seq: 9, set: { call: "d", rulings: [] } } });
lines[1].say({ type: "words", seq: 3, words: { from: 10, seq: 11, set: { call: "missed" } } });
await settled();
lines[2].say({ type: "view", run: "r", seq: 7, view, words: { seq: 12, set: { call: "e", rulings: [] } } });
const found = { shown, joins: lines.map((line) => line.said[0]), asked };
"""


def test_words_come_with_the_frames_and_all_of_them_again_after_a_gap() -> None:
    found = run_page_script(WORDS)
    assert found["shown"] == [
        ["wager", "a", [1, 2]], ["deal", "b", [2]], ["deal", "c", [2]], ["turn", "c", [2]], ["turn", "d", []],
        ["wager", "e", []],
    ]  # fmt: skip
    first = {"type": "join", "ticket": "x", "words": "moment"}
    assert found["joins"] == [first, {**first, "run": "r", "after": 3}, first]
    assert found["asked"] == ["/api/tickets"] * 3, "the page asks for nothing but tickets"
