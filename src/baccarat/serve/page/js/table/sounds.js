// The sounds of cards and chips, made here from noise and tones. Nothing sounds until it is asked for.
// @ts-check
import { chosen } from "/page/js/settings.js";

/** How loud, of 1. */
const LOUD = 0.25;
/** Chips ring at several pitches, in hertz. */
const CHIP = [2600, 3900, 5300],
  BELL = [880, 1320];

/** @type {AudioContext | null} */
let player = null;
/** @type {AudioBuffer | null} */
let noise = null;

/** A browser lets a page sound once the person has acted on it; until then there is no player. */
function ready() {
  if (chosen("sounds") !== "on" || !navigator.userActivation?.hasBeenActive) return null;
  if (!player) {
    player = new AudioContext();
    noise = player.createBuffer(1, player.sampleRate / 4, player.sampleRate);
    const samples = noise.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
  }
  return player;
}

/**
 * A loudness that starts at once and fades away.
 * @param {AudioContext} context
 * @param {number} loud
 * @param {number} seconds
 * @param {number} at
 */
function fading(context, loud, seconds, at) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(loud * LOUD, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(context.destination);
  return gain;
}

/**
 * Noise through a band: a card that slides, or snaps.
 * @param {{ pitch: number, seconds: number, loud: number }} how
 */
function rustle({ pitch, seconds, loud }) {
  const context = ready();
  if (!context) return;
  const source = context.createBufferSource(),
    band = context.createBiquadFilter(),
    at = context.currentTime;
  source.buffer = noise;
  Object.assign(band, { type: "bandpass" });
  band.frequency.value = pitch;
  source.connect(band).connect(fading(context, loud, seconds, at));
  source.start(at);
  source.stop(at + seconds);
}

/**
 * Tones that fade away: chips, or a bell.
 * @param {number[]} pitches
 * @param {{ seconds: number, loud: number, after?: number }} how
 */
function ring(pitches, { seconds, loud, after = 0 }) {
  const context = ready();
  if (!context) return;
  const at = context.currentTime + after;
  for (const pitch of pitches) {
    const tone = context.createOscillator();
    tone.frequency.value = pitch;
    tone.connect(fading(context, loud / pitches.length, seconds, at));
    tone.start(at);
    tone.stop(at + seconds);
  }
}

const chip = (after = 0) => ring(CHIP, { seconds: 0.09, loud: 0.7, after });

/** @type {Record<string, () => void>} */
const SOUNDS = {
  card_drawn: () => rustle({ pitch: 2200, seconds: 0.14, loud: 0.8 }),
  card_turned: () => rustle({ pitch: 4200, seconds: 0.06, loud: 1 }),
  no_more_bets_called: () => ring(BELL, { seconds: 0.7, loud: 0.5 }),
};
/** @type {Record<string, () => void>} */
const OWN_SOUNDS = {
  wager_placed: () => chip(),
  wager_changed: () => chip(),
  paid: () => [0, 0.08, 0.15].forEach(chip),
};

/**
 * The sound of an event, to somebody at a seat.
 * @param {House.TableEvent} event
 * @param {number} seat
 */
export function sound(event, seat) {
  SOUNDS[event.event]?.();
  if (seat && "seat" in event && event.seat === seat) OWN_SOUNDS[event.event]?.();
}
