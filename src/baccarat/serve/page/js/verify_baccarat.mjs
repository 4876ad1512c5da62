// An independent verifier for journals and bundles of a baccarat table, in one file without dependencies.
//
//   node verify_baccarat.mjs FILE… [--json]        0 nothing is wrong · 1 something is wrong · 2 unreadable, or wrong usage
//   import { verify } from './verify_baccarat.mjs'; const report = verify(bytes)       in a page, or in a program of yours
//
// It was written from the published pages alone (journal, log, bundle, shuffle) and shares no code with the program that
// writes the files. It derives again: canonical bytes, hash chain, log tree, commitment, order, card tree, the proof of every
// turned card, and the whole shoe once its seed is open. It does not check signatures, does not compute the hash of a rulebook,
// and does not decide the acts again: every report says so.

// ------------------------------------------------------------------------------------------------------------- hashing

const ROUND_CONSTANTS = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);
const START_STATE = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
// One set of working memory for all calls: hashing is synchronous, so calls never overlap.
const schedule = new Int32Array(64);
const state = new Int32Array(8);
const pending = new Uint8Array(128);
const pendingView = new DataView(pending.buffer);

/** One block of 64 bytes into the state (FIPS 180-4, 6.2.2). */
function compress(bytes, offset) {
  const w = schedule;
  for (let i = 0, at = offset; i < 16; i++, at += 4) {
    w[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15];
    const y = w[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  let a = state[0],
    b = state[1],
    c = state[2],
    d = state[3],
    e = state[4],
    f = state[5],
    g = state[6],
    h = state[7];
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[i] + w[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** SHA-256 over the given byte arrays, joined. */
export function sha256(...parts) {
  state.set(START_STATE);
  let length = 0;
  let held = 0; // bytes that wait in `pending` for their block to be full
  for (const part of parts) {
    let at = 0;
    length += part.length;
    if (held > 0) {
      at = Math.min(64 - held, part.length);
      pending.set(part.subarray(0, at), held);
      held += at;
      if (held < 64) continue;
      compress(pending, 0);
      held = 0;
    }
    for (; at + 64 <= part.length; at += 64) compress(part, at);
    held = part.length - at;
    pending.set(part.subarray(at), 0);
  }
  return finish(held, length);
}

function finish(held, length) {
  const end = held < 56 ? 64 : 128;
  pending[held] = 0x80;
  pending.fill(0, held + 1, end);
  pendingView.setUint32(end - 8, Math.floor(length / 0x20000000));
  pendingView.setUint32(end - 4, (length * 8) >>> 0);
  compress(pending, 0);
  if (end === 128) compress(pending, 64);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  for (let i = 0; i < 8; i++) out.setInt32(i * 4, state[i]);
  return digest;
}

/** HMAC-SHA256 (RFC 2104) under the key, over the given byte arrays, joined. */
export function hmac(key, ...parts) {
  const inner = new Uint8Array(64);
  inner.set(key.length > 64 ? sha256(key) : key);
  const outer = inner.map((byte) => byte ^ 0x5c);
  for (let i = 0; i < 64; i++) inner[i] ^= 0x36;
  return sha256(outer, sha256(inner, ...parts));
}

// ---------------------------------------------------------------------------------------------------- bytes and digits

const HEX_DIGITS = '0123456789abcdef';
const BASE64_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const encoder = new TextEncoder();

export const utf8 = (text) => encoder.encode(text);

export function hex(bytes) {
  let text = '';
  for (const byte of bytes) text += HEX_DIGITS[byte >> 4] + HEX_DIGITS[byte & 15];
  return text;
}

/** The value of a hexadecimal digit: the low 4 bits of a decimal one, of a letter 9 more. */
function digitValue(text, at) {
  const code = text.charCodeAt(at);
  return (code & 15) + (code > 57 ? 9 : 0);
}

/** The bytes of hexadecimal digits; null if the text is something else, or not of `length` bytes, if that is given. */
export function unhex(text, length) {
  if (typeof text !== 'string' || text.length % 2 || !/^[0-9a-fA-F]*$/.test(text)) return null;
  if (length !== undefined && text.length !== 2 * length) return null;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (digitValue(text, 2 * i) << 4) | digitValue(text, 2 * i + 1);
  return bytes;
}

function base64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const word = (bytes[i] << 16) | ((left > 1 ? bytes[i + 1] : 0) << 8) | (left > 2 ? bytes[i + 2] : 0);
    text += BASE64_DIGITS[word >> 18] + BASE64_DIGITS[(word >> 12) & 63];
    text += (left > 1 ? BASE64_DIGITS[(word >> 6) & 63] : '=') + (left > 2 ? BASE64_DIGITS[word & 63] : '=');
  }
  return text;
}

/** The 32 bytes of a hash in base64; null if the text is something else. */
function hashFromBase64(text) {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return null;
  const bytes = new Uint8Array(33);
  for (let i = 0, at = 0; i < 44; i += 4, at += 3) {
    let word = 0;
    for (let k = 0; k < 4; k++) word = (word << 6) | Math.max(0, BASE64_DIGITS.indexOf(text[i + k]));
    bytes[at] = word >> 16;
    bytes[at + 1] = (word >> 8) & 255;
    bytes[at + 2] = word & 255;
  }
  return bytes.slice(0, 32);
}

function sameBytes(one, other) {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

function u32(number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

function u64(number) {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(number / 0x100000000));
  view.setUint32(4, number >>> 0);
  return bytes;
}

function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

// --------------------------------------------------------------------------------------------------------- strict JSON

const MOST = Number.MAX_SAFE_INTEGER; // 2^53 − 1
const MOST_DEPTH = 500; // our own bound; the pages name none

/** The file cannot be read: there is nothing that could be checked. */
class Unreadable extends Error {}

/** An object as it was read: it inherits nothing, so that a key such as __proto__ is a key like any other. */
function ReadObject() {}
ReadObject.prototype = Object.create(null);

/** A parser that refuses what JSON.parse accepts: repeated keys, floats, large numbers, lone surrogates. */
class Parser {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.depth = 0;
  }

  fail(what) {
    throw new Unreadable(`${what} (character ${this.at + 1})`);
  }

  skipSpace() {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return code;
      this.at++;
    }
  }

  whole() {
    const value = this.value();
    this.skipSpace();
    if (this.at < this.text.length) this.fail('something follows the JSON');
    return value;
  }

  value() {
    const code = this.skipSpace();
    if (code === 0x7b) return this.nested(this.object);
    if (code === 0x5b) return this.nested(this.list);
    if (code === 0x22) return this.string();
    if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return this.number();
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ]) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.fail(this.at >= this.text.length ? 'no JSON, or only half of it' : 'no JSON');
  }

  nested(read) {
    if (++this.depth > MOST_DEPTH) this.fail(`nested more than ${MOST_DEPTH} deep`);
    this.at++;
    const value = read.call(this);
    this.depth--;
    return value;
  }

  object() {
    const object = new ReadObject();
    if (this.skipSpace() === 0x7d) {
      this.at++;
      return object;
    }
    for (;;) {
      if (this.skipSpace() !== 0x22)
        this.fail(this.at >= this.text.length ? 'only half of the JSON' : 'a key is expected');
      const start = this.at;
      const key = this.string();
      if (key in object) {
        this.at = start;
        this.fail(`the key ${shown(key)} occurs twice in one object`);
      }
      if (this.skipSpace() !== 0x3a) this.fail('a colon is expected');
      this.at++;
      object[key] = this.value();
      if (!this.goesOn(0x7d)) return object;
    }
  }

  list() {
    const list = [];
    if (this.skipSpace() === 0x5d) {
      this.at++;
      return list;
    }
    for (;;) {
      list.push(this.value());
      if (!this.goesOn(0x5d)) return list;
    }
  }

  /** Past a comma (true) or past the closing bracket (false). */
  goesOn(closing) {
    const code = this.skipSpace();
    if (code !== 0x2c && code !== closing) {
      this.fail(
        this.at >= this.text.length ? 'only half of the JSON' : 'a comma or the end of the list or object is expected',
      );
    }
    this.at++;
    return code === 0x2c;
  }

  number() {
    const pattern = /-?(?:0|[1-9][0-9]*)/y;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) this.fail('no number');
    const after = this.text[this.at + found[0].length];
    if (after === '.' || after === 'e' || after === 'E') this.fail('a number that is not written as a whole number');
    if (after >= '0' && after <= '9') this.fail('a number that begins with 0');
    const value = Number(found[0]);
    if (Math.abs(value) > MOST) this.fail('a number above 2^53 − 1');
    this.at += found[0].length;
    return value + 0; // −0 is 0
  }

  string() {
    const { text } = this;
    const begin = ++this.at;
    let at = begin;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        this.at = at + 1;
        return text.slice(begin, at);
      }
      if (code === 0x5c) return this.escapedString(begin, at);
      if (!(code >= 32)) this.failInString(at);
      at++;
    }
  }

  escapedString(begin, firstEscape) {
    const { text } = this;
    for (let at = firstEscape; ; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        this.at = at + 1;
        break;
      }
      if (!(code >= 32)) this.failInString(at);
      if (code === 0x5c) at += this.escapeLength(at) - 1;
    }
    // what is between the quotation marks is checked by now: JSON.parse can only succeed
    const value = JSON.parse(text.slice(begin - 1, this.at));
    if (/\p{Surrogate}/u.test(value)) this.fail('half of a surrogate pair');
    return value;
  }

  escapeLength(at) {
    const next = this.text[at + 1];
    if (next !== undefined && '"\\/bfnrt'.includes(next)) return 2;
    if (next === 'u' && /^[0-9a-fA-F]{4}$/.test(this.text.slice(at + 2, at + 6))) return 6;
    this.at = at;
    return this.fail(at + 6 > this.text.length ? 'only half of the JSON' : 'an unknown escape in a text');
  }

  failInString(at) {
    this.at = at;
    this.fail(at >= this.text.length ? 'only half of the JSON: a text has no end' : 'a control character in a text');
  }
}

export const parseStrictly = (text) => new Parser(text).whole();

/** A text as RFC 8785 writes it: what has to be escaped, JSON.stringify escapes in the same way. */
const quoted = (text) => (/["\\\u0000-\u001f]/.test(text) ? JSON.stringify(text) : `"${text}"`);

/** A value as RFC 8785 writes it, for whole numbers and texts without lone surrogates. */
export function canonical(value) {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  let all = '';
  // sort() compares UTF-16 units, as RFC 8785 asks
  for (const key of Object.keys(value).sort()) all += `${all && ','}${quoted(key)}:${canonical(value[key])}`;
  return `{${all}}`;
}

/** A value as a message can show it: short, and without anything that would control a terminal. */
function shown(value) {
  let text = typeof value === 'string' ? JSON.stringify(value) : value === undefined ? 'nothing' : canonical(value);
  text = text.replace(
    /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

const counted = (number, one, many = `${one}s`) => `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;

// ------------------------------------------------------------------------------------------------ shapes of the fields

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const isWhole = (value) => Number.isSafeInteger(value);

function expect(holds, path, expected, found) {
  if (!holds) throw new Unreadable(`${path}: expected ${expected}, found ${shown(found)}`);
}

const whole =
  (low = 0, high = MOST) =>
  (value, path) =>
    expect(
      isWhole(value) && value >= low && value <= high,
      path,
      high === MOST ? `a whole number from ${low}` : `${low}`,
      value,
    );

const text =
  (pattern, what, low = 0, high = Infinity) =>
  (value, path) => {
    expect(typeof value === 'string' && pattern.test(value), path, what, value);
    const size = value.length <= high && value.length >= 2 * low ? value.length : [...value].length;
    expect(size >= low && size <= high, path, `a text of ${low} to ${high} characters`, value);
  };

const oneOf =
  (...words) =>
  (value, path) =>
    expect(words.includes(value), path, `one of ${words.join(', ')}`, value);

const list =
  (item, low = 0, high = Infinity) =>
  (value, path) => {
    expect(Array.isArray(value), path, 'a list', value);
    expect(value.length >= low && value.length <= high, path, `a list of ${low} to ${high}`, value.length);
    value.forEach((one, i) => item(one, `${path}[${i}]`));
  };

const anyObject = (value, path) => expect(isObject(value), path, 'an object', value);

const fields = (required, optional = {}) => {
  const known = new Map([...Object.entries(required), ...Object.entries(optional)]);
  return (value, path) => {
    expect(isObject(value), path, 'an object', value);
    for (const name of Object.keys(required)) expect(name in value, path, `the field ${name}`, undefined);
    for (const name of Object.keys(value)) {
      const check = known.get(name);
      if (!check) throw new Unreadable(`${path}: a field that is not known: ${shown(name)}`);
      check(value[name], `${path}.${name}`);
    }
  };
};

const HASH = text(/^[0-9a-f]{64}$/, '64 hexadecimal digits');
const HASH_BASE64 = text(/^[A-Za-z0-9+/]{43}=$/, '32 bytes in base64');
const STREAM = text(/^[a-z]+( [!-~][ -~]*)?$/, 'the name of a stream', 1, 200);
const PLAIN = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/;
const words = (low = 0) => text(PLAIN, 'a text without control characters', low, 200);
const ROLES = oneOf(
  'administrator',
  'cage cashier',
  'casino supervisor',
  'dealer',
  'floorperson',
  'participant',
  'pit boss',
  'pit clerk',
  'public',
  'regulator',
  'surveillance',
);

const VERSION = (value, path) => {
  expect(isWhole(value), path, 'a version', value);
  if (value !== 1) throw new Unreadable(`${path}: version ${value}; this verifier reads version 1 only`);
};

function joinedStreams(value, path) {
  anyObject(value, path);
  for (const stream of Object.keys(value)) {
    STREAM(stream, `${path}: a key`);
    whole()(value[stream], `${path}.${stream}`);
  }
}

function event(value, path) {
  anyObject(value, path);
  expect(typeof value.event === 'string', `${path}.event`, 'the name of an event', value.event);
}

const OPENING = fields(
  {
    v: VERSION,
    stream: STREAM,
    seq: whole(0, 0),
    rulebook: HASH,
    submission: anyObject,
    program: words(),
    behaviour: whole(),
  },
  { at: whole() },
);
const RECORD = fields(
  { v: VERSION, stream: STREAM, seq: whole(1), event: whole(), rulebook: HASH, behaviour: whole() },
  {
    at: whole(),
    who: words(1),
    role: ROLES,
    origin: oneOf('card source', 'clock', 'link', 'person'),
    device: words(),
    approvals: list(fields({ who: words(1), role: ROLES }, { what: words() }), 0, 8),
    id: words(),
    shown: anyObject,
    command: anyObject,
    events: list(event),
    refused: anyObject,
    joined: joinedStreams,
    cause: fields({ stream: STREAM, seq: whole() }),
  },
);

/** An opening or a record: `seq` says which of the two it has to be. */
function entryBody(value, path) {
  anyObject(value, path);
  whole()(value.seq, `${path}.seq`);
  (value.seq === 0 ? OPENING : RECORD)(value, path);
}

/** A body as it is hashed: not too large, its keys in ASCII. */
function checkBody(record, written, body) {
  if (body.length > MOST_BODY) throw new Unreadable(`a body of ${body.length} bytes, more than ${MOST_BODY}`);
  if (body.length !== written.length) asciiKeys(record, 'record'); // otherwise all of it is ASCII
}

function asciiKeys(value, path) {
  if (value === null || typeof value !== 'object') return;
  for (const key of Object.keys(value)) {
    expect(/^[\u0000-\u007f]*$/.test(key), path, 'keys in ASCII', key);
    asciiKeys(value[key], path);
  }
}

const BUNDLE = fields(
  {
    bundle: VERSION,
    program: words(),
    scope: fields(
      { kind: oneOf('all', 'day', 'round', 'shoe'), stream: STREAM },
      {
        shoe: whole(1),
        round: whole(1),
        day: text(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'a day such as 2026-11-15'),
      },
    ),
    rulebooks: list(fields({ hash: HASH, submission: anyObject }, { edition: text(/^/, 'a text', 1) }), 1, 1000),
    entries: list(fields({ index: whole(), record: entryBody }, { hash: HASH }), 1),
  },
  {
    checkpoint: text(/^/, 'a text', 0, 1000000),
    tree_head: fields({ size: whole(), root: HASH_BASE64 }),
    keys: list(text(/^/, 'a text', 0, 1000), 0, 100),
    proof: list(HASH_BASE64),
    before: fields({ seq: whole(), events: whole(), hash: HASH, rulebook: HASH, state: anyObject }),
  },
);

// ------------------------------------------------------------------------------------------------------ the log's tree

const LEAF = new Uint8Array([0]);
const NODE = new Uint8Array([1]);

export const leafHash = (entry) => sha256(LEAF, entry);
export const nodeHash = (left, right) => sha256(NODE, left, right);

function largestPowerBelow(number) {
  let power = 1;
  while (power * 2 < number) power *= 2;
  return power;
}

/** The root of the RFC 6962 tree over these leaf hashes, from `low` to before `high`. */
export function treeRoot(leaves, low = 0, high = leaves.length) {
  if (high === low) return sha256();
  if (high - low === 1) return leaves[low];
  const middle = low + largestPowerBelow(high - low);
  return nodeHash(treeRoot(leaves, low, middle), treeRoot(leaves, middle, high));
}

/**
 * The root over `size` entries, of which some are known and the others are covered by the hashes of `proof`.
 * `known` has `index` and `leaf` by rising index. Returns the root and how many hashes were used; no root if some are missing.
 */
export function rootFromProof(known, size, proof) {
  let used = 0;
  function root(low, high, first, last) {
    if (first === last) return proof[used++] ?? null;
    if (high - low === 1) return known[first].leaf;
    const middle = low + largestPowerBelow(high - low);
    let split = first;
    for (let step = last; split < step;) {
      const between = (split + step) >> 1;
      if (known[between].index < middle) split = between + 1;
      else step = between;
    }
    const left = root(low, middle, first, split);
    const right = left && root(middle, high, split, last);
    return right && nodeHash(left, right);
  }
  return { root: root(0, size, 0, known.length), used };
}

/** Whether the path leads from the leaf at `index` to the root of a tree of `size` (RFC 9162, 2.1.3.2). */
export function isIncluded({ leaf, index, size, path, root }) {
  if (!(index >= 0 && index < size)) return false;
  let at = index;
  let last = size - 1;
  let hash = leaf;
  for (const beside of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(beside, hash);
      while (at % 2 === 0 && at !== 0) {
        at /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = nodeHash(hash, beside);
    }
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && sameBytes(hash, root);
}

/** Name, size and root of a C2SP checkpoint; its signatures are only counted. */
export function readCheckpoint(note, path = 'checkpoint') {
  const end = note.indexOf('\n\n');
  const lines = end < 0 ? [] : note.slice(0, end).split('\n');
  const signatures = end < 0 ? [] : note.slice(end + 2).split('\n');
  expect(lines.length >= 3 && lines[0] !== '', path, 'name, size, root, an empty line and signatures', note);
  expect(/^(0|[1-9][0-9]{0,15})$/.test(lines[1]) && isWhole(Number(lines[1])), `${path}, line 2`, 'a size', lines[1]);
  const root = hashFromBase64(lines[2]);
  expect(root, `${path}, line 3`, '32 bytes in base64', lines[2]);
  expect(signatures.pop() === '' && signatures.length > 0, path, 'signatures, each with its line feed', note);
  signatures.forEach((line) => expect(/^— [^\s+]+ [A-Za-z0-9+/]+={0,2}$/.test(line), path, 'a signature', line));
  return { name: lines[0], size: Number(lines[1]), root, signatures: signatures.length };
}

// --------------------------------------------------------------------------------------------------------- the shuffle

const RANKS = 'A23456789TJQK';
const SUITS = 'shdc';
const MOST_DECKS = 100; // our own bound, so that a forged number of decks cannot keep us busy for ever

const field = (bytes) => joined([u64(bytes.length), bytes]);

/** The header of a shoe: `table`, `shoe`, `rulebook` are texts, `decks` is a number. */
export function headerOf({ table, shoe, rulebook, decks }) {
  return joined([field(utf8(table)), field(utf8(shoe)), field(utf8(rulebook)), u64(decks)]);
}

/** What is published before anything else: SHA-256 over a label, the header and the seed. */
export const commitmentOf = (shoe, seed) => sha256(utf8('baccarat/commit'), headerOf(shoe), seed);

/** HMAC_DRBG with SHA-256 (NIST SP 800-90A Rev. 1, 10.1.2), read as words of 4 bytes out of requests of 2048. */
class Generator {
  constructor(material) {
    this.key = new Uint8Array(32);
    this.value = new Uint8Array(32).fill(1);
    this.update(material);
    this.words = null;
    this.next = 512;
  }

  update(data) {
    for (const round of data.length ? [0, 1] : [0]) {
      this.key = hmac(this.key, this.value, new Uint8Array([round]), data);
      this.value = hmac(this.key, this.value);
    }
  }

  request() {
    const bytes = new Uint8Array(2048);
    for (let at = 0; at < 2048; at += 32) {
      this.value = hmac(this.key, this.value);
      bytes.set(this.value, at);
    }
    this.update(new Uint8Array(0));
    this.words = new DataView(bytes.buffer);
    this.next = 0;
  }

  word() {
    if (this.next === 512) this.request();
    return this.words.getUint32(4 * this.next++);
  }

  /** A number from 0 to n − 1, each equally likely: words at the end that would favour some are skipped. */
  below(n) {
    const limit = 0x100000000 - (0x100000000 % n);
    for (;;) {
      const word = this.word();
      if (word < limit) return word % n;
    }
  }
}

/** The order of a shoe: numbers from 0 to 52 × decks − 1, the top card first. `contributions` are texts. */
export function orderOf({ table, shoe, rulebook, decks, contributions = [] }, seed) {
  const given = contributions.map((value) => field(utf8(value)));
  const personal = [
    utf8('baccarat/order'),
    field(headerOf({ table, shoe, rulebook, decks })),
    u64(given.length),
    ...given,
  ];
  const generator = new Generator(joined([seed, field(utf8(shoe)), ...personal]));
  const order = Array.from({ length: 52 * decks }, (_, i) => i);
  for (let i = order.length - 1; i >= 1; i--) {
    const j = generator.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Card number n as two characters, such as 9s. */
export const cardName = (n) => RANKS[(n % 52) % 13] + SUITS[Math.floor((n % 52) / 13)];

export const saltOf = (seed, entry) => hmac(seed, utf8('baccarat/salt'), u64(entry)).slice(0, 16);

const cardLeaf = (entry, card, salt) => leafHash(joined([u32(entry), utf8(card), salt]));

/** Everything that follows from a seed: `commitment`, the `cards` before the cut from the top, the `root` of their tree. */
export function deriveShoe(shoe, seed) {
  const cards = orderOf(shoe, seed).map(cardName);
  const root = treeRoot(cards.map((card, entry) => cardLeaf(entry, card, saltOf(seed, entry))));
  return { commitment: commitmentOf(shoe, seed), cards, root };
}

/** The entry of the order that lies at this position of the cut shoe. */
export const entryAt = (position, inFront, size) => (position + inFront) % size;

/**
 * Whether a card is proved to have been at a position of the cut shoe. `card` is a text such as 9s; `root`, `salt` and the
 * hashes of `path` are hexadecimal digits, as the journal has them. What cannot be read proves nothing.
 */
export function proveCard({ root, decks, inFront, position, card, salt, path }) {
  const size = 52 * decks;
  const hashes = Array.isArray(path) ? path.map((hash) => unhex(hash, 32)) : [null];
  const [sealed, salted] = [unhex(root, 32), unhex(salt, 16)];
  const numbers = [decks, inFront, position].every((number) => isWhole(number) && number >= 0);
  if (!numbers || decks > MOST_DECKS || position >= size || inFront > size || !sealed || !salted) return false;
  if (hashes.includes(null) || !/^[A2-9TJQK][shdc]$/.test(card)) return false;
  const index = entryAt(position, inFront, size);
  return isIncluded({ leaf: cardLeaf(index, card, salted), index, size, path: hashes, root: sealed });
}

// --------------------------------------------------------------------------------------------------- reading the files

const MOST_BUNDLE = 256 * 1024 * 1024;
const MOST_JOURNAL = 1024 * 1024 * 1024; // our own bound; the pages name none
const MOST_BODY = 65535;
const LINE_BEGIN = '{"hash":"';
const LINE_MIDDLE = '","record":';
const BODY_AT = LINE_BEGIN.length + 64 + LINE_MIDDLE.length;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Unreadable('this is not UTF-8');
  }
}

/** Runs a reader and adds the place to its error. */
function reading(place, read) {
  try {
    return read();
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(`${place}: ${error.message}`) : error;
  }
}

const isCheckpointLine = (line) => line.startsWith('{"checkpoint":');

/** A journal begins with an entry or a checkpoint on a line of its own; a bundle may begin with the field `checkpoint` too. */
function isJournal(bytes) {
  const begin = String.fromCharCode(...bytes.subarray(0, 14));
  if (begin.startsWith('{"hash":')) return true;
  if (!isCheckpointLine(begin)) return false;
  const end = bytes.indexOf(10);
  try {
    return end > 0 && !('bundle' in parseStrictly(decoded(bytes.subarray(0, end))));
  } catch {
    return false;
  }
}

function readJournal(bytes) {
  if (bytes.length > MOST_JOURNAL) throw new Unreadable('too large: more than 1 GiB');
  const journal = { kind: 'journal', scope: { kind: 'all' }, entries: [], checkpoints: [], notCanonical: [] };
  for (let begin = 0, number = 1; begin < bytes.length; number++) {
    const end = bytes.indexOf(10, begin);
    const where = `line ${number}`;
    if (end < 0) throw new Unreadable(`${where}: only half of the line has been written`);
    reading(where, () => readLine(journal, bytes.subarray(begin, end), where));
    begin = end + 1;
  }
  if (!journal.entries.length) throw new Unreadable('a journal without any entry');
  return journal;
}

function readLine(journal, bytes, where) {
  const line = decoded(bytes);
  if (isCheckpointLine(line)) {
    journal.checkpoints.push({ ...readCheckpointLine(line), where, after: journal.entries.length });
    return;
  }
  const stated = line.slice(LINE_BEGIN.length, LINE_BEGIN.length + 64);
  const framed =
    line.startsWith(LINE_BEGIN) && line.startsWith(`${LINE_MIDDLE}{`, LINE_BEGIN.length + 64) && line.endsWith('}}');
  if (!framed || !/^[0-9a-f]{64}$/.test(stated)) {
    throw new Unreadable(`expected {"hash":"…","record":{…}}, found ${shown(line.slice(0, 120))}`);
  }
  const body = bytes.subarray(BODY_AT, bytes.length - 1);
  const written = line.slice(BODY_AT, -1);
  const record = parseStrictly(written);
  entryBody(record, 'record');
  checkBody(record, written, body);
  const entry = {
    where: `${where} (${record.stream} ${record.seq})`,
    index: journal.entries.length,
    stated,
    body,
    record,
    leaf: leafHash(body),
  };
  journal.entries.push(entry);
  const expected = canonical(record);
  if (expected !== written) journal.notCanonical.push(differenceOf(entry.where, expected, written));
}

function differenceOf(where, expected, found) {
  let at = 0;
  while (expected[at] === found[at]) at++;
  const part = (value) => value.slice(Math.max(0, at - 10), at + 30);
  return fault(
    where,
    `the body is not canonical from its character ${at + 1} on`,
    shown(part(expected)),
    shown(part(found)),
  );
}

function readCheckpointLine(line) {
  const value = parseStrictly(line);
  fields({ checkpoint: text(/^/, 'a text', 0, 1000000), stream: STREAM })(value, 'checkpoint');
  return { stream: value.stream, ...readCheckpoint(value.checkpoint) };
}

function readBundle(bytes) {
  if (bytes.length > MOST_BUNDLE) throw new Unreadable('too large: a bundle has at most 256 MiB');
  const value = parseStrictly(decoded(bytes));
  if (isObject(value) && 'bundle' in value) VERSION(value.bundle, 'bundle');
  if (!isObject(value) || !('bundle' in value))
    throw new Unreadable('neither a journal nor a bundle: the field bundle is missing');
  BUNDLE(value, 'bundle');
  if ('checkpoint' in value === 'tree_head' in value)
    throw new Unreadable('bundle: exactly one of checkpoint and tree_head is expected');
  const head =
    'checkpoint' in value
      ? readCheckpoint(value.checkpoint)
      : { size: value.tree_head.size, root: hashFromBase64(value.tree_head.root), signatures: 0 };
  const entries = value.entries.map(({ index, hash = null, record }) => {
    const written = canonical(record);
    const body = utf8(written);
    const where = `index ${index} (${record.stream} ${record.seq})`;
    reading(where, () => checkBody(record, written, body));
    return { where, index, stated: hash, body, record, leaf: leafHash(body) };
  });
  const { scope, before = null, rulebooks, keys = [], proof = [] } = value;
  return { kind: 'bundle', scope, head, entries, before, rulebooks, keys, proof: proof.map(hashFromBase64) };
}

// ----------------------------------------------------------------------------------------------------- what is checked

const fault = (where, say, expected, found) => ({ where, say, expected: `${expected}`, found: `${found}` });
const checked = (name, say, faults) => ({ name, holds: faults.length === 0, say, faults });
const unchecked = (name, say) => ({ name, holds: null, say, faults: [] });
const has = (record, name) => (record.events ?? []).some((one) => one.event === name);

/** Whether the records of every stream are numbered without a gap, and their events too. */
function countFaults(entries) {
  const faults = [];
  const next = new Map(); // by stream: the expected number of the next record, and of its first event
  for (const { where, record } of entries) {
    const expected = next.get(record.stream) ?? { seq: 0, event: 0 };
    if (record.seq !== expected.seq) {
      const say =
        record.seq < expected.seq ? 'a record stands here a second time, or too late' : 'a record before it is missing';
      faults.push(fault(where, say, `seq ${expected.seq}`, `seq ${record.seq}`));
    } else if (record.seq > 0 && record.event !== expected.event) {
      faults.push(fault(where, 'the number of its first event', expected.event, record.event));
    }
    next.set(record.stream, { seq: record.seq + 1, event: (record.event ?? 0) + (record.events ?? []).length });
  }
  return faults;
}

/** Each id of a person takes effect once; a person who is refused for an id has used it before. */
function idCheck(entries, isWhole) {
  const faults = [];
  const given = new Map();
  for (const { where, record } of entries) {
    const { who = '', id = '', refused = {} } = record;
    if (refused.code === 'repeated_id') {
      const named = refused.params ?? {};
      const first = given.get(JSON.stringify([who, named.id]));
      const found = `${named.stream} ${named.record}`;
      if (id) faults.push(fault(where, 'a command that is refused for its id is entered under none', 'none', id));
      else if (!first && isWhole)
        faults.push(fault(where, 'the id for which it is refused', 'one that was given before', named.id));
      else if (first && found !== `${first.record.stream} ${first.record.seq}`)
        faults.push(
          fault(where, 'the record that was given the id', `${first.record.stream} ${first.record.seq}`, found),
        );
    } else if (id) {
      const key = JSON.stringify([who, id]);
      if (given.has(key)) faults.push(fault(where, `the id ${shown(id)} stands for two commands`, 'one', 'another'));
      else given.set(key, { where, record });
    }
  }
  if (!given.size && !faults.length) return unchecked('ids', 'no record has an id');
  return checked('ids', `${counted(given.size, 'command')}, each under an id of its own`, faults);
}

/** Whether each hash follows from the one before it in its stream and from the body. */
function chainFaults({ entries, before, scope }) {
  const faults = [];
  const last = new Map();
  for (const { where, record, stated, body } of entries) {
    if (stated === null) continue; // a late record, which only the tree binds
    const former = last.get(record.stream);
    const runBegins = before && record.stream === scope.stream && former?.seq === 0;
    const previous = record.seq === 0 ? new Uint8Array(32) : unhex(runBegins ? before.hash : former?.stated);
    if (previous === null) {
      faults.push(fault(where, 'nothing stands before it in its stream', 'an opening', 'none'));
    } else {
      const expected = hex(sha256(previous, body));
      if (expected !== stated)
        faults.push(fault(where, 'its hash: an entry was changed here or before', expected, stated));
    }
    last.set(record.stream, { seq: record.seq, stated });
  }
  return faults;
}

/** The events that end the life of a seed. */
const SEED_ENDS = ['seed_revealed', 'order_disproved', 'seed_lost'];

/** Splits the entries of a bundle about one stream into the opening, the run, and perhaps one late record. */
function partsOf({ entries, scope }) {
  const [opening, ...run] = entries;
  const last = run[run.length - 1];
  const former = run[run.length - 2];
  const opensSeed = last && SEED_ENDS.some((name) => has(last.record, name));
  const apart = last && (last.stated === null || (former && last.record.seq !== former.record.seq + 1));
  const afterRound =
    scope.kind === 'round' &&
    former &&
    has(former.record, 'table_cleared') &&
    !(last && has(last.record, 'table_cleared'));
  const late = opensSeed && (apart || afterRound) ? run.pop() : null;
  return { opening, run, late };
}

const SCOPE_FIELDS = { all: [], day: ['day'], round: ['shoe', 'round'], shoe: ['shoe'] };

/** Whether the bundle has exactly the entries of its scope. */
function entryFaults(bundle) {
  const { entries, scope, head, before } = bundle;
  const faults = [];
  const wanted = ['kind', 'stream', ...SCOPE_FIELDS[scope.kind]].sort().join(', ');
  const given = Object.keys(scope).sort().join(', ');
  if (wanted !== given) faults.push(fault('scope', `the fields of a scope of the kind ${scope.kind}`, wanted, given));
  entries.forEach((entry, i) => {
    if (i > 0 && entry.index <= entries[i - 1].index) {
      faults.push(fault(entry.where, 'entries stand by rising index', `above ${entries[i - 1].index}`, entry.index));
    }
    if (entry.index >= head.size)
      faults.push(fault(entry.where, 'its index in the log', `below ${head.size}`, entry.index));
    const { stream, seq } = entry.record;
    if (entry.index !== seq) faults.push(fault(entry.where, 'its index in the log is its seq', seq, entry.index));
    if (stream !== scope.stream) faults.push(fault(entry.where, 'its stream', scope.stream, stream));
  });
  if (scope.kind !== 'all') return [...faults, ...runFaults(bundle)];
  if (before) faults.push(fault('before', 'a bundle of everything needs no state before it', 'none', 'one'));
  if (entries.length !== head.size)
    faults.push(fault('entries', 'a bundle of everything', `${head.size} entries`, entries.length));
  for (const entry of entries) {
    if (entry.stated === null) faults.push(fault(entry.where, 'its hash in the chain', 'a hash', 'none'));
  }
  return [...faults, ...countFaults(entries)];
}

function runFaults(bundle) {
  const { scope, before } = bundle;
  const { opening, run, late } = partsOf(bundle);
  const faults = [];
  if (opening.record.seq !== 0)
    faults.push(fault(opening.where, 'the opening of the stream comes first', 'seq 0', `seq ${opening.record.seq}`));
  if (!run.length) return [...faults, fault('entries', 'the records of what the bundle is about', 'some', 'none')];
  for (const entry of [opening, ...run]) {
    if (entry.stated === null) faults.push(fault(entry.where, 'its hash in the chain', 'a hash', 'none'));
  }
  let seq = before ? before.seq + 1 : 1;
  let events = before ? before.events : 0;
  for (const { where, record } of run) {
    if (record.seq !== seq)
      faults.push(fault(where, 'a record of the run is missing or occurs twice', `seq ${seq}`, `seq ${record.seq}`));
    else if (record.event !== events) faults.push(fault(where, 'the number of its first event', events, record.event));
    seq = record.seq + 1;
    events = (record.event ?? 0) + (record.events ?? []).length;
  }
  if (late && (late.record.seq < seq || late.record.event < events)) {
    faults.push(
      fault(
        late.where,
        'a late record comes after the run',
        `seq from ${seq}, event from ${events}`,
        `seq ${late.record.seq}, event ${late.record.event}`,
      ),
    );
  }
  return [...faults, ...beginFaults(bundle, run), ...endFaults(scope, run)];
}

/** Whether the run begins where a shoe begins, as far as that can be seen. */
function beginFaults({ scope, before }, run) {
  const faults = [];
  if (before && before.seq === 0)
    faults.push(fault('before', 'a run that begins at seq 1 needs no state before it', 'none', 'seq 0'));
  if (scope.shoe > 1 && !before)
    faults.push(fault('before', `shoe ${scope.shoe} does not begin at the stream's first record`, 'a state', 'none'));
  if (scope.shoe === 1 && before)
    faults.push(fault('before', "shoe 1 begins at the stream's first record", 'none', `seq ${before.seq}`));
  if (scope.kind === 'day') return faults;
  for (const { where, record } of run.slice(0, -1)) {
    if (has(record, 'shoe_closed'))
      faults.push(fault(where, 'a bundle of one shoe goes beyond its end', 'no shoe_closed', 'shoe_closed'));
  }
  return faults;
}

function endFaults(scope, run) {
  const { where, record } = run[run.length - 1];
  if (scope.kind === 'day') {
    const day = dayOf(record.at ?? 0);
    return day === scope.day ? [] : [fault(where, 'the day of the last record', scope.day, day)];
  }
  if (scope.kind !== 'round') return [];
  const faults = [];
  const rounds = run.filter((entry) => has(entry.record, 'table_cleared')).length;
  if (!has(record, 'table_cleared'))
    faults.push(fault(where, 'a round ends with the event table_cleared', 'table_cleared', 'another event'));
  if (rounds !== scope.round) faults.push(fault(where, 'the rounds of the shoe up to here', scope.round, rounds));
  return faults;
}

function dayOf(microseconds) {
  const date = new Date(microseconds / 1000);
  return Number.isNaN(date.getTime()) ? 'no day' : date.toISOString().slice(0, 10);
}

/** Whether the entries and the proof give the root that the bundle names. */
function treeFaults({ entries, head, proof }) {
  const rising = entries.every(
    (entry, i) => entry.index < head.size && (i === 0 || entry.index > entries[i - 1].index),
  );
  if (!rising || head.size === 0)
    return [fault('entries', 'the tree cannot be built', 'rising indexes below the size', 'others')];
  const { root, used } = rootFromProof(entries, head.size, proof);
  const faults = [];
  if (used !== proof.length || root === null) {
    faults.push(
      fault(
        'proof',
        'the hashes that the tree needs',
        root === null ? `more than ${proof.length}` : used,
        proof.length,
      ),
    );
  }
  if (root && !sameBytes(root, head.root)) {
    faults.push(
      fault('root', 'an entry or a hash of the proof is not that of the log', base64(head.root), base64(root)),
    );
  }
  return faults;
}

/** Whether every checkpoint in a journal has the root of its stream, at the size that it names. */
function checkpointFaults({ entries, checkpoints }) {
  const faults = [];
  const leaves = new Map();
  const roots = new Map();
  let done = 0;
  for (const { where, stream, size, root, after } of checkpoints) {
    for (; done < after; done++) {
      const name = entries[done].record.stream;
      if (!leaves.has(name)) leaves.set(name, new GrowingTree());
      leaves.get(name).add(entries[done].leaf);
    }
    const tree = leaves.get(stream);
    if (!tree || size > tree.size) {
      faults.push(fault(where, `the size of a checkpoint of ${shown(stream)}`, `at most ${tree?.size ?? 0}`, size));
      continue;
    }
    const key = `${size} ${stream}`;
    if (!roots.has(key)) roots.set(key, tree.root(size));
    if (!sameBytes(roots.get(key), root)) {
      faults.push(
        fault(where, `the root of ${shown(stream)} at ${size} entries`, base64(roots.get(key)), base64(root)),
      );
    }
  }
  return faults;
}

/** The logs of a journal: each stream is one. */
function logsOf(entries) {
  const logs = new Map();
  for (const { record, leaf } of entries) {
    if (!logs.has(record.stream)) logs.set(record.stream, new GrowingTree());
    logs.get(record.stream).add(leaf);
  }
  return logs;
}

/** Whether each checkpoint that was stored next to a journal matches one of its logs; a checkpoint does not name the stream. */
function keptFaults({ entries, kept, logs }) {
  const faults = [];
  for (const { where, size, root } of kept) {
    const roots = [...logs.values()].filter((log) => size <= log.size).map((log) => log.root(size));
    if (!roots.length) faults.push(fault(where, 'the entries that it covers', size, entries.length));
    else if (!roots.some((one) => sameBytes(one, root))) {
      faults.push(fault(where, `the root at ${counted(size, 'entry', 'entries')}`, base64(root), base64(roots[0])));
    }
  }
  return faults;
}

/** A tree that grows by leaves; its current root can be read at any time. */
class GrowingTree {
  constructor() {
    this.leaves = [];
    this.peaks = []; // complete subtrees, the largest first
  }

  get size() {
    return this.leaves.length;
  }

  add(leaf) {
    this.leaves.push(leaf);
    this.peaks.push(leaf);
    for (let size = this.size; size % 2 === 0; size /= 2) {
      const right = this.peaks.pop();
      this.peaks.push(nodeHash(this.peaks.pop(), right));
    }
  }

  root(size = this.size) {
    if (size !== this.size || size === 0) return treeRoot(this.leaves, 0, size);
    return this.peaks.reduceRight((right, left) => nodeHash(left, right));
  }
}

function rulebookFaults({ entries, rulebooks, before }) {
  const faults = [];
  const filed = new Map(rulebooks.map(({ hash, submission }) => [hash, canonical(submission)]));
  const missing = new Set();
  const named = [
    ...entries.map(({ where, record }) => [where, record.rulebook]),
    ...(before ? [['before', before.rulebook]] : []),
  ];
  for (const [where, hash] of named) {
    if (filed.has(hash) || missing.has(hash)) continue;
    missing.add(hash);
    faults.push(fault(where, 'the rulebook that it names', hash, 'not in the bundle'));
  }
  for (const { where, record } of entries) {
    const submission = record.seq === 0 ? filed.get(record.rulebook) : undefined;
    if (submission !== undefined && submission !== canonical(record.submission)) {
      faults.push(
        fault(
          where,
          'the Submission of the opening and that of the rulebook',
          shown(submission),
          shown(record.submission),
        ),
      );
    }
  }
  return faults;
}

// ----------------------------------------------------------------------------------------------------------- the shoes

/** A card as the journal has it, as two characters; null if it is none. */
function cardText(card) {
  const name = isObject(card) && Object.keys(card).length === 2 ? `${card.rank}${card.suit}` : '';
  return /^[A2-9TJQK][shdc]$/.test(name) ? name : null;
}

/** The electronic shoes of one table, from its events. */
class ShoeWalk {
  constructor(stream, fromStart) {
    this.table = stream.slice('table '.length);
    this.number = fromStart ? 0 : null; // of the shoe in play; null if the stream does not begin here
    this.shoes = [];
    this.current = null;
    this.realCards = 0;
    this.actFaults = [];
    this.proofFaults = [];
    this.seedFaults = [];
  }

  record({ where, record }) {
    const events = record.events ?? [];
    if (!events.length) return;
    this.proof(where, record.command ?? {}, events[0]);
    for (const one of events) {
      const act = ACTS.get(one.event);
      if (act) act(this, where, one);
      if (one.event !== 'shoe_fouled' && 'position' in one && (one.card ?? null) !== null) this.card(where, one);
    }
  }

  /** The proof in a command, if there is one, against the root of the sealed order. */
  proof(where, command, firstEvent) {
    const shoe = this.current;
    if (!shoe?.root || command.do === 'confirm_card') return;
    const proof = command.proof ?? null;
    if ((command.card ?? null) === null || proof === null) {
      if (command.do === 'turn_card')
        this.proofFaults.push(fault(where, 'a turned card of a sealed order', 'a proof', 'none'));
      return;
    }
    const card = cardText(command.card);
    const position = command.position ?? firstEvent.position;
    const { root, decks, inFront } = shoe;
    if (isObject(proof) && proveCard({ root, decks, inFront, position, card, salt: proof.salt, path: proof.path })) {
      shoe.proved.set(entryAt(position, inFront, 52 * decks), card);
      shoe.proofs++;
    } else {
      const say = `the proof of the card at position ${shown(position)} does not lead to the sealed root`;
      this.proofFaults.push(fault(where, say, `a path to ${root}`, `${card ?? shown(command.card)}, another path`));
    }
  }

  card(where, { position, card }) {
    const shoe = this.current;
    const name = cardText(card);
    if (name === null) this.actFaults.push(fault(where, 'a card', 'rank and suit', shown(card)));
    if (!shoe?.root) {
      this.realCards++;
      return;
    }
    if (!isWhole(position) || position < 0 || position >= 52 * shoe.decks) {
      this.actFaults.push(fault(where, 'a position of the cut shoe', `0 to ${52 * shoe.decks - 1}`, shown(position)));
      return;
    }
    const index = entryAt(position, shoe.inFront, 52 * shoe.decks);
    const proved = shoe.proved.get(index);
    if (proved !== undefined && proved !== name) {
      this.proofFaults.push(
        fault(where, `the card at position ${position}`, `${proved}, as it was proved`, name ?? 'no card'),
      );
    }
    shoe.cards.push({ where, index, position, card: name });
  }

  /** The shoe in play, for an act that needs one; otherwise the act is a fault. */
  needed(where, name) {
    if (!this.current)
      this.actFaults.push(fault(where, `${name} belongs to an electronic shoe`, 'a shoe_committed before it', 'none'));
    return this.current;
  }
}

function commitShoe(walk, where, { table, shoe, rulebook, decks, commitment }) {
  if (walk.current) {
    const say = 'a shoe commits when the one before it is closed';
    walk.actFaults.push(fault(where, say, `shoe_closed of the shoe ${shown(walk.current.shoe)}`, 'none'));
  }
  walk.current = null;
  const texts = [table, shoe, rulebook].every((value) => typeof value === 'string');
  if (!texts || !isWhole(decks) || decks < 1 || decks > MOST_DECKS || !unhex(commitment, 32)) {
    const say = 'the fields of shoe_committed';
    walk.actFaults.push(
      fault(
        where,
        say,
        `texts, 1 to ${MOST_DECKS} decks, 64 hexadecimal digits`,
        shown([table, shoe, rulebook, decks, commitment].map((one) => one ?? null)),
      ),
    );
    return;
  }
  if (table !== walk.table)
    walk.actFaults.push(fault(where, 'the table for which a shoe commits', shown(walk.table), shown(table)));
  if (walk.number !== null && shoe !== String(walk.number)) {
    const say = 'the id of a shoe is its number at the table';
    walk.actFaults.push(fault(where, say, shown(String(walk.number)), shown(shoe)));
  }
  walk.current = {
    where,
    table,
    shoe,
    rulebook,
    decks,
    commitment: unhex(commitment, 32),
    contributions: [],
    root: null,
    inFront: 0,
    cards: [],
    proofs: 0,
    proved: new Map(),
    seeds: [],
    lost: false,
    disproved: false,
    closed: false,
  };
  walk.shoes.push(walk.current);
}

function contribute(walk, where, { value }) {
  const shoe = walk.needed(where, 'contribution_made');
  if (!shoe) return;
  if (typeof value !== 'string') walk.actFaults.push(fault(where, 'a contribution', 'a text', shown(value)));
  else if (shoe.root)
    walk.actFaults.push(fault(where, 'a contribution comes before the order is sealed', 'no order_sealed', 'one'));
  else shoe.contributions.push(value);
}

function sealOrder(walk, where, { root }) {
  const shoe = walk.needed(where, 'order_sealed');
  if (!shoe) return;
  if (shoe.root) walk.actFaults.push(fault(where, 'the order of a shoe is sealed once', shoe.root, shown(root)));
  else if (!unhex(root, 32))
    walk.actFaults.push(fault(where, 'the root of the card tree', '64 hexadecimal digits', shown(root)));
  else shoe.root = root;
}

function cutCards(walk, where, { in_front: inFront }) {
  const shoe = walk.current;
  if (!shoe) return; // real cards are cut too
  if (!shoe.root) walk.actFaults.push(fault(where, 'an order is cut after it is sealed', 'order_sealed', 'none'));
  if (!isWhole(inFront) || inFront < 0 || inFront > 52 * shoe.decks) {
    walk.actFaults.push(fault(where, 'the cards in front of the cut', `0 to ${52 * shoe.decks}`, shown(inFront)));
    return;
  }
  shoe.inFront = inFront;
}

function revealSeed(walk, where, { event: name, seed }) {
  const shoe = walk.needed(where, name);
  const bytes = unhex(seed, 32);
  if (shoe?.seeds.length || shoe?.lost)
    walk.seedFaults.push(fault(where, 'the seed of a shoe comes to one end', name, 'revealed or lost before'));
  if (shoe && name === 'order_disproved') shoe.disproved = true;
  if (!bytes) walk.seedFaults.push(fault(where, 'the revealed seed', '64 hexadecimal digits', shown(seed)));
  else shoe?.seeds.push({ where, bytes });
}

function loseSeed(walk, where) {
  const shoe = walk.needed(where, 'seed_lost');
  if (shoe?.seeds.length)
    walk.actFaults.push(fault(where, 'the seed of a shoe comes to one end', 'seed_lost', 'revealed before'));
  if (shoe) shoe.lost = true;
}

function closeShoe(walk, where, { seed }) {
  const shoe = walk.current;
  walk.current = null;
  if (walk.number !== null) walk.number++;
  if (!shoe) return;
  shoe.closed = true;
  if (!shoe.seeds.length && !shoe.lost) {
    walk.seedFaults.push(
      fault(where, `shoe ${shoeName(shoe.shoe)} is closed`, `${SEED_ENDS.join(' or ')} before it`, 'neither'),
    );
    return;
  }
  const end = shoe.disproved ? 'disproved' : shoe.seeds.length ? 'revealed' : 'lost';
  if (seed !== undefined && seed !== end)
    walk.actFaults.push(fault(where, 'what became of the seed', shown(end), shown(seed)));
}

const ACTS = new Map([
  ['shoe_committed', commitShoe],
  ['contribution_made', contribute],
  ['order_sealed', sealOrder],
  ['cards_cut', cutCards],
  ['seed_revealed', revealSeed],
  ['order_disproved', revealSeed], // its root does not follow from the seed, which is checked like any other
  ['seed_lost', loseSeed],
  ['shoe_closed', closeShoe],
]);

/** Everything that a revealed seed must lead to. */
function seedFaultsOf(shoe) {
  const faults = [];
  const done = new Set();
  for (const { where, bytes } of shoe.seeds) {
    const say = `of shoe ${shoeName(shoe.shoe)} from its seed`;
    const commitment = commitmentOf(shoe, bytes);
    if (!sameBytes(commitment, shoe.commitment)) {
      faults.push(fault(where, `the commitment ${say}`, hex(shoe.commitment), hex(commitment)));
      continue; // a seed without the right commitment leads to another shoe: one fault, not hundreds
    }
    if (!shoe.root) {
      if (shoe.disproved) faults.push(fault(where, 'an order is disproved', 'one that was sealed', 'none'));
      continue;
    }
    if (done.has(hex(bytes))) continue;
    done.add(hex(bytes));
    const derived = deriveShoe(shoe, bytes);
    if (hex(derived.root) !== shoe.root.toLowerCase())
      faults.push(fault(where, `the root ${say}`, shoe.root, hex(derived.root)));
    else if (shoe.disproved)
      faults.push(fault(where, 'an order is called disproved', 'another root than the sealed one', shoe.root));
    for (const { where: at, index, position, card } of shoe.cards) {
      if (derived.cards[index] !== card) {
        faults.push(fault(at, `the card at position ${position} ${say}`, derived.cards[index], card ?? 'no card'));
      }
    }
  }
  return faults;
}

/** A seed that served two shoes of a table one after the other. */
function repeatedSeeds(shoes) {
  const faults = [];
  shoes.slice(1).forEach((shoe, i) => {
    for (const { where, bytes } of shoe.seeds) {
      if (shoes[i].seeds.some((former) => sameBytes(former.bytes, bytes))) {
        faults.push(
          fault(where, 'the seed of the last shoe is not taken for the next one', 'another seed', hex(bytes)),
        );
      }
    }
  });
  return faults;
}

/** A shoe as people count them, from 1: its id is how many came before it at the table. Another id as it stands. */
const shoeName = (id) => (/^[0-9]{1,15}$/.test(id) ? String(Number(id) + 1) : shown(id));

function walkTables(entries, fromStart) {
  const walks = new Map();
  for (const entry of entries) {
    const { stream } = entry.record;
    if (stream !== 'table' && !stream.startsWith('table ')) continue;
    if (!walks.has(stream)) walks.set(stream, new ShoeWalk(stream, fromStart));
    walks.get(stream).record(entry);
  }
  return [...walks.values()];
}

const total = (list, count) => list.reduce((sum, one) => sum + count(one), 0);

/** `fromStart` if every stream is there from its beginning. */
function shoeChecks(entries, fromStart) {
  const walks = walkTables(entries, fromStart);
  const shoes = walks.flatMap((walk) => walk.shoes);
  const opened = shoes.filter((shoe) => shoe.seeds.length);
  const many = counted(shoes.length, 'electronic shoe');
  const acts = checked(
    'shoes',
    `${many}: commitment, contributions, seal and cut in their order`,
    walks.flatMap((walk) => walk.actFaults),
  );
  const proved = counted(
    total(shoes, (shoe) => shoe.proofs),
    'card',
  );
  const proofs = checked(
    'proofs of cards',
    `${proved}, each by its proof under the sealed root`,
    walks.flatMap((walk) => walk.proofFaults),
  );
  const derived = counted(
    total(opened, (shoe) => shoe.cards.length),
    'card',
  );
  const seeds = checked(
    'seeds',
    `${counted(opened.length, 'shoe')}: commitment, order, root and ${derived} follow from the seed`,
    walks.flatMap((walk) => [...walk.seedFaults, ...walk.shoes.flatMap(seedFaultsOf), ...repeatedSeeds(walk.shoes)]),
  );
  const checks = shoes.length || !acts.holds ? [acts, proofs] : [unchecked('shoes', 'there is no electronic shoe')];
  if (opened.length || !seeds.holds) checks.push(seeds);
  return [...checks, ...shoeNotes(shoes), ...realCardNotes(walks)];
}

/** What cannot be derived, and who contributed nothing to an order. */
function shoeNotes(shoes) {
  const notes = [];
  const unopened = shoes.filter((shoe) => !shoe.seeds.length);
  const why = (shoe) => `${shoeName(shoe.shoe)} (${shoe.lost ? 'its seed is lost' : 'its seed is not open yet'})`;
  if (unopened.length) {
    notes.push(unchecked('seeds', `nothing can be derived for shoe ${unopened.map(why).join(', ')}`));
  }
  const alone = shoes.filter((shoe) => !shoe.contributions.length).map((shoe) => shoeName(shoe.shoe));
  if (alone.length) {
    const say = `nobody but the operator had a part in the order of shoe ${alone.join(', ')}`;
    notes.push(unchecked('contributions', say));
  }
  return notes;
}

function realCardNotes(walks) {
  const cards = total(walks, (walk) => walk.realCards);
  const say = `${counted(cards, 'card')} of shoes whose order nobody sealed: nothing can be derived`;
  return cards ? [unchecked('real cards', say)] : [];
}

// ---------------------------------------------------------------------------------------------------------- the report

function journalChecks(journal) {
  const { entries, checkpoints, notCanonical, kept } = journal;
  journal.logs = logsOf(entries);
  const many = counted(entries.length, 'entry', 'entries');
  const checks = [
    checked('form', `${many}, each in its canonical form`, notCanonical),
    checked(
      'entries',
      `${many} of ${[...journal.logs.keys()].join(', ')}, numbered without a gap, and so are their events`,
      countFaults(entries),
    ),
    checked('chain', `${many} by their hashes`, chainFaults(journal)),
  ];
  if (checkpoints.length) {
    checks.push(
      checked(
        'checkpoints',
        `${counted(checkpoints.length, 'checkpoint')}, each with the root of its stream`,
        checkpointFaults(journal),
      ),
    );
  }
  if (kept.length) {
    checks.push(
      checked('tree', `the journal fits ${kept.map(({ where }) => shown(where)).join(' and ')}`, keptFaults(journal)),
    );
  } else if (!checkpoints.length) {
    checks.push(unchecked('tree', 'there is no checkpoint: compare size and root with what was signed or cosigned'));
  }
  const signatures = [...checkpoints, ...kept].reduce((total, note) => total + note.signatures, 0);
  return [...checks, idCheck(entries, true), ...shoeChecks(entries, true), ...neverChecked(signatures)];
}

function bundleChecks(bundle) {
  const { entries, scope, head, before, rulebooks } = bundle;
  bundle.logs = new Map([[scope.stream, { size: head.size, root: () => head.root }]]);
  const many = counted(entries.length, 'entry', 'entries');
  const late = entries.filter((entry) => entry.stated === null).length;
  const checks = [
    checked('form', `${many}, each of a known form`, []),
    checked('entries', entriesSay(bundle), entryFaults(bundle)),
    checked('chain', `${counted(entries.length - late, 'entry', 'entries')} by their hashes`, chainFaults(bundle)),
    checked(
      'tree',
      `every entry stands in the log of ${counted(head.size, 'entry', 'entries')} under its root`,
      treeFaults(bundle),
    ),
    checked(
      'rulebooks',
      `${counted(rulebooks.length, 'rulebook')}: every one that an entry names is there`,
      rulebookFaults(bundle),
    ),
    idCheck(entries, false),
    ...shoeChecks(entries, before === null),
  ];
  if (before) {
    const which = scope.shoe ? `, and that this is shoe ${scope.shoe} of the table` : '';
    checks.push(
      unchecked(
        'before',
        `stated, not proved: the table's state, its hash and the events up to record ${before.seq}${which}`,
      ),
    );
  }
  return [...checks, ...neverChecked(head.signatures)];
}

function entriesSay(bundle) {
  if (bundle.scope.kind === 'all') return `all ${counted(bundle.entries.length, 'entry', 'entries')} of the log`;
  const { run, late } = partsOf(bundle);
  const seqs = run.map(({ record }) => record.seq);
  return `the opening, records ${seqs[0]} to ${seqs[seqs.length - 1]}${late ? ` and record ${late.record.seq}, which opens the seed` : ''}`;
}

function neverChecked(signatures) {
  return [
    unchecked(
      'signatures',
      signatures
        ? `${counted(signatures, 'signature')}: this verifier does not check them, so who signed, and how long the log was, is only stated`
        : 'nobody has signed: it proves nothing to anyone who does not trust its maker',
    ),
    unchecked('rules', 'this verifier does not compute the hash of a rulebook'),
    unchecked('decided again', 'this verifier does not decide the acts again: counts, results and payments'),
    unchecked('other streams', 'this verifier does not check that `joined` and `cause` name the right records'),
  ];
}

function unreadable(message) {
  return { status: 2, kind: null, scope: null, logs: [], checks: [], message };
}

/**
 * Checks a journal or a bundle, given as bytes or as text. Never throws. `kept` are checkpoints that were stored next to a journal,
 * each with its `name` and its `text`. The report has `status` (0 nothing is wrong, 1 something
 * is wrong, 2 unreadable), `message`, which also mentions signatures, because they are not checked,
 * `kind` (journal or bundle), `scope`, `logs` (stream, size, root) and `checks`: each with `name`, `holds` (true, false, or null if it was not checked), `say`, and `faults` with `where`, `say`, `expected`, `found`.
 */
export function verify(input, { kept = [] } = {}) {
  try {
    return verifyBytes(asBytes(input), kept);
  } catch (error) {
    if (error instanceof Unreadable) return unreadable(error.message);
    return unreadable(`the verifier could not finish: ${error?.message ?? 'unknown'}`);
  }
}

function asBytes(input) {
  if (input instanceof Uint8Array) return input;
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  if (typeof input !== 'string') throw new Unreadable('bytes or a text are expected');
  if (/\p{Surrogate}/u.test(input)) throw new Unreadable('the text has half of a surrogate pair');
  return utf8(input);
}

function verifyBytes(bytes, kept) {
  if (!bytes.length) throw new Unreadable('the file is empty');
  const file = isJournal(bytes) ? readJournal(bytes) : readBundle(bytes);
  file.kept = kept.map(({ name, text: note }) => ({ where: name, ...readCheckpoint(note, name) }));
  const checks = file.kind === 'journal' ? journalChecks(file) : bundleChecks(file);
  const isSigned = file.kind === 'journal' ? file.checkpoints.length + file.kept.length > 0 : file.head.signatures > 0;
  const status = checks.some((check) => check.holds === false) ? 1 : 0;
  return {
    status,
    kind: file.kind,
    scope: { ...file.scope },
    logs: [...file.logs].map(([stream, log]) => ({ stream, size: log.size, root: base64(log.root()) })),
    checks,
    message: status === 0 && isSigned ? UNSIGNED : ANSWERS[status],
  };
}

/** The last line of a report, by its status; and if nothing is wrong, but there are signatures. */
const ANSWERS = [
  'Nothing is wrong in what was checked.',
  'Something is wrong.',
  'Not everything is readable.',
];
const UNSIGNED = 'Nothing is wrong in what was checked; signatures were not.';

const MARKS = new Map([
  [true, '✓'],
  [false, '✗'],
  [null, '–'],
]);
const MOST_SHOWN = 20;

/** The report as text: one line per check, with its faults below. */
export function reportText(report, name) {
  if (report.status === 2) return `${name}: unreadable: ${report.message}\n`;
  const about = Object.entries(report.scope)
    .map(([key, value]) => (key === 'kind' ? value : `${key} ${value}`))
    .join(', ');
  const lines = [`${name}: ${report.kind} (${about})`];
  for (const { stream, size, root } of report.logs)
    lines.push(`   the log of ${stream}: ${size} entries, root ${root}`);
  for (const { name: check, holds, say, faults } of report.checks) {
    lines.push(` ${MARKS.get(holds)} ${check.padEnd(16)} ${holds === false ? counted(faults.length, 'fault') : say}`);
    for (const one of faults.slice(0, MOST_SHOWN)) {
      lines.push(`     ${one.where}: ${one.say}: expected ${one.expected}, found ${one.found}`);
    }
    if (faults.length > MOST_SHOWN) lines.push(`     and ${faults.length - MOST_SHOWN} more; --json shows all`);
  }
  return `${lines.join('\n')}\n${report.message}\n`;
}

// --------------------------------------------------------------------------------------------- from the terminal, Node

const USAGE = `node verify_baccarat.mjs FILE… [--json]
Checks journals and bundles of a baccarat table. Exit status: 0 nothing is wrong, 1 something is wrong, 2 unreadable or wrong usage.
`;

/** The stream that a part of a file's name contains, as a journal writes it; nothing if there is none. */
function streamWritten(part) {
  try {
    return `"stream":${JSON.stringify(decodeURIComponent(part))}`;
  } catch {
    return null;
  }
}

/** The checkpoints that the program stores next to a journal: of its only stream, or with the name of one of its streams. */
function keptBeside(fs, path, bytes) {
  if (!isJournal(bytes)) return [];
  const folder = path.replace(process.platform === 'win32' ? /[^/\\]*$/ : /[^/]*$/, '');
  const name = path.slice(folder.length);
  const isItsOwn = (file) => {
    const middle = file.slice(name.length).replace(/\.(cosigned|checkpoint)$/, '');
    const written = streamWritten(middle.slice(1));
    return middle === '' || (written !== null && bytes.includes(written));
  };
  return fs
    .readdirSync(folder || '.')
    .filter((file) => file.startsWith(`${name}.`) && /\.(cosigned|checkpoint)$/.test(file) && isItsOwn(file))
    .sort()
    .map((file) => ({ name: folder + file, text: fs.readFileSync(folder + file, 'utf8') }));
}

function reportOfFile(fs, name) {
  try {
    if (fs.statSync(name).size > MOST_JOURNAL) return unreadable('too large: more than 1 GiB');
    const bytes = fs.readFileSync(name);
    return verify(bytes, { kept: keptBeside(fs, name, bytes) });
  } catch (error) {
    return unreadable(
      error?.code === 'ENOENT' ? 'there is no such file' : `cannot be read (${error?.code ?? error?.message})`,
    );
  }
}

async function fromTerminal() {
  const fs = await import('node:fs');
  const { pathToFileURL } = await import('node:url');
  if (pathToFileURL(fs.realpathSync(process.argv[1])).href !== import.meta.url) return; // another program has imported us
  const given = process.argv.slice(2);
  const names = given.filter((word) => !word.startsWith('--'));
  const wrong = given.some((word) => word.startsWith('--') && word !== '--json' && word !== '--help');
  if (given.includes('--help') && !wrong) {
    process.stdout.write(USAGE);
    return;
  }
  if (!names.length || wrong) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
    return;
  }
  process.stdout.on('error', () => {}); // the reader may stop reading
  const reports = names.map((name) => ({ file: name, ...reportOfFile(fs, name) }));
  if (given.includes('--json')) process.stdout.write(`${JSON.stringify(reports)}\n`);
  else
    for (const report of reports)
      (report.status === 2 ? process.stderr : process.stdout).write(reportText(report, report.file));
  process.exitCode = Math.max(...reports.map((report) => report.status));
}

if (typeof process === 'object' && process.versions?.node && process.argv?.[1]) fromTerminal();
