// A shoe checked in the browser, by the verifier that comes with the program, without asking the house.
import { commitmentOf, deriveShoe, entryAt, hex, proveCard, unhex } from "/page/js/verify_baccarat.mjs";

/**
 * What is wrong with what was shown of a shoe, and how far it could be checked: {faults: [{fault, …}], cards, isWhole}.
 * Cards are proved against the sealed root; with the seed the whole order is derived again.
 */
export function checkShoe(proof) {
  const { decks, root, in_front: inFront, cards } = proof, faults = [];
  if (!proof.commitment || !root) return { faults, cards: 0, isWhole: false, isSealed: false };
  for (const { position, card, salt, path } of cards) {
    if (!proveCard({ root, decks, inFront, position, card, salt, path })) faults.push({ fault: "card", position, card });
  }
  if (proof.disproved) faults.push({ fault: "disproved" });
  const seed = proof.seed ? unhex(proof.seed, 32) : null;
  if (seed) faults.push(...checkOrder(proof, seed));
  return { faults, cards: cards.length, isWhole: Boolean(seed), isSealed: true };
}

function checkOrder(proof, seed) {
  const shoe = { table: proof.table, shoe: proof.name, rulebook: proof.rulebook, decks: proof.decks, contributions: proof.contributions };
  if (hex(commitmentOf(shoe, seed)) !== proof.commitment) return [{ fault: "commitment" }];
  const derived = deriveShoe(shoe, seed);
  if (hex(derived.root) !== proof.root) return [{ fault: "root" }];
  return proof.cards.flatMap(({ position, card }) => {
    const right = derived.cards[entryAt(position, proof.in_front, 52 * proof.decks)];
    return right === card ? [] : [{ fault: "order", position, card, right }];
  });
}
