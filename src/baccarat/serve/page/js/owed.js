// What the corrected cards owe: the acts that settle it.

const SETTLING = ["settle_due", "report_uncollected"];

/**
 * Whether what the corrected cards owe is paid or collected by this act.
 * @param {string} act
 */
export const settlesOwed = (act) => SETTLING.includes(act);
