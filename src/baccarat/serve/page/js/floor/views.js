// The views of the floor page.

/**
 * The views that a session may use, in the order of their buttons; the first is the default.
 * @param {House.Welcome} session
 */
export function viewsOf({ can }) {
  let first = ["tables", "cage", "forms"];
  if (can.includes("floor_cage_first")) first = ["cage", "tables", "forms"];
  if (can.includes("floor_forms_first")) first = ["tables", "forms", "cage"];
  return [...first, "meters", "day"].filter((name) => name === "tables" || can.includes(`floor_${name}`));
}
