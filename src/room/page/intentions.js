// What the companion waits for in the channel on show: until what, what for, until when. Each can be taken away.

import { ask } from "/api.js";
import { byId, h, icon, replace } from "/dom.js";
import { clock, day, duration, t } from "/i18n.js";
import { changed, now, on, room } from "/page_state.js";

/** Wires the list. */
export function start() {
  on("mind intentions", draw);
  on("lapsed", (refusal) => changed("notice", t("waits_lapsed", { refusal: t(`refusal_${refusal}`) })));
}

function draw() {
  const box = byId("intentions");
  const { intentions, held } = room.waiting;
  box.hidden = intentions.length === 0;
  if (box.hidden) return replace(box);
  const why = held && h("p", { class: "small" }, t("waits_held", { refusal: t(`refusal_${held}`) }));
  replace(box, h("h3", { id: "intentions-title" }, t("waits_for")), why, h("ul", null, intentions.map(one)));
}

function one(intention) {
  const until = h("p", { class: "until" }, conditions(intention).join(t("waits_or")));
  const note = intention.note && h("p", { class: "note" }, intention.note);
  const lapses = h("p", { class: "small" }, t("waits_lapses", { time: moment(intention.expires) }));
  const taken = () => ask("drop_intention", { channel: room.channel, id: intention.id });
  const take = h(
    "button",
    { type: "button", class: "quiet icon", "aria-label": t("waits_drop"), title: t("waits_drop"), onclick: taken },
    icon("trash"),
  );
  return h("li", null, h("div", null, until, note, lapses), take);
}

function conditions({ person, name, word, time }) {
  return [
    person && t("waits_person", { name }),
    word && t("waits_word", { word }),
    time && moment(time),
  ].filter(Boolean);
}

/** A time of today, or with its day. */
const moment = (at) => (day(at) === day(now()) ? clock(at) : `${day(at)}, ${clock(at)}`);
