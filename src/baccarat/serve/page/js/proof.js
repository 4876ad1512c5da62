// A shoe checked in the browser, by the verifier that comes with the program, without asking the house.
import {
  bytesFromBase64,
  commitmentOf,
  deriveShoe,
  entryAt,
  hex,
  inputsOf,
  openedShare,
  proveCard,
  readKey,
  unhex,
  verifies,
} from "/page/js/verify_baccarat.mjs";

/**
 * What is wrong with a shoe: its name, and what it is about.
 * @typedef {{ fault: string, position?: number, card?: string, right?: string, witness?: string }} Fault
 * @typedef {{ faults: Fault[], cards: number, isWhole: boolean, isSealed: boolean, witnesses: string[] }} Checked
 */

/**
 * What is wrong with what was shown of a shoe, and how far it could be checked.
 * Cards are proved against the sealed root; with the seed the whole order is derived again.
 * @param {House.ShoeProof} proof
 * @returns {Checked}
 */
export function checkShoe(proof) {
  const { decks, root, in_front: inFront, cards } = proof;
  /** @type {Fault[]} */
  const faults = [];
  if (!proof.commitment || !root) return { faults, cards: 0, isWhole: false, isSealed: false, witnesses: [] };
  if (proof.order === 2) faults.push(...checkInputs(proof));
  for (const { position, card, salt, path } of cards) {
    if (!proveCard({ root, decks, inFront, position, card, salt, path }))
      faults.push({ fault: "card", position, card });
  }
  if (proof.disproved) faults.push({ fault: "disproved" });
  const seed = proof.seed ? unhex(proof.seed, 32) : null;
  if (seed) faults.push(...checkOrder(proof, seed));
  return {
    faults,
    cards: cards.length,
    isWhole: Boolean(seed),
    isSealed: true,
    witnesses: proof.witnesses.map(({ key }) => key),
  };
}
/**
 * @param {House.ShoeProof} proof
 * @returns {import("/page/js/verify_baccarat.mjs").ShoeInputs}
 */

const shoeOf = ({
  order,
  origin,
  table,
  name: shoe,
  rulebook,
  decks,
  witnesses,
  contributions,
  commitment,
  in_front: inFront,
}) => ({
  order,
  origin,
  table,
  shoe,
  rulebook,
  decks,
  witnesses,
  contributions,
  commitment: unhex(commitment, 32),
  inFront,
});

/**
 * Whether a note bears the signature of the share key that the commitment names.
 * @param {string} key
 * @param {string[]} note
 */
const isSigned = (key, note) =>
  verifies(
    readKey(key, true),
    note
      .slice(0, 5)
      .map((row) => `${row}\n`)
      .join(""),
    bytesFromBase64(note[6].split(" ")[2])?.slice(4) ?? new Uint8Array(),
  );

/**
 * An order 2: the inputs are what was closed, and every witness opened and signed the share that it had promised, for
 * this closing.
 * @param {House.ShoeProof} proof
 * @returns {Fault[]}
 */
function checkInputs(proof) {
  if (hex(inputsOf(shoeOf(proof))) !== proof.inputs) return [{ fault: "inputs" }];
  return proof.witnesses.flatMap(({ key, promise }) => {
    const note = proof.notes.find((each) => each.key === key)?.note;
    const opened = openedShare(note, {
      key,
      origin: proof.origin,
      shoe: proof.name,
      closing: unhex(proof.closing, 32),
    });
    const fault = !note || opened?.promise !== promise ? "share" : isSigned(key, note) ? "" : "signature";
    return fault ? [{ fault, witness: key.split("+")[0] }] : [];
  });
}

/**
 * @param {House.ShoeProof} proof
 * @param {Uint8Array} seed
 * @returns {Fault[]}
 */
function checkOrder(proof, seed) {
  const shoe = shoeOf(proof);
  if (proof.order === 2) {
    shoe.inputs = unhex(proof.inputs, 32);
    shoe.shares = new Map(
      proof.notes.map(({ key, note }) => [
        key,
        openedShare(note, { key, origin: proof.origin, shoe: proof.name, closing: unhex(proof.closing, 32) })?.share,
      ]),
    );
    if (proof.witnesses.some(({ key }) => !shoe.shares?.get(key))) return []; // said already
  }
  if (hex(commitmentOf(shoe, seed)) !== proof.commitment) return [{ fault: "commitment" }];
  const derived = deriveShoe(shoe, seed);
  if (hex(derived.root) !== proof.root) return [{ fault: "root" }];
  return proof.cards.flatMap(({ position, card }) => {
    const right = derived.cards[entryAt(position, proof.in_front ?? 0, 52 * proof.decks)];
    return right === card ? [] : [{ fault: "order", position, card, right }];
  });
}
