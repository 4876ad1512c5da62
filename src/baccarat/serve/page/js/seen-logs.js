// The last checkpoint of each log that was checked in this browser: whatever is checked later must agree with it.
import { CheckpointMemory, readCheckpoint } from "/page/js/verify_baccarat.mjs";

const KEPT = "seen logs",
  MOST = 100;

/** What this browser remembers, the log that was seen last at the end. */
export function seenLogs() {
  const memory = new CheckpointMemory();
  try {
    for (const text of JSON.parse(localStorage.getItem(KEPT) ?? "[]")) {
      memory.keep(readCheckpoint(text));
    }
  } catch {
    // somebody else wrote there: what cannot be read is not remembered
  }
  return memory;
}

/**
 * Remember this from now on; the logs that were not seen for the longest time are dropped.
 * @param {CheckpointMemory} memory
 */
export function keepSeenLogs(memory) {
  try {
    localStorage.setItem(KEPT, JSON.stringify([...memory.notes.values()].map(({ written }) => written).slice(-MOST)));
  } catch {
    // no room, or the browser keeps nothing
  }
}
