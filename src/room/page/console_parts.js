// What several views of the console are made of.

import { ask } from "/api.js";
import { h } from "/dom.js";
import { money, moment, span, t, whole } from "/i18n.js";

/** Asks the daemon for what a view shows. */
export const askConsole = (name, fields) => ask(name, fields, "/api/console");

/** A link to another view. */
export const to = (address, ...content) => h("a", { href: `#${address}` }, content);

/** A table in a frame that scrolls where it is too wide. `columns` are `[title, class]`, `rows` lists of cells. */
export function table(title, columns, rows, empty) {
  if (rows.length === 0) return h("p", { class: "note" }, empty ?? t("nothing_here"));
  const cell = (content, at) => h(at === 0 ? "th" : "td", { class: columns[at][1], scope: at === 0 && "row" }, content);
  return h(
    "div",
    { class: "table", role: "region", "aria-label": title, tabindex: "0" },
    h(
      "table",
      null,
      h("caption", { class: "unseen" }, title),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          columns.map(([name, kind]) => h("th", { scope: "col", class: kind }, name)),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((cells) => h("tr", null, cells.map(cell))),
      ),
    ),
  );
}

/** A titled section. */
export const section = (title, ...content) => h("section", { class: "panel" }, title && h("h2", null, title), content);

/** A number with what it is. */
export const fact = (title, ...content) => h("div", { class: "fact" }, h("dt", null, title), h("dd", null, content));

/** How long ago something was, with its date at hand. */
export const ago = (at, now = Date.now()) =>
  at === null || at === undefined
    ? "—"
    : h("time", { datetime: new Date(at).toISOString(), title: moment(at) }, span(Math.min(at - now, -1000)));

/** Tokens of a prompt and an answer. */
export const tokens = ({ prompt, completion }) => whole(prompt + completion);

/** What something cost; nothing where there is no price. */
export const cost = (amount) => (amount ? money(amount) : "—");

/** A channel's name as a link to its day. */
export const channelLink = (id, name) =>
  String(id) === "0" ? t("no_channel_of_its_own") : to(`channel/${id}`, name ? `#${name}` : `#${id}`);

/** How a turn ended, as its kind and in words. */
export function outcomeOf({ outcome }) {
  if (outcome === "acted") return ["acted", t("turn_acted"), ""];
  const [[kind, why]] = Object.entries(outcome);
  return [kind, t(`turn_${kind}`), why];
}

/** A mark for how a turn ended. */
export function outcomeMark(turn) {
  const [kind, words] = outcomeOf(turn);
  return h("span", { class: `pill ${kind}` }, words);
}

/** Asks anew every so many milliseconds while the view is on show and the page in sight. */
export function repeat(refresh, every, signal) {
  // The view may have been left before its first answer came.
  if (signal.aborted) return;
  const timer = setInterval(() => document.hidden || refresh().catch(() => {}), every);
  signal.addEventListener("abort", () => clearInterval(timer));
}
