// The tables that the user follows, in this browser: they are shown in a strip wherever the lobby's news is read.

const KEPT = "followed tables";
const MOST = 8;

/**
 * The names of the followed tables, oldest first.
 * @returns {string[]}
 */
export function followedTables() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept.filter((name) => typeof name === "string").slice(0, MOST) : [];
  } catch {
    return []; // somebody else wrote there
  }
}

/**
 * Follows a table, or does so no longer; returns whether it is followed now.
 * @param {string} name
 * @param {boolean} isFollowed
 */
export function followTable(name, isFollowed) {
  const others = followedTables().filter((each) => each !== name);
  localStorage.setItem(KEPT, JSON.stringify((isFollowed ? [...others, name] : others).slice(-MOST)));
  return isFollowed;
}
