// Times as every page shows them: 24 hours, in the reader's time zone; with the date if that is not today.
import { language } from "/page/js/words.js";

const LOCALE = { en: "en-GB", "zh-Hant": "zh-Hant-HK" }[language];
/** @type {Intl.DateTimeFormatOptions} */
const HOURS = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
const clock = new Intl.DateTimeFormat(LOCALE, HOURS);
const day = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", ...HOURS });
const dayAndYear = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", year: "numeric", ...HOURS });

/**
 * A Date as a time; with the day, or the year, if it is another one.
 * @param {Date} date
 * @param {Date} [now]
 */
export function shownTime(date, now = new Date()) {
  if (date.toDateString() === now.toDateString()) return clock.format(date);
  return (date.getFullYear() === now.getFullYear() ? day : dayAndYear).format(date);
}

/**
 * The time of a record, in microseconds.
 * @param {number} micros
 */
export const timeOf = (micros) => shownTime(new Date(micros / 1000));
/**
 * The time of a rule or a notice, in seconds.
 * @param {number} seconds
 */
export const timeOfSeconds = (seconds) => shownTime(new Date(seconds * 1000));
/**
 * The time of a line in a list, without the date, which would only be repeated.
 * @param {number} micros
 */
export const clockOf = (micros) => clock.format(new Date(micros / 1000));
/** @param {number} micros */
export const dayOf = (micros) => day.format(new Date(micros / 1000));
