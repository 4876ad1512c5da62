// A shoe that waits for witnesses, in the reader's language: for whom, for what, and since when.
import { timeOf } from "/page/js/time.js";
import { listed, t } from "/page/js/words.js";

/**
 * The sentence for a console; empty if the shoe waits for nobody.
 * @param {House.WitnessWait | null | undefined} wait
 */
export function witnessWaitText(wait) {
  return wait
    ? t(`witness.waits_for_${wait.part}`, { witnesses: listed(wait.witnesses), time: timeOf(wait.since) })
    : "";
}
