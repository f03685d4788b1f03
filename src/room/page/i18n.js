// The page's language: chosen by the person, else the browser's. Numbers and times follow it.

import { defaultLanguage, words } from "/words.js";

const languages = Object.keys(words);
const wished = [localStorage.getItem("kith.language"), ...navigator.languages.map((tag) => tag.slice(0, 2))];
let language = wished.find((code) => languages.includes(code)) ?? defaultLanguage;

const next = () => languages[(languages.indexOf(language) + 1) % languages.length];

/** What the language that comes after this one calls itself. */
export const nextLanguage = () => words[next()].own_name;

/** Switches to the next language; the caller draws anew. */
export function switchLanguage() {
  language = next();
  localStorage.setItem("kith.language", language);
}

/** The words for `key`, with `{name}`s filled in. */
export function t(key, values) {
  const text = words[language][key] ?? key;
  return values ? text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "") : text;
}

/** What the core said in every language. */
export const said = (told) => told?.[language] ?? "";

const locale = () => t("locale");

/** A share, 0 … 1, as a percentage; small ones keep a digit after the point. */
export const percent = (share) =>
  new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: share < 0.0995 ? 1 : 0 }).format(share);

/** A signed number with one digit after the point. */
export const signed = (number) =>
  new Intl.NumberFormat(locale(), { signDisplay: "exceptZero", minimumFractionDigits: 1, maximumFractionDigits: 1 })
    .format(number)
    .replace("-", "−");

/** A whole number with separators. */
export const whole = (number) => new Intl.NumberFormat(locale()).format(number);

/** A count of messages; beyond a hundred nobody counts. */
export const toHundred = (count) => (count > 99 ? "99+" : String(count));

/** The time of day. */
export const clock = (at) =>
  new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit", hour12: false }).format(at);

/** The day. */
export const day = (at) =>
  new Intl.DateTimeFormat(locale(), { weekday: "long", day: "numeric", month: "long" }).format(at);

/** The day with its year. */
export const date = (at) =>
  new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", year: "numeric" }).format(at);

/** A day in a few letters, as the UTC calendar has it. */
export const dayOf = (at) =>
  new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", timeZone: "UTC" }).format(at);

/** A moment with its date. */
export const moment = (at) => new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(at);

/** An amount of money; small ones keep the digits that tell something. */
export const money = (amount) => new Intl.NumberFormat(locale(), { maximumSignificantDigits: 3 }).format(amount);

/** A number with as many digits as tell something. */
export const rounded = (number) => new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 }).format(number);

/** The units of time, the largest first, each with its seconds. */
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** A number with its unit of time, as short as people write it. */
const inUnit = (count, unit) => new Intl.NumberFormat(locale(), { style: "unit", unit, maximumFractionDigits: 1 }).format(count);

/** A length of time in seconds, in the unit that reads best and, of few of these, what is left in the next smaller one. */
function lengthOf(seconds) {
  const at = UNITS.findIndex(([, size]) => seconds >= size);
  if (at < 0 || UNITS[at][0] === "second") {
    if (Math.round(seconds) >= 60) return lengthOf(60);
    return inUnit(seconds < 9.95 ? seconds : Math.round(seconds), "second");
  }
  const [[unit, size], [smaller, step]] = UNITS.slice(at, at + 2);
  const exact = seconds < 10 * size ? step : size;
  const rounded = Math.round(seconds / exact) * exact;
  // It may round up to one of the next larger.
  if (rounded >= (UNITS[at - 1]?.[1] ?? Infinity)) return lengthOf(rounded);
  const [count, left] = [Math.floor(rounded / size), (rounded % size) / step];
  const parts = [inUnit(count, unit), left > 0 && inUnit(left, smaller)].filter(Boolean);
  return new Intl.ListFormat(locale(), { type: "unit", style: "narrow" }).format(parts);
}

/** How long something took, in milliseconds. */
export const duration = (milliseconds) =>
  milliseconds < 950 ? inUnit(Math.round(milliseconds), "millisecond") : lengthOf(milliseconds / 1000);

/** How long it is until something, or since it where that is negative. */
export const span = (milliseconds) =>
  t(milliseconds < 0 ? "time_ago" : "in_time", { time: lengthOf(Math.abs(milliseconds) / 1000) });

/** Names as a list. */
export const list = (names) => new Intl.ListFormat(locale(), { type: "conjunction" }).format(names);
