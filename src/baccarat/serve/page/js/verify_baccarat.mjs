// An independent verifier for journals and bundles of a baccarat table, in one file without dependencies.
//
//   node verify_baccarat.mjs FILE… [--key KEY] [--receipt FILE] [--json]      3 nothing is wrong, but not everything is covered · 1 something is
//                                                            wrong · 2 unreadable, or wrong usage
//   import { readKey, verify } from './verify_baccarat.mjs'; const report = verify(bytes, { keys: [readKey(text)] })
//
// It was written from the published pages alone (journal, log, bundle, shuffle) and shares no code with the program that
// writes the files. It derives again: canonical bytes, hash chain, log tree, commitment, order, card tree, the proof of every
// turned card, and the whole shoe once its seed is open; and it checks the signatures of logs and witnesses under the keys that
// it is given. It does not compute the hash of a rulebook, and does not decide the acts again: every report says so.

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

/** The bytes of lower-case hexadecimal digits; null if the text is something else, or not of `length` bytes, if that is given. */
export function unhex(text, length) {
  if (typeof text !== 'string' || text.length % 2 || !/^[0-9a-f]*$/.test(text)) return null;
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

/** The bytes of a text in base64, in its only valid spelling; null if it is something else, or nothing. */
export function bytesFromBase64(text) {
  if (typeof text !== 'string' || !/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return null;
  const bytes = [];
  for (let i = 0; i < text.length; i += 4) {
    let word = 0;
    for (let k = 0; k < 4; k++) word = (word << 6) | Math.max(0, BASE64_DIGITS.indexOf(text[i + k]));
    bytes.push((word >> 16) & 255, (word >> 8) & 255, word & 255);
  }
  const found = new Uint8Array(bytes.slice(0, bytes.length - (text.match(/=/g) ?? []).length));
  return found.length && base64(found) === text ? found : null;
}

/** The 32 bytes of a hash in base64; null if the text is something else. */
function hashFromBase64(text) {
  const bytes = bytesFromBase64(text);
  return bytes?.length === 32 ? bytes : null;
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

function concatenate(parts) {
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
const MOST_DEPTH = 500; // no form nests more than a dozen levels

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

  fail(what, at = this.at) {
    throw new Unreadable(`${what} (character ${at + 1})`);
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
      if (key in object) this.fail(`the key ${shown(key)} occurs twice in one object`, start);
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
const anything = () => {}; // what the rules make of it is another question
const notNull = (value, path) => expect(value !== null, path, 'a value, or no such field', value);

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
const HASH_BASE64 = (value, path) => expect(hashFromBase64(value), path, '32 bytes in base64', value);
const STREAM = text(/^[a-z]+( [!-~][ -~]*)?$/, 'the name of a stream', 1, 200);
const VISIBLE = new RegExp(
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b\\u200e\\u200f' +
    '\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{110bd}\\u{110cd}\\u{13430}-\\u{1345f}\\u{1bca0}-\\u{1bca3}' +
    '\\u{1d173}-\\u{1d17a}\\u{e0001}\\u{e0020}-\\u{e007f}]*$',
  'u',
);
const words = (low = 0) => text(VISIBLE, 'a text of visible characters', low, 200);
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

const WEEK = 604_800; // seconds: the longest deadline for a seed
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
  {
    at: whole(),
    cards: oneOf('automated', 'electronic', 'real'),
    witnesses: list(words(), 0, 16),
    reveal_within: whole(1, WEEK),
  },
);
const RECORD = fields(
  { v: VERSION, stream: STREAM, seq: whole(1), event: whole(), rulebook: HASH, behaviour: whole() },
  {
    at: whole(),
    who: words(1),
    role: ROLES,
    origin: oneOf('card source', 'clock', 'link', 'person', 'program'),
    device: words(),
    approvals: list(fields({ who: words(1), role: ROLES }, { what: words() }), 0, 8),
    id: words(),
    shown: anything,
    command: anything,
    events: list(anything),
    refused: anything,
    joined: joinedStreams,
    cause: fields({ stream: STREAM, seq: whole() }),
    folded: fields({ who: words(1), code: words(), count: whole(), first: whole(), last: whole() }),
  },
);

/** Fields that are omitted where they would have these values. */
const USUAL = { at: 0, origin: 'person', device: '', approvals: [], id: '', shown: {}, command: {}, events: [] };
Object.assign(USUAL, { refused: {}, joined: {} });

/** An opening or a record in its form: `seq` says which of the two it has to be; throws if it is something else. */
function entryBody(record, body) {
  anyObject(record, 'record');
  (record.seq === 0 ? OPENING : RECORD)(record, 'record');
  if (body.length > MOST_BODY) throw new Unreadable(`a body of ${body.length} bytes, more than ${MOST_BODY}`);
  asciiKeys(record, 'record');
  for (const [name, usual] of Object.entries(USUAL)) {
    if (name in record && canonical(record[name]) === canonical(usual))
      throw new Unreadable(`record.${name}: it has its default value, and should be omitted`);
  }
}

/** The parts of a record that only the rules define are objects. */
function isContent({ command = {}, shown: meters = {}, refused = {}, events = [] }) {
  return [command, meters, refused, ...events].every(isObject);
}

const NOT_CONTENT = 'commands, events and refusals are objects';
const FOLDED_FIELDS = ['v', 'stream', 'seq', 'event', 'rulebook', 'behaviour', 'at', 'folded'];
const ACT_FIELDS = ['command', 'shown', 'who', 'role', 'device', 'approvals', 'id', 'joined', 'origin'];

/** Records that are neither of an act nor of what follows from an act elsewhere. */
function actFaults(entries) {
  const isWhole = (record) => {
    if (record.seq === 0) return true;
    if ('folded' in record) return Object.keys(record).every((name) => FOLDED_FIELDS.includes(name));
    if ('events' in record === 'refused' in record) return false;
    if ('cause' in record) return !('refused' in record) && !ACT_FIELDS.some((name) => name in record);
    const isPerson = (record.origin ?? 'person') === 'person';
    if ('refused' in record && !isPerson) return false; // only what a person was refused is recorded
    return 'command' in record && 'who' in record && 'role' in record === isPerson;
  };
  const expected = 'a command, and who gave it in what role, or a cause; and then events or a refusal; or only folded refusals';
  return entries
    .filter(({ record }) => !isWhole(record))
    .map(({ where }) => fault(where, 'the record of an act', expected, 'another'));
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
    entries: list(fields({ index: whole(), record: notNull }, { hash: HASH }), 1),
  },
  {
    checkpoint: text(/^/, 'a text', 0, 1000000),
    tree_head: fields({ size: whole(), root: HASH_BASE64 }),
    keys: list(text(/^/, 'a text', 0, 1000), 0, 100),
    proof: list(HASH_BASE64),
    before: fields({ seq: whole(), events: whole(), hash: HASH, rulebook: HASH, state: notNull }),
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

// ------------------------------------------------------------------------------------------------------------- SHA-512

const MASK = (1n << 64n) - 1n;

/** The whole part of the n-th root of a number. */
function rootOf(number, n) {
  let low = 0n;
  for (let bit = 1n << BigInt(Math.ceil(number.toString(16).length * 4 / Number(n))); bit; bit >>= 1n) {
    if ((low + bit) ** n <= number) low += bit;
  }
  return low;
}

/** The first 64 bits behind the point of roots of the first primes, from which FIPS 180-4 takes the constants of SHA-512. */
function bitsOfRoots(count, n) {
  const primes = [];
  for (let p = 2n; primes.length < count; p++) if (primes.every((prime) => p % prime)) primes.push(p);
  return primes.map((prime) => rootOf(prime << (64n * n), n) & MASK);
}

const [START_512, CONSTANTS_512] = [bitsOfRoots(8, 2n), bitsOfRoots(80, 3n)];
const rotateRight = (word, by) => (word >> by) | ((word << (64n - by)) & MASK);

/** SHA-512 over the given byte arrays, joined; it is slow, and only signatures need it. */
export function sha512(...parts) {
  const data = concatenate(parts);
  const padded = new Uint8Array(Math.ceil((data.length + 17) / 128) * 128);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(data.length) * 8n);
  const sum = [...START_512];
  const w = new Array(80);
  for (let block = 0; block < padded.length; block += 128) {
    for (let i = 0; i < 16; i++) w[i] = view.getBigUint64(block + 8 * i);
    for (let i = 16; i < 80; i++) {
      const [x, y] = [w[i - 15], w[i - 2]];
      const s0 = rotateRight(x, 1n) ^ rotateRight(x, 8n) ^ (x >> 7n);
      const s1 = rotateRight(y, 19n) ^ rotateRight(y, 61n) ^ (y >> 6n);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) & MASK;
    }
    let [a, b, c, d, e, f, g, h] = sum;
    for (let i = 0; i < 80; i++) {
      const s1 = rotateRight(e, 14n) ^ rotateRight(e, 18n) ^ rotateRight(e, 41n);
      const t1 = h + s1 + ((e & f) ^ (~e & MASK & g)) + CONSTANTS_512[i] + w[i];
      const s0 = rotateRight(a, 28n) ^ rotateRight(a, 34n) ^ rotateRight(a, 39n);
      const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & MASK, c, b, a, (t1 + t2) & MASK];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (sum[i] = (sum[i] + word) & MASK));
  }
  const digest = new Uint8Array(64);
  sum.forEach((word, i) => new DataView(digest.buffer).setBigUint64(8 * i, word));
  return digest;
}

// ------------------------------------------------------------------------------------------------------------- Ed25519

const FIELD = 2n ** 255n - 19n;
const GROUP = 2n ** 252n + 27742317777372353535851937790883648493n;
const ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const SMALL_ORDER = [0n, 1n, FIELD - 1n, ORDER_8, FIELD - ORDER_8]; // y of the points of order 1, 2, 4 and 8
const modulo = (number) => ((number % FIELD) + FIELD) % FIELD;

function power(base, exponent) {
  let made = 1n;
  for (let square = modulo(base); exponent; exponent >>= 1n, square = (square * square) % FIELD) {
    if (exponent & 1n) made = (made * square) % FIELD;
  }
  return made;
}

const inverse = (number) => power(number, FIELD - 2n);
const CURVE = modulo(-121665n * inverse(121666n));
const ROOT_OF_MINUS_ONE = power(2n, (FIELD - 1n) / 4n);
const littleEndian = (bytes) => BigInt(`0x${hex(Uint8Array.from(bytes).reverse())}`);

function toLittleEndian(number) {
  return unhex(number.toString(16).padStart(64, '0')).reverse();
}

/** The point that 32 bytes encode, in extended coordinates (RFC 8032, 5.1.3); null if they encode none. */
function pointOf(bytes) {
  const all = littleEndian(bytes);
  const [y, odd] = [all & ((1n << 255n) - 1n), all >> 255n];
  if (y >= FIELD) return null;
  const square = modulo((y * y - 1n) * inverse(CURVE * y * y + 1n));
  let x = power(square, (FIELD + 3n) / 8n);
  if ((x * x) % FIELD !== square) x = (x * ROOT_OF_MINUS_ONE) % FIELD;
  if ((x * x) % FIELD !== square || (x === 0n && odd)) return null;
  if ((x & 1n) !== odd) x = FIELD - x;
  return [x, y, 1n, (x * y) % FIELD];
}

/** The sum of two points (RFC 8032, 5.1.4). */
function pointSum([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = ((y1 - x1) * (y2 - x2)) % FIELD;
  const b = ((y1 + x1) * (y2 + x2)) % FIELD;
  const c = (((2n * t1 * t2) % FIELD) * CURVE) % FIELD;
  const d = (2n * z1 * z2) % FIELD;
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [(e * f) % FIELD, (g * h) % FIELD, (f * g) % FIELD, (e * h) % FIELD];
}

const NEUTRAL = [0n, 1n, 1n, 0n];
const BASE = pointOf(toLittleEndian(modulo(4n * inverse(5n))));

/** Whether a signature is Ed25519 (RFC 8032, 5.1.7) of the message by the key; only one of its spellings is accepted. */
export function isSignature(publicKey, message, signature) {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const key = [publicKey, signature, message].map(hex).join(' ');
  if (!signaturesSeen.has(key)) {
    if (signaturesSeen.size >= 256) signaturesSeen.clear();
    signaturesSeen.set(key, isSignedBy(publicKey, message, signature));
  }
  return signaturesSeen.get(key);
}

const signaturesSeen = new Map(); // a file may repeat a signature many times

function isSignedBy(publicKey, message, signature) {
  const point = pointOf(publicKey);
  const scalar = littleEndian(signature.subarray(32));
  if (!point || scalar >= GROUP) return false;
  const factor = littleEndian(sha512(signature.subarray(0, 32), publicKey, message)) % GROUP;
  const minus = [FIELD - point[0], point[1], 1n, FIELD - point[3]];
  const choices = [NEUTRAL, BASE, minus, pointSum(BASE, minus)];
  let made = NEUTRAL;
  for (let bit = 252n; bit >= 0n; bit--) {
    made = pointSum(made, made);
    const choice = Number(((scalar >> bit) & 1n) + 2n * ((factor >> bit) & 1n));
    if (choice) made = pointSum(made, choices[choice]);
  }
  const scale = inverse(made[2]);
  const [x, y] = [modulo(made[0] * scale), modulo(made[1] * scale)];
  return sameBytes(toLittleEndian(y | ((x & 1n) << 255n)), signature.subarray(0, 32));
}

// ------------------------------------------------------------------------------------------------------ keys and notes

const LOG = 1;
const WITNESS = 4;
const MOST_NOTE = 1000000;
const SPACE = /[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u0000-\u001f+]/;
const isKeyName = (name) => name !== '' && !SPACE.test(name);
const idOf = (name, data) => hex(sha256(utf8(`${name}\n`), data)).slice(0, 8);

function keyOf(name, data) {
  return { name, kind: data[0], data, id: idOf(name, data), text: `${name}+${idOf(name, data)}+${base64(data)}` };
}

/**
 * A public key, `name+id+base64`; throws if the text is none. Messages never repeat the text, which may be a secret key by
 * mistake. The share key of a witness (`isShare`) is one of a log's type.
 */
export function readKey(said, isShare = false) {
  const fail = (why) => {
    throw new Unreadable(why);
  };
  if (typeof said !== 'string') return fail('not a public key: expected a text');
  if (said.startsWith('PRIVATE+KEY+')) fail('a secret key; expected the public one that belongs to it');
  const [name, id, ...rest] = said.split('+');
  if (!rest.length || !isKeyName(name) || !/^[0-9a-f]{8}$/.test(id))
    fail('not a public key; expected name+id+base64, the id as 8 hexadecimal digits');
  const data = bytesFromBase64(rest.join('+'));
  if (!data) fail('not a public key: its last part is not base64');
  if (data.length !== 33 || !(data[0] === LOG || (data[0] === WITNESS && !isShare)))
    fail('not a public key of a log or a witness: a byte for its type and 32 bytes are expected');
  const key = keyOf(name, data);
  if (key.id !== id) fail('the id of a public key does not follow from its name and bytes');
  const y = littleEndian(data.subarray(1)) & ((1n << 255n) - 1n);
  if (!isShare && (y >= FIELD || SMALL_ORDER.includes(y)))
    fail('not a public key: a point of small order, or not written as a point is');
  return key;
}

const timeOf = (signature) => new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);

/** Whether bytes are the key's signature of a text; a witness's begin with the time. */
export function verifies(key, text, signature) {
  const publicKey = key.data.subarray(1);
  if (key.kind === LOG) return isSignature(publicKey, utf8(text), signature);
  if (signature.length !== 72 || timeOf(signature) >= 1n << 63n) return false;
  return isSignature(publicKey, utf8(`cosignature/v1\ntime ${timeOf(signature)}\n${text}`), signature.subarray(8));
}

/** A C2SP checkpoint: `text`, `name`, `size`, `root`, and its `signatures`, which are not checked yet. */
export function readCheckpoint(note, path = 'checkpoint') {
  expect(utf8(note).length <= MOST_NOTE, path, `at most ${MOST_NOTE} bytes`, note);
  expect(!/[\u0000-\u0009\u000b-\u001f]/.test(note), path, 'no control characters', note);
  const end = note.lastIndexOf('\n\n');
  const lines = end < 0 ? [] : note.slice(0, end).split('\n');
  const rows = end < 0 ? [] : note.slice(end + 2).split('\n');
  expect(lines.length >= 3 && !lines.includes(''), path, 'name, size, root, an empty line and signatures', note);
  expect(/^(0|[1-9][0-9]{0,15})$/.test(lines[1]) && isWhole(Number(lines[1])), `${path}, line 2`, 'a size', lines[1]);
  const [size, root] = [Number(lines[1]), hashFromBase64(lines[2])];
  expect(root, `${path}, line 3`, '32 bytes in base64', lines[2]);
  expect(size || sameBytes(root, sha256()), `${path}, line 3`, 'the root of a log without entries', lines[2]);
  expect(rows.pop() === '' && rows.length > 0, path, 'signatures, each with its line feed', note);
  expect(rows.length <= 100, path, 'at most 100 signatures', rows.length);
  const signatures = rows.map((row) => {
    const [dash, name, ...rest] = row.split(' ');
    const data = bytesFromBase64(rest.join(' '));
    expect(dash === '—' && rest.length && isKeyName(name) && data?.length > 4, path, 'a signature: — name base64', row);
    return { name, id: hex(data.subarray(0, 4)), data: data.slice(4) };
  });
  return { text: `${note.slice(0, end)}\n`, name: lines[0], size, root, signatures, written: note };
}

// ---------------------------------------------------------------------------------------------- what a reader asks for

const NONE = 'none';
const SPACES = /[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const LINE_ENDS = /\r\n|[\n-\r\u001c-\u001e\u0085\u2028\u2029]/;

/**
 * Whose signatures a reader requires: which logs, which witnesses, how many of them; `shares` are the keys by which witnesses
 * sign their shares of orders. With `isEachRequired` every log's key must have signed something, as where keys are named one by one.
 */
class Policy {
  constructor({ logs = [], witnesses = new Map(), groups = new Map(), quorum = NONE, shares = new Map(), isEachRequired = false } = {}) {
    Object.assign(this, { logs, witnesses, groups, quorum, shares, isEachRequired });
  }

  get keys() {
    return [...this.logs, ...this.witnesses.values()];
  }

  /** Every key that may have signed shares; of those given one by one, which do not say whose they are, no log's. */
  get shareKeys() {
    const given = this.isEachRequired ? this.logs.filter((key) => !this.isOfLog(key)) : [];
    return [...given, ...this.shares.values()];
  }

  /** Whether a key is that of a log or a house, by its name or by another log's key that was given too. */
  isOfLog(key) {
    const bytes = ({ text }) => text.split('+').slice(2).join('+');
    const isSame = (other) => bytes(other) === bytes(key) || other.name.startsWith(`${key.name}/`);
    return namesNamedStream(key.name) || this.logs.some((other) => other.text !== key.text && isSame(other));
  }

  /** The same without keys by which witnesses sign their shares: these sign no log. */
  without(shareKeys) {
    return new Policy({ ...this, logs: this.logs.filter(({ text }) => !shareKeys.has(text)) });
  }

  /** The share keys that each sealed order must name, with the name of each; `named` are those that any has. */
  askedShares(named) {
    const found = new Map([...this.shares].map(([name, key]) => [key.text, name]));
    for (const { text, name } of this.isEachRequired ? this.logs : []) if (named.has(text)) found.set(text, name);
    return found;
  }

  /** Whether these witnesses, by the texts of their keys, are enough. */
  isMetBy(cosigned) {
    const present = new Set([...this.witnesses].filter(([, key]) => cosigned.has(key.text)).map(([name]) => name));
    for (const [name, { least, members }] of this.groups) // each after its members
      if (members.filter((member) => present.has(member)).length >= least) present.add(name);
    return this.quorum === NONE || present.has(this.quorum);
  }
}

/** The policy of a reader who names keys one by one: a log must have signed, and every witness cosigned. */
export function policyOfKeys(keys) {
  const witnesses = new Map(keys.filter(({ kind }) => kind === WITNESS).map((key) => [key.text, key]));
  const groups = new Map(witnesses.size ? [['all', { least: witnesses.size, members: [...witnesses.keys()] }]] : []);
  const logs = keys.filter(({ kind }) => kind === LOG);
  return new Policy({ logs, witnesses, groups, quorum: witnesses.size ? 'all' : NONE, isEachRequired: true });
}

/** Reads a policy (C2SP tlog-policy with lines for share keys), a text of lines in which `#` begins a comment. */
export function readPolicy(said) {
  const policy = new Policy({ quorum: '' });
  said.split(LINE_ENDS).forEach((line, index) => {
    const words = line.split('#')[0].split(SPACES).filter(Boolean);
    try {
      if (words.length) policyLine(policy, words);
    } catch (error) {
      throw new Unreadable(`line ${index + 1}: ${error.message}`);
    }
  });
  if (!policy.quorum) throw new Unreadable('there is no quorum; expected a last line such as quorum none');
  const named = [...policy.keys, ...policy.shares.values()].map(({ text }) => text);
  if (new Set(named).size !== named.length) throw new Unreadable('a key is named twice');
  return policy;
}

function policyLine(policy, [kind, name, third, ...rest]) {
  const count = name === undefined ? 1 : third === undefined ? 2 : 3 + rest.length;
  const isKnown = (each) => policy.witnesses.has(each) || policy.groups.has(each);
  if (policy.quorum) throw new Unreadable('quorum is the last line');
  if (['witness', 'group'].includes(kind) && count > 2 && (kind === 'group' ? count > 3 : count < 5) && (name === NONE || isKnown(name)))
    throw new Unreadable(`the name ${name.slice(0, 60)} is taken`);
  if (kind === 'log' && (count === 2 || count === 3)) policy.logs.push(policyKey(name, LOG));
  else if (kind === 'witness' && (count === 3 || count === 4)) policy.witnesses.set(name, policyKey(third, WITNESS));
  else if (kind === 'share' && count === 3) {
    if (!policy.witnesses.has(name) || policy.shares.has(name))
      throw new Unreadable('a share key is that of a witness that was named before it, one for each');
    policy.shares.set(name, policyKey(third, LOG));
  } else if (kind === 'group' && count > 3) {
    if (!rest.every(isKnown) || new Set(rest).size !== rest.length)
      throw new Unreadable('a group has members that were named before it, each once');
    const number = /^[1-9][0-9]{0,5}$/.test(third) ? Number(third) : 0;
    const least = third === 'any' ? 1 : third === 'all' ? rest.length : number;
    if (least < 1 || least > rest.length)
      throw new Unreadable(`expected any, all or a number from 1 to ${rest.length}`);
    policy.groups.set(name, { least, members: rest });
  } else if (kind === 'quorum' && count === 2) {
    if (name !== NONE && !isKnown(name)) throw new Unreadable(`no witness and no group is called ${name.slice(0, 60)}`);
    policy.quorum = name;
  } else throw new Unreadable('expected log KEY, witness NAME KEY, share NAME KEY, group NAME K MEMBER… or quorum NAME');
}

function policyKey(said, kind) {
  const key = readKey(said);
  if (key.kind !== kind) throw new Unreadable(`the key is not that of a ${kind === LOG ? 'log' : 'witness'}`);
  return key;
}

// ------------------------------------------------------------------------------------------------------- names of logs

const percentEncoded = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** How the name of a stream's log ends: `/table/1` for `table 1`. */
function nameEnding(stream) {
  const [kind, ...name] = stream.split(' ');
  return `/${percentEncoded(kind)}${name.join(' ') ? `/${percentEncoded(name.join(' '))}` : ''}`;
}

const firstName = (origin) => origin.replace(/(?<=.)\/([2-9]|[1-9][0-9]{1,3})$/su, '');

/** Whether a log is that of a name before, or its successor, or a later successor of the same log. */
function continues(origin, before) {
  const first = firstName(origin);
  if (`${origin}/`.startsWith(`${before}/`)) return true;
  const number = (name) => Number(name.slice(first.length + 1));
  return firstName(before) === first && before !== first && number(before) < number(origin);
}

/** The stream of a house that has a log of exactly this name; null if there is none. */
function streamNamed(origin, house) {
  if (!house || !origin.startsWith(`${house}/`)) return null;
  const [kind, name, ...rest] = origin.slice(house.length + 1).split('/');
  let stream = null;
  try {
    if (name !== undefined && !rest.length && ['table', 'pit', 'link'].includes(kind))
      stream = `${kind} ${decodeURIComponent(name)}`;
  } catch {
    return null;
  }
  if (name === undefined && ['forms', 'cage', 'coupons', 'players', 'day', 'house'].includes(kind)) stream = kind;
  return stream !== null && house + nameEnding(stream) === origin ? stream : null;
}

/** Whether a log of this name may hold this stream, as its first log or as a successor. */
function fitsStream(origin, stream) {
  const ending = nameEnding(stream);
  return [origin, firstName(origin)].some(
    (name) => name.endsWith(ending) && streamNamed(name, name.slice(0, -ending.length)) === stream,
  );
}

/** Whether a log's name says that it is the log of a table, pit or link, but not of this stream in its one spelling. */
const namesAnother = (origin, stream) => namesNamedStream(origin) && !fitsStream(origin, stream);

/** Whether a name says that it is that of the log of a table, pit or link. */
function namesNamedStream(origin) {
  return [origin, firstName(origin)].some((name) => {
    const parts = name.split('/');
    const kind = parts[parts.length - 2];
    return parts.slice(0, -2).join('/') !== '' && ['table', 'pit', 'link'].includes(kind);
  });
}

/** The name under which a key signs a stream; `example.org/house` is a house, not the log `house` of example.org. */
const nameBy = (key, stream) =>
  stream.includes(' ') && fitsStream(key, stream) ? key : key + nameEnding(stream);

// ------------------------------------------------------------------------------------------------------ who has signed

/** The names of all logs that a successor may continue, the first of them first. */
function earlierLogs(origin) {
  const first = firstName(origin);
  if (origin === first) return [];
  const number = Number(origin.slice(first.length + 1));
  return [first, ...Array.from({ length: number - 2 }, (_, i) => `${first}/${i + 2}`)];
}

/** Which log a successor continues, by the lines of its checkpoint, with its size and root; null if none says it. */
function predecessor({ name: origin, text: note }) {
  const earlier = earlierLogs(origin);
  for (const line of note.split('\n').slice(3)) {
    const [, name, size, said] = /^baccarat\/successor-of\/v1 (\S+) (0|[1-9][0-9]{0,15}) (\S+)$/.exec(line) ?? [];
    const isEarlier = earlier.includes(name) && Number(size) <= MOST;
    const root = isEarlier ? hashFromBase64(said) : null;
    if (root) return { name, size: Number(size), root };
  }
  return null;
}

/** How the checkpoint of an earlier log contradicts what its successor says of it; empty if it does not. */
function contradiction(note, earlier) {
  const stated = predecessor(note);
  const names = earlierLogs(note.name);
  if (!stated || !names.includes(earlier.name)) return '';
  const { name: before, size } = stated;
  if (names.indexOf(earlier.name) > names.indexOf(before))
    return `${note.name} claims to continue ${before}, but ${earlier.name} was signed later`;
  if (earlier.name === before && earlier.size > size)
    return `${note.name} says that ${figure(size)} entries of ${before} were signed, but ${figure(earlier.size)} were`;
  if (earlier.name === before && earlier.size === size && !sameBytes(earlier.root, stated.root))
    return `${note.name} states another root for ${figure(size)} entries of ${before} than was signed`;
  return '';
}

/** Who has signed a checkpoint of a stream, as far as known keys show it. */
function signersOf(note, known, stream) {
  const origin = note.name;
  const none = { logs: [], witnesses: [], wrong: '', unchecked: '', misnamed: '', continues: '', expected: [] };
  if (namesAnother(origin, stream))
    return { ...none, wrong: `the checkpoint is of the log ${origin}, not of ${stream}` };
  const stated = predecessor(note);
  const before = stated && `${origin} continues ${stated.name}, of which ${figure(stated.size)} entries were signed`;
  const isFirst = origin.endsWith(nameEnding(stream));
  const misnamed = fitsStream(origin, stream)
    ? isFirst || before
      ? ''
      : `the log ${origin} is a successor, but its checkpoint does not name its predecessor`
    : `the log is called ${origin}, which does not say that it is of ${stream}: expected NAME${nameEnding(stream)}`;
  if (!known.length) return { ...none, unchecked: 'no key was given', misnamed };
  // A house signs each stream with one secret key under the stream's own name.
  const names = [origin, firstName(origin)];
  const isOwn = ({ kind, name }) => kind === LOG && (name === origin || names.includes(nameBy(name, stream)));
  const expected = known.filter(isOwn);
  const above = known.find(({ kind, name }) => kind === LOG && origin.startsWith(`${name}/`));
  if (!expected.length && above) {
    const as = nameBy(above.name, stream);
    return { ...none, wrong: `the checkpoint is of the log ${origin}, but ${above.name} signs ${stream} as ${as}` };
  }
  const given = new Map();
  for (const key of known) {
    const own = isOwn(key) ? keyOf(origin, key.data) : key;
    given.set(own.text, { own, key });
  }
  const found = new Map();
  for (const { name, id, data } of note.signatures) {
    for (const { own, key } of given.values()) {
      if (own.name !== name || own.id !== id) continue;
      if (!verifies(own, note.text, data)) {
        const say = `the signature by ${own.name} is wrong: the text was changed, or another key made it`;
        return { ...none, wrong: say };
      }
      if (!found.has(own.text)) found.set(own.text, { own, key, data });
    }
  }
  const all = [...found.values()];
  const logs = all.filter(({ own }) => own.kind === LOG && own.name === origin).map(({ key }) => key);
  const witnesses = all
    .filter(({ own }) => own.kind === WITNESS)
    .map(({ key, data }) => ({ key, at: Number(timeOf(data)) }));
  if (logs.length) return { ...none, logs, witnesses, misnamed, continues: isFirst || !before ? '' : before, expected };
  if (expected.length) return { ...none, wrong: `no known key of the log ${origin} has signed it` };
  // A cosignature says nothing of a stream unless a known key of its log has signed as well.
  return { ...none, unchecked: `the key of the log ${origin} was not given`, misnamed };
}

/** The logs whose checkpoints a given key has signed, or all if it signed none; of successors only the last. */
function logsSigned(notes, policy, stream) {
  const signed = notes.filter((note) => signersOf(note, policy.keys, stream).logs.length);
  const names = [...new Set((signed.length ? signed : notes).map(({ name }) => name))];
  return names.filter((each) => !names.some((one) => one !== each && continues(one, each)));
}

const NOT_DECIDED = 'nothing was decided again: this verifier does not know the rules';
const figure = (number) => number.toLocaleString('en-US');
const LAST_SECOND = 253_402_300_799; // of the year 9999

/** A time in UTC, or the number if no calendar has it. */
function utc(seconds) {
  if (seconds > LAST_SECOND) return String(seconds);
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
const lastText = (count, size) =>
  count === size ? `all ${figure(size)} entries are` : `the last ${figure(count)} of ${figure(size)} entries are`;

/** Collects who has signed the checkpoints of a stream, and up to which entry. */
class SignatureReach {
  constructor(policy) {
    this.policy = policy;
    this.logs = new Map();
    this.witnesses = new Map();
    this.cosigned = [];
    this.expected = new Map();
    this.unchecked = new Set();
    this.misnamed = new Set();
    this.continued = new Set();
    this.known = []; // the checkpoints that a known key of the log has signed
  }

  /** A checkpoint that fits the entries; what is wrong with its signatures. */
  add(note, stream) {
    const found = signersOf(note, this.policy.keys, stream);
    if (found.logs.length) this.known.push(note);
    for (const key of found.logs) {
      this.logs.set(key.text, { key, to: Math.max(this.logs.get(key.text)?.to ?? 0, note.size) });
    }
    for (const { key, at } of found.witnesses) {
      const old = this.witnesses.get(key.text) ?? { to: 0, at: 0 };
      const isLater = note.size > old.to || (note.size === old.to && at > old.at);
      this.witnesses.set(key.text, { key, to: isLater ? note.size : old.to, at: isLater ? at : old.at });
      this.cosigned.push([at, note.size, key.text]);
    }
    for (const key of found.expected) this.expected.set(key.text, key);
    if (found.unchecked) this.unchecked.add(found.unchecked);
    if (found.misnamed) this.misnamed.add(found.misnamed);
    if (found.continues) this.continued.add(found.continues);
    return found.wrong;
  }

  say() {
    const named = ({ name, id }) => `${name}+${id}`;
    const logs = [...this.logs.values()].map(({ key, to }) => `signed to ${figure(to)} by ${named(key)}`);
    const witnesses = [...this.witnesses.values()];
    return [...logs, ...witnesses.map(({ key, to, at }) => `cosigned to ${figure(to)} by ${named(key)} at ${utc(at)}`), ...this.continued];
  }

  /** How far the stream is covered, as `baccarat verify --json` says it; `size` entries must be signed. */
  coverage(stream, { entries, size, times, gaps }) {
    const reach = ({ key, to, at }) => ({ name: key.name, key: key.id, to, ...(at ? { at } : {}) });
    return {
      stream,
      entries,
      decided: 0,
      signed: [...this.logs.values()].map(reach),
      cosigned: [...this.witnesses.values()].map(reach),
      witnesses: this.policy.witnesses.size,
      longest_open: this.longestOpen(size, times),
      gaps: [...gaps, ...this.gaps(size)],
    };
  }

  gaps(size) {
    const reach = Math.max(0, ...[...this.logs.values()].map(({ to }) => to));
    const gaps = [];
    if (!this.policy.keys.length) gaps.push('no key was given: whose signatures it bears was not checked');
    else if (!this.logs.size)
      gaps.push(`no key that was given has signed it: ${[...this.unchecked].join('; ') || 'there is no checkpoint'}`);
    else if (reach < size)
      gaps.push(`${lastText(size - reach, size)} not signed: nobody signed after entry ${figure(reach)}`);
    for (const key of this.expected.values()) {
      const to = this.logs.get(key.text)?.to ?? 0;
      if (to < reach) gaps.push(`${key.name} ${to ? `has signed it to entry ${figure(to)} only` : 'signed none of it'}`);
    }
    gaps.push(...this.misnamed);
    for (const each of this.continued) gaps.push(`${each}: some entries were lost and may have been replaced`);
    if (this.policy.quorum === NONE) return gaps;
    const enough = this.reachOf(new Map([...this.witnesses].map(([key, { to }]) => [key, to])));
    if (enough < size) {
      const asked = `the witnesses that were asked for (${this.policy.witnesses.size})`;
      gaps.push(`${lastText(size - enough, size)} not cosigned by ${asked}`);
    }
    return gaps;
  }

  /** The keys of logs that were given one by one and have signed nothing of it, by their texts. */
  unused() {
    const { isEachRequired, logs } = this.policy;
    return new Map(isEachRequired ? logs.filter(({ text }) => !this.logs.has(text)).map((key) => [key.text, key]) : []);
  }

  /** Up to which entry enough witnesses have cosigned; without a quorum any of them is enough. */
  reachOf(cosigned) {
    const sizes = [...new Set(cosigned.values())].sort((one, other) => other - one);
    if (this.policy.quorum === NONE) return sizes[0] ?? 0;
    const havingSigned = (size) => new Set([...cosigned].filter(([, to]) => to >= size).map(([key]) => key));
    return sizes.find((size) => this.policy.isMetBy(havingSigned(size))) ?? 0;
  }

  /** The most entries that were open until enough witnesses had cosigned them, and for how many seconds. */
  longestOpen(size, [firstAt, lastAt]) {
    if (!this.policy.witnesses.size) return null;
    const rising = ([one1, two1], [one2, two2]) => one1 - one2 || two1 - two2;
    const stretches = [];
    const cosigned = new Map();
    let [reach, since] = [0, firstAt];
    for (const [at, to, key] of [...this.cosigned].sort(rising)) {
      cosigned.set(key, Math.max(cosigned.get(key) ?? 0, to));
      const enough = this.reachOf(cosigned);
      if (enough <= reach) continue;
      stretches.push([enough - reach, since ? Math.max(0, at - since) : 0]);
      [reach, since] = [enough, at];
    }
    stretches.push([size - reach, since ? Math.max(0, lastAt - since) : 0]);
    const [entries, seconds] = stretches.sort(rising).pop();
    return { entries, seconds };
  }
}

/** How far a stream is covered, in a line. */
export function coverageText({ stream, entries, signed, cosigned, witnesses }) {
  const parts = [`${stream}: ${counted(entries, 'entry', 'entries')}`, 'decided again 0'];
  parts.push(...signed.map(({ to, name }) => `signed to ${figure(to)} by ${name}`));
  if (!signed.length) parts.push('signed by no key that was given');
  parts.push(...cosigned.map(({ to, name }) => `cosigned to ${figure(to)} by ${name}`));
  if (witnesses && cosigned.length) parts[parts.length - 1] += ` (${cosigned.length} of ${witnesses})`;
  else if (witnesses) parts.push(`cosigned by none of ${witnesses}`);
  return parts.join(' · ');
}

// --------------------------------------------------------------------------------------------- what a reader remembers

/** The last checkpoint of each log that a reader has seen under a known key: every later one must agree with it. */
export class CheckpointMemory {
  /** `said` is what `text()` gave before: a JSON object with the checkpoints by the names of their logs; nothing if there is none. `isStored` if the reader keeps it; otherwise it holds what the files of one reading show. */
  constructor(said = null, { isStored = true } = {}) {
    this.isStored = isStored;
    const found = said === null ? { checkpoints: {} } : parseStrictly(said);
    if (!isObject(found) || Object.keys(found).join() !== 'checkpoints' || !isObject(found.checkpoints))
      throw new Unreadable('expected an object with the field checkpoints');
    this.notes = new Map();
    this.successors = new Map(); // those of them that say which log they continue
    this.logs = new Map(); // what files showed whole, with the size up to which it was signed
    for (const [origin, note] of Object.entries(found.checkpoints)) {
      if (typeof note !== 'string') throw new Unreadable('a checkpoint in it is not a text');
      const read = readCheckpoint(note, 'a checkpoint in it');
      if (read.name !== origin) throw new Unreadable('a checkpoint in it is of another log than it says');
      this.keep(read);
    }
  }

  /** Remembers a checkpoint as the last of its log; the log that was seen last comes last. */
  keep(note) {
    for (const map of [this.notes, this.successors]) map.delete(note.name);
    this.notes.set(note.name, note);
    if (predecessor(note)) this.successors.set(note.name, note);
  }

  /** How a checkpoint contradicts those of a log that it continues, or that continues it; empty if it does not. */
  contradiction(note) {
    const names = predecessor(note) ? earlierLogs(note.name).filter((name) => this.notes.has(name)) : [];
    const found = names.map((name) => contradiction(note, this.notes.get(name)));
    return [...found, ...[...this.successors.values()].map((each) => contradiction(each, note))].find((say) => say) ?? '';
  }

  /** The same as text; the logs in the order in which the program sorts them. */
  text() {
    const sorted = [...this.notes].sort(([one], [other]) => compareUtf8(one, other));
    const rows = sorted.map(([origin, { written }]) => `    ${JSON.stringify(origin)}: ${JSON.stringify(written)}`);
    return `{\n  "checkpoints": {${rows.length ? `\n${rows.join(',\n')}\n  ` : ''}}\n}\n`;
  }

  /**
   * What is `wrong` with a signed checkpoint, and what is `unknown`; the larger of the two is remembered. `log` holds the whole
   * log, where it is at hand; without it only the roots can be compared.
   */
  compare(note, log) {
    const wrong = this.contradiction(note);
    if (wrong) return { wrong, unknown: '' };
    const seen = this.notes.get(note.name);
    const { size, whole } = this.logs.get(note.name) ?? { size: 0 };
    let answer = seen ? compareNotes(note, seen, log) : { wrong: '', unknown: '' };
    if (answer.unknown && whole && note.size <= size) {
      const isSame = sameBytes(whole.root(note.size), note.root); // another file shows it whole
      answer = { wrong: isSame ? '' : otherEntries(note.name, note.size), unknown: '' };
    }
    if (answer.wrong || answer.unknown) return answer;
    if (!seen || note.size > seen.size) this.keep(note);
    if (log && note.size > size) this.logs.set(note.name, { size: note.size, whole: log });
    return answer;
  }
}

const otherEntries = (name, size) => `the first ${figure(size)} entries of ${name} are not those that it signed before`;

function compareNotes(note, seen, log) {
  const many = figure(seen.size);
  if (note.size === seen.size) {
    const say = `${note.name} signed another root for ${many} entries before: it signed two different histories`;
    return { wrong: sameBytes(note.root, seen.root) ? '' : say, unknown: '' };
  }
  if (log && log.size >= seen.size) {
    const isSame = sameBytes(log.root(seen.size), seen.root);
    return { wrong: isSame ? '' : otherEntries(note.name, seen.size), unknown: '' };
  }
  if (note.size < seen.size)
    return { wrong: '', unknown: `${many} entries of ${note.name} were seen before, and this has ${figure(note.size)}` };
  const say = `nothing shows whether it continues the ${many} entries of ${note.name} seen before`;
  return { wrong: '', unknown: `${say}: verify the whole journal` };
}

/** Holds the checkpoints that known keys have signed against a memory, unless something is wrong already. */
function memoryChecks(file, checks, memory) {
  if (checks.some(({ holds }) => holds === false)) return [];
  const faults = [];
  let count = 0;
  for (const coverage of file.coverage) {
    const log = file.kind === 'journal' ? file.logs.get(coverage.stream) : null;
    for (const note of [...file.known.get(coverage.stream)].sort((one, other) => one.size - other.size)) {
      const { wrong, unknown } = memory.compare(note, log);
      if (wrong) faults.push(fault(coverage.stream, wrong, 'one history', 'two'));
      if (unknown) coverage.gaps.push(unknown);
      count++;
    }
  }
  const say = `${counted(count, 'signed checkpoint')} compared with those that were seen before`;
  if (!memory.isStored && !faults.length) return [];
  return [count ? checked('memory', say, faults) : unchecked('memory', 'no key that was given has signed it')];
}

// --------------------------------------------------------------------------------------------------------- the shuffle

const RANKS = 'A23456789TJQK';
const SUITS = 'shdc';
const MOST_DECKS = 1000; // as many as a Submission may file; a forger may write any number

const field = (bytes) => concatenate([u64(bytes.length), bytes]);

/**
 * The header of a shoe: `table`, `shoe`, `rulebook` are texts, `decks` is a number. For order 2 also the name of the log and
 * its `witnesses`, each with `key` and `promise`, 64 hexadecimal digits.
 */
export function headerOf({ order = 1, origin = '', table, shoe, rulebook, decks, witnesses = [] }) {
  const first = concatenate([field(utf8(table)), field(utf8(shoe)), field(utf8(rulebook)), u64(decks)]);
  if (order === 1) return first;
  const named = witnesses.flatMap(({ key, promise }) => [field(utf8(key)), unhex(promise, 32)]);
  return concatenate([field(utf8('baccarat/header/2')), field(utf8(origin)), first, u64(witnesses.length), ...named]);
}

/** What is published before anything else: SHA-256 over a label, the header and the seed. */
export const commitmentOf = (shoe, seed) =>
  (shoe.order ?? 1) === 1
    ? sha256(utf8('baccarat/commit'), headerOf(shoe), seed)
    : sha256(utf8('baccarat/commit/2'), field(headerOf(shoe)), seed);

const counted64 = (texts) => concatenate([u64(texts.length), ...texts.map((value) => field(utf8(value)))]);

/** Everything that an order 2 depends on but the seed and the shares, as one hash. */
export const inputsOf = (shoe) =>
  sha256(
    utf8('baccarat/inputs/2'),
    field(headerOf(shoe)),
    shoe.commitment,
    counted64(shoe.contributions),
    u64(shoe.inFront),
  );

/** What a witness has promised with a share of 32 bytes. */
export const promiseOf = ({ key, origin, shoe }, share) =>
  sha256(utf8('baccarat/share/1'), field(utf8(key)), field(utf8(origin)), field(utf8(shoe)), share);

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

/**
 * The order of a shoe: numbers from 0 to 52 × decks − 1, the top card first. `contributions` are texts; an order 2 has
 * `inputs`, a hash, and a Map of `shares` by the keys of its `witnesses`.
 */
export function orderOf(made, seed) {
  const { order: way = 1, shoe, decks, contributions = [], inputs, witnesses = [], shares } = made;
  const personal =
    way === 1
      ? [utf8('baccarat/order'), field(headerOf(made)), counted64(contributions)]
      : [utf8('baccarat/order/2'), inputs, u64(witnesses.length), ...witnesses.map(({ key }) => shares.get(key))];
  const generator = new Generator(concatenate([seed, field(utf8(shoe)), ...personal]));
  const order = Array.from({ length: 52 * decks }, (_, i) => i);
  for (let i = order.length - 1; i >= 1; i--) {
    const j = generator.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Card number n as two characters, such as 9s. */
export const cardName = (n) => RANKS[(n % 52) % 13] + SUITS[Math.floor((n % 52) / 13)];

export const saltOf = (seed, entry, inputs = null) =>
  (inputs === null
    ? hmac(seed, utf8('baccarat/salt'), u64(entry))
    : hmac(seed, utf8('baccarat/salt/2'), inputs, u64(entry))
  ).slice(0, 16);

const cardLeaf = (entry, card, salt) => leafHash(concatenate([u32(entry), utf8(card), salt]));

/** Everything that follows from a seed: `commitment`, the `cards` before the cut from the top, the `root` of their tree. */
export function deriveShoe(shoe, seed) {
  const cards = orderOf(shoe, seed).map(cardName);
  const salted = (shoe.order ?? 1) === 1 ? null : shoe.inputs;
  const root = treeRoot(cards.map((card, entry) => cardLeaf(entry, card, saltOf(seed, entry, salted))));
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
const MOST_KEYS = 1_000_000;
const MOST_BODY = 65535;
const MOST_MEMORY = 64 * 1024 * 1024;
const LINE_BEGIN = '{"hash":"';
const LINE_MIDDLE = '","record":';
const BODY_AT = LINE_BEGIN.length + 64 + LINE_MIDDLE.length;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeText(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Unreadable('this is not UTF-8');
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
    return end > 0 && !('bundle' in parseStrictly(decodeText(bytes.subarray(0, end))));
  } catch {
    return false;
  }
}

/** Reads all lines. The first that is wrong decides whether a journal is wrong or unreadable: `broken` is where reading ended. */
function readJournal(bytes) {
  if (bytes.length > MOST_JOURNAL) throw new Unreadable('too large: more than 1 GiB');
  const journal = { kind: 'journal', scope: { kind: 'all' }, entries: [], checkpoints: [], heads: new Map(), broken: [] };
  for (let begin = 0, number = 1; begin < bytes.length; number++) {
    const end = bytes.indexOf(10, begin);
    const where = `line ${number}`;
    try {
      if (end < 0) throw new Unreadable('only half of the line has been written');
      readLine(journal, bytes.subarray(begin, end), where);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const isWrong = error instanceof Unchained || journalFaults(journal).length > 0;
      if (!isWrong) throw new Unreadable(`${where}: ${error.message}`);
      journal.broken.push(fault(where, 'not readable, and nothing after it was read', 'an entry', error.message));
      break;
    }
    begin = end + 1;
  }
  if (!journal.entries.length && !journal.broken.length) throw new Unreadable('a journal without any entry');
  return journal;
}

const journalFaults = (journal) => [
  ...actFaults(journal.entries),
  ...countFaults(journal.entries),
  ...behaviourFaults(journal.entries),
  ...chainFaults(journal),
  ...checkpointFaults(journal),
];

/** A line that is wrong, though it cannot be read: it does not follow from the lines before it, or is no act. */
class Unchained extends Unreadable {}

function readLine(journal, bytes, where) {
  if (bytes.length > MOST_BODY + BODY_AT + 1) throw new Unreadable(`${bytes.length} bytes, more than any line has`);
  const line = decodeText(bytes);
  if (isCheckpointLine(line)) {
    journal.checkpoints.push({ ...readCheckpointLine(line), where, after: journal.entries.length });
    return;
  }
  const framed = line.startsWith(LINE_BEGIN) && line.startsWith(LINE_MIDDLE, LINE_BEGIN.length + 64) && line.endsWith('}');
  if (!framed) throw new Unreadable(`expected {"hash":"…","record":{…}}, found ${shown(line.slice(0, 120))}`);
  const stated = line.slice(LINE_BEGIN.length, LINE_BEGIN.length + 64);
  const [body, written] = [bytes.subarray(BODY_AT, bytes.length - 1), line.slice(BODY_AT, -1)];
  const record = readRecord(journal, stated, body, written);
  const entry = {
    where: `${where} (${record.stream} ${record.seq})`,
    index: journal.entries.length,
    stated,
    body,
    record,
    leaf: leafHash(body),
  };
  journal.entries.push(entry);
  journal.heads.set(record.stream, entry);
}

/** Whether a text is an entry in canonical form. */
function isEntry(written) {
  try {
    const record = parseStrictly(written);
    entryBody(record, []);
    return canonical(record) === written;
  } catch {
    return false;
  }
}

/** Where a JSON value ends that begins at a place of a text which is known to be JSON. */
function valueEnd(written, begin) {
  const token = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]|[^"[{\]},]+|,/sy;
  let depth = 0;
  for (token.lastIndex = begin; token.lastIndex < written.length; ) {
    const at = token.lastIndex;
    const found = token.exec(written)?.[0] ?? '';
    if (found === '[' || found === '{') depth++;
    else if (found === ']' || found === '}') depth--;
    if (depth < 0 || (found === ',' && !depth)) return at;
    if (!depth) return token.lastIndex;
    if (!found) break;
  }
  return written.length;
}

/** Whether a list has nothing between its items but commas. */
function isPlainList(written) {
  let at = 0;
  while (written[at] === (at ? ',' : '[') && !/\s/.test(written[at + 1] ?? '')) at = valueEnd(written, at + 1);
  return written.slice(at) === ']';
}

/** Half of a surrogate pair, as JSON.stringify writes it. */
const HALF_PAIR = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;
const BY_RULES = ['command', 'shown', 'refused', 'events'];

/** A body, known to be JSON, without what only the rules define, character for character; null if that cannot be cut out of it. */
function withoutRules(written) {
  const keys = [];
  const kept = [];
  let at = 0;
  while (written[at] === (at ? ',' : '{')) {
    const begin = at + 1;
    const [named, key] = /^"((?:[^"\\]|\\.)*)":(?!\s)/s.exec(written.slice(begin)) ?? [];
    if (named === undefined) return null;
    at = valueEnd(written, begin + named.length);
    const value = written.slice(begin + named.length, at);
    if (BY_RULES.includes(key) && ['{}', '[]'].includes(value)) return null; // the default value, which is omitted
    if (key === 'events' && !isPlainList(value)) return null;
    keys.push(key);
    if (!BY_RULES.includes(key)) kept.push(written.slice(begin, at));
  }
  const isSorted = keys.every((key, i) => i === 0 || keys[i - 1] < key);
  return written.slice(at) === '}' && isSorted ? `{${kept.join()}}` : null;
}

/** The record of a line. A changed one is wrong rather than unreadable: its number or its hash shows it. */
function readRecord(journal, stated, body, written) {
  try {
    const record = parseStrictly(written);
    entryBody(record, body);
    if (canonical(record) !== written) throw new Unreadable('the body is not canonical');
    if (!isContent(record)) throw new Unchained(NOT_CONTENT);
    return record;
  } catch (error) {
    if (!(error instanceof Unreadable) || error instanceof Unchained) throw error;
    let follows = true;
    try {
      const record = JSON.parse(written);
      const { stream, seq } = record;
      const head = journal.heads.get(stream);
      const before = head ? unhex(head.stated, 32) : new Uint8Array(32);
      const isNext = seq === (head ? head.record.seq + 1 : 0) && before && hex(sha256(before, body)) === stated;
      const isHalf = HALF_PAIR.test(JSON.stringify(record)); // which no UTF-8 holds: such a line says nothing of itself
      if (typeof stream === 'string' && isWhole(seq)) follows = isHalf || Boolean(isNext);
      // what only the rules define is wrong rather than unreadable, as long as all else is canonical; an opening has none of it
      const rest = seq === 0 ? null : withoutRules(written);
      if (rest !== null && isEntry(rest) && !isHalf) follows = false;
    } catch {
      // it does not say where it belongs
    }
    throw follows ? error : new Unchained(error.message);
  }
}

function readCheckpointLine(line) {
  const value = parseStrictly(line);
  fields({ checkpoint: text(/^/, 'a text'), stream: text(/^/, 'a text') })(value, 'checkpoint');
  if (canonical(value) !== line) throw new Unreadable('the checkpoint is not in canonical form');
  return { stream: value.stream, ...readCheckpoint(value.checkpoint) };
}

function readBundle(bytes) {
  if (bytes.length > MOST_BUNDLE) throw new Unreadable('too large: a bundle has at most 256 MiB');
  const value = parseStrictly(decodeText(bytes));
  if (isObject(value) && 'bundle' in value) VERSION(value.bundle, 'bundle');
  if (!isObject(value) || !('bundle' in value))
    throw new Unreadable('neither a journal nor a bundle: the field bundle is missing');
  BUNDLE(value, 'bundle');
  if ('checkpoint' in value === 'tree_head' in value)
    throw new Unreadable('bundle: exactly one of checkpoint and tree_head is expected');
  const { scope, before = null, rulebooks, keys = [], proof = [] } = value;
  if (new Set(rulebooks.map(({ hash }) => hash)).size < rulebooks.length)
    throw new Unreadable('rulebooks: a rulebook is listed twice');
  const wanted = ['kind', 'stream', ...SCOPE_FIELDS[scope.kind]].sort().join(', ');
  if (Object.keys(scope).sort().join(', ') !== wanted)
    throw new Unreadable(`scope: the kind ${scope.kind} has the fields ${wanted}`);
  const note = 'checkpoint' in value ? readCheckpoint(value.checkpoint) : null;
  const head = note ?? { size: value.tree_head.size, root: hashFromBase64(value.tree_head.root) };
  const own = keys.map((key, i) => {
    try {
      return readKey(key);
    } catch (error) {
      throw new Unreadable(`keys[${i}]: ${error.message}`);
    }
  });
  const formFaults = [];
  const entries = [];
  for (const { index, hash = null, record } of value.entries) {
    if (isObject(record) && isWhole(record.v) && record.v !== 1)
      throw new Unreadable(`index ${index}: version ${record.v}; this verifier reads version 1 only`);
    const body = utf8(canonical(record));
    try {
      entryBody(record, body);
      if (!isContent(record)) throw new Unreadable(NOT_CONTENT);
      const where = `index ${index} (${record.stream} ${record.seq})`;
      entries.push({ where, index, stated: hash, body, record, leaf: leafHash(body) });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      formFaults.push(fault(`index ${index}`, 'it is no entry of a journal', 'one', error.message));
    }
  }
  const many = value.entries.length;
  return { kind: 'bundle', scope, head, note, entries, many, formFaults, before, rulebooks, own, proof: proof.map(hashFromBase64) };
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

/** Whether no stream goes back to an earlier version of the deciding functions. */
function behaviourFaults(entries) {
  const last = new Map();
  return entries.flatMap(({ where, record: { stream, behaviour } }) => {
    const before = last.get(stream) ?? 0;
    last.set(stream, behaviour);
    return behaviour < before ? [fault(where, 'its behaviour, which never goes back', `${before} or more`, behaviour)] : [];
  });
}

/** What identifies a person's command: the stream, the command itself, and in what capacity it was given. */
const commandIdentity = ({ stream, command = null, role = null, origin = null, approvals = null }) =>
  canonical([stream, command, role, origin, approvals]);

/** Each id of a person takes effect once; a person who is refused for an id has used it before, for something else. */
function idCheck(entries) {
  const faults = [];
  const given = new Map();
  const firstSeq = new Map();
  const hasHouse = entries.some(({ record }) => record.stream === 'house');
  for (const { where, record } of entries) {
    const { who = '', id = '', refused = {}, seq, stream } = record;
    if (seq && !firstSeq.has(stream)) firstSeq.set(stream, seq);
    const key = JSON.stringify([who, id]);
    if (refused.code !== 'repeated_id') {
      if (id && given.has(key)) faults.push(fault(where, `the id ${shown(id)} stands for two commands`, 'one', 'another'));
      else if (id) given.set(key, { where, record });
      continue;
    }
    const named = isObject(refused.params) ? refused.params : {};
    if (id || typeof named.id !== 'string' || typeof named.stream !== 'string' || !(isWhole(named.record) && named.record >= 1)) {
      const say = 'a command that is refused for its id is entered without one, and the refusal names the id';
      faults.push(fault(where, say, 'id, stream and record', shown(id || named)));
      continue;
    }
    const first = given.get(JSON.stringify([who, named.id]));
    if (first) {
      const [expected, found] = [`${first.record.stream} ${first.record.seq}`, `${named.stream} ${named.record}`];
      if (expected !== found) faults.push(fault(where, 'the record that was given the id', expected, found));
      else if (commandIdentity(first.record) === commandIdentity(record))
        faults.push(fault(where, `the id ${shown(named.id)} was given for another command`, 'another', 'the same'));
    } else if (hasHouse || (named.stream === stream && firstSeq.get(stream) <= named.record)) {
      // in a part of a journal, or in one of several streams, the record that it names may be missing
      faults.push(fault(where, 'the id for which it is refused', 'one that was given before', shown(named.id)));
    }
  }
  if (!given.size && !faults.length) return unchecked('ids', 'no record has an id');
  return checked('ids', `${counted(given.size, 'command')}, each under an id of its own`, faults);
}

// ------------------------------------------------------------------------------------------------------- other streams

/** Whether a record has the one event that may follow an act of the house. */
const ONLY_CAUSED = new Set(['link_joined', 'witnesses_changed', 'kind_adopted']);

function mayFollow({ events = [] }, stream) {
  const [first = {}] = events;
  const isLink = first.event === 'link_joined' && stream === 'house';
  const own = { witnesses_changed: 'witnesses', kind_adopted: 'cards' }[first.event];
  const isChange = own !== undefined && stream.startsWith('pit ');
  const names = ['event', 'requester', 'approver', ...(isLink ? ['link'] : [])];
  return (
    events.length === 1 &&
    (isLink || (isChange && own in first)) &&
    names.every((name) => typeof first[name] === 'string') &&
    'cites' in first &&
    Object.keys(first).every((name) => names.includes(name) || name === 'cites' || (isChange && name === own))
  );
}

/** What a record depends on, in words, where only its own stream is given. */
function missingStreams({ stream, cause, shown: meters, joined: others, refused = {} }) {
  const missing = [];
  if (cause) missing.push(`the act of the ${cause.stream} that it follows is not in the file`);
  if (meters) missing.push('the stream of the link, whose meters it shows, is not in the file');
  if (others) missing.push('other streams that it was entered in are not in the file');
  if (refused.code === 'repeated_id') {
    if (!isObject(refused.params) || refused.params.stream !== stream)
      missing.push('the stream in which its id was used before is not in the file');
  } else if (Array.isArray(refused.cites) && refused.cites.some((cite) => typeof cite === 'string' && cite.startsWith('house '))) {
    missing.push('it was refused by a rule of the house, whose streams are not in the file');
  }
  return missing;
}

const LATE_HOUSE = "a house's journal must begin with the opening of its own stream; earlier entries belong to no house";

/** What the events of one name in streams of a kind call something, each once. */
function namedBy(entries, kind, event, name) {
  const found = entries.filter(({ record }) => record.stream.split(' ')[0] === kind).flatMap(({ record }) => record.events ?? []);
  return new Set(found.filter((one) => one.event === event && typeof one[name] === 'string').map((one) => one[name]));
}

/** Whether whole streams of a house are missing: wrong where a record proves it, otherwise they are not covered. */
function leftOutStreams(entries, faults) {
  const streams = new Set(entries.map(({ record }) => record.stream));
  const opened = namedBy(entries, 'pit', 'table_opened', 'table');
  const acting = new Set();
  for (const { where, record } of entries) {
    const { stream, events = [], refused = {} } = record;
    const isUnopened = stream.startsWith('table ') && !opened.has(stream.slice('table '.length));
    if (isUnopened && events.length && !acting.has(stream)) {
      acting.add(stream);
      faults.push(fault(where, 'the pit that opened the table', 'its record', 'none'));
    }
    if (refused.what === 'table_waits_for_the_next_day' && !streams.has('day'))
      faults.push(fault(where, 'the day whose end refuses it', 'the stream day', 'none'));
  }
  const pits = [...namedBy(entries, 'house', 'pit_added', 'name')].map((name) => `pit ${name}`);
  const expected = [...(opened.size ? ['cage'] : []), ...pits, ...[...opened].map((name) => `table ${name}`)];
  return expected
    .filter((stream) => !streams.has(stream))
    .map((stream) => `the stream ${stream} is not in the file: nothing was done in it, or it was left out`);
}

/** Records that depend on other streams: what is wrong with them, and by stream, what is not in the file. */
function streamCheck(entries) {
  const faults = [];
  const records = new Map(entries.map(({ record }) => [`${record.seq} ${record.stream}`, record]));
  const first = entries.findIndex(({ record }) => record.stream === 'house');
  const hasHouse = first === 0; // a later one vouches for nothing before it
  if (first > 0) faults.push(fault(entries[first].where, LATE_HOUSE, 'at the beginning', `entry ${first + 1} of the file`));
  const missing = new Map();
  let count = 0;
  for (const { where, record } of entries) {
    const { stream, seq, cause, joined: others = {} } = record;
    const isTable = stream.startsWith('table ');
    if (cause && isTable && !mayFollow(record, cause.stream)) {
      const say = 'without a command a table has no record but link_joined, after house, and two others, after a pit';
      const names = (record.events ?? []).map((one) => one.event ?? null);
      faults.push(fault(where, say, 'that', shown([cause.stream, ...names])));
    }
    if (isTable && !cause && (record.events ?? []).some(({ event }) => ONLY_CAUSED.has(event))) {
      const say = 'what follows an act of the house or a pit is not done by a command at a table';
      faults.push(fault(where, say, 'a cause', 'a command'));
    }
    if (!hasHouse) {
      for (const why of isTable ? missingStreams(record) : []) {
        if (!missing.has(stream)) missing.set(stream, new Map());
        const found = missing.get(stream);
        found.get(why)?.push(seq) ?? found.set(why, [seq]);
      }
      continue;
    }
    count += (cause ? 1 : 0) + Object.keys(others).length;
    if (cause && records.get(`${cause.seq} ${cause.stream}`)?.joined?.[stream] !== seq)
      faults.push(fault(where, 'the record that it follows', `one that joined ${stream} ${seq}`, shown(cause)));
    for (const [name, at] of Object.entries(others)) {
      const found = records.get(`${at} ${name}`)?.cause;
      if (found?.stream !== stream || found?.seq !== seq)
        faults.push(fault(where, `${name} ${at}, in which it was entered too`, 'a record with this cause', 'none'));
    }
  }
  const say = `${counted(count, 'record')} that are entered in several streams, each in all of them`;
  const none = unchecked('other streams', 'no record depends on another stream');
  const lacking = hasHouse ? leftOutStreams(entries, faults) : [];
  const gaps = (stream) => [
    ...[...(missing.get(stream) ?? [])].map(([why, seqs]) =>
      seqs.length === 1
        ? `record ${figure(seqs[0])}: ${why}`
        : `${figure(seqs.length)} records, first ${figure(seqs[0])}: ${why}`,
    ),
    ...(stream === 'house' ? lacking : []),
  ];
  return { check: hasHouse || faults.length ? checked('other streams', say, faults) : none, gaps };
}

// ---------------------------------------------------------------------------------------------------- folded refusals

/**
 * Refusals that are only counted follow one that is recorded whole; and by stream, how many nobody can decide again. `isBegun` if
 * every stream is complete from its beginning: otherwise the whole one may be missing.
 */
function refusalCheck(entries, isBegun) {
  const faults = [];
  const whole = new Map();
  const found = new Map();
  for (const { where, record } of entries) {
    const { stream, who, at = 0, refused = {}, folded } = record;
    if (!folded) {
      const key = JSON.stringify([stream, who, refused.code]);
      if (who !== undefined && typeof refused.code === 'string' && !whole.has(key)) whole.set(key, at);
      continue;
    }
    const tally = found.get(stream) ?? { count: 0, persons: new Set() };
    found.set(stream, tally);
    tally.count += folded.count;
    tally.persons.add(folded.who);
    const first = whole.get(JSON.stringify([stream, folded.who, folded.code]));
    if (!folded.count) {
      faults.push(fault(where, 'the refusals that it counts', 'at least one', 'none'));
    } else if (!(folded.first <= folded.last && folded.last <= at)) {
      const say = 'the times of folded refusals';
      faults.push(fault(where, say, 'in order, and not after that of their record', shown([folded.first, folded.last, at])));
    } else if (first === undefined && isBegun) {
      const say = 'a refusal of this person with this code, recorded whole before';
      faults.push(fault(where, say, 'one', shown([folded.who, folded.code])));
    } else if (first !== undefined && folded.first < first) {
      faults.push(fault(where, 'the first folded refusal', `not before the whole one at ${first}`, shown(folded.first)));
    }
  }
  const gap = (stream) => {
    if (!found.has(stream)) return [];
    const { count, persons } = found.get(stream);
    const were = count === 1 ? 'was' : 'were';
    return [`${counted(count, 'refusal')} of ${counted(persons.size, 'person')} ${were} counted and not decided again`];
  };
  const say = 'those that are only counted follow one that is recorded whole';
  return { check: found.size ? checked('refusals', say, faults) : unchecked('refusals', 'none is only counted'), gap };
}

// ------------------------------------------------------------------------------------------------------- chain and run

/** Whether each hash follows from the one before it in its stream and from the body. */
function chainFaults({ entries, before, scope }) {
  const faults = [];
  const last = new Map();
  for (const { where, record, stated, body } of entries) {
    if (stated === null) continue; // a late record, which only the tree binds
    const former = last.get(record.stream);
    const runBegins = before && record.stream === scope.stream && former?.seq === 0;
    const previous = record.seq === 0 ? new Uint8Array(32) : unhex(runBegins ? before.hash : former?.stated, 32);
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

/** Splits the entries of a bundle about one stream into the opening, the run, and perhaps one late record, without a hash. */
function partsOf({ entries }) {
  const [opening, ...run] = entries;
  const late = run.length && run[run.length - 1].stated === null ? run.pop() : null;
  return { opening, run, late };
}

const SCOPE_FIELDS = { all: [], day: ['day'], round: ['shoe', 'round'], shoe: ['shoe'] };

/** Whether the bundle has exactly the entries of its scope. */
function entryFaults(bundle) {
  const { entries, scope, head, before } = bundle;
  const faults = [];
  if (!scope.stream.startsWith('table '))
    faults.push(fault('scope', "a bundle is of a table's stream", 'table NAME', scope.stream));
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

const LATE_EVENTS = new Map([
  ['seed_revealed', 'sealed seed'],
  ['order_disproved', 'derived sealed seed'],
  ['seed_lost', 'approver reason requester'],
]);

/** Whether a record does nothing but open a seed or report it lost, by somebody who may, and with that one event. */
function opensSeed(record) {
  const { command, who, events = [], approvals = [] } = record;
  if (record.shown !== undefined || record.joined !== undefined || events.length !== 1 || !isObject(command)) return false;
  const [event] = events;
  const fieldsOf = (value, ...but) =>
    Object.keys(value)
      .filter((name) => !but.includes(name))
      .sort()
      .join(' ');
  if (!isObject(event) || fieldsOf(event, 'event', 'cites') !== LATE_EVENTS.get(event.event)) return false;
  const asked = fieldsOf(command, 'do');
  if (command.do === 'reveal_seed' && asked === 'seed') {
    const isItsOwn = event.seed === command.seed && typeof event.sealed === (event.event === 'seed_revealed' ? 'boolean' : 'string');
    return isItsOwn && record.origin === 'card source' && !approvals.length;
  }
  if (command.do !== 'report_lost_seed' || asked !== 'reason' || event.event !== 'seed_lost') return false;
  const seconds = ['floorperson', 'casino supervisor', 'pit boss'];
  const isSecond = ({ what, role }) => what === 'report_lost_seed' && seconds.includes(role);
  const approver = approvals.find(isSecond)?.who ?? '';
  const isByTwo = seconds.slice(0, 2).includes(record.role) && approver !== '' && approver !== who;
  return isByTwo && event.reason === command.reason && event.requester === who && event.approver === approver;
}

function runFaults(bundle) {
  const { before } = bundle;
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
  if (late && !opensSeed(late.record)) {
    const say = 'an entry without a hash only opens a seed, or reports it lost, by somebody who may';
    faults.push(fault(late.where, say, SEED_ENDS, 'something else'));
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
  return [...faults, ...endOf(bundle, run).faults];
}

/** Whether the run is that of its scope: what is wrong, and what is not known of its end. */
function endOf({ scope, before }, run) {
  const faults = [];
  const gaps = [];
  if (before && before.seq === 0)
    faults.push(fault('before', 'a run that begins at seq 1 needs no state before it', 'none', 'seq 0'));
  const stated = before ? (isObject(before.state?.shoe) ? before.state.shoe.number : undefined) : 0;
  if (!isWhole(stated) || stated < 0) {
    faults.push(fault('before', 'the state before is that of a table', 'shoe.number', shown(stated)));
    return { faults, gaps };
  }
  const { where, record } = run[run.length - 1];
  const closes = run.slice(0, -1).filter((entry) => has(entry.record, 'shoe_closed'));
  const shoe = stated + 1 + closes.length; // in which the run ends
  const isShoeOver = has(record, 'shoe_closed');
  if (scope.kind === 'shoe' && closes.length)
    faults.push(fault(closes[0].where, 'a bundle of one shoe goes beyond its end', 'no shoe_closed', 'shoe_closed'));
  if (scope.shoe !== undefined && scope.shoe !== shoe)
    faults.push(fault('scope', 'the shoe in which the run ends', shoe, scope.shoe));
  if (scope.kind === 'shoe' && !isShoeOver) gaps.push('the shoe was not over at its last record');
  if (scope.kind === 'round') {
    const begin = closes.length ? run.indexOf(closes[closes.length - 1]) + 1 : 0;
    const round = 1 + run.slice(begin, -1).filter((entry) => has(entry.record, 'table_cleared')).length;
    if (round !== scope.round) faults.push(fault(where, 'the round in which the run ends', round, scope.round));
    if (!has(record, 'table_cleared') && !isShoeOver) gaps.push('the round was not over at its last record');
  }
  if (scope.kind === 'day') {
    const day = dayOf(record.at ?? 0);
    if (day !== scope.day) faults.push(fault(where, 'the day of the last record', scope.day, day));
    gaps.push('it is not known whether more was done on that day, before the first record or after the last');
  }
  return { faults, gaps };
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
    if (size !== (tree?.size ?? 0)) {
      faults.push(fault(where, `the size of a checkpoint of ${shown(stream)}`, tree?.size ?? 0, size));
      continue;
    }
    if (!tree) continue; // of no entry
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

const isIn = (log, { size, root }) => size <= log.size && sameBytes(log.root(size), root);

/** The streams that a checkpoint next to a journal may be of: the one in the file's name, or any. */
function streamsOfStored(logs, name) {
  const named = [...logs.keys()].filter((stream) => name.includes(`.${percentEncoded(stream)}.`));
  return named.length ? named : [...logs.keys()];
}

/** Whether each checkpoint that was stored next to a journal fits the stream in the file's name, or one of them. */
function storedFaults({ stored, logs }) {
  return stored
    .filter(({ where, ...note }) => !streamsOfStored(logs, where).some((stream) => isIn(logs.get(stream), note)))
    .map(({ where, size, root }) => fault(where, `the root at ${counted(size, 'entry', 'entries')}`, base64(root), 'another'));
}

/** The checkpoints of a stream that fit it: those next to the journal first, then those in it. */
function fittingNotes({ stored, checkpoints, logs }, stream, wrong) {
  const rank = ({ where }) => (where.endsWith('.cosigned') ? 0 : 1);
  const outside = stored.filter((note) => {
    const streams = streamsOfStored(logs, note.where);
    return streams.length === 1 && streams[0] === stream && isIn(logs.get(stream), note);
  });
  const inside = checkpoints.filter((note) => note.stream === stream && !wrong.has(note.where));
  return [...outside.sort((one, other) => rank(one) - rank(other)), ...inside];
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
    if (size !== this.size || size === 0) {
      if (this.asked?.size !== size) this.asked = { size, root: treeRoot(this.leaves, 0, size) };
      return this.asked.root;
    }
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
  const isForm = isObject(card) && Object.keys(card).length === 2 && typeof card.suit === 'string';
  const name = isForm && typeof card.rank === 'string' ? card.rank + card.suit : '';
  return /^[A2-9TJQK][shdc]$/.test(name) ? name : null;
}

/** What persons still do in the dealer's capacity at an automated table, and what no person does there. */
const IN_PERSON = new Set(['sit', 'leave', 'buy_in', 'correct_card', 'correct_payment', 'correct_meter']);
const BY_NO_PERSON = new Set(['come_on', 'go_off', 'report_error_card', 'report_exposed_card', 'report_face_up']);

/** The electronic shoes of one table, from its events. */
class ShoeWalk {
  /**
   * `before` is the stated state of the table if the stream does not begin here, otherwise null; `logs` are the names
   * of the logs by its checkpoints.
   */
  constructor(stream, before, logs) {
    this.stream = stream;
    this.logs = logs;
    this.table = stream.slice('table '.length);
    this.before = before;
    const stated = isObject(before?.shoe) ? before.shoe.number : null;
    this.number = before ? (isWhole(stated) ? stated : null) : 0; // of the shoe in play; null if nothing states it
    this.witnesses = null; // the share keys on record; null if the opening states none
    this.within = null; // within how many seconds a seed is revealed; null if the opening states none
    this.at = 0; // when the record was made, in microseconds
    this.shoes = [];
    this.current = null;
    this.realCards = 0;
    this.cards = ''; // what the table is, by its opening; empty if that does not say
    this.behaviour = BEHAVIOUR; // the version of the deciding functions that the record names
    this.olderGaps = []; // what only an older version lets pass
    this.actFaults = [];
    this.proofFaults = [];
    this.seedFaults = [];
  }

  record(entry) {
    const { where, record } = entry;
    const events = record.events ?? [];
    if (record.seq === 0) this.opening(where, record);
    else if (!Object.keys(record.refused ?? {}).length) this.dealtBy(where, record);
    if (!events.length) return;
    this.at = record.at ?? 0;
    this.behaviour = record.behaviour;
    this.proof(where, record.command ?? {}, events[0]);
    for (const one of events) {
      if (typeof one.event !== 'string') this.actFaults.push(fault(where, 'the name of an event', 'a text', shown(one.event)));
      if (one.event === 'table_cleared' && this.current) this.current.rounds++;
      if (this.current && this.current.dueAt === null && endsShoe(one)) this.current.dueAt = this.at;
      const act = ACTS.get(one.event);
      if (act) act(this, where, one, entry);
      if (one.event !== 'shoe_fouled' && 'position' in one && (one.card ?? null) !== null) this.card(where, one);
    }
  }

  /** What the table is, and who its witnesses are, where the records begin. */
  opening(where, record) {
    const state = this.before ?? record;
    this.cards = record.cards ?? state.cards ?? '';
    this.witnesses = state.witnesses ?? null;
    if (record.cards !== undefined && state.cards !== record.cards)
      this.actFaults.push(fault(where, 'what the table is, in the state before', record.cards, shown(state.cards ?? null)));
    this.within = record.reveal_within ?? null;
    if ((state.reveal_within ?? null) !== this.within) {
      const found = shown(state.reveal_within ?? null);
      this.actFaults.push(fault(where, 'the deadline for seeds, in the state before', shown(this.within), found));
    }
    if (this.within !== null && !['automated', 'electronic'].includes(record.cards)) {
      const say = 'a table that states a deadline for seeds was opened with an electronic shoe';
      this.actFaults.push(fault(where, say, 'electronic or automated', shown(record.cards ?? null)));
    }
    if (record.witnesses !== undefined && this.witnesses === null)
      this.actFaults.push(fault(where, 'the witnesses of the table, in the state before', 'a list', 'none'));
  }

  /** At an automated table the program is the dealer, and at no other. */
  dealtBy(where, { origin = 'person', who, role, command = {} }) {
    const isAutomated = this.cards === 'automated';
    if (origin === 'program' && !isAutomated)
      this.actFaults.push(fault(where, 'the program deals at automated tables alone', 'a person', 'the program'));
    if (!isAutomated || origin !== 'person' || who === undefined) return;
    const isLost = command.do === 'end_round' && Boolean(command.lost); // a seal that the program cannot open
    if (BY_NO_PERSON.has(command.do) || (role === 'dealer' && !IN_PERSON.has(command.do) && !isLost))
      this.actFaults.push(fault(where, 'a person deals at an automated table', 'the program', shown(command.do)));
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
    const isForm = isObject(proof) && Object.keys(proof).length === 2; // salt and path, without which nothing is proved
    if (isForm && proveCard({ root, decks, inFront, position, card, salt: proof.salt, path: proof.path })) {
      shoe.proved.set(position, card);
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
      if (this.cards === 'automated' || this.cards === 'electronic' || shoe)
        this.actFaults.push(fault(where, 'a card of an electronic shoe', 'an order_sealed before it', 'none'));
      if (!shoe) this.realCards++;
      return;
    }
    if (shoe.isOverdue && !isOpened(shoe))
      this.actFaults.push(fault(where, 'a card while the seed of its shoe is overdue', 'none', shown(card)));
    if (!shoe.isCut) this.actFaults.push(fault(where, 'a card comes after the last cut', 'cards_cut before it', 'none'));
    if (!isWhole(position) || position < 0 || position >= 52 * shoe.decks) {
      this.actFaults.push(fault(where, 'a position of the cut shoe', `0 to ${52 * shoe.decks - 1}`, shown(position)));
      return;
    }
    const index = entryAt(position, shoe.inFront, 52 * shoe.decks);
    const proved = shoe.proved.get(position);
    if (proved !== name)
      this.proofFaults.push(fault(where, `the card at position ${position}`, proved ?? 'a proof', name ?? 'no card'));
    shoe.cards.push({ where, index, position, card: name });
  }

  /** The shoe in play, for an act that needs one; otherwise the act is a fault. */
  needed(where, name) {
    if (!this.current)
      this.actFaults.push(fault(where, `${name} belongs to an electronic shoe`, 'a shoe_committed before it', 'none'));
    return this.current;
  }
}

function changeWitnesses(walk, where, { witnesses }) {
  const isText = (key) => typeof key === 'string' && VISIBLE.test(key) && [...key].length <= 200;
  const isList = Array.isArray(witnesses) && witnesses.length <= 16 && witnesses.every(isText);
  if (!isList) walk.actFaults.push(fault(where, 'the witnesses of witnesses_changed', 'at most 16 share keys', shown(witnesses)));
  walk.witnesses = isList ? witnesses : [];
}

function adoptKind(walk, where, { cards }) {
  if (walk.cards || walk.current)
    walk.actFaults.push(fault(where, 'what a table is, is stated once, and between two shoes', 'that', shown(walk.cards)));
  if (!['real', 'electronic', 'automated'].includes(cards))
    walk.actFaults.push(fault(where, 'the cards of kind_adopted', 'real, electronic or automated', shown(cards)));
  walk.cards = cards;
}

function commitShoe(walk, where, event) {
  const { table, shoe, rulebook, decks, commitment } = event;
  if (walk.cards === 'real') walk.actFaults.push(fault(where, 'real cards commit to nothing', 'no commitment', 'one'));
  if (walk.current) {
    const say = 'a shoe commits when the one before it is closed';
    walk.actFaults.push(fault(where, say, `shoe_closed of the shoe ${shown(walk.current.shoe)}`, 'none'));
  }
  walk.current = null;
  const texts = [table, shoe, rulebook].every((value) => typeof value === 'string');
  if (!texts || !unhex(rulebook, 32) || !isWhole(decks) || decks < 1 || decks > MOST_DECKS || !unhex(commitment, 32)) {
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
  const more = headerOfOrder2(walk, where, event);
  if (!more) return;
  walk.current = {
    where,
    table,
    shoe,
    rulebook,
    decks,
    ...more,
    inputs: null,
    closing: null, // the hash of the record that closed the inputs
    shares: new Map(),
    notes: new Map(), // the lines of the notes that opened them
    isCut: false,
    rounds: 0, // how many were completed
    commitment: unhex(commitment, 32),
    contributions: [],
    root: null,
    inFront: 0,
    cards: [],
    proofs: 0,
    proved: new Map(),
    seeds: [],
    fouls: [], // where, and at which position it is called foul
    failed: null, // where it reported that its order failed the gate, and why
    lost: false,
    disproved: false,
    closed: false,
    dueAt: null, // when its seed was due, in microseconds; null as long as a card of it can still come
    settledAt: 0, // when its seed was revealed or reported lost
    isOverdue: false, // whether the clock reported that it was not revealed in time
  };
  walk.shoes.push(walk.current);
}

/** The parts of a commitment that only order 2 has; null if they are not in form. */
function headerOfOrder2(walk, where, { table, shoe, order = 1, origin = '', witnesses = [] }) {
  const expected = 'order 1, or 2 with the log of the table and at most 16 witnesses, sorted by different share keys';
  const bad = () => {
    walk.actFaults.push(fault(where, 'the log and the witnesses of shoe_committed', expected, shown([origin, order])));
    return null;
  };
  if ((order !== 1 && order !== 2) || typeof origin !== 'string' || !Array.isArray(witnesses)) return bad();
  if (walk.witnesses !== null && canonical(witnesses.map((each) => each?.key ?? null)) !== canonical(walk.witnesses))
    walk.actFaults.push(fault(where, 'a shoe names the witnesses on record', shown(walk.witnesses), shown(witnesses)));
  if (order === 1) return origin || witnesses.length ? bad() : headerOfOrder1(walk, where, shoe);
  const keys = witnesses.map((each) => (isObject(each) ? shareKey(each.key) : null));
  const names = witnesses.map((each) => each?.key);
  const isSorted = names.every((name, i) => i === 0 || compareUtf8(names[i - 1], name) < 0);
  const isForm = witnesses.every((each) => isObject(each) && Object.keys(each).length === 2 && unhex(each.promise, 32));
  const different = new Set(keys.map((key) => key && hex(key.data))).size === keys.length;
  if (witnesses.length > 16 || keys.includes(null) || !isForm || !isSorted || !different) return bad();
  if ((witnesses.length && !origin) || (origin && !namesTable(origin, table))) return bad();
  if (origin && !walk.logs.every((each) => continues(each, origin)))
    walk.actFaults.push(fault(where, 'the log of a shoe is that of the checkpoint', shown(walk.logs), shown(origin)));
  return { order, origin, witnesses };
}

/** A shoe whose order the house alone could know: not at a table that says that it is electronic. */
function headerOfOrder1(walk, where, shoe) {
  if (walk.cards === 'automated' || walk.cards === 'electronic') {
    if (walk.behaviour >= ORDER_2_SINCE) walk.actFaults.push(fault(where, 'a shoe at an electronic table', 'order 2', 'order 1'));
    else walk.olderGaps.push(`shoe ${shoeName(shoe)} has order 1 at an electronic table${byVersion(walk.behaviour)}`);
  }
  return { order: 1, origin: '', witnesses: [] };
}

function compareUtf8(a, b) {
  const [left, right] = [utf8(a), utf8(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) if (left[i] !== right[i]) return left[i] - right[i];
  return left.length - right.length;
}

/** Whether a log is that of a table, `HOUSE/table/NAME`, or one that continues it, `HOUSE/table/NAME/2`. */
function namesTable(origin, table) {
  const base = origin.replace(/\/([2-9]|[1-9][0-9]{1,3})$/, '');
  const path = `/table/${percentEncoded(table)}`;
  return [origin, base].some((name) => name.endsWith(path) && /^[^\s+]+$/u.test(name.slice(0, -path.length)));
}

/** Whether the seed of a shoe is known or lost: nothing more is chosen, sealed or reported. */
const isOpened = ({ seeds, lost }) => seeds.length > 0 || lost;

/** The share key of a text, `name+id+base64` of the type 0x01; null if it is none. */
function shareKey(text) {
  try {
    return readKey(text, true);
  } catch {
    return null;
  }
}

/** Everything but the shares is fixed: once, after the cut, in a record of its own, as it was committed to. */
function closeInputs(walk, where, event, entry) {
  const shoe = walk.needed(where, 'inputs_closed');
  if (!shoe) return;
  const { origin, shoe: id, witnesses, inputs } = event;
  if (shoe.order === 1 || shoe.inputs || isOpened(shoe) || !shoe.isCut || entry.record.events.length !== 1) {
    const say = 'inputs are closed once, after the cut of an order 2, in a record with no other event';
    walk.actFaults.push(fault(where, say, 'that', 'another act, or a second time'));
    return;
  }
  // canonical texts are compared in full: what a message shows is shortened
  const isSame = Array.isArray(witnesses) && canonical(witnesses) === canonical(shoe.witnesses);
  if (origin !== shoe.origin || id !== shoe.shoe || !isSame)
    walk.actFaults.push(fault(where, 'the closing repeats log, shoe and witnesses of the commitment', 'them', 'others'));
  const made = inputsOf(shoe);
  if (inputs !== hex(made)) walk.actFaults.push(fault(where, 'the hash of the inputs', hex(made), shown(inputs)));
  shoe.inputs = made;
  shoe.closing = entry.leaf;
}

const noteBegin = (origin, shoe, closing) => ['baccarat/share/v1', origin, shoe, base64(closing)];

/**
 * The share that a note opens, and the promise that it belongs to: `note` is its lines, `closing` the hash of the record that
 * closed the inputs. Null if it is another text, or names another key; `verify` checks its signature.
 */
export function openedShare(note, { key, origin, shoe, closing }) {
  const by = shareKey(key);
  const begin = noteBegin(origin, shoe, closing);
  const isForm =
    Array.isArray(note) && note.length === 7 && begin.every((row, i) => note[i] === row) && note[5] === '';
  if (!by || !isForm || typeof note[4] !== 'string' || typeof note[6] !== 'string') return null;
  const share = bytesFromBase64(note[4]);
  const [dash, name, signed, ...rest] = note[6].split(' ');
  const signature = signed ? bytesFromBase64(signed) : null;
  const isSigned = dash === '—' && name === by.name && !rest.length && signature?.length === 68;
  if (share?.length !== 32 || !isSigned || hex(signature.slice(0, 4)) !== by.id) return null;
  return { share, promise: hex(promiseOf({ key, origin, shoe }, share)) };
}

/** A witness opens the share that it promised, in a note for this log, this shoe and this closing. */
function giveShare(walk, where, { key, note }) {
  const shoe = walk.needed(where, 'share_given');
  if (!shoe) return;
  const named = shoe.witnesses.find((each) => each.key === key);
  if (!shoe.inputs || shoe.root || isOpened(shoe) || !named || shoe.shares.has(key)) {
    walk.actFaults.push(fault(where, 'a share after the closing', 'of a named witness that still owes it', shown(key)));
    return;
  }
  const { name } = shareKey(key);
  const opened = openedShare(note, { key, origin: shoe.origin, shoe: shoe.shoe, closing: shoe.closing });
  if (!opened) {
    const begin = noteBegin(shoe.origin, shoe.shoe, shoe.closing);
    walk.actFaults.push(fault(where, `the note of ${name}`, `one that begins with ${shown(begin)}`, shown(note)));
    return;
  }
  if (opened.promise !== named.promise) {
    walk.actFaults.push(fault(where, `the promise of ${name}`, named.promise, opened.promise));
    return;
  }
  shoe.shares.set(key, opened.share);
  shoe.notes.set(key, note);
}

/** The stack is cut again; after the closing the shoe is abandoned instead. */
function orderRecut(walk, where, _event, { record }) {
  if (walk.current?.inputs && !has(record, 'shoe_abandoned'))
    walk.actFaults.push(fault(where, 'a new cut that is ordered after the closing', 'shoe_abandoned with it', 'none'));
  if (walk.current && !walk.current.inputs) walk.current.isCut = false;
}

function contribute(walk, where, { value }) {
  const shoe = walk.needed(where, 'contribution_made');
  if (!shoe) return;
  if (typeof value !== 'string' || !VISIBLE.test(value) || !value.length || [...value].length > 64)
    walk.actFaults.push(fault(where, 'a contribution', '1 to 64 visible characters', shown(value)));
  else if (shoe.root || shoe.inputs || isOpened(shoe))
    walk.actFaults.push(
      fault(where, 'a contribution comes before the inputs are closed, or the order is sealed', 'neither', 'one'),
    );
  else shoe.contributions.push(value);
}

function sealOrder(walk, where, { root }) {
  const shoe = walk.needed(where, 'order_sealed');
  if (!shoe) return;
  if (shoe.failed) walk.actFaults.push(fault(where, 'an order is sealed that passed the gate', 'no shoe_failed', 'one'));
  if (isOpened(shoe)) walk.actFaults.push(fault(where, 'an order is sealed before its seed is known', 'no seed', 'one'));
  if (shoe.root) walk.actFaults.push(fault(where, 'the order of a shoe is sealed once', shoe.root, shown(root)));
  else if (!unhex(root, 32))
    walk.actFaults.push(fault(where, 'the root of the card tree', '64 hexadecimal digits', shown(root)));
  else if (shoe.order === 2 && (!shoe.inputs || shoe.shares.size < shoe.witnesses.length)) {
    const say = 'an order 2 is sealed when its inputs are closed and every share is open';
    walk.actFaults.push(fault(where, say, `${shoe.witnesses.length} shares`, `${shoe.shares.size}`));
  } else shoe.root = root;
}

/** A card is said not to be the sealed one; the seed shows whether the shoe had one there. */
function foulShoe(walk, where, { position, card }) {
  const shoe = walk.current; // none of real cards
  if (shoe && isOpened(shoe))
    walk.actFaults.push(fault(where, 'a shoe is called foul before its seed is known', 'no seed', 'one'));
  const last = shoe?.root ? 52 * shoe.decks - 1 : MOST;
  if (!isWhole(position) || position < 0 || position > last || cardText(card) === null) {
    const found = shown([position ?? null, card ?? null]);
    walk.actFaults.push(fault(where, 'a card that fouls a shoe', `a card at 0 to ${last}`, found));
  } else if (shoe?.root) shoe.fouls.push({ where, position });
}

/** The shoe reports that its order failed the gate: once it can be derived, and before it is sealed. */
function failShoe(walk, where, { why }) {
  const shoe = walk.needed(where, 'shoe_failed');
  if (!shoe) return;
  const isEarly = shoe.order === 2 && (!shoe.inputs || shoe.shares.size < shoe.witnesses.length);
  if (!['other cards', 'not committed', 'not shuffled', 'same as last'].includes(why))
    walk.actFaults.push(fault(where, 'what failed the gate', 'a fault of the gate', shown(why)));
  else if (shoe.root || isOpened(shoe) || isEarly) {
    const say = 'an order fails the gate after it can be derived, and before it is sealed';
    walk.actFaults.push(fault(where, say, 'that', 'at another time'));
  }
  shoe.failed = { where, why };
}

function cutCards(walk, where, { in_front: inFront }) {
  const shoe = walk.current;
  const most = shoe ? 52 * shoe.decks : MOST; // real cards, of which only the rules say how many there are, are cut too
  const isForm = isWhole(inFront) && inFront >= 0 && inFront <= most;
  if (!isForm)
    walk.actFaults.push(fault(where, 'the cards in front of the cut', `0 to ${most}`, shown(inFront ?? null)));
  if (!shoe) return;
  if (shoe.order === 1 && !shoe.root)
    walk.actFaults.push(fault(where, 'an order is cut after it is sealed', 'order_sealed', 'none'));
  if (shoe.inputs || shoe.cards.length || isOpened(shoe)) {
    const say = 'a cut comes before the inputs are closed, a card is shown or the seed is known';
    walk.actFaults.push(fault(where, say, 'none of them', 'one'));
    return;
  }
  if (!isForm) return;
  shoe.inFront = inFront;
  shoe.isCut = true;
}

function revealSeed(walk, where, { event: name, seed, sealed }, entry) {
  const shoe = walk.needed(where, name);
  const bytes = unhex(seed, 32);
  if (shoe?.seeds.length || shoe?.lost)
    walk.seedFaults.push(fault(where, 'the seed of a shoe comes to one end', name, 'revealed or lost before'));
  const expected = name === 'order_disproved' ? shoe?.root : Boolean(shoe?.root);
  if (shoe && sealed !== expected && (shoe.root || entry.stated !== null))
    walk.seedFaults.push(fault(where, 'what the opening says of the seal', shown(expected), shown(sealed ?? null)));
  if (shoe && name === 'order_disproved') shoe.disproved = true;
  if (!bytes) walk.seedFaults.push(fault(where, 'the revealed seed', '64 hexadecimal digits', shown(seed)));
  else if (shoe && !shoe.seeds.length) {
    shoe.seeds.push({ where, bytes }); // to derive an order takes long, and the first is enough
    shoe.settledAt = walk.at;
  }
}

function loseSeed(walk, where) {
  const shoe = walk.needed(where, 'seed_lost');
  if (shoe && isOpened(shoe))
    walk.actFaults.push(fault(where, 'the seed of a shoe comes to one end', 'seed_lost', 'revealed or lost before'));
  if (shoe) Object.assign(shoe, { lost: true, settledAt: walk.at });
}

/** The deadline on record has passed, and the seed is neither revealed nor lost: said once of a shoe that is over. */
function reportOverdue(walk, where, { due_for: dueFor, within }) {
  const shoe = walk.needed(where, 'seed_overdue');
  if (!isWhole(dueFor) || dueFor < 0 || within !== walk.within)
    walk.actFaults.push(fault(where, 'the deadline for seeds on record', shown(walk.within), shown([dueFor, within])));
  if (dueFor < within) walk.actFaults.push(fault(where, 'a seed is overdue after the deadline', shown(within), shown(dueFor)));
  if (shoe && (shoe.dueAt === null || isOpened(shoe) || shoe.isOverdue)) {
    const say = 'a seed is overdue once, when its shoe is over, and not when it is known or lost';
    walk.actFaults.push(fault(where, say, 'that', 'at another time'));
  }
  if (shoe) shoe.isOverdue = true;
}

/** Whether no card of the shoe can come after an event, so that its seed is due. */
function endsShoe({ event, step, ends_with_round: endsWithRound }) {
  const isFoul = event === 'shoe_fouled' && endsWithRound !== true;
  return event === 'shoe_failed' || isFoul || (event === 'step' && step === 'close');
}

/** What is said of a seed that was shown late or not at all, by the times of the records; empty if it was not. */
function lateness(shoe, within) {
  const [seed, by] = [`the seed of shoe ${shoeName(shoe.shoe)}`, "by the house's clock"];
  if (shoe.isOverdue && !isOpened(shoe)) return `${seed} was not revealed within ${figure(within)} seconds, ${by}, and is not shown`;
  const took = shoe.dueAt && shoe.settledAt ? Math.floor((shoe.settledAt - shoe.dueAt) / 1_000_000) : 0;
  if (took < within && !shoe.isOverdue) return '';
  const after = took >= within ? ` ${figure(took)} seconds after it was due` : ' after the deadline';
  const stop = shoe.isOverdue ? '' : ', and the table had not been stopped';
  return `${seed} was ${shoe.lost ? 'reported lost' : 'revealed'}${after}, and the deadline was ${figure(within)}, ${by}${stop}`;
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
  if (seed !== end) walk.actFaults.push(fault(where, 'what became of the seed', shown(end), shown(seed ?? null)));
}

const ACTS = new Map([
  ['witnesses_changed', changeWitnesses],
  ['kind_adopted', adoptKind],
  ['shoe_committed', commitShoe],
  ['contribution_made', contribute],
  ['inputs_closed', closeInputs],
  ['share_given', giveShare],
  ['recut_ordered', orderRecut],
  ['order_sealed', sealOrder],
  ['shoe_failed', failShoe],
  ['shoe_fouled', foulShoe],
  ['cards_cut', cutCards],
  ['seed_revealed', revealSeed],
  ['order_disproved', revealSeed], // its root does not follow from the seed, which is checked like any other
  ['seed_lost', loseSeed],
  ['seed_overdue', reportOverdue],
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
    if (shoe.isUnderived) continue;
    if (!shoe.root || (shoe.order === 2 && shoe.shares.size < shoe.witnesses.length)) {
      if (shoe.disproved) faults.push(fault(where, 'an order is disproved', 'one that was sealed', 'none'));
      continue;
    }
    if (done.has(hex(bytes))) continue;
    done.add(hex(bytes));
    const derived = deriveShoe(shoe, bytes);
    if (hex(derived.root) !== shoe.root)
      faults.push(fault(where, `the root ${say}`, shoe.root, hex(derived.root)));
    else if (shoe.disproved)
      faults.push(fault(where, 'an order is called disproved', 'another root than the sealed one', shoe.root));
    // a shoe whose seed gives the sealed order has a card with a proof at each position: none was foul
    for (const { where: at, position } of hex(derived.root) === shoe.root ? shoe.fouls : []) {
      const card = derived.cards[entryAt(position, shoe.inFront, derived.cards.length)];
      faults.push(fault(at, `the shoe is called foul at position ${position}`, `its sealed card ${card}`, 'foul'));
    }
    for (const { where: at, index, position, card } of shoe.cards) {
      if (derived.cards[index] !== card) {
        faults.push(fault(at, `the card at position ${position} ${say}`, derived.cards[index], card ?? 'no card'));
      }
    }
  }
  return faults;
}

/** New decks one after the other, sorted by suit and rank, or by rank and suit; each from either end. */
function unshuffledOrders(decks) {
  const deck = Array.from({ length: 52 }, (_, n) => cardName(n));
  const often = (card) => Array.from({ length: decks }, () => card);
  const byRank = [...RANKS].flatMap((rank) => [...SUITS].flatMap((suit) => often(rank + suit)));
  const orders = [often(deck).flat(), deck.flatMap(often), byRank];
  return orders.flatMap((order) => [order.join(), [...order].reverse().join()]);
}

/** The cards of a shoe before the cut, if its seed is known and the order can be derived; otherwise null. */
function cardsOf(shoe) {
  const seed = shoe?.seeds.find(({ bytes }) => sameBytes(commitmentOf(shoe, bytes), shoe.commitment));
  if (!seed || shoe.isUnderived || (shoe.order === 2 && (!shoe.inputs || shoe.shares.size < shoe.witnesses.length))) return null;
  return orderOf(shoe, seed.bytes).map(cardName).join();
}

/** Faults that orders 2 reported, decided again: a false one is a way to drop an order. */
function gateFaults(shoes) {
  return shoes.flatMap((shoe, i) => {
    if (shoe.order === 1 || !shoe.failed) return [];
    const cards = cardsOf(shoe);
    if (cards === null) return [];
    let found = 'none';
    if (unshuffledOrders(shoe.decks).includes(cards)) found = 'not shuffled';
    else if (cards === cardsOf(shoes[i - 1])) found = 'same as last';
    const { where, why } = shoe.failed;
    return found === why ? [] : [fault(where, 'the fault of the order, which failed the gate', found, shown(why))];
  });
}

/** A seed that served two shoes, at any tables of the file, or the shoe before all of these, if it is stated. */
function repeatedSeeds(walks) {
  const shown = new Set(walks.map(({ before }) => (isObject(before?.shoe) ? before.shoe.former_seed : '')));
  return walks
    .flatMap((walk) => walk.shoes)
    .flatMap(({ seeds }) =>
      seeds.flatMap(({ where, bytes }) => {
        const isRepeated = shown.has(hex(bytes));
        shown.add(hex(bytes));
        return isRepeated ? [fault(where, 'the seed is that of another shoe', 'another seed', hex(bytes))] : [];
      }),
    );
}

/** A shoe as people count them, from 1: its id is how many came before it at the table. Another id as it stands. */
const shoeName = (id) => (/^[0-9]{1,15}$/.test(id) ? String(Number(id) + 1) : shown(id));

const UNSTATED_CARDS = 'the opening does not say what cards the table has: only what its shoes show was checked';

const UNSTATED_WITNESSES = 'the opening does not say who has a share in the orders of the table: each shoe could name others';

/** The version of the deciding functions that the pages describe. */
const BEHAVIOUR = 3;
/** The first version in which a table that says that it is electronic takes no shoe of order 1. */
const ORDER_2_SINCE = 3;

/** By which rules something was decided, if these are not those of the pages. */
const byVersion = (behaviour) =>
  behaviour >= BEHAVIOUR ? '' : ` (decided by the rules of version ${behaviour}, which the journal itself claims)`;

/**
 * What is not covered of a table, because its opening does not state it. By which version it was written, a house says itself:
 * an older one excuses nothing.
 */
function openingGaps({ cards, witnesses, behaviour }) {
  if (cards === undefined) return [UNSTATED_CARDS + byVersion(behaviour)];
  const isElectronic = cards === 'automated' || cards === 'electronic';
  return isElectronic && witnesses === undefined ? [UNSTATED_WITNESSES + byVersion(behaviour)] : [];
}

function walkTables(entries, before, logsOf) {
  const walks = new Map();
  for (const entry of entries) {
    const { stream } = entry.record;
    if (!stream.startsWith('table ')) continue;
    if (!walks.has(stream)) walks.set(stream, new ShoeWalk(stream, before, logsOf(stream)));
    walks.get(stream).record(entry);
    if (entry.record.seq === 0) walks.get(stream).notStated = openingGaps(entry.record);
  }
  limitDerived([...walks.values()], entries);
  return [...walks.values()];
}

const MOST_DERIVED = 104_000; // cards of a file that are derived from seeds in any case: two shoes of a thousand decks
const BYTES_OF_A_CARD = 10; // this many bytes of records allow one card more

/** Marks the shoes that are not derived again: a small file can name shoes of a thousand decks, one after the other. */
function limitDerived(walks, entries) {
  let left = MOST_DERIVED + Math.floor(total(entries, ({ body }) => body.length) / BYTES_OF_A_CARD);
  for (const walk of walks)
    for (const shoe of walk.shoes) {
      const isCommitted = ({ bytes }) => sameBytes(commitmentOf(shoe, bytes), shoe.commitment);
      if (!shoe.seeds.some(isCommitted)) continue;
      shoe.isUnderived = 52 * shoe.decks > left;
      if (!shoe.isUnderived) left -= 52 * shoe.decks;
      else
        walk.olderGaps.push(
          `the order of shoe ${shoeName(shoe.shoe)} was not derived again: the file has too few records for that many cards`,
        );
    }
}

const total = (list, count) => list.reduce((sum, one) => sum + count(one), 0);

/** Whether its inputs were closed, and no round was completed: somebody may have known what was abandoned. */
const isUnused = (shoe) => Boolean(shoe.inputs) && !(shoe.root && shoe.rounds);

/** What the signatures under the shares of an order show: what is wrong, and what is not covered. */
function orderGaps(walk, shoe, keys) {
  const known = new Map(keys.map((key) => [key.text, key]));
  const named = shoe.witnesses.length;
  let checks = 0;
  for (const [text, note] of shoe.notes) {
    const key = known.get(text);
    if (!key) continue;
    checks++;
    const data = bytesFromBase64(note[6].split(' ')[2]).slice(4);
    if (!verifies(key, note.slice(0, 5).map((row) => `${row}\n`).join(''), data))
      walk.actFaults.push(fault(`shoe ${shoeName(shoe.shoe)}`, `the signature of ${key.name} under its share`, 'its own', 'another'));
  }
  let say = `order of shoe ${shoeName(shoe.shoe)}: ${orderWords(shoe)}`;
  if (shoe.root && checks < named)
    say += `, ${checks} of ${named} checked: give the missing share keys with --key`;
  return isUnused(shoe) || checks < named ? [say] : [];
}

/** What is not covered of the shoes of a table: seeds, and orders of which witnesses had a share. */
function shoeGaps(walk, policy) {
  const seeds = walk.shoes
    .filter((shoe) => !shoe.seeds.length)
    .map((shoe) => {
      const why = shoe.lost ? 'is reported lost' : 'is not shown: the shoe was not over, or it was left out';
      return `the seed of shoe ${shoeName(shoe.shoe)} ${why}`;
    });
  const shared = walk.shoes.filter((shoe) => isUnused(shoe) || (shoe.root && shoe.witnesses.length));
  const stated = [...(walk.notStated ?? []), ...walk.olderGaps];
  return [...stated, ...seeds, ...shared.flatMap((shoe) => orderGaps(walk, shoe, policy.shareKeys)), ...unnamedGaps(walk, policy)];
}

/** Witnesses whose share was asked for, and which have no part in some of the sealed orders, or in that of real cards. */
function unnamedGaps({ shoes, realCards }, policy) {
  const namedBy = ({ witnesses }) => witnesses.map(({ key }) => key);
  const asked = [...policy.askedShares(new Set(shoes.flatMap(namedBy)))];
  const ofReal = asked.map(([, name]) => `${name}, whose share was asked for, has no part in the order of real cards`);
  const unnamed = asked.flatMap(([key, name]) => {
    const without = shoes.filter((shoe) => shoe.root && !namedBy(shoe).includes(key));
    if (!without.length) return [];
    const which = without.length === 1 ? `shoe ${shoeName(without[0].shoe)}` : `${figure(without.length)} shoes`;
    return [`${name}, whose share was asked for, is not named in the order of ${which}`];
  });
  return [...unnamed, ...(realCards ? ofReal : [])];
}

/** The checks of all electronic shoes; by stream, what is not covered and which share keys are named. */
function shoeChecks(walks, policy) {
  const gaps = new Map(walks.map((walk) => [walk.stream, shoeGaps(walk, policy)]));
  const named = walks.map((walk) => [walk.stream, walk.shoes.flatMap((shoe) => shoe.witnesses.map(({ key }) => key))]);
  return { checks: checksOfShoes(walks), gaps, shareKeys: new Map(named) };
}

function checksOfShoes(walks) {
  const shoes = walks.flatMap((walk) => walk.shoes);
  const opened = shoes.filter((shoe) => shoe.seeds.length);
  const many = counted(shoes.length, 'electronic shoe');
  const acts = checked(
    'shoes',
    `${many}: commitment, contributions, cut, closing, shares and seal in their order`,
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
    total(opened, (shoe) => new Set(shoe.cards.map(({ index }) => index)).size),
    'card',
  );
  const seeds = checked(
    'seeds',
    `${counted(opened.length, 'shoe')}: commitment, order, root and ${derived} follow from the seed`,
    [
      ...walks.flatMap((walk) => [...walk.seedFaults, ...walk.shoes.flatMap(seedFaultsOf), ...gateFaults(walk.shoes)]),
      ...repeatedSeeds(walks),
    ],
  );
  const checks = shoes.length || !acts.holds ? [acts, proofs] : [unchecked('shoes', 'there is no electronic shoe')];
  if (opened.length || !seeds.holds) checks.push(seeds);
  return [...checks, ...shoeNotes(shoes), ...lateNotes(walks), ...realCardNotes(walks)];
}

/** What cannot be derived, and who had a part in the orders. */
function shoeNotes(shoes) {
  const notes = [];
  const unopened = shoes.filter((shoe) => !shoe.seeds.length);
  const why = (shoe) => `${shoeName(shoe.shoe)} (${shoe.lost ? 'its seed is lost' : 'its seed is not open yet'})`;
  if (unopened.length) {
    notes.push(unchecked('seeds', `nothing can be derived for shoe ${unopened.map(why).join(', ')}`));
  }
  const orders = shoes.filter((shoe) => shoe.root || shoe.inputs);
  if (orders.length) {
    const say = orders.slice(0, 20).map((shoe) => `shoe ${shoeName(shoe.shoe)}: ${orderWords(shoe)}`);
    notes.push(unchecked('orders', say.join('; ')));
  }
  if (shoes.length) {
    const given = total(shoes, (shoe) => shoe.contributions.length);
    notes.push(unchecked('contributions', `${given} by seats; anybody may sit there`));
  }
  return notes;
}

/** Who had a part in an order that the house could not know. */
function orderWords(shoe) {
  if (!shoe.root && !shoe.inputs) return 'never closed';
  if (!shoe.root) return shoe.closed ? 'given up after closing' : 'closed, not sealed yet';
  const unused = isUnused(shoe) ? ', no round of it completed' : '';
  if (!shoe.witnesses.length) return `the house alone could have known this order beforehand${unused}`;
  return `${counted(shoe.witnesses.length, 'witness', 'witnesses')} named, ${shoe.notes.size} shown${unused}`;
}

/** Seeds that were shown late, or not at all, by the times of the records. */
function lateNotes(walks) {
  const said = walks.flatMap(({ shoes, within }) => (within === null ? [] : shoes.map((shoe) => lateness(shoe, within))));
  const late = said.filter(Boolean);
  return late.length ? [unchecked('late seeds', late.slice(0, 20).join('; '))] : [];
}

function realCardNotes(walks) {
  const cards = total(walks, (walk) => walk.realCards);
  const say = `real cards: order not shown (${counted(cards, 'card')})`;
  return cards ? [unchecked('real cards', say)] : [];
}

// ---------------------------------------------------------------------------------------------------------- the report

/** When the first of some entries and the last were made, in seconds since 1970. */
const timesOf = (entries) => {
  const last = entries.reduce((at, { record }) => Math.max(at, record.at ?? 0), 0);
  return [entries[0]?.record.at ?? 0, last].map((at) => Math.floor(at / 1000000));
};

/** Who has signed a stream whose `notes` fit it, and how far it is covered. */
function coverageOf(stream, notes, policy, shareKeys, about) {
  const reach = new SignatureReach(policy.without(new Set(shareKeys)));
  const faults = [];
  for (const note of notes) {
    const wrong = reach.add(note, stream);
    if (wrong) faults.push(fault(note.where ?? 'checkpoint', wrong, 'a right one', 'another'));
  }
  const say = reach.say();
  const none = notes.length ? 'whose signature it bears was not checked' : 'it is not signed';
  const check = say.length || faults.length ? checked('signatures', say.join(', '), faults) : unchecked('signatures', none);
  return { check, coverage: reach.coverage(stream, about), unused: reach.unused(), known: reach.known };
}

/** A key that was given and has signed nothing in any of the files is missing in each that somebody signed. */
export function withUnusedKeys(reports) {
  const found = reports.flatMap(({ unused = [] }) => unused);
  const unused = [...(found[0] ?? new Map()).values()].filter(({ text }) => found.every((keys) => keys.has(text)));
  unused.sort((one, other) => compareUtf8(one.text, other.text));
  return reports.map(({ unused: _, ...report }) => {
    const coverage = report.coverage.map((each) => {
      const more = each.signed.length ? unused.map(({ name }) => `${name} signed none of it`) : [];
      return { ...each, gaps: [...new Set([...each.gaps, ...more])] };
    });
    return { ...report, coverage };
  });
}

function journalChecks(journal, policy) {
  const { entries, checkpoints, stored, broken } = journal;
  const logs = logsOf(entries);
  journal.logs = logs;
  const many = counted(entries.length, 'entry', 'entries');
  const checks = [
    checked('form', `${many}, each in its canonical form`, actFaults(entries)),
    checked(
      'entries',
      `${many} of ${[...logs.keys()].join(', ')}, numbered without a gap, and so are their events`,
      [...countFaults(entries), ...behaviourFaults(entries)],
    ),
    checked('chain', `${many} by their hashes`, [...chainFaults(journal), ...broken]),
  ];
  const wrongNotes = checkpointFaults(journal);
  if (checkpoints.length) {
    const say = `${counted(checkpoints.length, 'checkpoint')}, each with the root of its stream`;
    checks.push(checked('checkpoints', say, wrongNotes));
  }
  if (stored.length) {
    checks.push(
      checked('tree', `the journal fits ${stored.map(({ where }) => shown(where)).join(' and ')}`, storedFaults(journal)),
    );
  } else if (!checkpoints.length) {
    checks.push(unchecked('tree', 'there is no checkpoint: compare size and root with what was signed or cosigned'));
  }
  const streams = streamCheck(entries);
  const refusals = refusalCheck(entries, true);
  const wrong = new Set(wrongNotes.map(({ where }) => where));
  const notes = new Map([...logs.keys()].map((stream) => [stream, fittingNotes(journal, stream, wrong)]));
  const shoes = shoeChecks(walkTables(entries, null, (stream) => logsSigned(notes.get(stream), policy, stream)), policy);
  checks.push(idCheck(entries), streams.check, refusals.check, ...shoes.checks);
  journal.unused = [];
  journal.known = new Map();
  journal.coverage = [...logs].map(([stream, { size }]) => {
    const gaps = [NOT_DECIDED, ...streams.gaps(stream), ...refusals.gap(stream), ...(shoes.gaps.get(stream) ?? [])];
    if (!stream.startsWith('table ') && !logs.has('house'))
      gaps.push("none of it was decided again: the house's own stream is not in the same file");
    const times = timesOf(entries.filter(({ record }) => record.stream === stream));
    const about = { entries: size, size, times, gaps };
    const found = coverageOf(stream, notes.get(stream), policy, shoes.shareKeys.get(stream) ?? [], about);
    checks.push(found.check);
    journal.unused.push(found.unused);
    journal.known.set(stream, found.known);
    return found.coverage;
  });
  return [...checks, ...neverChecked()];
}

/** What a bundle contains in place of an edition that the reader knows. */
function unknownEditions(rulebooks) {
  const names = rulebooks.filter(({ edition }) => edition !== undefined).map(({ submission }) => shown(submission.ruleset));
  return [...new Set(names)].map(
    (name) => `the bundle contains the edition ${name}: whether it is one that was filed or shipped was not checked`,
  );
}

function bundleChecks(bundle, policy) {
  const { entries, scope, head, note, before, rulebooks, formFaults, many, own } = bundle;
  bundle.logs = new Map([[scope.stream, { size: head.size, root: () => head.root }]]);
  const counts = counted(many, 'entry', 'entries');
  const checks = [checked('form', `${counts}, each of a known form`, [...formFaults, ...actFaults(entries)])];
  const gaps = [...unknownEditions(rulebooks), NOT_DECIDED];
  let shareKeys = [];
  if (!formFaults.length) {
    const late = entries.filter((entry) => entry.stated === null).length;
    const streams = streamCheck(entries.filter(({ record }) => record.stream !== 'house'));
    const refusals = refusalCheck(entries, before === null);
    const shoes = shoeChecks(walkTables(entries, before && (isObject(before.state) ? before.state : {}), () => (note ? [note.name] : [])), policy);
    shareKeys = shoes.shareKeys.get(scope.stream) ?? [];
    checks.push(
      checked('entries', entriesSay(bundle), [...entryFaults(bundle), ...behaviourFaults(entries)]),
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
      idCheck(entries),
      streams.check,
      refusals.check,
      ...shoes.checks,
    );
    gaps.push(...streams.gaps(scope.stream), ...refusals.gap(scope.stream));
    if (before)
      gaps.push(`the state of the table before record ${figure(before.seq + 1)} is stated by the bundle, not proved`);
    const { run } = partsOf(bundle);
    if (scope.kind !== 'all' && run.length) gaps.push(...endOf(bundle, run).gaps);
    gaps.push(...(shoes.gaps.get(scope.stream) ?? []));
  }
  const about = { entries: many, size: head.size, times: timesOf(entries), gaps };
  const found = coverageOf(scope.stream, note ? [note] : [], policy, shareKeys, about);
  bundle.coverage = [found.coverage];
  bundle.unused = [found.unused];
  bundle.known = new Map([[scope.stream, found.known]]);
  const wrong = note ? signersOf(note, own, scope.stream).wrong : '';
  const say = `${counted(own.length, 'key')} that the bundle contains, which cover nothing`;
  const ownCheck = checked('keys', say, wrong ? [fault('checkpoint', wrong, 'a right one', 'another')] : []);
  return [...checks, found.check, ownCheck, ...neverChecked()];
}

function entriesSay(bundle) {
  if (bundle.scope.kind === 'all') return `all ${counted(bundle.entries.length, 'entry', 'entries')} of the log`;
  const { run, late } = partsOf(bundle);
  const seqs = run.map(({ record }) => record.seq);
  if (!seqs.length) return 'no record';
  return `the opening, records ${seqs[0]} to ${seqs[seqs.length - 1]}${late ? ` and record ${late.record.seq}, which opens the seed` : ''}`;
}

function neverChecked() {
  return [
    unchecked('rules', 'this verifier does not compute the hash of a rulebook'),
    unchecked('decided again', 'this verifier does not decide the acts again: counts, results and payments'),
  ];
}

// ------------------------------------------------------------------------------------------------------------ receipts

/**
 * A receipt: the body of an entry in base64 on the first line, then its C2SP tlog-proof. Throws if it does not show the entry,
 * or if one of the keys should have signed its checkpoint and has not; `isKnown` says whether one has.
 */
export function readReceipt(bytes, file, keys = []) {
  const [first, ...rest] = decodeText(asBytes(bytes)).split('\n');
  const gap = rest.indexOf('');
  const rows = rest.slice(0, gap);
  const extra = rows[1]?.startsWith('extra ') ? rows.splice(1, 1)[0].slice(6) : '';
  if (extra && !bytesFromBase64(extra)) throw new Unreadable('the line of extra data is not base64');
  const body = bytesFromBase64(first);
  const isProof = rows[0] === 'c2sp.org/tlog-proof@v1' && /^index (0|[1-9][0-9]{0,15})$/.test(rows[1] ?? '');
  if (!body?.length || gap < 0 || !isProof) throw new Unreadable('not a receipt: a body in base64 and a tlog-proof');
  const record = parseStrictly(decodeText(body));
  entryBody(record, body);
  if (canonical(record) !== decodeText(body)) throw new Unreadable('the body of the entry is not canonical');
  const note = readCheckpoint(rest.slice(gap + 1).join('\n'));
  const index = Number(rows[1].slice(6));
  const path = rows.slice(2).map(hashFromBase64);
  const stream = isObject(record) && typeof record.stream === 'string' ? record.stream : '';
  if (record?.seq !== index || !stream || !fitsStream(note.name, stream))
    throw new Unreadable('the entry is not of the log and the number that the receipt names');
  const leaf = leafHash(body);
  if (path.includes(null) || !isIncluded({ leaf, index, size: note.size, path, root: note.root }))
    throw new Unreadable('its proof does not lead from the entry to the root of its checkpoint');
  const { wrong, logs } = signersOf(note, keys, stream);
  if (wrong) throw new Unreadable(wrong);
  return { file, index, stream, leaf, note, isKnown: logs.length > 0 };
}

/** Receipts compared with a file: a log that lacks what a receipt shows is wrong, if a known key has signed it. */
function receiptCheck(file, receipts) {
  const faults = [];
  let met = 0;
  for (const { file: name, index, stream, leaf, note, isKnown } of receipts) {
    const log = file.logs.get(stream);
    // whatever it is called: a log of another name is another log
    const own = [
      ...(file.checkpoints ?? []).filter((each) => each.stream === stream),
      ...file.stored.filter(({ where }) => streamsOfStored(file.logs, where).includes(stream)),
      ...(file.note ? [file.note] : []),
    ];
    const isOther = own.length > 0 && !own.some((each) => firstName(each.name) === firstName(note.name));
    if (!log || !isKnown || isOther) continue;
    const found = file.entries.find(({ record }) => record.stream === stream && record.seq === index);
    const isWhole = file.kind === 'journal' ? note.size <= log.size : note.size === log.size;
    if (found && !sameBytes(found.leaf, leaf))
      faults.push(fault(name, `entry ${index} of ${stream}`, 'the entry that the receipt shows', 'another'));
    else if (isWhole && !sameBytes(log.root(note.size), note.root))
      faults.push(fault(name, `the first ${note.size} entries`, 'those that were signed', 'others: two histories'));
    if (found && sameBytes(found.leaf, leaf)) met++;
  }
  if (met || faults.length) return checked('receipts', `${met} of ${receipts.length} show an entry that is there`, faults);
  return unchecked('receipts', `none of ${receipts.length} could be compared: entry not in the file, or key not given`);
}

/** Receipts that show two histories of one log, whatever is in the files: known keys have signed both. */
function contradictoryReceipts(receipts) {
  const seen = new Map();
  return receipts
    .filter(({ isKnown }) => isKnown)
    .flatMap(({ file, index, leaf, note }) => {
      const faults = [
        [`entry ${figure(index)}`, leaf],
        [`the first ${figure(note.size)} entries`, note.root],
      ].flatMap(([what, shown]) => {
        const key = `${note.name} ${what}`;
        const [known, other] = seen.get(key) ?? [shown, file];
        seen.set(key, [known, other]);
        return sameBytes(known, shown) ? [] : [fault(file, `${what} of ${note.name}`, `as ${other} shows it`, 'two histories')];
      });
      const checks = [checked('receipts', '', faults)];
      return faults.length ? [{ file, status: 1, kind: 'receipt', scope: {}, logs: [], coverage: [], checks, message: ANSWERS.get(1) }] : [];
    });
}

function unreadable(message) {
  return { status: 2, kind: null, scope: null, logs: [], coverage: [], checks: [], message };
}

/**
 * Checks a journal or a bundle, given as bytes or as text. Never throws. `keys` are public keys that the reader has from
 * elsewhere, as `readKey` reads them, or `policy` says whose signatures are required, as `readPolicy` reads it; `stored` are checkpoints that were stored next to a journal, each with its `name` and its
 * `text`; `receipts` are receipts as `readReceipt` reads them under the same keys;
 * `memory` is a `CheckpointMemory`, with which the file must agree, and which remembers it. The report has `status` (1 something is wrong, 2 unreadable, 3 nothing is wrong, but not everything is covered: always,
 * since this verifier does not know the rules), `message`, `kind` (journal or bundle), `scope`, `logs` (stream, size, root),
 * `coverage` (one for each stream, as `baccarat verify --json` has it) and `checks`: each with `name`, `holds` (true, false, or
 * null if it was not checked), `say`, and `faults` with `where`, `say`, `expected`, `found`.
 */
export function verify(input, { stored = [], keys = [], policy = policyOfKeys(keys), receipts = [], memory = null } = {}) {
  return withUnusedKeys([verifyOne(input, { stored, policy, receipts, memory })])[0];
}

/** The same of one of several files: the keys that have signed nothing of it are in `unused`. */
function verifyOne(input, { stored, policy, receipts, memory }) {
  try {
    return verifyBytes(asBytes(input), { stored, policy, receipts, memory });
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

function verifyBytes(bytes, { stored, policy, receipts, memory }) {
  if (!bytes.length) throw new Unreadable('the file is empty');
  const file = isJournal(bytes) ? readJournal(bytes) : readBundle(bytes);
  const isOfOne = ({ name }) => file.kind === 'bundle' || streamsOfStored(file.heads, name).length < 2; // otherwise it does not say of which stream it is
  file.stored = stored.filter(isOfOne).map(({ name, text: note }) => ({ where: name, ...readCheckpoint(note, name) }));
  const checks = file.kind === 'journal' ? journalChecks(file, policy) : bundleChecks(file, policy);
  checks.push(...memoryChecks(file, checks, memory ?? new CheckpointMemory(null, { isStored: false })));
  if (receipts.length) checks.push(receiptCheck(file, receipts));
  const status = checks.some((check) => check.holds === false) ? 1 : 3;
  return {
    status,
    kind: file.kind,
    scope: { ...file.scope },
    logs: [...file.logs].map(([stream, log]) => ({ stream, size: log.size, root: base64(log.root()) })),
    coverage: file.coverage,
    unused: file.unused,
    checks,
    message: ANSWERS.get(status),
  };
}

/** The last line of a report, by its status. */
const ANSWERS = new Map([
  [1, 'Something is wrong.'],
  [3, 'Nothing is wrong in what was checked; not all of it is covered.'],
]);
const WORST_FIRST = [1, 2, 3];

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
  for (const coverage of report.coverage) {
    lines.push(coverageText(coverage), ...coverage.gaps.map((gap) => ` – not covered: ${gap}`));
    const open = coverage.longest_open;
    if (open?.entries)
      lines.push(`   longest stretch open to rewriting: ${figure(open.entries)} entries, ${figure(open.seconds)} s`);
  }
  const plain = lines.map((line) => line.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '\ufffd'));
  return `${plain.join('\n')}\n${report.message}\n`;
}

// --------------------------------------------------------------------------------------------- from the terminal, Node

const USAGE = `node verify_baccarat.mjs FILE… [--key KEY | --policy FILE] [--memory FILE] [--receipt FILE] [--json]
Checks journals and bundles of a baccarat table under public keys, each as text or as a file of them. Exit status: 3 nothing is
wrong, but not everything is covered (always, since it does not know the rules), 1 something is wrong, 2 unreadable or wrong usage.
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
function readStoredNotes(fs, path, bytes) {
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
    .map((file) => ({ name: folder + file, text: decodeText(fs.readFileSync(folder + file)) }));
}

/** The text of a file of keys, or of a policy: all of it, or the reader would ask for less than it says. */
function readKeysText(fs, name) {
  const bytes = fs.readFileSync(name);
  if (bytes.length > MOST_KEYS) throw new Unreadable('more than 1,000,000 bytes; a file of keys or a policy has at most that');
  return decodeText(bytes);
}

/** Public keys as given: each as its text, or as a file that holds some, one per line. */
function keysOfArguments(fs, said) {
  return said.flatMap((each) => {
    const isFile = !each.includes('+') || (each.length < 1000 && fs.existsSync(each));
    const rows = isFile ? readKeysText(fs, each).split(LINE_ENDS) : [each];
    return rows.filter((row) => row.trim() && !row.startsWith('#')).map((row) => readKey(row.trim()));
  });
}

function receiptOfFile(fs, name, keys) {
  try {
    return readReceipt(fs.readFileSync(name), name, keys);
  } catch (error) {
    const say = error instanceof Unreadable ? error.message : `cannot be read (${error?.code ?? error?.message})`;
    return { file: name, ...unreadable(say), kind: 'receipt' };
  }
}

/** The report on one file by itself, whatever other files show of the same logs. */
export function reportOfFile(fs, name, given) {
  try {
    if (fs.statSync(name).size > MOST_JOURNAL) return unreadable('too large: more than 1 GiB');
    const bytes = fs.readFileSync(name);
    return verifyOne(bytes, { stored: readStoredNotes(fs, name, bytes), ...given });
  } catch (error) {
    return unreadable(
      error?.code === 'ENOENT' ? 'there is no such file' : `cannot be read (${error?.code ?? error?.message})`,
    );
  }
}

/** The policy and the memory of a reader, from the files that were named; throws with the option that is wrong. */
function readerOf(fs, { key, policy, memory, receipt, names }) {
  let option = policy.length ? '--policy' : '--key';
  try {
    if (policy.length && key.length) throw new Unreadable('--policy names the keys; it cannot be combined with --key');
    const asked = policy.length ? readPolicy(readKeysText(fs, policy.at(-1))) : policyOfKeys(keysOfArguments(fs, key));
    option = '--memory';
    return { policy: asked, memory: memory.length ? memoryOfFile(fs, memory.at(-1), [...names, ...key, ...policy, ...receipt]) : null };
  } catch (error) {
    const isMissing = error?.code === 'ENOENT';
    const say = isMissing ? (option === '--key' ? 'neither a file nor a public key' : 'there is no such file') : error?.message;
    throw new Unreadable(`${option}: ${say}`);
  }
}

/** What is remembered in a file, which is written later: it must not be one of those that are read. */
function memoryOfFile(fs, path, sources) {
  const real = (name) => (fs.existsSync(name) ? fs.realpathSync(name) : name);
  if (sources.map(real).includes(real(path))) throw new Unreadable('it would replace a file that is read');
  if (!fs.existsSync(path)) return new CheckpointMemory();
  if (fs.statSync(path).size > MOST_MEMORY) throw new Unreadable(`more than ${figure(MOST_MEMORY)} bytes`);
  return new CheckpointMemory(decodeText(fs.readFileSync(path)));
}

/** Replaces a file: whatever happens, it is the old one or the new one, and whole. */
function replaceFile(fs, path, data) {
  const target = fs.existsSync(path) ? fs.realpathSync(path) : path;
  const part = `${target}.${process.pid}.part`;
  const file = fs.openSync(part, 'wx', 0o600);
  try {
    fs.writeSync(file, data);
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
  fs.renameSync(part, target);
}

/** The words of the command line; null if they are not understood. */
function parseArguments(given) {
  const found = { key: [], policy: [], memory: [], receipt: [], names: [], isJson: false, isHelp: false };
  for (let i = 0; i < given.length; i++) {
    const [, name, , value] = /^--(key|policy|memory|receipt)(=(.*))?$/s.exec(given[i]) ?? [];
    if (name && (value !== undefined || i + 1 < given.length)) found[name].push(value ?? given[++i]);
    else if (given[i] === '--json') found.isJson = true;
    else if (given[i] === '--help') found.isHelp = true;
    else if (given[i].startsWith('--')) return null;
    else found.names.push(given[i]);
  }
  return found.names.length || found.isHelp ? found : null;
}

async function fromTerminal() {
  const fs = await import('node:fs');
  const { pathToFileURL } = await import('node:url');
  if (pathToFileURL(fs.realpathSync(process.argv[1])).href !== import.meta.url) return; // another program has imported us
  const words = parseArguments(process.argv.slice(2));
  if (!words || words.isHelp) {
    (words ? process.stdout : process.stderr).write(USAGE);
    process.exitCode = words ? 0 : 2;
    return;
  }
  process.stdout.on('error', () => {}); // the reader may stop reading
  try {
    const { policy, memory } = readerOf(fs, words);
    const held = words.receipt.map((name) => receiptOfFile(fs, name, policy.keys));
    const receipts = held.filter((each) => each.status === undefined);
    const seen = memory ?? new CheckpointMemory(null, { isStored: false }); // what one file shows of a log must agree with all others
    const reportOf = (name) => ({ file: name, ...reportOfFile(fs, name, { policy, receipts, memory: seen }) });
    const reports = [...withUnusedKeys(words.names.map(reportOf)), ...held.filter((each) => each.status !== undefined), ...contradictoryReceipts(receipts)];
    if (memory) replaceFile(fs, words.memory.at(-1), memory.text());
    if (words.isJson) process.stdout.write(`${JSON.stringify(reports)}\n`);
    else
      for (const report of reports)
        (report.status === 2 ? process.stderr : process.stdout).write(reportText(report, report.file));
    process.exitCode = WORST_FIRST.find((status) => reports.some((report) => report.status === status));
  } catch (error) {
    process.stderr.write(`${error?.message}\n`);
    process.exitCode = 2;
  }
}

if (typeof process === 'object' && process.versions?.node && process.argv?.[1]) fromTerminal();
