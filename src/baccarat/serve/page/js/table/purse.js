// @ts-check
// The money of one participant at a table, and where it is now: the sums of a page agree with the books of the house.

/** The acts that still take a stake from the layout: what a loser has there is the act's own amount. */
const LOSERS = "collect_losing_wagers";

/**
 * What lies on the layout for a seat: wagers until they are settled, and what House Money has added to them.
 * @param {House.Round} round
 * @param {number} seat
 */
function lyingOf(round, seat) {
  const { announced, wagers = [], house_lines: settled = [], acts = [] } = round;
  /** @param {House.Wager} wager */
  const isLying = (wager) => (wager.on === "house_money" ? !settled.some((line) => line.seat === seat) : !announced);
  /** @param {{ seat: number }} each */
  const own = (each) => each.seat === seat;
  const stakes = wagers.filter((wager) => own(wager) && isLying(wager)).reduce((total, { stake }) => total + stake, 0);
  if (!announced) return stakes + (round.pressed?.[seat] ?? 0);
  const left = acts.filter(own).reduce((total, { act, amount, stake }) => total + (act === LOSERS ? amount : stake), 0);
  return stakes + left + (round.returned_due?.[seat] ?? 0) + (round.lying?.[seat] ?? 0);
}

/**
 * Chips, what lies on the layout, what was won and is not paid yet, and the vigorish that is marked, in cents. The
 * first three are all that a person has at the table.
 *
 * @param {any} state the state of a view
 * @param {number} seat
 */
export function purseOf({ seats, round, money }, seat) {
  const chips = seats.participants[seat - 1]?.chips ?? 0,
    lying = lyingOf(round, seat),
    due = money.payable?.[seat] ?? 0;
  return { chips, lying, due, total: chips + lying + due, marked: money.markers?.[seat] ?? 0 };
}
