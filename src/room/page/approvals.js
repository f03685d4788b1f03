// What the companion may do only once somebody approves it, in the channel on show: what exactly, who asked for it, until
// when. Each is approved or dropped with a click.

import { ask } from "/api.js";
import { byId, h, replace } from "/dom.js";
import { clock, day, list, t } from "/i18n.js";
import { now, on, refreshPending, room } from "/page_state.js";

/** Wires the cards. `showTurn` opens the turn that asked. */
export function start(showTurn) {
  on("pending", () => draw(showTurn));
}

function draw(showTurn) {
  const box = byId("pending");
  const had = box.contains(document.activeElement);
  box.hidden = room.pending.length === 0;
  const title = h("h3", { id: "pending-title" }, t("pending_title"));
  replace(box, !box.hidden && [title, room.pending.map((one) => card(one, showTurn))]);
  // Who decides by keyboard goes on to the next one, or back to where one writes.
  if (had) (box.querySelector("button") ?? byId("write"))?.focus();
}

function card({ id, tool, turn, preview, params, message, causes, expires }, showTurn) {
  const name = h("strong", { id: `pending-${id}` }, t("pending_what", { tool }));
  const names = list(causes.map((person) => person.name));
  const by = causes.length > 0 ? t("pending_by", { names }) : t("pending_alone");
  const until = t("pending_until", { time: moment(expires) });
  const decide = async (approve) => {
    // Where it was decided already, the page does not know yet.
    await ask("decide", { id, approve, person: room.person }).finally(refreshPending);
  };
  // Nobody but the model knows a line by its number.
  const meant = room.messages.find((known) => known.id === message);
  const told = (key, value) =>
    key === "line" && meant ? `${shown(value)} · ${meant.author.name}: ${meant.text}` : shown(value);
  const button = (key, properties) => h("button", { type: "button", ...properties }, t(key));
  return h(
    "article",
    { "aria-labelledby": `pending-${id}` },
    h("header", null, name, h("span", { class: "small" }, `${by} · ${until}`)),
    preview && h("p", { class: "preview" }, preview),
    h("dl", null, Object.entries(params).map(([key, value]) => [h("dt", null, key), h("dd", null, told(key, value))])),
    h(
      "div",
      { class: "row" },
      button("pending_approve", { class: "primary", "data-act": "approve", onclick: () => decide(true) }),
      button("pending_drop", { class: "plain", "data-act": "drop", onclick: () => decide(false) }),
      button("pending_why", { class: "quiet", "data-act": "why", onclick: () => showTurn(turn) }),
    ),
  );
}

const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** A time of today, or with its day. */
const moment = (at) => (day(at) === day(now()) ? clock(at) : `${day(at)}, ${clock(at)}`);
