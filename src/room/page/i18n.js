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

/** A duration in milliseconds or seconds, whichever reads better. */
export const duration = (milliseconds) =>
  milliseconds < 950 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

/** How long it is until something, or since it where that is negative, in the unit that reads best. */
export function span(milliseconds) {
  const seconds = milliseconds / 1000;
  const size = Math.abs(seconds);
  const [count, unit] =
    size < 90 ? [size < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds), "second"]
    : size < 5400 ? [Math.round(seconds / 60), "minute"]
    : size < 129_600 ? [Math.round(seconds / 3600), "hour"]
    : [Math.round(seconds / 86_400), "day"];
  return new Intl.RelativeTimeFormat(locale(), { style: unit === "second" ? "narrow" : "long" }).format(count, unit);
}

/** Names as a list. */
export const list = (names) => new Intl.ListFormat(locale(), { type: "conjunction" }).format(names);
