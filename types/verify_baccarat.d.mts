// What the pages use of the small verifier, which is a program of its own and is held by the corpus instead of types.

export interface Key {
  text: string;
  name: string;
  id: string;
  kind: number;
  data: Uint8Array;
}
export interface ShoeInputs {
  order: number;
  origin: string;
  table: string;
  shoe: string;
  rulebook: string;
  decks: number;
  witnesses: { key: string; promise: string }[];
  contributions: string[];
  commitment: Uint8Array | null;
  inFront: number | null;
  inputs?: Uint8Array | null;
  shares?: Map<string, Uint8Array | undefined>;
}
export interface Checkpoint {
  name: string;
  size: number;
  written: string;
}
export interface Report {
  status: number;
}
export interface Receipt {
  name: string;
}

export function hex(bytes: Uint8Array): string;
/** Null if the text is something else, or not of this many bytes. */
export function unhex(text: string, length?: number): Uint8Array | null;
/** Null if the text is something else. */
export function bytesFromBase64(text: string): Uint8Array | null;
/** Fails, with the reason, if the text is no public key. */
export function readKey(text: string, isShare?: boolean): Key;
export function verifies(key: Key, text: string, signature: Uint8Array): boolean;
export function commitmentOf(shoe: ShoeInputs, seed: Uint8Array): Uint8Array;
export function inputsOf(shoe: ShoeInputs): Uint8Array;
export function deriveShoe(
  shoe: ShoeInputs,
  seed: Uint8Array,
): { commitment: Uint8Array; cards: string[]; root: Uint8Array };
export function entryAt(position: number, inFront: number, size: number): number;
export function proveCard(card: {
  root: string;
  decks: number;
  inFront: number | null;
  position: number;
  card: string;
  salt: string;
  path: string[];
}): boolean;
/** Null if the note opens nothing of this shoe. */
export function openedShare(
  note: string[] | undefined,
  of: { key: string; origin: string; shoe: string; closing: Uint8Array | null },
): { share: Uint8Array; promise: string } | null;

export function readCheckpoint(note: string, path?: string): Checkpoint;
export class CheckpointMemory {
  notes: Map<string, Checkpoint>;
  keep(checkpoint: Checkpoint): void;
}
export function readReceipt(text: string, file: string, keys?: Key[]): Receipt;
export function verify(
  input: Uint8Array,
  given?: { keys?: Key[]; receipts?: Receipt[]; memory?: CheckpointMemory | null },
): Report;
export function reportText(report: Report, name: string): string;
