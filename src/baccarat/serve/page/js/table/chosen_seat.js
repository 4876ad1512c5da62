// The seat that was chosen in the lobby, in this tab: a link from elsewhere, whatever its address says, seats nobody.

const KEPT = "chosen seat";

/**
 * The user wants to sit at a seat of the table whose page is opened next.
 * @param {string} table
 * @param {number} seat
 */
export function chooseSeat(table, seat) {
  sessionStorage.setItem(KEPT, JSON.stringify({ table, seat }));
}

/**
 * The seat that was chosen at this table, or 0; it counts once.
 * @param {string} table
 * @returns {number}
 */
export function takeChosenSeat(table) {
  const kept = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  try {
    const chosen = JSON.parse(kept ?? "{}");
    return chosen.table === table && Number.isInteger(chosen.seat) ? chosen.seat : 0;
  } catch {
    return 0; // somebody else wrote there
  }
}
